/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/drivers/tpm2/entry_points.h>

#include "tpm.h"

#define PIECE_SIZE 32u /* that every TPM gives in one command */
#define CALL_SIZE 256u

/* Draw up to PIECE_SIZE bytes. They cross the bus encrypted. */
static psa_status_t draw(struct tpm2_call *call, uint8_t *output, size_t size, size_t *length)
{
    TPM2B_DIGEST *drawn = NULL;
    const UINT16 wanted = (UINT16)(size < PIECE_SIZE ? size : PIECE_SIZE);

    psa_status_t status = tpm2_status(call, Esys_GetRandom(call->esys, call->session, ESYS_TR_NONE,
                                                           ESYS_TR_NONE, wanted, &drawn));
    if (status == PSA_SUCCESS && (drawn->size == 0 || drawn->size > wanted)) {
        status = PSA_ERROR_COMMUNICATION_FAILURE;
    }
    if (status == PSA_SUCCESS) {
        memcpy(output, drawn->buffer, drawn->size);
        *length = drawn->size;
    }
    tpm2_free(drawn, sizeof *drawn);
    return status;
}

psa_status_t tpm2_get_random(tpm2_random_context_t *context, uint8_t *output, size_t output_size,
                             size_t *output_length)
{
    struct tpm2_call call;
    const size_t wanted = output_size < CALL_SIZE ? output_size : CALL_SIZE;
    size_t done = 0;
    size_t length = 0;

    (void)context;
    psa_status_t status = tpm2_open(&call, corral_tpm2_keyless_device());
    while (status == PSA_SUCCESS && done < wanted) {
        status = draw(&call, output + done, wanted - done, &length);
        done += length;
    }
    if (status == PSA_SUCCESS) {
        *output_length = done;
    }
    return tpm2_close(&call, status);
}
