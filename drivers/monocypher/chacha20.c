/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChaCha20 (RFC 8439) and XChaCha20 as stream ciphers, counting from 0. The library starts at a
 * block boundary, so the rest of a block that a call leaves over is kept here for the next one.
 */
#include <corral/drivers/monocypher/entry_points.h>

#include "stack.h"

#include <string.h>

#include <corral/driver.h>
#include <monocypher.h>

#define BLOCK_SIZE 64
#define NONCE_SIZE 12
#define EXTENDED_NONCE_SIZE 24

static void xor_stream(monocypher_driver_chacha20_operation_t *operation, const uint8_t *input,
                       uint8_t *output, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        output[i] = input[i] ^ operation->stream[operation->used];
        operation->used = (uint8_t)((operation->used + 1) % BLOCK_SIZE);
    }
}

/* `length` bytes of key stream from a block boundary, over the input or, if it is null, bare. */
static void run(monocypher_driver_chacha20_operation_t *operation, const uint8_t *input,
                uint8_t *output, size_t length)
{
    operation->counter = crypto_chacha20_djb(output, input, length, operation->key,
                                             operation->nonce, operation->counter);
}

/*
 * ChaCha20 (RFC 8439, IV of 12 bytes) and XChaCha20 (IV of 24 bytes) with 256-bit keys, counting
 * from 0; any length, output and input equal or disjoint. The context holds the key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the IV has another length
 *   PSA_ERROR_NOT_SUPPORTED     the key has not 256 bits
 */
psa_status_t monocypher_driver_chacha20_setup(monocypher_driver_chacha20_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    if (key_buffer_size != sizeof(operation->key)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    memcpy(operation->key, key_buffer, sizeof(operation->key));
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_chacha20_set_iv(monocypher_driver_chacha20_operation_t *operation,
                                               const uint8_t *iv, size_t iv_length)
{
    uint64_t head = 0;
    size_t i;

    if (iv_length != NONCE_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    for (i = 4; i > 0; i--) {
        head = (head << 8) | iv[i - 1];
    }
    operation->counter = head << 32;
    memcpy(operation->nonce, iv + 4, sizeof(operation->nonce));
    operation->used = 0;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_xchacha20_set_iv(monocypher_driver_chacha20_operation_t *operation,
                                                const uint8_t *iv, size_t iv_length)
{
    uint8_t derived[sizeof(operation->key)];

    if (iv_length != EXTENDED_NONCE_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    crypto_chacha20_h(derived, operation->key, iv);
    monocypher_driver_wipe_stack_chacha20();
    memcpy(operation->key, derived, sizeof(derived));
    corral_wipe(derived, sizeof(derived));
    operation->counter = 0;
    memcpy(operation->nonce, iv + 16, sizeof(operation->nonce));
    operation->used = 0;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_chacha20_update(monocypher_driver_chacha20_operation_t *operation,
                                               const uint8_t *input, size_t input_length,
                                               uint8_t *output, size_t output_size,
                                               size_t *output_length)
{
    const size_t pending = (BLOCK_SIZE - (size_t)operation->used) % BLOCK_SIZE;
    const size_t head = input_length < pending ? input_length : pending;
    const size_t tail = (input_length - head) % BLOCK_SIZE;
    const size_t whole = input_length - head - tail;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    xor_stream(operation, input, output, head);
    if (whole > 0) {
        run(operation, input + head, output + head, whole);
    }
    if (tail > 0) {
        run(operation, NULL, operation->stream, BLOCK_SIZE);
        xor_stream(operation, input + head + whole, output + head + whole, tail);
    }
    monocypher_driver_wipe_stack_chacha20();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_chacha20_abort(monocypher_driver_chacha20_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}
