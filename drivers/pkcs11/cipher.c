/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES in ECB, CBC and CTR (NIST SP 800-38A). Each call is one operation of the token. The state
 * between two calls is in the context.
 */
#include <string.h>

#include <corral/drivers/pkcs11/entry_points.h>

#include <corral/driver.h>

#include "object.h"

#define BLOCK_SIZE PKCS11_BLOCK_SIZE
#define STREAM_SIZE (64u * BLOCK_SIZE) /* of a key stream that the token makes at once */

enum { MODE_ECB, MODE_CBC, MODE_CTR };

static psa_status_t setup(pkcs11_cipher_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                          psa_algorithm_t alg, bool is_encrypt)
{
    memcpy(&operation->key, key_buffer, sizeof operation->key);
    operation->device = (uint8_t)corral_pkcs11_device_index(attributes);
    operation->is_encrypt = is_encrypt;
    operation->used = BLOCK_SIZE;
    operation->mode = alg == PSA_ALG_CTR              ? MODE_CTR
                      : alg == PSA_ALG_CBC_NO_PADDING ? MODE_CBC
                                                      : MODE_ECB;
    return PSA_SUCCESS;
}

psa_status_t pkcs11_cipher_encrypt_setup(pkcs11_cipher_operation_t *operation,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg)
{
    (void)key_buffer_size;
    return setup(operation, attributes, key_buffer, alg, true);
}

psa_status_t pkcs11_cipher_decrypt_setup(pkcs11_cipher_operation_t *operation,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg)
{
    (void)key_buffer_size;
    return setup(operation, attributes, key_buffer, alg, false);
}

/* 16 bytes.   PSA_ERROR_INVALID_ARGUMENT  another length */
psa_status_t pkcs11_cipher_set_iv(pkcs11_cipher_operation_t *operation, const uint8_t *iv,
                                  size_t iv_length)
{
    if (iv_length == BLOCK_SIZE) {
        memcpy(operation->state, iv, BLOCK_SIZE);
    }
    return iv_length == BLOCK_SIZE ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

static psa_status_t run(struct pkcs11_call *call, bool is_encrypt,
                        struct cryptoki_mechanism *mechanism, CK_OBJECT_HANDLE object,
                        const uint8_t *input, size_t length, uint8_t *output)
{
    const struct cryptoki_functions *functions = call->functions;

    return is_encrypt ? pkcs11_process(call, functions->C_EncryptInit, functions->C_Encrypt,
                                       mechanism, object, input, length, output, length)
                      : pkcs11_process(call, functions->C_DecryptInit, functions->C_Decrypt,
                                       mechanism, object, input, length, output, length);
}

/* Whole blocks of a block mode. */
static psa_status_t chain(pkcs11_cipher_operation_t *operation, struct pkcs11_call *call,
                          CK_OBJECT_HANDLE object, const uint8_t *input, size_t length,
                          uint8_t *output)
{
    struct cryptoki_mechanism mechanism = {CKM_AES_ECB, NULL, 0};
    uint8_t last[BLOCK_SIZE];

    if (operation->mode == MODE_CBC) {
        mechanism = (struct cryptoki_mechanism){CKM_AES_CBC, operation->state, BLOCK_SIZE};
        memcpy(last, input + length - BLOCK_SIZE, BLOCK_SIZE);
    }
    const psa_status_t status =
        run(call, operation->is_encrypt, &mechanism, object, input, length, output);
    if (operation->mode == MODE_CBC && status == PSA_SUCCESS) {
        memcpy(operation->state, operation->is_encrypt ? output + length - BLOCK_SIZE : last,
               BLOCK_SIZE);
    }
    return status;
}

static void increment(uint8_t counter[BLOCK_SIZE])
{
    for (size_t i = BLOCK_SIZE; i-- > 0 && ++counter[i] == 0;) {
    }
}

/* Use the rest of the key stream; returns the number of bytes that it was enough for. */
static size_t spend(pkcs11_cipher_operation_t *operation, const uint8_t *input, size_t length,
                    uint8_t *output)
{
    const uint8_t *rest = operation->stream + operation->used;
    const size_t left = BLOCK_SIZE - operation->used;
    const size_t count = length < left ? length : left;

    for (size_t i = 0; i < count; i++) {
        output[i] = input[i] ^ rest[i];
    }
    operation->used = (uint8_t)(operation->used + count);
    return count;
}

/* Any number of bytes: encrypted counters, of which the rest of the last one waits for more. */
static psa_status_t stream(pkcs11_cipher_operation_t *operation, struct pkcs11_call *call,
                           CK_OBJECT_HANDLE object, const uint8_t *input, size_t length,
                           uint8_t *output)
{
    struct cryptoki_mechanism mechanism = {CKM_AES_ECB, NULL, 0};
    uint8_t bytes[STREAM_SIZE];
    psa_status_t status = PSA_SUCCESS;

    for (size_t at = 0; at < length && status == PSA_SUCCESS;) {
        const size_t piece = length - at < STREAM_SIZE ? length - at : STREAM_SIZE;
        const size_t whole = (piece + BLOCK_SIZE - 1) / BLOCK_SIZE * BLOCK_SIZE;
        for (size_t i = 0; i < whole; i += BLOCK_SIZE) {
            memcpy(bytes + i, operation->state, BLOCK_SIZE);
            increment(operation->state);
        }
        status = run(call, true, &mechanism, object, bytes, whole, bytes);
        for (size_t i = 0; i < piece && status == PSA_SUCCESS; i++) {
            output[at + i] = input[at + i] ^ bytes[i];
        }
        memcpy(operation->stream, bytes + whole - BLOCK_SIZE, BLOCK_SIZE);
        operation->used = (uint8_t)(BLOCK_SIZE - (whole - piece));
        at += piece;
    }
    corral_wipe(bytes, sizeof bytes);
    return status;
}

/* One call of the token's for all of the input, which is not empty. */
static psa_status_t work(pkcs11_cipher_operation_t *operation, const uint8_t *input, size_t length,
                         uint8_t *output)
{
    const psa_key_attributes_t attributes = {.type = PSA_KEY_TYPE_AES};
    struct pkcs11_call call;
    CK_OBJECT_HANDLE object;

    psa_status_t status = pkcs11_open(&call, operation->device);
    if (status == PSA_SUCCESS) {
        status = pkcs11_find(&call, &attributes, &operation->key, CKO_SECRET_KEY, &object);
    }
    if (status == PSA_SUCCESS) {
        status = operation->mode == MODE_CTR
                     ? stream(operation, &call, object, input, length, output)
                     : chain(operation, &call, object, input, length, output);
    }
    return pkcs11_close(&call, status);
}

/* Output as long as the input, at the same place or apart from it; on failure part of it may be
 * written. */
psa_status_t pkcs11_cipher_update(pkcs11_cipher_operation_t *operation, const uint8_t *input,
                                  size_t input_length, uint8_t *output, size_t output_size,
                                  size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const size_t done = spend(operation, input, input_length, output);
    const psa_status_t status =
        done == input_length ? PSA_SUCCESS
                             : work(operation, input + done, input_length - done, output + done);
    *output_length = status == PSA_SUCCESS ? input_length : 0;
    return status;
}

psa_status_t pkcs11_cipher_abort(pkcs11_cipher_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
