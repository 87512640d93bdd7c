/* SPDX-License-Identifier: Apache-2.0 */
#include "p256m_driver.h"
#include "p256m_glue.h"

#include <string.h>

#include <p256-m.h>

psa_status_t p256m_driver_sign_hash(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                    uint8_t *signature, size_t signature_size,
                                    size_t *signature_length)
{
    uint8_t result[P256M_SIGNATURE_SIZE]; /* the library writes r before it reads the hash */
    psa_status_t status;

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (signature_size < P256M_SIGNATURE_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    status = p256m_driver_status(p256_ecdsa_sign(result, key_buffer, hash, hash_length));
    if (status == PSA_SUCCESS) {
        memcpy(signature, result, sizeof(result));
        *signature_length = P256M_SIGNATURE_SIZE;
    }
    return status;
}

psa_status_t p256m_driver_verify_hash(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                      const uint8_t *signature, size_t signature_length)
{
    (void)attributes;
    (void)alg;
    if (signature_length != P256M_SIGNATURE_SIZE) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    if (!p256m_has_point_format(key_buffer, key_buffer_size)) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    return p256m_driver_status(p256_ecdsa_verify(signature, key_buffer + 1, hash, hash_length));
}
