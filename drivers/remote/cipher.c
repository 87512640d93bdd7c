/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "keys.h"

/* Of AES. */
#define BLOCK_SIZE 16u
/* Text that crosses the wall at once: whole blocks, which have room there as input and output. */
#define PIECE_SIZE (CORRAL_REMOTE_BUFFER_SIZE / 2 / BLOCK_SIZE * BLOCK_SIZE)

psa_status_t remote_cipher_encrypt_setup(remote_operation_t *operation,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg)
{
    corral_remote_cipher_t there = {0};

    (void)attributes;
    (void)key_buffer_size;
    const psa_status_t status =
        corral_remote_cipher_encrypt_setup(&there, remote_id(key_buffer), alg);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_cipher_decrypt_setup(remote_operation_t *operation,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg)
{
    corral_remote_cipher_t there = {0};

    (void)attributes;
    (void)key_buffer_size;
    const psa_status_t status =
        corral_remote_cipher_decrypt_setup(&there, remote_id(key_buffer), alg);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_cipher_set_iv(remote_operation_t *operation, const uint8_t *iv,
                                  size_t iv_length)
{
    corral_remote_cipher_t there = {operation->handle};

    const psa_status_t status = corral_remote_cipher_set_iv(&there, iv, iv_length);
    operation->handle = there.handle;
    return status;
}

/* On failure part of the output may be written. */
psa_status_t remote_cipher_update(remote_operation_t *operation, const uint8_t *input,
                                  size_t input_length, uint8_t *output, size_t output_size,
                                  size_t *output_length)
{
    corral_remote_cipher_t there = {operation->handle};
    psa_status_t status = PSA_SUCCESS;
    size_t done = 0;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    while (done < input_length && status == PSA_SUCCESS) {
        const size_t rest = input_length - done;
        const size_t piece = rest < PIECE_SIZE ? rest : PIECE_SIZE;
        size_t written = 0;

        status = corral_remote_cipher_update(&there, input + done, piece, output + done, piece,
                                             &written);
        if (status == PSA_SUCCESS && written != piece) {
            status = PSA_ERROR_CORRUPTION_DETECTED;
        }
        done += piece;
    }
    operation->handle = there.handle;
    if (status == PSA_SUCCESS) {
        *output_length = input_length;
    }
    return status;
}

psa_status_t remote_cipher_abort(remote_operation_t *operation)
{
    corral_remote_cipher_t there = {operation->handle};

    return corral_remote_cipher_abort(&there);
}
