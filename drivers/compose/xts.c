/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

#include <corral/stack.h>

/* x^128 modulo the polynomial of the field. */
#define REDUCTION 0x87u

static psa_status_t setup(compose_xts_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key,
                          size_t key_size, bool is_encrypt)
{
    const size_t half = key_size / 2;
    psa_key_attributes_t one = *attributes;

    if (corral_equal(key, key + half, half)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_set_key_bits(&one, 8 * half);
    operation->is_encrypt = is_encrypt;
    psa_status_t status =
        corral_dispatch_block_setup(&operation->block, &one, key, half, is_encrypt);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_block_setup(&operation->tweaking, &one, key + half, half, true);
        if (status != PSA_SUCCESS) {
            corral_dispatch_block_abort(&operation->block);
        }
    }
    return status;
}

psa_status_t compose_xts_encrypt_setup(compose_xts_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    (void)alg;
    return setup(operation, attributes, key_buffer, key_buffer_size, true);
}

psa_status_t compose_xts_decrypt_setup(compose_xts_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    (void)alg;
    return setup(operation, attributes, key_buffer, key_buffer_size, false);
}

psa_status_t compose_xts_set_iv(compose_xts_operation_t *operation, const uint8_t *iv,
                                size_t iv_length)
{
    if (iv_length != BLOCK) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->tweak, iv, BLOCK);
    psa_status_t status = corral_dispatch_block_update(&operation->tweaking, operation->tweak,
                                                       BLOCK, operation->tweak);
    corral_dispatch_block_abort(&operation->tweaking);
    corral_wipe(&operation->tweaking, sizeof operation->tweaking);
    return status;
}

/*
 * Times x, in secret-independent time; the first byte has the lowest powers. Inlined, or without a
 * call at its end, it would leave bytes of the tweak in registers that the next call saves.
 */
static CORRAL_STACK_APART void advance(uint8_t tweak[BLOCK])
{
    uint8_t next[BLOCK];
    unsigned carry = 0;

    for (size_t i = 0; i < BLOCK; i++) {
        next[i] = (uint8_t)((unsigned)tweak[i] << 1 | carry);
        carry = (unsigned)tweak[i] >> 7;
    }
    next[0] = (uint8_t)(next[0] ^ (REDUCTION & (0u - carry)));
    memcpy(tweak, next, BLOCK);
    corral_wipe(next, sizeof next);
}

static psa_status_t one_block(compose_xts_operation_t *operation, const uint8_t tweak[BLOCK],
                              const uint8_t *input, uint8_t *output)
{
    for (size_t i = 0; i < BLOCK; i++) {
        output[i] = (uint8_t)(input[i] ^ tweak[i]);
    }
    psa_status_t status = corral_dispatch_block_update(&operation->block, output, BLOCK, output);
    for (size_t i = 0; i < BLOCK; i++) {
        output[i] ^= tweak[i];
    }
    return status;
}

/*
 * The last whole block and the `rest` bytes behind it, which are filled up from its result. Both
 * directions do the same, with the two tweaks exchanged.
 */
static psa_status_t steal(compose_xts_operation_t *operation, const uint8_t *input, size_t rest,
                          uint8_t *output)
{
    uint8_t second[BLOCK];
    uint8_t block[BLOCK];
    uint8_t end[BLOCK];

    memcpy(second, operation->tweak, BLOCK);
    advance(second);
    psa_status_t status =
        one_block(operation, operation->is_encrypt ? operation->tweak : second, input, block);
    memcpy(end, input + BLOCK, rest);
    memcpy(output + BLOCK, block, rest);
    memcpy(block, end, rest);
    if (status == PSA_SUCCESS) {
        status =
            one_block(operation, operation->is_encrypt ? second : operation->tweak, block, output);
    }
    corral_wipe(second, sizeof second);
    corral_wipe(block, sizeof block);
    corral_wipe(end, sizeof end);
    return status;
}

psa_status_t compose_xts_update(compose_xts_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length)
{
    const size_t rest = input_length % BLOCK;
    const size_t plain = rest == 0 ? input_length : input_length - rest - BLOCK;
    psa_status_t status = PSA_SUCCESS;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (size_t done = 0; status == PSA_SUCCESS && done < plain; done += BLOCK) {
        status = one_block(operation, operation->tweak, input + done, output + done);
        advance(operation->tweak);
    }
    if (status == PSA_SUCCESS && rest != 0) {
        status = steal(operation, input + plain, rest, output + plain);
    }
    *output_length = input_length;
    return status;
}

psa_status_t compose_xts_abort(compose_xts_operation_t *operation)
{
    corral_dispatch_block_abort(&operation->block);
    corral_dispatch_block_abort(&operation->tweaking);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
