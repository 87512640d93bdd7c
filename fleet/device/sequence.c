/* SPDX-License-Identifier: Apache-2.0 */
#include "sequence.h"

_Static_assert(FLEET_SEQUENCE_BLOCK >= 1 && FLEET_SEQUENCE_BLOCK <= UINT8_MAX,
               "fleet_sequence.left counts a block");

void fleet_number_write(uint64_t number, uint8_t bytes[FLEET_NUMBER_SIZE])
{
    for (uint8_t i = FLEET_NUMBER_SIZE; i > 0; i--) {
        bytes[i - 1] = (uint8_t)number;
        number >>= 8;
    }
}

uint64_t fleet_number_read(const uint8_t bytes[FLEET_NUMBER_SIZE])
{
    uint64_t number = 0;

    for (uint8_t i = 0; i < FLEET_NUMBER_SIZE; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

/* Store that all numbers below `end` may have been used. */
static psa_status_t reserve(uint8_t entry, uint64_t end)
{
    uint8_t bytes[FLEET_NUMBER_SIZE];

    fleet_number_write(end, bytes);
    return fleet_entry_write(entry, bytes, sizeof bytes);
}

psa_status_t fleet_sequence_make(uint8_t entry)
{
    return reserve(entry, FLEET_SEQUENCE_FIRST);
}

psa_status_t fleet_sequence_start(struct fleet_sequence *sequence, uint8_t entry)
{
    uint8_t bytes[FLEET_NUMBER_SIZE + 1];

    sequence->entry = entry;
    sequence->left = 0;
    sequence->next = UINT64_MAX; /* until the entry is read there is no number to take */
    const psa_status_t status = fleet_entry_read(entry, bytes, FLEET_NUMBER_SIZE);
    if (status != PSA_SUCCESS) {
        return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_ERROR_DATA_CORRUPT : status;
    }
    const uint64_t end = fleet_number_read(bytes);
    if (end == 0) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    sequence->next = end;
    return PSA_SUCCESS;
}

psa_status_t fleet_sequence_take(struct fleet_sequence *sequence, uint64_t *number)
{
    if (sequence->left == 0) {
        const uint64_t end = sequence->next + FLEET_SEQUENCE_BLOCK;
        if (end < sequence->next) {
            return PSA_ERROR_BAD_STATE;
        }
        const psa_status_t status = reserve(sequence->entry, end);
        if (status != PSA_SUCCESS) {
            return status;
        }
        sequence->left = FLEET_SEQUENCE_BLOCK;
    }
    sequence->left--;
    *number = sequence->next++;
    return PSA_SUCCESS;
}
