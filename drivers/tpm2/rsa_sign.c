/* SPDX-License-Identifier: Apache-2.0 */
/* RSA signatures of hashes of the family SHA-2. */
#include <string.h>

#include <corral/drivers/tpm2/entry_points.h>

#include "sign.h"

psa_status_t tpm2_rsa_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                size_t hash_length, uint8_t *signature, size_t signature_size,
                                size_t *signature_length)
{
    struct tpm2_call call;
    const size_t size = CORRAL_BITS_TO_BYTES(attributes->bits);
    const bool is_pkcs1 = PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg);
    const TPMT_SIG_SCHEME scheme = {.scheme = is_pkcs1 ? TPM2_ALG_RSASSA : TPM2_ALG_RSAPSS,
                                    .details.any.hashAlg = tpm2_hash_of(hash_length)};
    TPM2B_DIGEST digest = {.size = (UINT16)hash_length};
    TPMT_SIGNATURE *made = NULL;

    if (hash_length != PSA_HASH_LENGTH(PSA_ALG_GET_HASH(alg))) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(digest.buffer, hash, hash_length);
    psa_status_t status = tpm2_open_key(&call, attributes, key_buffer, key_buffer_size);
    if (status == PSA_SUCCESS) {
        status = tpm2_sign(&call, &digest, &scheme, &made);
    }
    if (status == PSA_SUCCESS) {
        const TPM2B_PUBLIC_KEY_RSA *number = &made->signature.rsassa.sig; /* or rsapss: the same */
        status = tpm2_number(signature, size, number->buffer, number->size);
        *signature_length = size;
    }
    Esys_Free(made);
    return tpm2_close(&call, status);
}
