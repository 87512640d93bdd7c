/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who encapsulates secrets. Call encapsulation with public keys, or with either if an element keeps
 * the key; decapsulation with key pairs only. Generated from apps/ecdsa, board native and each
 * driver.json.
 */
#ifndef CORRAL_DISPATCH_ENCAPSULATION_H
#define CORRAL_DISPATCH_ENCAPSULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

static inline psa_status_t
corral_dispatch_encapsulate(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                            size_t key_buffer_size, psa_algorithm_t alg, uint8_t *secret,
                            size_t secret_size, size_t *secret_length, uint8_t *ciphertext,
                            size_t ciphertext_size, size_t *ciphertext_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)secret;
    (void)secret_size;
    (void)secret_length;
    (void)ciphertext;
    (void)ciphertext_size;
    (void)ciphertext_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_decapsulate(const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size, psa_algorithm_t alg,
                                                       const uint8_t *ciphertext,
                                                       size_t ciphertext_length, uint8_t *secret,
                                                       size_t secret_size, size_t *secret_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)ciphertext;
    (void)ciphertext_length;
    (void)secret;
    (void)secret_size;
    (void)secret_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
