/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drivers that sign and verify. Call signing functions with key pairs only, verifying ones with
 * public keys, or with either if an element keeps the key. Generated from a configuration, board
 * native and each driver.json. Made by corral.generate.asymmetric of the rows of family sign in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_SIGN_H
#define CORRAL_DISPATCH_SIGN_H

#include <stddef.h>
#include <stdint.h>

#include <corral/unserved.h>
#include <psa/crypto.h>

#include <corral/drivers/atecc608/entry_points.h>
#include <corral/drivers/compose/entry_points.h>
#include <corral/drivers/micro_ecc/entry_points.h>

/* No driver of this build supports these. */
#define corral_dispatch_sign_hash_with_context(...) CORRAL_UNSERVED_11(__VA_ARGS__)
#define corral_dispatch_verify_hash_with_context(...) CORRAL_UNSERVED_10(__VA_ARGS__)
#define corral_dispatch_sign_message_with_context(...) CORRAL_UNSERVED_11(__VA_ARGS__)
#define corral_dispatch_verify_message_with_context(...) CORRAL_UNSERVED_10(__VA_ARGS__)

static inline psa_status_t corral_element_sign_hash(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, psa_algorithm_t alg,
                                                    const uint8_t *hash, size_t hash_length,
                                                    uint8_t *signature, size_t signature_size,
                                                    size_t *signature_length)
{
    if (PSA_ALG_IS_RANDOMIZED_ECDSA(alg) && alg != PSA_ALG_ECDSA_ANY) {
        return atecc608_sign_hash(attributes, key_buffer, key_buffer_size, alg, hash, hash_length,
                                  signature, signature_size, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_sign_hash(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg,
                                                     const uint8_t *hash, size_t hash_length,
                                                     uint8_t *signature, size_t signature_size,
                                                     size_t *signature_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_sign_hash(attributes, key_buffer, key_buffer_size, alg, hash,
                                        hash_length, signature, signature_size, signature_length);
    }
    if (PSA_ALG_IS_RANDOMIZED_ECDSA(alg)) {
        return micro_ecc_driver_sign_hash(attributes, key_buffer, key_buffer_size, alg, hash,
                                          hash_length, signature, signature_size, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t
corral_element_verify_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                           size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, const uint8_t *signature, size_t signature_length)
{
    if (PSA_ALG_IS_ECDSA(alg) && alg != PSA_ALG_ECDSA_ANY &&
        alg != PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_NONE)) {
        return atecc608_verify_hash(attributes, key_buffer, key_buffer_size, alg, hash, hash_length,
                                    signature, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t
corral_dispatch_verify_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                            size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                            size_t hash_length, const uint8_t *signature, size_t signature_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_verify_hash(attributes, key_buffer, key_buffer_size, alg, hash,
                                          hash_length, signature, signature_length);
    }
    if (PSA_ALG_IS_ECDSA(alg) && alg != PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_NONE)) {
        return micro_ecc_driver_verify_hash(attributes, key_buffer, key_buffer_size, alg, hash,
                                            hash_length, signature, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_sign_message(const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size, psa_algorithm_t alg,
                                                       const uint8_t *input, size_t input_length,
                                                       uint8_t *signature, size_t signature_size,
                                                       size_t *signature_length)
{
    if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256)) {
        return compose_sign_message(attributes, key_buffer, key_buffer_size, alg, input,
                                    input_length, signature, signature_size, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_sign_message(const psa_key_attributes_t *attributes,
                                                        const uint8_t *key_buffer,
                                                        size_t key_buffer_size, psa_algorithm_t alg,
                                                        const uint8_t *input, size_t input_length,
                                                        uint8_t *signature, size_t signature_size,
                                                        size_t *signature_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_sign_message(attributes, key_buffer, key_buffer_size, alg, input,
                                           input_length, signature, signature_size,
                                           signature_length);
    }
    if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256)) {
        return compose_sign_message(attributes, key_buffer, key_buffer_size, alg, input,
                                    input_length, signature, signature_size, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t
corral_element_verify_message(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                              size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                              size_t input_length, const uint8_t *signature,
                              size_t signature_length)
{
    if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256) ||
        alg == PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)) {
        return compose_verify_message(attributes, key_buffer, key_buffer_size, alg, input,
                                      input_length, signature, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t
corral_dispatch_verify_message(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                               size_t input_length, const uint8_t *signature,
                               size_t signature_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_verify_message(attributes, key_buffer, key_buffer_size, alg, input,
                                             input_length, signature, signature_length);
    }
    if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256) ||
        alg == PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)) {
        return compose_verify_message(attributes, key_buffer, key_buffer_size, alg, input,
                                      input_length, signature, signature_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
