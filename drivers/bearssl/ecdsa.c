/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "ecc.h"

/* The hash that derives the nonce: only those that the build wants anyway are linked. */
static const br_hash_class *find_hash(psa_algorithm_t alg)
{
    if (CORRAL_WANT_ALG_SHA_256 && alg == PSA_ALG_SHA_256) {
        return &br_sha256_vtable;
    }
    if (CORRAL_WANT_ALG_SHA_384 && alg == PSA_ALG_SHA_384) {
        return &br_sha384_vtable;
    }
    if (CORRAL_WANT_ALG_SHA_512 && alg == PSA_ALG_SHA_512) {
        return &br_sha512_vtable;
    }
    if (CORRAL_WANT_ALG_SHA_224 && alg == PSA_ALG_SHA_224) {
        return &br_sha224_vtable;
    }
    if (CORRAL_WANT_ALG_SHA_1 && alg == PSA_ALG_SHA_1) {
        return &br_sha1_vtable;
    }
    return NULL;
}

/*
 * Deterministic ECDSA (RFC 6979) with the hash that `alg` names.
 *   PSA_ERROR_NOT_SUPPORTED     BearSSL does not have this hash, or it is not wanted in this build
 *   PSA_ERROR_INVALID_ARGUMENT  hash_length is not that of the hash, or the private key is invalid
 */
psa_status_t bearssl_driver_curve_sign_hash(const struct bearssl_driver_curve *curve,
                                            const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, uint8_t *signature,
                                            size_t signature_size, size_t *signature_length)
{
    const psa_algorithm_t hash_alg = PSA_ALG_GET_HASH(alg);
    const br_hash_class *const class = find_hash(hash_alg);
    /* The library only reads the key, although its structure does not say so. */
    const br_ec_private_key key = {curve->id, (unsigned char *)key_buffer, key_buffer_size};
    size_t length;

    (void)attributes;
    if (class == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (hash_length != PSA_HASH_LENGTH(hash_alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_size < 2 * curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    length = BEARSSL_ECDSA_SIGN(curve->methods, class, hash, &key, signature);
    bearssl_driver_wipe_stack_curve_sign(curve);
    if (length == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *signature_length = length;
    return PSA_SUCCESS;
}

/* Verify r || s over a digest of any length, truncated as SEC 1 says. */
psa_status_t bearssl_driver_curve_verify_hash(const struct bearssl_driver_curve *curve,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *hash,
                                              size_t hash_length, const uint8_t *signature,
                                              size_t signature_length)
{
    const br_ec_public_key key = {curve->id, (unsigned char *)key_buffer, key_buffer_size};

    (void)attributes;
    (void)alg;
    /* BearSSL would also take shorter pairs, which are another encoding of the same signature. */
    if (signature_length != 2 * curve->size) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return BEARSSL_ECDSA_VERIFY(curve->methods, hash, hash_length, &key, signature,
                                signature_length) == 1
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_SIGNATURE;
}
