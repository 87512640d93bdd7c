/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES in ECB mode: BearSSL has no such mode, but CBC of one block under a zero IV is the same. All
 * but the blocks is CBC's, too (aes_cbc.c).
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "aes_keys.h"
#include "stack.h"

#include <string.h>

psa_status_t bearssl_driver_aes_ecb_update(bearssl_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (size_t i = 0; i < input_length; i += BEARSSL_AES_BLOCK_SIZE) {
        memset(operation->iv, 0, sizeof operation->iv);
        memmove(output + i, input + i, BEARSSL_AES_BLOCK_SIZE);
        operation->run(&operation->keys, operation->iv, output + i, BEARSSL_AES_BLOCK_SIZE);
    }
    bearssl_driver_wipe_stack_aes();
    *output_length = input_length;
    return PSA_SUCCESS;
}
