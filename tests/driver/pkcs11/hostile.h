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
    HOSTILE_LOGOUT,  /* another part of the program logs out just before the call */
    HOSTILE_ABSENT,  /* as HOSTILE_REMOVED, but the call returns CKR_TOKEN_NOT_PRESENT */
    HOSTILE_BLANK,   /* attributes that are read are zeros */
    HOSTILE_MODES
};

/* What the module does from now on, whatever its mode. */
enum {
    HOSTILE_REPEATS = 1,  /* all random numbers are the same */
    HOSTILE_LAST_TRY = 2, /* tokens report that a wrong PIN locks them */
    HOSTILE_ENDS_NOT = 4, /* C_Finalize does nothing: CKR_GENERAL_ERROR */
    HOSTILE_ASKS = 8,     /* private keys that are made ask for the PIN each time */
};

/* Functions that can be told to do nothing and to return a code. */
enum hostile_function {
    HOSTILE_LOGIN,
    HOSTILE_LOGIN_AGAIN, /* that of one signature */
    HOSTILE_OPEN,
    HOSTILE_GENERATE,
    HOSTILE_SEARCH,
    HOSTILE_DERIVE,
    HOSTILE_FUNCTIONS
};

/* Misbehave at call number `at`, counted from 1 and from here. */
typedef void hostile_set_fn(unsigned at, enum hostile_mode mode);
/* Calls since then. */
typedef unsigned hostile_calls_fn(void);
/* Calls of C_Login since the module was loaded. */
typedef unsigned hostile_logins_fn(void);
/* Log out, as another part of the program may do. */
typedef void hostile_log_out_fn(void);
/* Change what it does from now on: HOSTILE_* above, or 0. */
typedef void hostile_behave_fn(unsigned habits);
/* Return `code` from now on; 0: do the work again. */
typedef void hostile_answer_fn(enum hostile_function function, unsigned long code);
/* End all sessions, as if tokens were pulled and plugged in again. */
typedef void hostile_pull_out_fn(void);
/* End the module, as another part of the program may do. */
typedef void hostile_end_fn(void);
/* Give the number of the oldest session to the session that was opened after it. */
typedef void hostile_swap_fn(void);
/* Exchange the labels of two public keys in the first token that has a session. False: failed. */
typedef _Bool hostile_relabel_fn(const char *first, const char *second);
/* Objects that stay in the tokens with open sessions. They have to be logged in. */
typedef unsigned hostile_objects_fn(void);
/* Open sessions, and searches that were not ended. */
typedef unsigned hostile_sessions_fn(void);
typedef unsigned hostile_searches_fn(void);
/* Calls with sessions that are not open: their number may be another session's. */
typedef unsigned hostile_strays_fn(void);

#endif
