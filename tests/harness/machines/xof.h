/* SPDX-License-Identifier: Apache-2.0 */
/* Extendable output of algorithms that have no context (PSA Crypto 1.5, 10.3.2). */
#ifndef TEST_MACHINE_XOF_H
#define TEST_MACHINE_XOF_H

#include "machine.h"

enum { XOF_SET_UP = MACHINE_OWN, XOF_ABSORBING, XOF_SQUEEZING, XOF_STATES };

enum xof_call { XOF_SETUP, XOF_SET_CONTEXT, XOF_UPDATE, XOF_OUTPUT };

#define XOF_BEFORE_OUTPUT (ONLY(XOF_SET_UP) | ONLY(XOF_ABSORBING))

/* Only abort ends the reading; reading no byte ends the input as well. */
static const struct machine_move xof_moves[] = {
    {XOF_SETUP, ONLY(MACHINE_INACTIVE), XOF_SET_UP},
    {XOF_SET_CONTEXT, ONLY(XOF_SET_UP), XOF_ABSORBING},
    {XOF_UPDATE, XOF_BEFORE_OUTPUT, XOF_ABSORBING},
    {XOF_OUTPUT, XOF_BEFORE_OUTPUT | ONLY(XOF_SQUEEZING), XOF_SQUEEZING},
};

MACHINE(xof_machine, xof_moves, XOF_STATES, ONLY(XOF_SETUP));

#endif
