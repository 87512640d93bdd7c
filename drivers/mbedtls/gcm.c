/* SPDX-License-Identifier: Apache-2.0 */
/* GCM with AES, ARIA and Camellia. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <string.h>

#include <corral/aead.h>
#include <corral/driver.h>
#include <mbedtls/gcm.h>

/* Instructions of 16 bytes work on it, and are slower across two lines of a cache. */
#define CONTEXT_ALIGNMENT (UINTPTR_MAX > 0xffffffff ? 64 : _Alignof(mbedtls_gcm_context))

CORRAL_REPEATS(mbedtls_driver_gcm_t, mbedtls_gcm_context);

static mbedtls_gcm_context *context_of(mbedtls_driver_gcm_operation_t *operation)
{
    return (mbedtls_gcm_context *)&operation->state;
}

/* After each call of the library. */
static psa_status_t status_of(int result)
{
    mbedtls_driver_wipe_stack_gcm();
    return result == MBEDTLS_ERR_GCM_AUTH_FAILED ? PSA_ERROR_INVALID_SIGNATURE
                                                 : mbedtls_driver_status(result);
}

static mbedtls_cipher_id_t cipher_of(psa_key_type_t type)
{
    if (CORRAL_WANT_KEY_TYPE_ARIA && type == PSA_KEY_TYPE_ARIA) {
        return MBEDTLS_CIPHER_ID_ARIA;
    }
    return CORRAL_WANT_KEY_TYPE_CAMELLIA && type == PSA_KEY_TYPE_CAMELLIA
               ? MBEDTLS_CIPHER_ID_CAMELLIA
               : MBEDTLS_CIPHER_ID_AES;
}

static int set_key(mbedtls_gcm_context *context, psa_key_type_t type, const uint8_t *key,
                   size_t key_length)
{
    const mbedtls_cipher_id_t cipher = cipher_of(type);

    mbedtls_gcm_init(context);
    return mbedtls_gcm_setkey(context, cipher, key, (unsigned)(8 * key_length));
}

psa_status_t mbedtls_driver_gcm_encrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *plaintext,
                                        size_t plaintext_length, uint8_t *ciphertext,
                                        size_t ciphertext_size, size_t *ciphertext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    _Alignas(CONTEXT_ALIGNMENT) mbedtls_gcm_context context;

    if (ciphertext_size < tag_length || ciphertext_size - tag_length < plaintext_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    int result = set_key(&context, psa_get_key_type(attributes), key_buffer, key_buffer_size);
    if (result == 0) {
        result = mbedtls_gcm_crypt_and_tag(&context, MBEDTLS_GCM_ENCRYPT, plaintext_length, nonce,
                                           nonce_length, additional_data, additional_data_length,
                                           plaintext, ciphertext, tag_length,
                                           ciphertext + plaintext_length);
    }
    *ciphertext_length = plaintext_length + tag_length;
    mbedtls_gcm_free(&context);
    return status_of(result);
}

psa_status_t mbedtls_driver_gcm_decrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *ciphertext,
                                        size_t ciphertext_length, uint8_t *plaintext,
                                        size_t plaintext_size, size_t *plaintext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    _Alignas(CONTEXT_ALIGNMENT) mbedtls_gcm_context context;

    if (ciphertext_length < tag_length) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = ciphertext_length - tag_length;
    if (plaintext_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    int result = set_key(&context, psa_get_key_type(attributes), key_buffer, key_buffer_size);
    if (result == 0) {
        corral_move(plaintext, ciphertext, length);
        result = mbedtls_gcm_auth_decrypt(&context, length, nonce, nonce_length, additional_data,
                                          additional_data_length, ciphertext + length, tag_length,
                                          plaintext, plaintext);
    }
    *plaintext_length = length;
    mbedtls_gcm_free(&context);
    return status_of(result);
}

static psa_status_t setup(mbedtls_driver_gcm_operation_t *operation, psa_key_type_t type,
                          const uint8_t *key, size_t key_length, psa_algorithm_t alg,
                          bool is_encrypt)
{
    mbedtls_gcm_context *const context = context_of(operation);

    operation->tag_length = (uint8_t)corral_aead_tag_length(alg);
    operation->is_encrypt = is_encrypt;
    const int result = set_key(context, type, key, key_length);
    if (result != 0) {
        mbedtls_gcm_free(context); /* a failed setup is not followed by an abort */
    }
    return status_of(result);
}

psa_status_t mbedtls_driver_gcm_encrypt_setup(mbedtls_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    return setup(operation, psa_get_key_type(attributes), key_buffer, key_buffer_size, alg, true);
}

psa_status_t mbedtls_driver_gcm_decrypt_setup(mbedtls_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    return setup(operation, psa_get_key_type(attributes), key_buffer, key_buffer_size, alg, false);
}

psa_status_t mbedtls_driver_gcm_set_nonce(mbedtls_driver_gcm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length)
{
    return status_of(mbedtls_gcm_starts(
        context_of(operation), operation->is_encrypt ? MBEDTLS_GCM_ENCRYPT : MBEDTLS_GCM_DECRYPT,
        nonce, nonce_length));
}

psa_status_t mbedtls_driver_gcm_update_ad(mbedtls_driver_gcm_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    return status_of(mbedtls_gcm_update_ad(context_of(operation), input, input_length));
}

psa_status_t mbedtls_driver_gcm_update(mbedtls_driver_gcm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length)
{
    return status_of(mbedtls_gcm_update(context_of(operation), input, input_length, output,
                                        output_size, output_length));
}

psa_status_t mbedtls_driver_gcm_finish(mbedtls_driver_gcm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length)
{
    size_t length;

    if (tag_size < operation->tag_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *tag_length = operation->tag_length;
    return status_of(
        mbedtls_gcm_finish(context_of(operation), NULL, 0, &length, tag, operation->tag_length));
}

psa_status_t mbedtls_driver_gcm_abort(mbedtls_driver_gcm_operation_t *operation)
{
    mbedtls_gcm_free(context_of(operation));
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
