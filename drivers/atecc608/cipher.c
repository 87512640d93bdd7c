/* SPDX-License-Identifier: Apache-2.0 */
/* ECB, CBC and CTR over the chip's AES block (NIST SP 800-38A). */
#include <string.h>

#include <corral/driver.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "block.h"
#include "session.h"

#define BLOCK_SIZE ATECC608_AES_BLOCK_SIZE

enum { MODE_ECB, MODE_CBC, MODE_CTR };

static psa_status_t setup(atecc608_cipher_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                          psa_algorithm_t alg, bool is_encrypt)
{
    atecc608_refer(&operation->key, attributes, key_buffer);
    operation->mode = alg == PSA_ALG_CTR              ? MODE_CTR
                      : alg == PSA_ALG_CBC_NO_PADDING ? MODE_CBC
                                                      : MODE_ECB;
    operation->is_encrypt = is_encrypt;
    operation->used = BLOCK_SIZE;
    return PSA_SUCCESS;
}

/* AES-128 in ECB, CBC (whole blocks, no padding) or CTR: one command of the chip for each block. */
psa_status_t atecc608_cipher_encrypt_setup(atecc608_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg)
{
    (void)key_buffer_size;
    return setup(operation, attributes, key_buffer, alg, true);
}

psa_status_t atecc608_cipher_decrypt_setup(atecc608_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg)
{
    (void)key_buffer_size;
    return setup(operation, attributes, key_buffer, alg, false);
}

/* 16 bytes.   PSA_ERROR_INVALID_ARGUMENT  another length */
psa_status_t atecc608_cipher_set_iv(atecc608_cipher_operation_t *operation, const uint8_t *iv,
                                    size_t iv_length)
{
    if (iv_length != BLOCK_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->iv, iv, BLOCK_SIZE);
    return PSA_SUCCESS;
}

static psa_status_t stream(atecc608_cipher_operation_t *operation, struct atecc608_session *session,
                           const uint8_t *input, size_t length, uint8_t *output)
{
    for (size_t i = 0; i < length; i++) {
        if (operation->used == BLOCK_SIZE) {
            psa_status_t status = atecc608_block(session, true, operation->iv, operation->stream);
            if (status != PSA_SUCCESS) {
                return status;
            }
            operation->used = 0;
            for (size_t j = BLOCK_SIZE; j-- > 0 && ++operation->iv[j] == 0;) {
            }
        }
        output[i] = input[i] ^ operation->stream[operation->used++];
    }
    return PSA_SUCCESS;
}

/* One block of ECB or CBC; `stream` of the operation holds it meanwhile. */
static psa_status_t block(atecc608_cipher_operation_t *operation, struct atecc608_session *session,
                          const uint8_t *input, uint8_t *output)
{
    const bool is_chained = operation->mode == MODE_CBC;
    uint8_t *text = operation->stream;

    memcpy(text, input, BLOCK_SIZE);
    if (is_chained && operation->is_encrypt) {
        atecc608_xor_block(text, operation->iv);
    }
    psa_status_t status = atecc608_block(session, operation->is_encrypt, text, text);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (is_chained && !operation->is_encrypt) {
        atecc608_xor_block(text, operation->iv);
    }
    /* the ciphertext, taken before `output` is written: that may be the input's place */
    memcpy(operation->iv, operation->is_encrypt ? text : input, BLOCK_SIZE);
    memcpy(output, text, BLOCK_SIZE);
    return PSA_SUCCESS;
}

/* Output as long as the input, at the same place or apart from it; on failure part of it may be
 * written. */
psa_status_t atecc608_cipher_update(atecc608_cipher_operation_t *operation, const uint8_t *input,
                                    size_t input_length, uint8_t *output, size_t output_size,
                                    size_t *output_length)
{
    struct atecc608_session session;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = atecc608_open_reference(&session, &operation->key);
    if (status == PSA_SUCCESS && operation->mode == MODE_CTR) {
        status = stream(operation, &session, input, input_length, output);
    } else {
        for (size_t i = 0; i < input_length && status == PSA_SUCCESS; i += BLOCK_SIZE) {
            status = block(operation, &session, input + i, output + i);
        }
    }
    if (status == PSA_SUCCESS) {
        *output_length = input_length;
    }
    return atecc608_close(&session, status);
}

psa_status_t atecc608_cipher_abort(atecc608_cipher_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
