/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES in CTR mode. BearSSL's plain CTR counts in 32 bits only; the counter of its CTR+CBC-MAC
 * combination has 128, as PSA wants. It takes whole blocks, so the rest of a block that a call
 * leaves over is kept here for the next one.
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "aes_keys.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

static void xor_stream(bearssl_driver_aes_ctr_operation_t *operation, uint8_t *data, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        data[i] ^= operation->stream[operation->used];
        operation->used = (uint8_t)((operation->used + 1) % BEARSSL_AES_BLOCK_SIZE);
    }
}

static void run(bearssl_driver_aes_ctr_operation_t *operation, uint8_t *data, size_t length)
{
    const br_aes_ct_ctrcbc_keys *const keys = (const br_aes_ct_ctrcbc_keys *)&operation->keys;
    const size_t pending = (BEARSSL_AES_BLOCK_SIZE - (size_t)operation->used) % 16;
    const size_t head = length < pending ? length : pending;
    const size_t tail = (length - head) % BEARSSL_AES_BLOCK_SIZE;
    const size_t whole = length - head - tail;

    xor_stream(operation, data, head);
    br_aes_ct_ctrcbc_ctr(keys, operation->counter, data + head, whole);
    if (tail > 0) {
        memset(operation->stream, 0, sizeof(operation->stream));
        br_aes_ct_ctrcbc_ctr(keys, operation->counter, operation->stream,
                             sizeof(operation->stream));
        xor_stream(operation, data + head + whole, tail);
    }
}

psa_status_t bearssl_driver_aes_ctr_setup(bearssl_driver_aes_ctr_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    br_aes_ct_ctrcbc_init((br_aes_ct_ctrcbc_keys *)&operation->keys, key_buffer, key_buffer_size);
    bearssl_driver_wipe_stack_aes();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_ctr_set_iv(bearssl_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length)
{
    if (iv_length != sizeof(operation->counter)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->counter, iv, sizeof(operation->counter));
    operation->used = 0;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_ctr_update(bearssl_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (input_length > 0) {
        memmove(output, input, input_length);
        run(operation, output, input_length);
        bearssl_driver_wipe_stack_aes();
    }
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_ctr_abort(bearssl_driver_aes_ctr_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}
