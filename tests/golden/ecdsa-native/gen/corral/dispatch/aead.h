/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs authenticated encryption. Call only with a type of key and an algorithm for which
 * corral_aead_nonce_length() is not 0. Generated from apps/ecdsa, board native and each
 * driver.json.
 */
#ifndef CORRAL_DISPATCH_AEAD_H
#define CORRAL_DISPATCH_AEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/aead.h>
#include <psa/crypto.h>

/* The algorithm with its usual tag: drivers serve all lengths of tags, or refuse some. */
static inline psa_algorithm_t corral_aead_base(psa_algorithm_t alg)
{
    return PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg);
}

/* Bytes of the usual nonce, by the algorithm with its usual tag; 0: not served. */
static inline size_t corral_aead_nonce_length(psa_algorithm_t alg, psa_key_type_t type)
{
    (void)alg;
    (void)type;
    return 0;
}

static inline psa_status_t corral_dispatch_aead_setup(corral_aead_context_t *context,
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

static inline psa_status_t corral_dispatch_aead_set_lengths(corral_aead_context_t *context,
                                                            size_t ad_length,
                                                            size_t plaintext_length)
{
    (void)context;
    (void)ad_length;
    (void)plaintext_length;
    return PSA_SUCCESS;
}

static inline psa_status_t corral_dispatch_aead_set_nonce(corral_aead_context_t *context,
                                                          const uint8_t *nonce, size_t nonce_length)
{
    (void)context;
    (void)nonce;
    (void)nonce_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_aead_update_ad(corral_aead_context_t *context,
                                                          const uint8_t *input, size_t input_length)
{
    (void)context;
    (void)input;
    (void)input_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_aead_update(corral_aead_context_t *context,
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

static inline psa_status_t corral_dispatch_aead_finish(corral_aead_context_t *context, uint8_t *tag,
                                                       size_t tag_size, size_t *tag_length)
{
    (void)context;
    (void)tag;
    (void)tag_size;
    (void)tag_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline void corral_dispatch_aead_abort(corral_aead_context_t *context)
{
    (void)context;
}

static inline psa_status_t corral_dispatch_aead_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)nonce;
    (void)nonce_length;
    (void)additional_data;
    (void)additional_data_length;
    (void)plaintext;
    (void)plaintext_length;
    (void)ciphertext;
    (void)ciphertext_size;
    (void)ciphertext_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_aead_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)nonce;
    (void)nonce_length;
    (void)additional_data;
    (void)additional_data_length;
    (void)ciphertext;
    (void)ciphertext_length;
    (void)plaintext;
    (void)plaintext_size;
    (void)plaintext_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
