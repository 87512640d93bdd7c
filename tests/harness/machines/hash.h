/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes (PSA Crypto 1.5, 10.2.4 and 10.2.5). */
#ifndef TEST_MACHINE_HASH_H
#define TEST_MACHINE_HASH_H

#include "machine.h"

enum { HASH_ACTIVE = MACHINE_OWN, HASH_STATES };

enum hash_call {
    HASH_SETUP,
    HASH_RESUME,
    HASH_UPDATE,
    HASH_FINISH,
    HASH_VERIFY,
    HASH_SUSPEND,
    HASH_CLONE,      /* of the operation */
    HASH_CLONE_INTO, /* the operation, of an active one */
};

static const struct machine_move hash_moves[] = {
    {HASH_SETUP, ONLY(MACHINE_INACTIVE), HASH_ACTIVE},
    {HASH_RESUME, ONLY(MACHINE_INACTIVE), HASH_ACTIVE},
    {HASH_CLONE_INTO, ONLY(MACHINE_INACTIVE), HASH_ACTIVE},
    {HASH_UPDATE, ONLY(HASH_ACTIVE), HASH_ACTIVE},
    {HASH_CLONE, ONLY(HASH_ACTIVE), HASH_ACTIVE},
    {HASH_FINISH, ONLY(HASH_ACTIVE), MACHINE_INACTIVE},
    {HASH_VERIFY, ONLY(HASH_ACTIVE), MACHINE_INACTIVE},
    {HASH_SUSPEND, ONLY(HASH_ACTIVE), MACHINE_INACTIVE},
};

/* The source of a clone is const. */
MACHINE(hash_machine, hash_moves, HASH_STATES,
        ONLY(HASH_SETUP) | ONLY(HASH_RESUME) | ONLY(HASH_CLONE_INTO) | ONLY(HASH_CLONE));

#endif
