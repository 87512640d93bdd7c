/* SPDX-License-Identifier: Apache-2.0 */
/* ECB, CBC and CTR by the engine (NIST SP 800-38A). */
#include <stdbool.h>
#include <string.h>

#include <corral/driver.h>

#include <corral/drivers/keyslots/entry_points.h>

#include "part.h"

#define BLOCK_SIZE KEYSLOTS_BLOCK_SIZE

static psa_status_t setup(keyslots_cipher_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                          psa_algorithm_t alg, bool is_encrypt)
{
    keyslots_refer(&operation->key, attributes, key_buffer);
    operation->used = BLOCK_SIZE;
    if (alg == PSA_ALG_CTR) {
        operation->mode = KEYSLOTS_CTR;
    } else if (alg == PSA_ALG_CBC_NO_PADDING) {
        operation->mode = is_encrypt ? KEYSLOTS_CBC_ENCRYPT : KEYSLOTS_CBC_DECRYPT;
    } else {
        operation->mode = is_encrypt ? KEYSLOTS_ECB_ENCRYPT : KEYSLOTS_ECB_DECRYPT;
    }
    return PSA_SUCCESS;
}

psa_status_t keyslots_cipher_encrypt_setup(keyslots_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg)
{
    (void)key_buffer_size;
    return setup(operation, attributes, key_buffer, alg, true);
}

psa_status_t keyslots_cipher_decrypt_setup(keyslots_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg)
{
    (void)key_buffer_size;
    return setup(operation, attributes, key_buffer, alg, false);
}

/* 16 bytes.   PSA_ERROR_INVALID_ARGUMENT  another length */
psa_status_t keyslots_cipher_set_iv(keyslots_cipher_operation_t *operation, const uint8_t *iv,
                                    size_t iv_length)
{
    if (iv_length != BLOCK_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->state, iv, BLOCK_SIZE);
    return PSA_SUCCESS;
}

/* How much of the input the next command takes: all that are whole blocks, as far as they fit. */
static size_t next_length(size_t rest)
{
    return rest < KEYSLOTS_DATA_SIZE ? rest - rest % BLOCK_SIZE : KEYSLOTS_DATA_SIZE;
}

/* Spend what there is of the key stream; returns how much. */
static size_t spend(keyslots_cipher_operation_t *operation, const uint8_t *input, size_t length,
                    uint8_t *output)
{
    size_t i = 0;

    for (; i < length && operation->used < BLOCK_SIZE; i++) {
        output[i] = input[i] ^ operation->stream[operation->used++];
    }
    return i;
}

static psa_status_t work(keyslots_cipher_operation_t *operation, const uint8_t *input,
                         size_t length, uint8_t *output)
{
    static const uint8_t zeros[BLOCK_SIZE];
    struct keyslots_session session;

    psa_status_t status = keyslots_open_reference(&session, &operation->key, operation->mode);
    while (length > 0 && status == PSA_SUCCESS) {
        size_t done = next_length(length);

        if (done > 0) {
            status = keyslots_run(&session, operation->mode, operation->state, input, done, output);
        } else {
            /* A part of a block, only in CTR: the rest of its key stream waits for more. */
            status = keyslots_run(&session, operation->mode, operation->state, zeros, BLOCK_SIZE,
                                  operation->stream);
            operation->used = status == PSA_SUCCESS ? 0 : BLOCK_SIZE;
            done = spend(operation, input, length, output);
        }
        input += done;
        output += done;
        length -= done;
    }
    return keyslots_close(&session, status);
}

/* Output as long as the input, at the same place or apart from it; on failure part of it may be
 * written. */
psa_status_t keyslots_cipher_update(keyslots_cipher_operation_t *operation, const uint8_t *input,
                                    size_t input_length, uint8_t *output, size_t output_size,
                                    size_t *output_length)
{
    psa_status_t status = PSA_SUCCESS;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const size_t spent = spend(operation, input, input_length, output);
    if (spent < input_length) {
        status = work(operation, input + spent, input_length - spent, output + spent);
    }
    if (status == PSA_SUCCESS) {
        *output_length = input_length;
    }
    return status;
}

psa_status_t keyslots_cipher_abort(keyslots_cipher_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
