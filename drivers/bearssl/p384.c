/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of secp384r1: ecc.h says what they return. */
#include "bearssl_driver.h"
#include "ecc.h"
#include "stack.h"

static const struct bearssl_driver_curve curve = {&BEARSSL_PRIME, BR_EC_secp384r1, 384, 48};

psa_status_t bearssl_driver_p384_import(const psa_key_attributes_t *attributes, const uint8_t *data,
                                        size_t data_length, uint8_t *key_buffer,
                                        size_t key_buffer_size, size_t *key_buffer_length,
                                        size_t *bits)
{
    return bearssl_driver_curve_import(&curve, attributes, data, data_length, key_buffer,
                                       key_buffer_size, key_buffer_length, bits);
}

psa_status_t bearssl_driver_p384_generate(const psa_key_attributes_t *attributes,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length)
{
    psa_status_t status;

    (void)attributes;
    status = bearssl_driver_curve_generate(&curve, key_buffer, key_buffer_size, key_buffer_length);
    bearssl_driver_wipe_stack_prime_agree();
    return status;
}

psa_status_t bearssl_driver_p384_export_public(const psa_key_attributes_t *attributes,
                                               const uint8_t *key_buffer, size_t key_buffer_size,
                                               uint8_t *data, size_t data_size, size_t *data_length)
{
    psa_status_t status;

    (void)attributes;
    status = bearssl_driver_curve_export_public(&curve, key_buffer, key_buffer_size, data,
                                                data_size, data_length);
    bearssl_driver_wipe_stack_prime_agree();
    return status;
}

psa_status_t bearssl_driver_p384_sign(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                      uint8_t *signature, size_t signature_size,
                                      size_t *signature_length)
{
    psa_status_t status;

    (void)attributes;
    status = bearssl_driver_curve_sign(&curve, key_buffer, key_buffer_size, alg, hash, hash_length,
                                       signature, signature_size, signature_length);
    bearssl_driver_wipe_stack_prime_sign();
    return status;
}

psa_status_t bearssl_driver_p384_verify(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, const uint8_t *signature,
                                        size_t signature_length)
{
    (void)attributes;
    (void)alg;
    return bearssl_driver_curve_verify(&curve, key_buffer, key_buffer_size, hash, hash_length,
                                       signature, signature_length);
}

psa_status_t bearssl_driver_p384_agree(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       const uint8_t *peer_key, size_t peer_key_length,
                                       uint8_t *output, size_t output_size, size_t *output_length)
{
    psa_status_t status;

    (void)alg;
    (void)attributes;
    status = bearssl_driver_curve_agree(&curve, key_buffer, key_buffer_size, peer_key,
                                        peer_key_length, output, output_size, output_length);
    bearssl_driver_wipe_stack_prime_agree();
    return status;
}
