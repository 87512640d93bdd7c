/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/awslc/entry_points.h>

#include "ec.h"
#include "stack.h"

#include <corral/driver.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>

/*
 * ECDSA with a nonce of the core's generator: r || s over a digest of any length, truncated as
 * SEC 1 says. A failure of corral_random() is passed on.
 *   PSA_ERROR_CORRUPTION_DETECTED   the private key is not in range
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() gave nothing in range in 99 draws
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t awslc_curve_sign_hash(const struct awslc_curve *curve,
                                   const psa_key_attributes_t *attributes,
                                   const uint8_t *key_buffer, size_t key_buffer_size,
                                   psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                   uint8_t *signature, size_t signature_size,
                                   size_t *signature_length)
{
    const size_t size = curve->size;
    /* No more of a digest counts. */
    const size_t length = hash_length < size ? hash_length : size;
    uint8_t copy[AWSLC_SCALAR_MAX_SIZE]; /* the library reads it twice */

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (signature_size < 2 * size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    corral_copy(copy, hash, length);
    awslc_ec_begin();
    EC_KEY *const key = awslc_ec_read_private(curve, key_buffer);
    ECDSA_SIG *const found = key == NULL ? NULL : ECDSA_do_sign(copy, length, key);
    const bool is_key = key != NULL;
    const bool is_signed = found != NULL &&
                           BN_bn2bin_padded(signature, size, ECDSA_SIG_get0_r(found)) == 1 &&
                           BN_bn2bin_padded(signature + size, size, ECDSA_SIG_get0_s(found)) == 1;
    ECDSA_SIG_free(found);
    EC_KEY_free(key);
    awslc_wipe_stack_ec();
    *signature_length = 2 * size;
    return is_signed ? PSA_SUCCESS
                     : awslc_ec_failed(is_key ? PSA_ERROR_INSUFFICIENT_ENTROPY
                                              : PSA_ERROR_CORRUPTION_DETECTED);
}

static EC_KEY *read_public(const struct awslc_curve *curve, const uint8_t *bytes)
{
    EC_POINT *const point = awslc_ec_read_point(curve, bytes, awslc_ec_point_size(curve));
    EC_KEY *key = point == NULL ? NULL : EC_KEY_new();

    if (key != NULL &&
        (EC_KEY_set_group(key, curve->group()) != 1 || EC_KEY_set_public_key(key, point) != 1)) {
        EC_KEY_free(key);
        key = NULL;
    }
    EC_POINT_free(point);
    return key;
}

static ECDSA_SIG *read_signature(const struct awslc_curve *curve, const uint8_t *bytes)
{
    BIGNUM *const r = BN_bin2bn(bytes, curve->size, NULL);
    BIGNUM *const s = BN_bin2bn(bytes + curve->size, curve->size, NULL);
    ECDSA_SIG *const signature = ECDSA_SIG_new();

    if (signature == NULL || ECDSA_SIG_set0(signature, r, s) != 1) {
        BN_free(r);
        BN_free(s);
        ECDSA_SIG_free(signature);
        return NULL;
    }
    return signature;
}

/*
 * Verify r || s over a digest of any length.
 *   PSA_ERROR_INVALID_SIGNATURE    it is wrong, or not of this length
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the heap is exhausted
 */
psa_status_t awslc_curve_verify_hash(const struct awslc_curve *curve,
                                     const psa_key_attributes_t *attributes,
                                     const uint8_t *key_buffer, size_t key_buffer_size,
                                     psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                     const uint8_t *signature, size_t signature_length)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (signature_length != 2u * curve->size) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    awslc_ec_begin();
    EC_KEY *const key = read_public(curve, key_buffer);
    ECDSA_SIG *const found = read_signature(curve, signature);
    const bool is_valid =
        key != NULL && found != NULL && ECDSA_do_verify(hash, hash_length, found, key) == 1;
    ECDSA_SIG_free(found);
    EC_KEY_free(key);
    return is_valid ? PSA_SUCCESS : awslc_ec_failed(PSA_ERROR_INVALID_SIGNATURE);
}
