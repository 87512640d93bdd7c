/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

/* Salts of PSS as PSA wants them: as long as the hash, or as long as the key has room for. */
static int salt_length(const mbedtls_rsa_context *rsa, size_t hash_length)
{
    const size_t room = mbedtls_rsa_get_len(rsa) - hash_length - 2;

    return (int)(room < hash_length ? room : hash_length);
}

/* Whether the key is long enough for the padding, which the library would refuse as bad input. */
static bool hash_fits(const mbedtls_rsa_context *rsa, psa_algorithm_t alg, size_t hash_length)
{
    /* PSS: a salt at least as long as the hash less two bytes (NIST SP 800-56B). */
    const size_t needed = PSA_ALG_IS_RSA_PSS(alg) ? 2 * hash_length : hash_length + 11;

    return mbedtls_rsa_get_len(rsa) >= needed;
}

static psa_status_t check(const mbedtls_rsa_context *rsa, psa_algorithm_t alg, size_t hash_length)
{
    if (alg != PSA_ALG_RSA_PKCS1V15_SIGN_RAW && mbedtls_driver_rsa_hash(alg) == MBEDTLS_MD_NONE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return hash_fits(rsa, alg, hash_length) ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

/* The signature goes where the hash is not: applications may let them share a buffer. */
static int sign(mbedtls_rsa_context *rsa, psa_algorithm_t alg, const uint8_t *hash,
                size_t hash_length, uint8_t *block)
{
    const mbedtls_md_type_t type = mbedtls_driver_rsa_hash(alg);

    if (!PSA_ALG_IS_RSA_PSS(alg)) {
        return mbedtls_rsa_rsassa_pkcs1_v15_sign(rsa, mbedtls_driver_rsa_draw, NULL, type,
                                                 (unsigned)hash_length, hash, block);
    }
    int result = mbedtls_rsa_set_padding(rsa, MBEDTLS_RSA_PKCS_V21, type);
    if (result == 0) {
        result = mbedtls_rsa_rsassa_pss_sign_ext(rsa, mbedtls_driver_rsa_draw, NULL, type,
                                                 (unsigned)hash_length, hash,
                                                 salt_length(rsa, hash_length), block);
    }
    return result;
}

/*
 * RSA signatures: PKCS#1 v1.5 with and without hash, PSS (RFC 8017). Private operations are
 * blinded, and their results checked against faults.
 *   PSA_ERROR_INVALID_ARGUMENT      the key is too short for such a hash
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no salt, or no blinding
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the build does not want this hash, or the library lacks it
 */
psa_status_t mbedtls_driver_rsa_sign_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, uint8_t *signature,
                                          size_t signature_size, size_t *signature_length)
{
    uint8_t block[CORRAL_RSA_MAX_SIZE];
    mbedtls_rsa_context rsa;

    int result =
        mbedtls_driver_rsa_open(&rsa, psa_get_key_type(attributes), key_buffer, key_buffer_size);
    const size_t size = mbedtls_rsa_get_len(&rsa);
    psa_status_t status = mbedtls_driver_rsa_status(result);
    if (status == PSA_SUCCESS) {
        status = check(&rsa, alg, hash_length);
    }
    if (status == PSA_SUCCESS && (size > sizeof block || size > signature_size)) {
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_rsa_status(sign(&rsa, alg, hash, hash_length, block));
    }
    mbedtls_rsa_free(&rsa);
    if (status == PSA_SUCCESS) {
        memcpy(signature, block, size);
        *signature_length = size;
    }
    corral_wipe(block, sizeof block);
    return mbedtls_driver_rsa_done(status);
}

static int verify(mbedtls_rsa_context *rsa, psa_algorithm_t alg, const uint8_t *hash,
                  size_t hash_length, const uint8_t *signature)
{
    const mbedtls_md_type_t type = mbedtls_driver_rsa_hash(alg);

    if (!PSA_ALG_IS_RSA_PSS(alg)) {
        return mbedtls_rsa_rsassa_pkcs1_v15_verify(rsa, type, (unsigned)hash_length, hash,
                                                   signature);
    }
    const int salt =
        PSA_ALG_IS_RSA_PSS_ANY_SALT(alg) ? MBEDTLS_RSA_SALT_LEN_ANY : salt_length(rsa, hash_length);
    int result = mbedtls_rsa_set_padding(rsa, MBEDTLS_RSA_PKCS_V21, type);
    if (result == 0) {
        result = mbedtls_rsa_rsassa_pss_verify_ext(rsa, type, (unsigned)hash_length, hash, type,
                                                   salt, signature);
    }
    return result;
}

psa_status_t mbedtls_driver_rsa_verify_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, const uint8_t *signature,
                                            size_t signature_length)
{
    mbedtls_rsa_context rsa;

    int result =
        mbedtls_driver_rsa_open(&rsa, psa_get_key_type(attributes), key_buffer, key_buffer_size);
    psa_status_t status = mbedtls_driver_rsa_status(result);
    if (status == PSA_SUCCESS) {
        status = check(&rsa, alg, hash_length);
    }
    if (status == PSA_SUCCESS && signature_length != mbedtls_rsa_get_len(&rsa)) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_rsa_status(verify(&rsa, alg, hash, hash_length, signature));
        /* The library has many words for a signature that is none; memory is another matter. */
        if (status != PSA_SUCCESS && status != PSA_ERROR_INSUFFICIENT_MEMORY) {
            status = PSA_ERROR_INVALID_SIGNATURE;
        }
    }
    mbedtls_rsa_free(&rsa);
    return status;
}
