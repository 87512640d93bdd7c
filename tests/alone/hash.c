/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "alone.h"

static const uint8_t message[] = "whole and in parts";

bool use(void)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t whole[64];
    uint8_t parts[64];
    size_t length;
    size_t parts_length;

    return DID(psa_hash_compute(ALG, message, sizeof message, whole, sizeof whole, &length)) &&
           DID(psa_hash_setup(&operation, ALG)) && DID(psa_hash_update(&operation, message, 5)) &&
           DID(psa_hash_update(&operation, message + 5, sizeof message - 5)) &&
           DID(psa_hash_finish(&operation, parts, sizeof parts, &parts_length)) &&
           HOLDS(length == PSA_HASH_LENGTH(ALG) && parts_length == length) &&
           HOLDS(memcmp(whole, parts, length) == 0);
}
