/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of drivers/micro_ecc that dispatch calls. Each source that defines one includes
 * this, so that one which is not as it is called does not compile. Dispatch has matched location,
 * algorithm, type and size, the core has checked policy and arguments. Lengths are written on
 * success only; PSA_ERROR_BUFFER_TOO_SMALL and PSA_ERROR_NOT_SUPPORTED mean that nothing was
 * written.
 * Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.driver_headers of dispatch/entry_points.toml.
 */
#ifndef CORRAL_DRIVERS_MICRO_ECC_ENTRY_POINTS_H
#define CORRAL_DRIVERS_MICRO_ECC_ENTRY_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include <corral/derivation.h>
#include <corral/pake.h>
#include <psa/crypto.h>

/* init. Called once at psa_crypto_init(), before any other function of the driver. */
psa_status_t micro_ecc_driver_init(void);

/*
 * sign_hash. Sign a hash, which may overlap the signature.
 * PSA_ERROR_BUFFER_TOO_SMALL: signature_size is less than the signature
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that can be used
 */
psa_status_t micro_ecc_driver_sign_hash(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);

/*
 * verify_hash. Verify the signature of a hash; of keys in memory with a public key.
 * PSA_ERROR_INVALID_SIGNATURE: not that key's signature, of whatever length
 */
psa_status_t micro_ecc_driver_verify_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length);

/*
 * key_agreement. Write the secret shared with the owner of the peer's public key. The output may
 * overlap that key.
 * PSA_ERROR_INVALID_ARGUMENT: the peer's key is none, or not one that goes with this one
 * PSA_ERROR_BUFFER_TOO_SMALL: output_size is less than the secret, whatever the peer's key is
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers to blind with
 */
psa_status_t micro_ecc_driver_key_agreement(psa_algorithm_t alg,
                                            const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            const uint8_t *peer_key, size_t peer_key_length,
                                            uint8_t *output, size_t output_size,
                                            size_t *output_length);

/*
 * import_key. Take in a key in PSA's export format: copy it, since an application may change it
 * meanwhile, check the copy, and say its size. Of type, size and family the attributes have what
 * the application set; a size of 0 asks for that of the data. The buffer of a key that does not
 * come to be is wiped by the core.
 * PSA_ERROR_INVALID_ARGUMENT: not a key of this type
 * PSA_ERROR_BUFFER_TOO_SMALL: the key is longer than key_buffer_size
 * PSA_ERROR_NOT_SUPPORTED: a key of a size that the driver does not have
 */
psa_status_t micro_ecc_driver_import_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits);

/*
 * generate_key. Make a key of the attributes' type and size. The public key may follow the private
 * one, if key_buffer_size has room for both.
 * PSA_ERROR_BUFFER_TOO_SMALL: no room for the key
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that make a key
 */
psa_status_t micro_ecc_driver_generate_key(const psa_key_attributes_t *attributes,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length);

/*
 * export_public_key. Write the public key of a pair in PSA's export format; of an element also that
 * of a public key.
 * PSA_ERROR_BUFFER_TOO_SMALL: data_size is less than the key
 */
psa_status_t micro_ecc_driver_export_public_key(const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                uint8_t *data, size_t data_size,
                                                size_t *data_length);

#endif
