/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures are verified in memory, for which the core asks for the public key. */
#include <string.h>

#include <corral/drivers/tpm2/entry_points.h>

#include "sign.h"

#define DIGEST_MAX_SIZE 64u

/*
 * A TPM takes digests of the lengths of its own hashes only. ECDSA takes a hash for a number, of
 * which it uses as many bits from the left as the curve has. So a longer hash is cut, and a shorter
 * one has zeros put in front, up to the next length: a TPM may lack the longest hash.
 */
static TPM2B_DIGEST digest_of(const uint8_t *hash, size_t length, size_t scalar)
{
    const size_t used = length < scalar ? length : scalar;
    const size_t size = used <= 32 ? 32 : used <= 48 ? 48 : DIGEST_MAX_SIZE;
    TPM2B_DIGEST digest = {.size = (UINT16)size};

    memcpy(digest.buffer + (size - used), hash, used);
    return digest;
}

psa_status_t tpm2_ecdsa_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                  size_t hash_length, uint8_t *signature, size_t signature_size,
                                  size_t *signature_length)
{
    struct tpm2_call call;
    const size_t scalar = CORRAL_BITS_TO_BYTES(attributes->bits);
    const TPM2B_DIGEST digest = digest_of(hash, hash_length, scalar);
    const TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_ECDSA,
                                    .details.ecdsa.hashAlg = tpm2_hash_of(digest.size)};
    TPMT_SIGNATURE *made = NULL;

    (void)alg;
    if (signature_size < 2 * scalar) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = tpm2_open_key(&call, attributes, key_buffer, key_buffer_size);
    if (status == PSA_SUCCESS) {
        status = tpm2_sign(&call, &digest, &scheme, &made);
    }
    if (status == PSA_SUCCESS) {
        const TPMS_SIGNATURE_ECC *numbers = &made->signature.ecdsa;
        status =
            tpm2_number(signature, scalar, numbers->signatureR.buffer, numbers->signatureR.size);
        if (status == PSA_SUCCESS) {
            status = tpm2_number(signature + scalar, scalar, numbers->signatureS.buffer,
                                 numbers->signatureS.size);
        }
        *signature_length = 2 * scalar;
    }
    Esys_Free(made);
    return tpm2_close(&call, status);
}
