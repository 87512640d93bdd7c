/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures of messages in parts, to make or to verify (PSA Crypto 1.5, 10.9.9). */
#ifndef TEST_MACHINE_SIGN_H
#define TEST_MACHINE_SIGN_H

#include "machine.h"

enum { SIGN_SET_UP = MACHINE_OWN, SIGN_BEGUN, SIGN_STATES };

enum sign_call { SIGN_SETUP, SIGN_SET_CONTEXT, SIGN_UPDATE, SIGN_FINISH };

/* A context comes once, and before the message. */
static const struct machine_move sign_moves[] = {
    {SIGN_SETUP, ONLY(MACHINE_INACTIVE), SIGN_SET_UP},
    {SIGN_SET_CONTEXT, ONLY(SIGN_SET_UP), SIGN_BEGUN},
    {SIGN_UPDATE, ONLY(SIGN_SET_UP) | ONLY(SIGN_BEGUN), SIGN_BEGUN},
    {SIGN_FINISH, ONLY(SIGN_SET_UP) | ONLY(SIGN_BEGUN), MACHINE_INACTIVE},
};

MACHINE(sign_machine, sign_moves, SIGN_STATES, ONLY(SIGN_SETUP));

#endif
