/* SPDX-License-Identifier: Apache-2.0 */
#include "sequence.h"

#define SIZE 8u

/* Store that all numbers below `end` may have been used. */
static psa_status_t reserve(psa_storage_uid_t uid, uint64_t end)
{
    uint8_t bytes[SIZE];

    for (uint8_t i = SIZE; i > 0; i--) {
        bytes[i - 1] = (uint8_t)end;
        end >>= 8;
    }
    return psa_its_set(uid, sizeof bytes, bytes, PSA_STORAGE_FLAG_NONE);
}

psa_status_t fleet_sequence_make(psa_storage_uid_t uid)
{
    return reserve(uid, FLEET_SEQUENCE_FIRST);
}

psa_status_t fleet_sequence_start(struct fleet_sequence *sequence, psa_storage_uid_t uid)
{
    uint8_t bytes[SIZE + 1];
    size_t length = 0;
    uint64_t end = 0;

    /* Until the entry is read there is no number to take. */
    *sequence = (struct fleet_sequence){uid, UINT64_MAX, UINT64_MAX};
    const psa_status_t status = psa_its_get(uid, 0, sizeof bytes, bytes, &length);
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    for (uint8_t i = 0; i < SIZE; i++) {
        end = end << 8 | bytes[i];
    }
    if (length != SIZE || end == 0) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    *sequence = (struct fleet_sequence){uid, end, end};
    return PSA_SUCCESS;
}

psa_status_t fleet_sequence_take(struct fleet_sequence *sequence, uint64_t *number)
{
    if (sequence->next == sequence->end) {
        if (sequence->end > UINT64_MAX - FLEET_SEQUENCE_BLOCK) {
            return PSA_ERROR_BAD_STATE;
        }
        const psa_status_t status = reserve(sequence->uid, sequence->end + FLEET_SEQUENCE_BLOCK);
        if (status != PSA_SUCCESS) {
            return status;
        }
        sequence->end += FLEET_SEQUENCE_BLOCK;
    }
    *number = sequence->next++;
    return PSA_SUCCESS;
}
