/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs unauthenticated ciphers. Call only with a type of key and an algorithm for which
 * corral_cipher_block_length() is not 0. Generated from apps/ecdsa, board native and each
 * driver.json.
 */
#ifndef CORRAL_DISPATCH_CIPHER_H
#define CORRAL_DISPATCH_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/cipher.h>
#include <psa/crypto.h>

/* Bytes of the blocks that the driver is fed with, 1 for any length; 0: not served. */
static inline size_t corral_cipher_block_length(psa_key_type_t type, psa_algorithm_t alg)
{
    (void)type;
    (void)alg;
    return 0;
}

/* Bytes of the IV, for what corral_cipher_block_length() says is served. */
static inline size_t corral_cipher_iv_length(psa_key_type_t type, psa_algorithm_t alg)
{
    (void)type;
    (void)alg;
    return 0;
}

static inline psa_status_t corral_dispatch_cipher_setup(corral_cipher_context_t *context,
                                                        const psa_key_attributes_t *attributes,
                                                        const uint8_t *key_buffer,
                                                        size_t key_buffer_size, psa_algorithm_t alg,
                                                        bool is_encrypt)
{
    (void)context;
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)is_encrypt;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_cipher_set_iv(corral_cipher_context_t *context,
                                                         const uint8_t *iv, size_t iv_length)
{
    (void)context;
    (void)iv;
    (void)iv_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_cipher_update(corral_cipher_context_t *context,
                                                         const uint8_t *input, size_t input_length,
                                                         uint8_t *output, size_t output_size,
                                                         size_t *output_length)
{
    (void)context;
    (void)input;
    (void)input_length;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline void corral_dispatch_cipher_abort(corral_cipher_context_t *context)
{
    (void)context;
}

static inline psa_status_t
corral_dispatch_cipher_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *iv,
                               size_t iv_length, const uint8_t *input, size_t input_length,
                               uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)iv;
    (void)iv_length;
    (void)input;
    (void)input_length;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t
corral_dispatch_cipher_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *iv,
                               size_t iv_length, const uint8_t *input, size_t input_length,
                               uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)iv;
    (void)iv_length;
    (void)input;
    (void)input_length;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
