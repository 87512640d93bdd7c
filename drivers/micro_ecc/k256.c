/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of secp256k1: ecc.h says what they return. */
#include "ecc.h"
#include "micro_ecc_driver.h"

psa_status_t micro_ecc_driver_k256_import(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits)
{
    /* The order n, from SEC 2. */
    static const uint8_t order[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
                                    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b,
                                    0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41};

    *bits = 256;
    return micro_ecc_driver_curve_import(uECC_secp256k1(), order, attributes, data, data_length,
                                         key_buffer, key_buffer_size, key_buffer_length);
}

psa_status_t micro_ecc_driver_k256_generate(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length)
{
    (void)attributes;
    return micro_ecc_driver_curve_generate(uECC_secp256k1(), key_buffer, key_buffer_size,
                                           key_buffer_length);
}

psa_status_t micro_ecc_driver_k256_export_public(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length)
{
    (void)attributes;
    (void)key_buffer_size;
    return micro_ecc_driver_curve_export_public(uECC_secp256k1(), key_buffer, data, data_size,
                                                data_length);
}

psa_status_t micro_ecc_driver_k256_sign(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return micro_ecc_driver_curve_sign(uECC_secp256k1(), key_buffer, hash, hash_length, signature,
                                       signature_size, signature_length);
}

psa_status_t micro_ecc_driver_k256_verify(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return micro_ecc_driver_curve_verify(uECC_secp256k1(), key_buffer, hash, hash_length, signature,
                                         signature_length);
}

psa_status_t micro_ecc_driver_k256_agree(psa_algorithm_t alg,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         const uint8_t *peer_key, size_t peer_key_length,
                                         uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)alg;
    (void)attributes;
    (void)key_buffer_size;
    return micro_ecc_driver_curve_agree(uECC_secp256k1(), key_buffer, peer_key, peer_key_length,
                                        output, output_size, output_length);
}
