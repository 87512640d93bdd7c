/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who encrypts to public keys. Call encryption with public keys, or with either if an element keeps
 * the key; decryption with key pairs only. Generated from apps/ecdsa, board native and each
 * driver.json.
 */
#ifndef CORRAL_DISPATCH_ASYMMETRIC_H
#define CORRAL_DISPATCH_ASYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

static inline psa_status_t corral_dispatch_asymmetric_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)input;
    (void)input_length;
    (void)salt;
    (void)salt_length;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_asymmetric_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)input;
    (void)input_length;
    (void)salt;
    (void)salt_length;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
