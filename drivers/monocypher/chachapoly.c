/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305, told apart by the length of the nonce. The
 * library has whole messages only; in parts, its two primitives are put together here.
 */
#include <corral/drivers/monocypher/entry_points.h>

#include "stack.h"

#include <string.h>

#include <corral/driver.h>
#include <monocypher.h>

#define BLOCK_SIZE 64
#define PADDED_TO 16u
#define NONCE_SIZE 12
#define EXTENDED_NONCE_SIZE 24
#define TAG_SIZE 16u

CORRAL_REPEATS(monocypher_driver_poly1305_t, crypto_poly1305_ctx);

static bool start_message(crypto_aead_ctx *context, const uint8_t *key, const uint8_t *nonce,
                          size_t nonce_length)
{
    if (nonce_length == EXTENDED_NONCE_SIZE) {
        crypto_aead_init_x(context, key, nonce);
    } else if (nonce_length == NONCE_SIZE) {
        crypto_aead_init_ietf(context, key, nonce);
    } else {
        return false;
    }
    return true;
}

/*
 * ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305, whole messages and in parts. The nonce of 12
 * or 24 bytes says which. The same bytes are authenticated and decrypted, so the
 * caller's memory may change meanwhile: both work in the output buffer.
 *   PSA_ERROR_INVALID_SIGNATURE  decryption of a whole message: the tag is another; the ciphertext
 *                                is where the text would be
 */
psa_status_t monocypher_driver_chachapoly_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length)
{
    crypto_aead_ctx context;

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (ciphertext_size < TAG_SIZE || ciphertext_size - TAG_SIZE < plaintext_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!start_message(&context, key_buffer, nonce, nonce_length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    crypto_aead_write(&context, ciphertext, ciphertext + plaintext_length, additional_data,
                      additional_data_length, plaintext, plaintext_length);
    monocypher_driver_wipe_stack_aead();
    corral_wipe(&context, sizeof context);
    *ciphertext_length = plaintext_length + TAG_SIZE;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_chachapoly_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length)
{
    crypto_aead_ctx context;

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (ciphertext_length < TAG_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = ciphertext_length - TAG_SIZE;
    if (plaintext_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!start_message(&context, key_buffer, nonce, nonce_length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    corral_move(plaintext, ciphertext, length);
    const int mismatch = crypto_aead_read(&context, plaintext, ciphertext + length, additional_data,
                                          additional_data_length, plaintext, length);
    monocypher_driver_wipe_stack_aead();
    corral_wipe(&context, sizeof context);
    *plaintext_length = length;
    return mismatch == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

static crypto_poly1305_ctx *authenticator_of(monocypher_driver_chachapoly_operation_t *operation)
{
    return (crypto_poly1305_ctx *)&operation->authenticator;
}

psa_status_t monocypher_driver_chachapoly_encrypt_setup(
    monocypher_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    operation->is_encrypt = 1;
    return monocypher_driver_chacha20_setup(&operation->cipher, attributes, key_buffer,
                                            key_buffer_size, alg);
}

psa_status_t monocypher_driver_chachapoly_decrypt_setup(
    monocypher_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    return monocypher_driver_chacha20_setup(&operation->cipher, attributes, key_buffer,
                                            key_buffer_size, alg);
}

psa_status_t
monocypher_driver_chachapoly_set_nonce(monocypher_driver_chachapoly_operation_t *operation,
                                       const uint8_t *nonce, size_t nonce_length)
{
    monocypher_driver_chacha20_operation_t *const cipher = &operation->cipher;
    uint8_t block[BLOCK_SIZE] = {0};
    size_t length;

    psa_status_t status = nonce_length == EXTENDED_NONCE_SIZE
                              ? monocypher_driver_xchacha20_set_iv(cipher, nonce, nonce_length)
                              : monocypher_driver_chacha20_set_iv(cipher, nonce, nonce_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* The first block of the key stream begins with the key of the tag. */
    status = monocypher_driver_chacha20_update(cipher, block, sizeof block, block, sizeof block,
                                               &length);
    crypto_poly1305_init(authenticator_of(operation), block);
    monocypher_driver_wipe_stack_poly1305();
    corral_wipe(block, sizeof block);
    return status;
}

psa_status_t
monocypher_driver_chachapoly_update_ad(monocypher_driver_chachapoly_operation_t *operation,
                                       const uint8_t *input, size_t input_length)
{
    operation->ad_length += input_length;
    crypto_poly1305_update(authenticator_of(operation), input, input_length);
    monocypher_driver_wipe_stack_poly1305();
    return PSA_SUCCESS;
}

/* Zeros up to the end of the block, behind additional data and behind the text. */
static void pad(monocypher_driver_chachapoly_operation_t *operation, uint64_t length)
{
    static const uint8_t zeros[PADDED_TO];

    crypto_poly1305_update(authenticator_of(operation), zeros,
                           (size_t)((PADDED_TO - length % PADDED_TO) % PADDED_TO));
}

psa_status_t
monocypher_driver_chachapoly_update(monocypher_driver_chachapoly_operation_t *operation,
                                    const uint8_t *input, size_t input_length, uint8_t *output,
                                    size_t output_size, size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (operation->text_length == 0) {
        pad(operation, operation->ad_length);
    }
    operation->text_length += input_length;
    if (!operation->is_encrypt) {
        crypto_poly1305_update(authenticator_of(operation), input, input_length);
    }
    psa_status_t status = monocypher_driver_chacha20_update(&operation->cipher, input, input_length,
                                                            output, output_size, output_length);
    if (operation->is_encrypt) {
        crypto_poly1305_update(authenticator_of(operation), output, input_length);
    }
    monocypher_driver_wipe_stack_poly1305();
    return status;
}

static void write_length(uint8_t bytes[8], uint64_t length)
{
    for (size_t i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(length >> (8 * i));
    }
}

psa_status_t
monocypher_driver_chachapoly_finish(monocypher_driver_chachapoly_operation_t *operation,
                                    uint8_t *tag, size_t tag_size, size_t *tag_length)
{
    uint8_t lengths[16];

    if (tag_size < TAG_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* Without text nothing has been padded yet, and the text needs nothing. */
    pad(operation, operation->text_length == 0 ? operation->ad_length : operation->text_length);
    write_length(lengths, operation->ad_length);
    write_length(lengths + 8, operation->text_length);
    crypto_poly1305_update(authenticator_of(operation), lengths, sizeof lengths);
    crypto_poly1305_final(authenticator_of(operation), tag);
    monocypher_driver_wipe_stack_poly1305();
    *tag_length = TAG_SIZE;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_chachapoly_abort(monocypher_driver_chachapoly_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
