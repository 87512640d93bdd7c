/* SPDX-License-Identifier: Apache-2.0 */
/* ChaCha20-Poly1305 (RFC 8439). */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <string.h>

#include <corral/driver.h>
#include <mbedtls/chachapoly.h>

#define NONCE_SIZE 12u
#define TAG_SIZE 16u

CORRAL_REPEATS(mbedtls_driver_chachapoly_t, mbedtls_chachapoly_context);

static mbedtls_chachapoly_context *context_of(mbedtls_driver_chachapoly_operation_t *operation)
{
    return (mbedtls_chachapoly_context *)&operation->state;
}

/* After each call of the library. */
static psa_status_t status_of(int result)
{
    mbedtls_driver_wipe_stack_chachapoly();
    return result == MBEDTLS_ERR_CHACHAPOLY_AUTH_FAILED ? PSA_ERROR_INVALID_SIGNATURE
                                                        : mbedtls_driver_status(result);
}

static int set_key(mbedtls_chachapoly_context *context, const uint8_t *key)
{
    mbedtls_chachapoly_init(context);
    return mbedtls_chachapoly_setkey(context, key);
}

psa_status_t mbedtls_driver_chachapoly_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length)
{
    mbedtls_chachapoly_context context;

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (ciphertext_size < TAG_SIZE || ciphertext_size - TAG_SIZE < plaintext_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (nonce_length != NONCE_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    int result = set_key(&context, key_buffer);
    if (result == 0) {
        result = mbedtls_chachapoly_encrypt_and_tag(
            &context, plaintext_length, nonce, additional_data, additional_data_length, plaintext,
            ciphertext, ciphertext + plaintext_length);
    }
    *ciphertext_length = plaintext_length + TAG_SIZE;
    mbedtls_chachapoly_free(&context);
    return status_of(result);
}

psa_status_t mbedtls_driver_chachapoly_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length)
{
    mbedtls_chachapoly_context context;

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
    if (nonce_length != NONCE_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    int result = set_key(&context, key_buffer);
    if (result == 0) {
        corral_move(plaintext, ciphertext, length);
        result = mbedtls_chachapoly_auth_decrypt(&context, length, nonce, additional_data,
                                                 additional_data_length, ciphertext + length,
                                                 plaintext, plaintext);
    }
    *plaintext_length = length;
    mbedtls_chachapoly_free(&context);
    return status_of(result);
}

static psa_status_t setup(mbedtls_driver_chachapoly_operation_t *operation, const uint8_t *key,
                          bool is_encrypt)
{
    operation->is_encrypt = is_encrypt;
    return status_of(set_key(context_of(operation), key));
}

psa_status_t mbedtls_driver_chachapoly_encrypt_setup(
    mbedtls_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return setup(operation, key_buffer, true);
}

psa_status_t mbedtls_driver_chachapoly_decrypt_setup(
    mbedtls_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return setup(operation, key_buffer, false);
}

psa_status_t mbedtls_driver_chachapoly_set_nonce(mbedtls_driver_chachapoly_operation_t *operation,
                                                 const uint8_t *nonce, size_t nonce_length)
{
    if (nonce_length != NONCE_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return status_of(mbedtls_chachapoly_starts(context_of(operation), nonce,
                                               operation->is_encrypt ? MBEDTLS_CHACHAPOLY_ENCRYPT
                                                                     : MBEDTLS_CHACHAPOLY_DECRYPT));
}

psa_status_t mbedtls_driver_chachapoly_update_ad(mbedtls_driver_chachapoly_operation_t *operation,
                                                 const uint8_t *input, size_t input_length)
{
    return status_of(mbedtls_chachapoly_update_aad(context_of(operation), input, input_length));
}

psa_status_t mbedtls_driver_chachapoly_update(mbedtls_driver_chachapoly_operation_t *operation,
                                              const uint8_t *input, size_t input_length,
                                              uint8_t *output, size_t output_size,
                                              size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *output_length = input_length;
    return status_of(mbedtls_chachapoly_update(context_of(operation), input_length, input, output));
}

psa_status_t mbedtls_driver_chachapoly_finish(mbedtls_driver_chachapoly_operation_t *operation,
                                              uint8_t *tag, size_t tag_size, size_t *tag_length)
{
    if (tag_size < TAG_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *tag_length = TAG_SIZE;
    return status_of(mbedtls_chachapoly_finish(context_of(operation), tag));
}

psa_status_t mbedtls_driver_chachapoly_abort(mbedtls_driver_chachapoly_operation_t *operation)
{
    mbedtls_chachapoly_free(context_of(operation));
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
