/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#define OUTPUT_MAX_SIZE 4096u

/* The output in two parts: the first one's length comes before the pieces. */
WIRE_COMMAND(xof)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    const psa_algorithm_t alg = wire_number();
    const size_t first = wire_number();
    const size_t size = wire_number();
    uint8_t output[OUTPUT_MAX_SIZE];

    psa_status_t status = size <= sizeof output ? psa_xof_setup(&operation, alg) : 1;
    while (wire_has_more()) {
        const struct bytes piece = wire_bytes();
        if (status == PSA_SUCCESS) {
            status = psa_xof_update(&operation, piece.data, piece.length);
        }
    }
    if (status == PSA_SUCCESS) {
        status = psa_xof_output(&operation, output, first);
    }
    if (status == PSA_SUCCESS) {
        status = psa_xof_output(&operation, output + first, size - first);
    }
    psa_xof_abort(&operation);
    wire_put(output, status == PSA_SUCCESS ? size : 0);
    wire_answer(status);
}
