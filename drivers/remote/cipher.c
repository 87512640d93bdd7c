/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "keys.h"
#include "pieces.h"

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

static psa_status_t cross(uint32_t *handle, const uint8_t *input, size_t input_length,
                          uint8_t *output, size_t output_size, size_t *output_length)
{
    corral_remote_cipher_t there = {*handle};

    const psa_status_t status = corral_remote_cipher_update(&there, input, input_length, output,
                                                            output_size, output_length);
    *handle = there.handle;
    return status;
}

psa_status_t remote_cipher_update(remote_operation_t *operation, const uint8_t *input,
                                  size_t input_length, uint8_t *output, size_t output_size,
                                  size_t *output_length)
{
    return remote_in_pieces(cross, &operation->handle, input, input_length, output, output_size,
                            output_length);
}

psa_status_t remote_cipher_abort(remote_operation_t *operation)
{
    corral_remote_cipher_t there = {operation->handle};

    return corral_remote_cipher_abort(&there);
}
