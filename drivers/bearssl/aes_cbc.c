/* SPDX-License-Identifier: Apache-2.0 */
/* AES in CBC mode. BearSSL works in place, so the text is moved to the output first. */
#include <corral/drivers/bearssl/entry_points.h>

#include "aes_keys.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

static void bring(const uint8_t *input, size_t length, uint8_t *output)
{
    if (output != input && length != 0) { /* the pointers to no bytes may be null */
        corral_copy(output, input, length);
    }
}

/* Directions are apart, so that a program that needs one does not carry the other. */
static void encrypt(const bearssl_driver_aes_keys_t *keys, uint8_t iv[16], uint8_t *text,
                    size_t length)
{
    br_aes_ct_cbcenc_run((const br_aes_ct_cbcenc_keys *)keys, iv, text, length);
}

static void decrypt(const bearssl_driver_aes_keys_t *keys, uint8_t iv[16], uint8_t *text,
                    size_t length)
{
    br_aes_ct_cbcdec_run((const br_aes_ct_cbcdec_keys *)keys, iv, text, length);
}

/*
 * AES-128, AES-192 and AES-256, in a time that depends on lengths only. ECB and CBC get whole
 * blocks, CTR any length; output and input are equal or disjoint. The context holds the expanded
 * key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the IV has not 16 bytes
 */
psa_status_t bearssl_driver_aes_cbc_encrypt_setup(bearssl_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    br_aes_ct_cbcenc_init(encryption_keys(&operation->keys), key_buffer, key_buffer_size);
    bearssl_driver_wipe_stack_aes();
    operation->run = encrypt;
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
    operation->run = decrypt;
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
    bring(input, input_length, output);
    operation->run(&operation->keys, operation->iv, output, input_length);
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
    bring(input, input_length, output);
    encrypt(&operation.keys, operation.iv, output, input_length);
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
    bring(input, input_length, output);
    decrypt(&operation.keys, operation.iv, output, input_length);
    bearssl_driver_wipe_stack_aes();
    wipe_keys(&operation.keys, key_buffer_size);
    *output_length = input_length;
    return PSA_SUCCESS;
}
