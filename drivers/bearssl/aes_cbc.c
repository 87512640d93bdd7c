/* SPDX-License-Identifier: Apache-2.0 */
/* AES in CBC mode. BearSSL works in place, so the text is moved to the output first. */
#include <corral/drivers/bearssl/entry_points.h>

#include "aes_keys.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

/* Directions are apart, so that a program that needs one does not carry the other. */
static void bring(const uint8_t *input, size_t length, uint8_t *output)
{
    if (output != input && length != 0) { /* the pointers to no bytes may be null */
        corral_copy(output, input, length);
    }
}

static void encrypt(bearssl_driver_aes_cbc_operation_t *operation, const uint8_t *input,
                    size_t length, uint8_t *output)
{
    bring(input, length, output);
    br_aes_ct_cbcenc_run(encryption_keys(&operation->keys), operation->iv, output, length);
}

static void decrypt(bearssl_driver_aes_cbc_operation_t *operation, const uint8_t *input,
                    size_t length, uint8_t *output)
{
    bring(input, length, output);
    br_aes_ct_cbcdec_run(decryption_keys(&operation->keys), operation->iv, output, length);
}

psa_status_t bearssl_driver_aes_cbc_encrypt_setup(bearssl_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    br_aes_ct_cbcenc_init(encryption_keys(&operation->keys), key_buffer, key_buffer_size);
    bearssl_driver_wipe_stack_aes();
    operation->is_decryption = 0;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_cbc_decrypt_setup(bearssl_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    br_aes_ct_cbcdec_init(decryption_keys(&operation->keys), key_buffer, key_buffer_size);
    bearssl_driver_wipe_stack_aes();
    operation->is_decryption = 1;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_cbc_set_iv(bearssl_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length)
{
    if (iv_length != sizeof(operation->iv)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->iv, iv, sizeof(operation->iv));
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_cbc_update(bearssl_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (operation->is_decryption) {
        decrypt(operation, input, input_length, output);
    } else {
        encrypt(operation, input, input_length, output);
    }
    bearssl_driver_wipe_stack_aes();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_cbc_abort(bearssl_driver_aes_cbc_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_cbc_encrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length)
{
    bearssl_driver_aes_cbc_operation_t operation;

    (void)attributes;
    (void)alg;
    (void)iv_length;
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_aes_ct_cbcenc_init(encryption_keys(&operation.keys), key_buffer, key_buffer_size);
    memcpy(operation.iv, iv, sizeof operation.iv);
    encrypt(&operation, input, input_length, output);
    bearssl_driver_wipe_stack_aes();
    wipe_keys(&operation.keys, key_buffer_size);
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_cbc_decrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length)
{
    bearssl_driver_aes_cbc_operation_t operation;

    (void)attributes;
    (void)alg;
    (void)iv_length;
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_aes_ct_cbcdec_init(decryption_keys(&operation.keys), key_buffer, key_buffer_size);
    memcpy(operation.iv, iv, sizeof operation.iv);
    decrypt(&operation, input, input_length, output);
    bearssl_driver_wipe_stack_aes();
    wipe_keys(&operation.keys, key_buffer_size);
    *output_length = input_length;
    return PSA_SUCCESS;
}
