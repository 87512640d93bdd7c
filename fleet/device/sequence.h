/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of 64 bits, none of which is used twice, whenever power fails. They are reserved in
 * storage in blocks before the first of a block is used; after a start those of the block at work
 * are skipped, used or not.
 */
#ifndef FLEET_SEQUENCE_H
#define FLEET_SEQUENCE_H

#include <stdint.h>

#include <psa/crypto.h>
#include <psa/internal_trusted_storage.h>

/*
 * How many numbers a write to storage reserves. A receiver's threshold lies above it, because a
 * start skips so many at most.
 */
#ifndef FLEET_SEQUENCE_BLOCK
#define FLEET_SEQUENCE_BLOCK 64u
#endif

#define FLEET_SEQUENCE_FIRST 1u

struct fleet_sequence {
    psa_storage_uid_t uid;
    uint64_t next;
    uint64_t end; /* of what is reserved */
};

/*
 * Make the entry of a sequence that begins, for a key that has signed nothing yet.
 *   whatever psa_its_set() returns
 */
psa_status_t fleet_sequence_make(psa_storage_uid_t uid);

/*
 * Continue a sequence after a start. On failure it has no number to take.
 *   PSA_ERROR_DATA_CORRUPT  the entry is missing, or not as it is written: which numbers were used
 *                           is not known any more, and the key must not be used
 *   whatever psa_its_get() returns
 */
psa_status_t fleet_sequence_start(struct fleet_sequence *sequence, psa_storage_uid_t uid);

/*
 * Take the next number, which is this caller's alone.
 *   PSA_ERROR_INSUFFICIENT_STORAGE and what else psa_its_set() returns: no number was taken
 *   PSA_ERROR_BAD_STATE  all numbers are used
 */
psa_status_t fleet_sequence_take(struct fleet_sequence *sequence, uint64_t *number);

#endif
