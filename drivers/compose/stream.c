/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

/* CCM* (Zigbee, annex B; RFC 3610, 2.3): flags, nonce of 13 bytes, counter of two from 1. */
#define CCM_STAR_FLAGS 1u
#define CCM_STAR_NONCE 13u
/* The counter when 65,536 bytes have been made, one more than a length of two bytes can say. */
#define CCM_STAR_END 0x1001u

static psa_status_t setup(compose_stream_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                          size_t key_buffer_size, psa_algorithm_t alg, bool is_encrypt)
{
    operation->alg = alg;
    operation->is_encrypt = is_encrypt;
    return corral_dispatch_block_setup(&operation->block, attributes, key_buffer, key_buffer_size,
                                       true);
}

psa_status_t compose_stream_encrypt_setup(compose_stream_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg)
{
    return setup(operation, attributes, key_buffer, key_buffer_size, alg, true);
}

psa_status_t compose_stream_decrypt_setup(compose_stream_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg)
{
    return setup(operation, attributes, key_buffer, key_buffer_size, alg, false);
}

psa_status_t compose_stream_set_iv(compose_stream_operation_t *operation, const uint8_t *iv,
                                   size_t iv_length)
{
    const bool is_ccm_star = operation->alg == PSA_ALG_CCM_STAR_NO_TAG;

    if (iv_length != (is_ccm_star ? CCM_STAR_NONCE : BLOCK)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    operation->used = 0;
    if (is_ccm_star) {
        operation->input[0] = CCM_STAR_FLAGS;
        memcpy(operation->input + 1, iv, CCM_STAR_NONCE);
        operation->input[BLOCK - 2] = 0;
        operation->input[BLOCK - 1] = 1;
    } else {
        memcpy(operation->input, iv, BLOCK);
    }
    return PSA_SUCCESS;
}

static void increment(uint8_t counter[BLOCK])
{
    unsigned carry = 1;

    for (size_t i = BLOCK; i-- > 0;) {
        carry += counter[i];
        counter[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* Encrypt the next block of counter or feedback. */
static psa_status_t refill(compose_stream_operation_t *operation)
{
    const uint8_t *const counter = operation->input + BLOCK - 2;

    if (operation->alg == PSA_ALG_CCM_STAR_NO_TAG &&
        (unsigned)(counter[0] << 8 | counter[1]) >= CCM_STAR_END) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_dispatch_block_update(&operation->block, operation->input, BLOCK,
                                                       operation->keystream);
    if (operation->alg == PSA_ALG_CTR || operation->alg == PSA_ALG_CCM_STAR_NO_TAG) {
        increment(operation->input);
    } else if (operation->alg == PSA_ALG_OFB) {
        memcpy(operation->input, operation->keystream, BLOCK);
    }
    return status;
}

static uint8_t apply(compose_stream_operation_t *operation, uint8_t byte)
{
    const uint8_t result = byte ^ operation->keystream[operation->used];

    if (operation->alg == PSA_ALG_CFB) {
        operation->input[operation->used] = operation->is_encrypt ? result : byte;
    }
    operation->used = (uint8_t)((operation->used + 1u) % BLOCK);
    return result;
}

psa_status_t compose_stream_update(compose_stream_operation_t *operation, const uint8_t *input,
                                   size_t input_length, uint8_t *output, size_t output_size,
                                   size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (size_t i = 0; i < input_length; i++) {
        if (operation->used == 0) {
            psa_status_t status = refill(operation);
            if (status != PSA_SUCCESS) {
                return status;
            }
        }
        output[i] = apply(operation, input[i]);
    }
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t compose_stream_abort(compose_stream_operation_t *operation)
{
    corral_dispatch_block_abort(&operation->block);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
