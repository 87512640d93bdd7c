/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM with AES.
 *   PSA_ERROR_NOT_SUPPORTED        65,280 bytes of additional data or more
 *   PSA_ERROR_INSUFFICIENT_MEMORY  only in a build that also takes CMAC from the library: its
 *                                  cipher layer is then between CCM and AES, and uses the heap
 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <string.h>

#include <corral/aead.h>
#include <corral/driver.h>
#include <mbedtls/ccm.h>

/* The library writes the length of additional data in two bytes only. */
#define AD_LIMIT 0xff00u

CORRAL_REPEATS(mbedtls_driver_ccm_t, mbedtls_ccm_context);

static mbedtls_ccm_context *context_of(mbedtls_driver_ccm_operation_t *operation)
{
    return (mbedtls_ccm_context *)&operation->state;
}

/* After each call of the library. */
static psa_status_t status_of(int result)
{
    mbedtls_driver_wipe_stack_ccm();
    return result == MBEDTLS_ERR_CCM_AUTH_FAILED ? PSA_ERROR_INVALID_SIGNATURE
                                                 : mbedtls_driver_status(result);
}

static int set_key(mbedtls_ccm_context *context, const uint8_t *key, size_t key_length)
{
    mbedtls_ccm_init(context);
    return mbedtls_ccm_setkey(context, MBEDTLS_CIPHER_ID_AES, key, (unsigned)(8 * key_length));
}

psa_status_t mbedtls_driver_ccm_encrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *plaintext,
                                        size_t plaintext_length, uint8_t *ciphertext,
                                        size_t ciphertext_size, size_t *ciphertext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    mbedtls_ccm_context context;

    (void)attributes;
    if (ciphertext_size < tag_length || ciphertext_size - tag_length < plaintext_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (additional_data_length >= AD_LIMIT) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    int result = set_key(&context, key_buffer, key_buffer_size);
    if (result == 0) {
        result = mbedtls_ccm_encrypt_and_tag(&context, plaintext_length, nonce, nonce_length,
                                             additional_data, additional_data_length, plaintext,
                                             ciphertext, ciphertext + plaintext_length, tag_length);
    }
    *ciphertext_length = plaintext_length + tag_length;
    mbedtls_ccm_free(&context);
    return status_of(result);
}

psa_status_t mbedtls_driver_ccm_decrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *ciphertext,
                                        size_t ciphertext_length, uint8_t *plaintext,
                                        size_t plaintext_size, size_t *plaintext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    mbedtls_ccm_context context;

    (void)attributes;
    if (ciphertext_length < tag_length) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = ciphertext_length - tag_length;
    if (plaintext_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (additional_data_length >= AD_LIMIT) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    int result = set_key(&context, key_buffer, key_buffer_size);
    if (result == 0) {
        result = mbedtls_ccm_auth_decrypt(&context, length, nonce, nonce_length, additional_data,
                                          additional_data_length, ciphertext, plaintext,
                                          ciphertext + length, tag_length);
    }
    *plaintext_length = length;
    mbedtls_ccm_free(&context);
    return status_of(result);
}

static psa_status_t setup(mbedtls_driver_ccm_operation_t *operation, const uint8_t *key,
                          size_t key_length, psa_algorithm_t alg, bool is_encrypt)
{
    mbedtls_ccm_context *const context = context_of(operation);

    operation->tag_length = (uint8_t)corral_aead_tag_length(alg);
    operation->is_encrypt = is_encrypt;
    const int result = set_key(context, key, key_length);
    if (result != 0) {
        mbedtls_ccm_free(context); /* a failed setup is not followed by an abort */
    }
    return status_of(result);
}

psa_status_t mbedtls_driver_ccm_encrypt_setup(mbedtls_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, true);
}

psa_status_t mbedtls_driver_ccm_decrypt_setup(mbedtls_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, false);
}

psa_status_t mbedtls_driver_ccm_set_lengths(mbedtls_driver_ccm_operation_t *operation,
                                            size_t ad_length, size_t plaintext_length)
{
    if (ad_length >= AD_LIMIT) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return status_of(mbedtls_ccm_set_lengths(context_of(operation), ad_length, plaintext_length,
                                             operation->tag_length));
}

psa_status_t mbedtls_driver_ccm_set_nonce(mbedtls_driver_ccm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length)
{
    return status_of(mbedtls_ccm_starts(
        context_of(operation), operation->is_encrypt ? MBEDTLS_CCM_ENCRYPT : MBEDTLS_CCM_DECRYPT,
        nonce, nonce_length));
}

psa_status_t mbedtls_driver_ccm_update_ad(mbedtls_driver_ccm_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    return status_of(mbedtls_ccm_update_ad(context_of(operation), input, input_length));
}

psa_status_t mbedtls_driver_ccm_update(mbedtls_driver_ccm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length)
{
    return status_of(mbedtls_ccm_update(context_of(operation), input, input_length, output,
                                        output_size, output_length));
}

psa_status_t mbedtls_driver_ccm_finish(mbedtls_driver_ccm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length)
{
    if (tag_size < operation->tag_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *tag_length = operation->tag_length;
    return status_of(mbedtls_ccm_finish(context_of(operation), tag, operation->tag_length));
}

psa_status_t mbedtls_driver_ccm_abort(mbedtls_driver_ccm_operation_t *operation)
{
    mbedtls_ccm_free(context_of(operation));
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
