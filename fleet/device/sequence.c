/* SPDX-License-Identifier: Apache-2.0 */
#include "sequence.h"

#include <stdbool.h>
#include <string.h>

_Static_assert(FLEET_SEQUENCE_BLOCK >= 1 && FLEET_SEQUENCE_BLOCK <= UINT8_MAX,
               "fleet_sequence.left counts a block");

uint64_t fleet_number_read(const uint8_t bytes[FLEET_NUMBER_SIZE])
{
    uint64_t number = 0;

    for (uint8_t i = 0; i < FLEET_NUMBER_SIZE; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

/* Add to a number. false: the sum is past the largest, and the number is another one now. */
static bool add(struct fleet_number *number, uint8_t addend)
{
    unsigned sum = addend;

    for (uint8_t i = FLEET_NUMBER_SIZE; i > 0; i--) {
        sum += number->bytes[i - 1];
        number->bytes[i - 1] = (uint8_t)sum;
        sum >>= 8;
    }
    return sum == 0;
}

/* Store that all numbers below `end` may have been used. */
static psa_status_t reserve(uint8_t entry, const struct fleet_number *end)
{
    return fleet_entry_write(entry, end->bytes, sizeof end->bytes);
}

psa_status_t fleet_sequence_make(uint8_t entry)
{
    static const struct fleet_number first = {{0, 0, 0, 0, 0, 0, 0, FLEET_SEQUENCE_FIRST}};

    return reserve(entry, &first);
}

psa_status_t fleet_sequence_start(struct fleet_sequence *sequence, uint8_t entry)
{
    uint8_t bytes[FLEET_NUMBER_SIZE + 1];

    /* The largest number: until the entry is read there is none to take. */
    memset(&sequence->next, 0xff, sizeof sequence->next);
    sequence->entry = entry;
    sequence->left = 0;
    const psa_status_t status = fleet_entry_read(entry, bytes, FLEET_NUMBER_SIZE);
    if (status == PSA_ERROR_DOES_NOT_EXIST ||
        (status == PSA_SUCCESS && fleet_number_read(bytes) == 0)) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    if (status == PSA_SUCCESS) {
        memcpy(&sequence->next, bytes, sizeof sequence->next);
    }
    return status;
}

psa_status_t fleet_sequence_take(struct fleet_sequence *sequence, struct fleet_number *number)
{
    uint8_t left = sequence->left;

    *number = sequence->next;
    if (left == 0) {
        struct fleet_number end = sequence->next;
        if (!add(&end, FLEET_SEQUENCE_BLOCK)) {
            return PSA_ERROR_BAD_STATE;
        }
        const psa_status_t status = reserve(sequence->entry, &end);
        if (status != PSA_SUCCESS) {
            return status;
        }
        left = FLEET_SEQUENCE_BLOCK;
    }
    sequence->left = (uint8_t)(left - 1);
    (void)add(&sequence->next, 1); /* it is not past the end of the block, which is a number */
    return PSA_SUCCESS;
}
