/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/pkcs11/entry_points.h>

#include "token.h"

#define PIECE_SIZE 256u

psa_status_t pkcs11_get_random(pkcs11_random_context_t *context, uint8_t *output,
                               size_t output_size, size_t *output_length)
{
    struct pkcs11_call call;
    const size_t length = output_size < PIECE_SIZE ? output_size : PIECE_SIZE;

    (void)context;
    psa_status_t status = pkcs11_open(&call, corral_pkcs11_keyless_device());
    if (status == PSA_SUCCESS) {
        status =
            pkcs11_status(&call, call.functions->C_GenerateRandom(call.session, output, length));
    }
    if (status == PSA_SUCCESS) {
        *output_length = length;
    }
    return pkcs11_close(&call, status);
}
