/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Driver of mlkem-native. The functions are entry points: dispatch/entry_points.toml. A key pair is
 * its two seeds, d || z, and is expanded each time that it is used (FIPS 203, 7.1): 64 bytes in a
 * slot instead of up to 3168.
 */
#ifndef MLKEM_NATIVE_DRIVER_H
#define MLKEM_NATIVE_DRIVER_H

#include <psa/crypto_families.h>

/*
 * Fresh seeds; the size comes with the attributes.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random bytes
 */
psa_status_t mlkem_native_driver_generate_key(const psa_key_attributes_t *attributes,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length);

/*
 * For each size: keys, encapsulation and decapsulation. Statuses of their own:
 *   import         PSA_ERROR_INVALID_ARGUMENT      another length; of a public key also numbers out
 *                                                  of range (7.2); of a pair without a size: seeds
 *                                                  do not tell it
 *   encapsulate    PSA_ERROR_BUFFER_TOO_SMALL      the ciphertext does not fit
 *                  PSA_ERROR_INSUFFICIENT_ENTROPY  no random bytes
 *   decapsulate    PSA_ERROR_INVALID_ARGUMENT      a ciphertext of another length. A forged one
 *                                                  gives a secret that nobody else knows.
 */
#define MLKEM_NATIVE_DRIVER_SIZE(n)                                                                \
    psa_status_t mlkem_native_driver_##n##_import_key(                                             \
        const psa_key_attributes_t *attributes, const uint8_t *data, size_t data_length,           \
        uint8_t *key_buffer, size_t key_buffer_size, size_t *key_buffer_length, size_t *bits);     \
    psa_status_t mlkem_native_driver_##n##_export_public_key(                                      \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        uint8_t *data, size_t data_size, size_t *data_length);                                     \
    psa_status_t mlkem_native_driver_##n##_encapsulate(                                            \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, uint8_t *secret, size_t secret_size, size_t *secret_length,           \
        uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length);                   \
    psa_status_t mlkem_native_driver_##n##_decapsulate(                                            \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *ciphertext, size_t ciphertext_length, uint8_t *secret, \
        size_t secret_size, size_t *secret_length)

MLKEM_NATIVE_DRIVER_SIZE(512);
MLKEM_NATIVE_DRIVER_SIZE(768);
MLKEM_NATIVE_DRIVER_SIZE(1024);

#endif
