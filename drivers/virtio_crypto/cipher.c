/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES by the device. Each request contains its IV. The chaining value is kept here, so any
 * number of operations can run at once. A block that the next part needs is in a place of
 * the driver's: of the application's memory every byte is read once, of the output none.
 */
#include <corral/drivers/virtio_crypto/entry_points.h>

#include <string.h>

#include <corral/driver.h>

#include "session.h"

#define BLOCK VIRTIO_CRYPTO_BLOCK_SIZE

static psa_status_t setup(virtio_crypto_cipher_operation_t *operation, const uint8_t *key_buffer,
                          size_t key_buffer_size, psa_algorithm_t alg, bool is_encrypt)
{
    operation->mode = alg == PSA_ALG_CTR              ? VIRTIO_CRYPTO_CTR
                      : alg == PSA_ALG_CBC_NO_PADDING ? VIRTIO_CRYPTO_CBC
                                                      : VIRTIO_CRYPTO_ECB;
    operation->is_encrypt = is_encrypt || operation->mode == VIRTIO_CRYPTO_CTR;
    return virtio_crypto_session_begin(operation, key_buffer, key_buffer_size);
}

psa_status_t virtio_crypto_cipher_encrypt_setup(virtio_crypto_cipher_operation_t *operation,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, true);
}

psa_status_t virtio_crypto_cipher_decrypt_setup(virtio_crypto_cipher_operation_t *operation,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, false);
}

psa_status_t virtio_crypto_cipher_set_iv(virtio_crypto_cipher_operation_t *operation,
                                         const uint8_t *iv, size_t iv_length)
{
    if (iv_length != sizeof operation->iv) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->iv, iv, sizeof operation->iv);
    return PSA_SUCCESS;
}

static psa_status_t run_ecb(virtio_crypto_cipher_operation_t *operation, const uint8_t *input,
                            size_t length, uint8_t *output)
{
    const struct virtio_crypto_text text = {
        .input = input, .input_length = length, .output = output, .output_length = length};

    return virtio_crypto_session_run(operation, &text, NULL);
}

static psa_status_t encrypt_cbc(virtio_crypto_cipher_operation_t *operation, const uint8_t *input,
                                size_t length, uint8_t *output)
{
    const struct virtio_crypto_text text = {.input = input,
                                            .input_length = length,
                                            .output = output,
                                            .output_length = length - BLOCK,
                                            .is_last_taken = true};

    const psa_status_t status = virtio_crypto_session_run(operation, &text, operation->iv);
    if (status == PSA_SUCCESS) {
        memcpy(output + length - BLOCK, operation->iv, BLOCK);
    }
    return status;
}

static psa_status_t decrypt_cbc(virtio_crypto_cipher_operation_t *operation, const uint8_t *input,
                                size_t length, uint8_t *output)
{
    uint8_t *const last = operation->stream;
    const struct virtio_crypto_text text = {.input = input,
                                            .input_length = length - BLOCK,
                                            .output = output,
                                            .output_length = length,
                                            .last_input = last};

    memcpy(last, input + length - BLOCK, BLOCK);
    const psa_status_t status = virtio_crypto_session_run(operation, &text, NULL);
    memcpy(operation->iv, last, BLOCK);
    return status;
}

static void count(uint8_t counter[BLOCK], size_t blocks)
{
    for (size_t i = BLOCK; i-- > 0 && blocks != 0;) {
        blocks += counter[i];
        counter[i] = (uint8_t)blocks;
        blocks >>= 8;
    }
}

static void apply(virtio_crypto_cipher_operation_t *operation, const uint8_t *input, size_t length,
                  uint8_t *output)
{
    for (size_t i = 0; i < length; i++) {
        output[i] = input[i] ^ operation->stream[operation->used++];
    }
    operation->used %= BLOCK;
}

/* The key stream of a block that is not used up comes from zeros behind the whole blocks. */
static psa_status_t run_ctr(virtio_crypto_cipher_operation_t *operation, const uint8_t *input,
                            size_t length, uint8_t *output)
{
    static const uint8_t zeros[BLOCK];
    const size_t rest = length % BLOCK;
    const size_t whole = length - rest;
    const struct virtio_crypto_text text = {.input = input,
                                            .input_length = whole,
                                            .output = output,
                                            .output_length = whole,
                                            .last_input = rest != 0 ? zeros : NULL,
                                            .is_last_taken = rest != 0};

    const psa_status_t status = virtio_crypto_session_run(operation, &text, operation->stream);
    if (status == PSA_SUCCESS) {
        count(operation->iv, whole / BLOCK + (rest != 0));
        apply(operation, input + whole, rest, output + whole);
    }
    return status;
}

static psa_status_t run(virtio_crypto_cipher_operation_t *operation, const uint8_t *input,
                        size_t length, uint8_t *output)
{
    if (operation->mode == VIRTIO_CRYPTO_CTR) {
        return run_ctr(operation, input, length, output);
    }
    if (operation->mode == VIRTIO_CRYPTO_ECB) {
        return run_ecb(operation, input, length, output);
    }
    return operation->is_encrypt ? encrypt_cbc(operation, input, length, output)
                                 : decrypt_cbc(operation, input, length, output);
}

psa_status_t virtio_crypto_cipher_update(virtio_crypto_cipher_operation_t *operation,
                                         const uint8_t *input, size_t input_length, uint8_t *output,
                                         size_t output_size, size_t *output_length)
{
    const size_t pending = operation->used == 0 ? 0 : BLOCK - operation->used;
    size_t done = pending < input_length ? pending : input_length;
    psa_status_t status = PSA_SUCCESS;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    apply(operation, input, done, output);
    while (done < input_length && status == PSA_SUCCESS) {
        /* The device says it anew each time, and could say another than at the setup. */
        const size_t longest = virtio_crypto_longest_text();
        const size_t rest = input_length - done;
        const size_t length = rest < longest ? rest : longest;
        status = length == 0 ? PSA_ERROR_HARDWARE_FAILURE
                             : run(operation, input + done, length, output + done);
        done += length;
    }
    if (status != PSA_SUCCESS) {
        /* Constructions have secrets in what they let be encrypted. */
        corral_wipe(output, input_length);
    }
    *output_length = input_length;
    return status;
}

psa_status_t virtio_crypto_cipher_abort(virtio_crypto_cipher_operation_t *operation)
{
    const psa_status_t status = virtio_crypto_session_end(operation);

    corral_wipe(operation, sizeof *operation);
    return status;
}
