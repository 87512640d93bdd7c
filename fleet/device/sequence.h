/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of 64 bits, none of which is used twice, whenever power fails. They are reserved in
 * storage in blocks before the first of a block is used; after a start those of the block at work
 * are skipped, used or not.
 */
#ifndef FLEET_SEQUENCE_H
#define FLEET_SEQUENCE_H

#include <stdint.h>

#include "entry.h"

/*
 * How many numbers a write to storage reserves, 1 to 255. A receiver's threshold lies above it,
 * because a start skips so many at most.
 */
#ifndef FLEET_SEQUENCE_BLOCK
#define FLEET_SEQUENCE_BLOCK 64u
#endif

#define FLEET_SEQUENCE_FIRST 1u

/* A number as it is stored and sent: the highest byte comes first. It is kept so, too, because on 8
 * bits a loop over its bytes is shorter than computing with all of them. */
#define FLEET_NUMBER_SIZE 8u
struct fleet_number {
    uint8_t bytes[FLEET_NUMBER_SIZE];
};

struct fleet_sequence {
    struct fleet_number next;
    uint8_t left; /* of the reserved numbers */
    uint8_t entry;
};

/* The number encoded in some bytes. */
uint64_t fleet_number_read(const uint8_t bytes[FLEET_NUMBER_SIZE]);

/*
 * Make the entry of a sequence that begins, for a key that has signed nothing yet.
 *   whatever fleet_entry_write() returns
 */
psa_status_t fleet_sequence_make(uint8_t entry);

/*
 * Continue a sequence after a start. On failure it has no number to take.
 *   PSA_ERROR_DATA_CORRUPT  the entry is missing, or not as it is written: which numbers were used
 *                           is not known any more, and the key must not be used
 *   whatever else fleet_entry_read() returns
 */
psa_status_t fleet_sequence_start(struct fleet_sequence *sequence, uint8_t entry);

/*
 * Take the next number, which only this caller gets.
 *   PSA_ERROR_INSUFFICIENT_STORAGE and what else fleet_entry_write() returns: no number was taken
 *   PSA_ERROR_BAD_STATE  all numbers are used
 */
psa_status_t fleet_sequence_take(struct fleet_sequence *sequence, struct fleet_number *number);

#endif
