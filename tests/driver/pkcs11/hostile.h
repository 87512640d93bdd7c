/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module in front of SoftHSM's, which fails or lies at one call. The program that tests the
 * driver finds these functions in the module itself.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

enum hostile_mode {
    HOSTILE_NOT,
    HOSTILE_REMOVED, /* the token is gone at that call, with its sessions, and back at the next */
    HOSTILE_GONE,    /* the token is gone from that call on */
    HOSTILE_GENERAL, /* the call does nothing: CKR_GENERAL_ERROR */
    HOSTILE_AFTER,   /* the call does its work, and returns CKR_FUNCTION_FAILED */
    HOSTILE_UNKNOWN, /* the call does nothing, and returns a code of the vendor */
    HOSTILE_LONG,    /* lengths and numbers are too large, handles are 0 */
    HOSTILE_SHORT,   /* lengths and numbers are less by one, the last byte is wrong */
    HOSTILE_CANNOT,  /* the call does nothing: CKR_FUNCTION_NOT_SUPPORTED */
    HOSTILE_MODES
};

/* Misbehave at call number `at`, counted from 1 and from here. */
typedef void hostile_set_fn(unsigned at, enum hostile_mode mode);
/* Calls since then. */
typedef unsigned hostile_calls_fn(void);
/* Calls of C_Login since the module was loaded. */
typedef unsigned hostile_logins_fn(void);
/* Log out, as another part of the program may do. */
typedef void hostile_log_out_fn(void);
/* Open sessions, and searches that were not ended. */
typedef unsigned hostile_sessions_fn(void);
typedef unsigned hostile_searches_fn(void);

#endif
