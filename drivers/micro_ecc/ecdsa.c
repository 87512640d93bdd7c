/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/micro_ecc/entry_points.h>

#include "curve.h"
#include "stack.h"

#include <corral/driver.h>

/*
 * ECDSA with a random nonce: r || s over a digest of any length, truncated as SEC 1 says. The
 * digest may overlap the signature.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no usable nonce in 64 draws
 */
psa_status_t micro_ecc_driver_sign_hash(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length)
{
    const uECC_Curve curve = micro_ecc_curve_of(attributes);
    const size_t length = 2 * key_buffer_size;
    uint8_t digest[MICRO_ECC_SCALAR_MAX_SIZE];

    (void)alg;
    if (signature_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* The library writes r before it reads the hash, of which it reads a scalar's bytes at most. */
    if (corral_overlap(hash, hash_length, signature, length)) {
        hash_length = hash_length < key_buffer_size ? hash_length : key_buffer_size;
        corral_copy(digest, hash, hash_length);
        hash = digest;
    }
    const int is_signed = uECC_sign(key_buffer, hash, (unsigned)hash_length, signature, curve);
    micro_ecc_driver_wipe_stack_sign();
    *signature_length = length;
    /* With a valid key, the only reason to fail is that no usable random number came. */
    return is_signed == 1 ? PSA_SUCCESS : PSA_ERROR_INSUFFICIENT_ENTROPY;
}

/* Verify r || s with a public key. */
psa_status_t micro_ecc_driver_verify_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length)
{
    (void)alg;
    if (signature_length != key_buffer_size - 1 ||
        uECC_verify(key_buffer + 1, hash, (unsigned)hash_length, signature,
                    micro_ecc_curve_of(attributes)) != 1) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return PSA_SUCCESS;
}
