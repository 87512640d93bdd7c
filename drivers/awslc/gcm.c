/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GCM with AES. The core limits lengths as the library does, so that its functions do not fail:
 * additional data come before the text, and a message is shorter than 64 GB.
 */
#include <corral/drivers/awslc/entry_points.h>

#include "aead.h"
#include "aes.h"
#include "stack.h"

#include <corral/aead.h>

CORRAL_REPEATS(awslc_gcm_state_t, GCM128_CONTEXT);

static GCM128_CONTEXT *state_of(awslc_gcm_operation_t *operation)
{
    return (GCM128_CONTEXT *)&operation->state;
}

static void begin(awslc_gcm_operation_t *operation, const uint8_t *key, size_t key_size)
{
    awslc_aes_set_encrypt_key(&operation->key, key, key_size);
    CRYPTO_gcm128_init_key(&state_of(operation)->gcm_key, awslc_aes_of(&operation->key),
                           AES_encrypt, hwaes_capable());
}

static void set_nonce(awslc_gcm_operation_t *operation, const uint8_t *nonce, size_t nonce_length)
{
    CRYPTO_gcm128_setiv(state_of(operation), awslc_aes_of(&operation->key), nonce, nonce_length);
}

static void add(awslc_gcm_operation_t *operation, const uint8_t *input, size_t length)
{
    if (length > 0) {
        (void)CRYPTO_gcm128_aad(state_of(operation), input, length);
    }
}

static psa_status_t run(awslc_gcm_operation_t *operation, bool is_encrypt, const uint8_t *input,
                        size_t length, uint8_t *output)
{
    const AES_KEY *const key = awslc_aes_of(&operation->key);
    GCM128_CONTEXT *const state = state_of(operation);
    const ctr128_f stream = awslc_aes_ctr32();
    const bool is_done =
        length == 0 ||
        (is_encrypt ? CRYPTO_gcm128_encrypt_ctr32(state, key, input, output, length, stream)
                    : CRYPTO_gcm128_decrypt_ctr32(state, key, input, output, length, stream));

    return is_done ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t awslc_gcm_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *nonce,
                               size_t nonce_length, const uint8_t *additional_data,
                               size_t additional_data_length, const uint8_t *plaintext,
                               size_t plaintext_length, uint8_t *ciphertext, size_t ciphertext_size,
                               size_t *ciphertext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    awslc_gcm_operation_t operation;

    (void)attributes;
    if (!awslc_holds(ciphertext_size, plaintext_length, tag_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    begin(&operation, key_buffer, key_buffer_size);
    set_nonce(&operation, nonce, nonce_length);
    add(&operation, additional_data, additional_data_length);
    const psa_status_t status = run(&operation, true, plaintext, plaintext_length, ciphertext);
    if (status == PSA_SUCCESS) {
        CRYPTO_gcm128_tag(state_of(&operation), ciphertext + plaintext_length, tag_length);
        *ciphertext_length = plaintext_length + tag_length;
    }
    awslc_wipe_stack_aes();
    corral_wipe(&operation, sizeof operation);
    return status;
}

psa_status_t awslc_gcm_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *nonce,
                               size_t nonce_length, const uint8_t *additional_data,
                               size_t additional_data_length, const uint8_t *ciphertext,
                               size_t ciphertext_length, uint8_t *plaintext, size_t plaintext_size,
                               size_t *plaintext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    awslc_gcm_operation_t operation;
    size_t length;
    psa_status_t status = awslc_text_of(ciphertext_length, tag_length, plaintext_size, &length);

    (void)attributes;
    if (status != PSA_SUCCESS) {
        return status;
    }
    begin(&operation, key_buffer, key_buffer_size);
    set_nonce(&operation, nonce, nonce_length);
    add(&operation, additional_data, additional_data_length);
    corral_move(plaintext, ciphertext, length);
    status = run(&operation, false, plaintext, length, plaintext);
    /* The library compares in a time that depends on the length only. */
    if (status == PSA_SUCCESS &&
        !CRYPTO_gcm128_finish(state_of(&operation), ciphertext + length, tag_length)) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    *plaintext_length = length;
    awslc_wipe_stack_aes();
    corral_wipe(&operation, sizeof operation);
    return status;
}

static psa_status_t setup(awslc_gcm_operation_t *operation, const uint8_t *key, size_t key_size,
                          psa_algorithm_t alg, bool is_encrypt)
{
    begin(operation, key, key_size);
    awslc_wipe_stack_aes();
    operation->tag_length = (uint8_t)corral_aead_tag_length(alg);
    operation->is_encrypt = is_encrypt;
    return PSA_SUCCESS;
}

psa_status_t awslc_gcm_encrypt_setup(awslc_gcm_operation_t *operation,
                                     const psa_key_attributes_t *attributes,
                                     const uint8_t *key_buffer, size_t key_buffer_size,
                                     psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, true);
}

psa_status_t awslc_gcm_decrypt_setup(awslc_gcm_operation_t *operation,
                                     const psa_key_attributes_t *attributes,
                                     const uint8_t *key_buffer, size_t key_buffer_size,
                                     psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, false);
}

psa_status_t awslc_gcm_set_nonce(awslc_gcm_operation_t *operation, const uint8_t *nonce,
                                 size_t nonce_length)
{
    set_nonce(operation, nonce, nonce_length);
    awslc_wipe_stack_aes();
    return PSA_SUCCESS;
}

psa_status_t awslc_gcm_update_ad(awslc_gcm_operation_t *operation, const uint8_t *input,
                                 size_t input_length)
{
    add(operation, input, input_length);
    awslc_wipe_stack_aes();
    return PSA_SUCCESS;
}

psa_status_t awslc_gcm_update(awslc_gcm_operation_t *operation, const uint8_t *input,
                              size_t input_length, uint8_t *output, size_t output_size,
                              size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *output_length = input_length;
    /* On some processors the library reads a byte of a plaintext twice. */
    if (operation->is_encrypt) {
        corral_move(output, input, input_length);
        input = output;
    }
    const psa_status_t status = run(operation, operation->is_encrypt, input, input_length, output);
    awslc_wipe_stack_aes();
    return status;
}

psa_status_t awslc_gcm_finish(awslc_gcm_operation_t *operation, uint8_t *tag, size_t tag_size,
                              size_t *tag_length)
{
    if (tag_size < operation->tag_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    CRYPTO_gcm128_tag(state_of(operation), tag, operation->tag_length);
    awslc_wipe_stack_aes();
    *tag_length = operation->tag_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_gcm_abort(awslc_gcm_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
