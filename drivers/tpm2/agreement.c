/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/drivers/tpm2/entry_points.h>

#include <corral/driver.h>

#include "keys.h"

#define UNCOMPRESSED 0x04u

/*
 * ECDH. The TPM checks that the peer's point is on the curve; the secret comes out of it encrypted.
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key is no uncompressed point of the curve
 */
psa_status_t tpm2_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                const uint8_t *key_buffer, size_t key_buffer_size,
                                const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                size_t output_size, size_t *output_length)
{
    struct tpm2_call call;
    const size_t size = CORRAL_BITS_TO_BYTES(attributes->bits);
    TPM2B_ECC_POINT peer = {.point = {.x.size = (UINT16)size, .y.size = (UINT16)size}};
    TPM2B_ECC_POINT *secret = NULL;

    (void)alg;
    if (output_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (peer_key_length != 1 + 2 * size || peer_key[0] != UNCOMPRESSED) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(peer.point.x.buffer, peer_key + 1, size);
    memcpy(peer.point.y.buffer, peer_key + 1 + size, size);
    psa_status_t status = tpm2_open_key(&call, attributes, key_buffer, key_buffer_size);
    if (status == PSA_SUCCESS) {
        const TSS2_RC result = Esys_ECDH_ZGen(call.esys, call.key, call.session, ESYS_TR_NONE,
                                              ESYS_TR_NONE, &peer, &secret);
        status = tpm2_status_of_data(&call, result, PSA_ERROR_INVALID_ARGUMENT);
    }
    if (status == PSA_SUCCESS) {
        status = tpm2_number(output, size, secret->point.x.buffer, secret->point.x.size);
        *output_length = size;
    }
    tpm2_free(secret, sizeof *secret);
    return tpm2_close(&call, status);
}
