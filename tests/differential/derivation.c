/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "wire.h"

#define OUTPUT_MAX_SIZE 8192u

/* step, then k and a key, n and a number, or b and bytes. */
static psa_status_t input(psa_key_derivation_operation_t *operation)
{
    const psa_key_derivation_step_t step = (psa_key_derivation_step_t)wire_number();
    const char kind = wire_word()[0];

    if (kind == 'k') {
        return psa_key_derivation_input_key(operation, step, wire_number());
    }
    if (kind == 'n') {
        return psa_key_derivation_input_integer(operation, step, wire_number());
    }
    const struct bytes data = wire_bytes();
    return psa_key_derivation_input_bytes(operation, step, data.data, data.length);
}

/* derive ALG CAPACITY FIRST SIZE inputs...: the output in two parts. A capacity of 0: not set. */
WIRE_COMMAND(derive)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    static uint8_t output[OUTPUT_MAX_SIZE];

    psa_status_t status = psa_key_derivation_setup(&operation, wire_number());
    const size_t capacity = wire_number();
    const size_t first = wire_number();
    const size_t size = wire_number();
    if (size > sizeof output || first > size) {
        wire_fail("an output is too long");
    }
    if (status == PSA_SUCCESS && capacity > 0) {
        status = psa_key_derivation_set_capacity(&operation, capacity);
    }
    while (wire_has_more()) {
        const psa_status_t done = input(&operation);
        status = status == PSA_SUCCESS ? done : status;
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_output_bytes(&operation, output, first);
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_output_bytes(&operation, output + first, size - first);
    }
    psa_key_derivation_abort(&operation);
    wire_put(output, status == PSA_SUCCESS ? size : 0);
    wire_answer(status);
}
