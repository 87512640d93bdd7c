/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures are verified in memory, for which the core asks for the public key. */
#include <string.h>

#include <corral/drivers/pkcs11/entry_points.h>

#include "curve.h"
#include "object.h"

/* A hash is cut to the length of the curve here: not every token does it. */
psa_status_t pkcs11_ecdsa_sign_hash(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                    uint8_t *signature, size_t signature_size,
                                    size_t *signature_length)
{
    struct pkcs11_call call;
    struct cryptoki_mechanism mechanism = {CKM_ECDSA, NULL, 0};
    CK_OBJECT_HANDLE object;
    uint8_t digest[PKCS11_SCALAR_MAX_SIZE];
    uint8_t result[2 * PKCS11_SCALAR_MAX_SIZE] = {0};
    const size_t scalar = CORRAL_BITS_TO_BYTES(attributes->bits);
    const size_t length = hash_length < scalar ? hash_length : scalar;

    (void)key_buffer_size;
    (void)alg;
    if (signature_size < 2 * scalar) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(digest, hash, length);
    psa_status_t status = pkcs11_open_key(&call, attributes, key_buffer, &object);
    if (status == PSA_SUCCESS) {
        status = pkcs11_process(&call, call.functions->C_SignInit, call.functions->C_Sign,
                                &mechanism, object, digest, length, result, 2 * scalar);
    }
    if (status == PSA_SUCCESS) {
        memcpy(signature, result, 2 * scalar);
        *signature_length = 2 * scalar;
    }
    return pkcs11_close(&call, status);
}
