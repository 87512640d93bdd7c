/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

/* x^128 modulo the field's polynomial (SP 800-38B, 5.3). */
#define REDUCTION 0x87u

/* Setup, update and abort serve both algorithms. */
psa_status_t compose_cmac_setup(compose_cmac_operation_t *operation,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)alg;
    return corral_dispatch_block_setup(&operation->block, attributes, key_buffer, key_buffer_size,
                                       true);
}

/* chain = E(chain ^ block) */
static psa_status_t absorb(compose_cmac_operation_t *operation, const uint8_t *block)
{
    for (size_t i = 0; i < BLOCK; i++) {
        operation->chain[i] ^= block[i];
    }
    return corral_dispatch_block_update(&operation->block, operation->chain, BLOCK,
                                        operation->chain);
}

psa_status_t compose_cmac_update(compose_cmac_operation_t *operation, const uint8_t *input,
                                 size_t input_length)
{
    psa_status_t status = PSA_SUCCESS;

    while (status == PSA_SUCCESS && input_length > 0) {
        /* A full block is absorbed only when more follows: the last one is for finish. */
        if (operation->pending_length == BLOCK) {
            status = absorb(operation, operation->pending);
            operation->pending_length = 0;
        }
        const size_t room = BLOCK - operation->pending_length;
        const size_t part = input_length < room ? input_length : room;
        memcpy(operation->pending + operation->pending_length, input, part);
        operation->pending_length = (uint8_t)(operation->pending_length + part);
        input += part;
        input_length -= part;
    }
    return status;
}

void compose_cmac_multiply_by_x(uint8_t value[BLOCK])
{
    const uint8_t carry = (uint8_t)(0u - (unsigned)(value[0] >> 7));

    for (size_t i = 0; i + 1 < BLOCK; i++) {
        value[i] = (uint8_t)((unsigned)value[i] << 1 | value[i + 1] >> 7);
    }
    value[BLOCK - 1] = (uint8_t)((unsigned)value[BLOCK - 1] << 1 ^ (carry & REDUCTION));
}

/* The cipher is given back: nobody has to abort what has succeeded. */
static psa_status_t give(compose_cmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                         size_t *mac_length)
{
    if (mac_size < BLOCK) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    corral_dispatch_block_abort(&operation->block);
    memcpy(mac, operation->chain, BLOCK);
    *mac_length = BLOCK;
    return PSA_SUCCESS;
}

psa_status_t compose_cmac_finish(compose_cmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length)
{
    uint8_t *const last = operation->pending;
    const size_t used = operation->pending_length;
    uint8_t subkey[BLOCK] = {0};

    psa_status_t status = corral_dispatch_block_update(&operation->block, subkey, BLOCK, subkey);
    if (status != PSA_SUCCESS) {
        return status;
    }
    compose_cmac_multiply_by_x(subkey);
    if (used < BLOCK) {
        compose_cmac_multiply_by_x(subkey);
        memset(last + used, 0, BLOCK - used);
        last[used] = 0x80;
    }
    for (size_t i = 0; i < BLOCK; i++) {
        last[i] ^= subkey[i];
    }
    corral_wipe(subkey, sizeof subkey);
    status = absorb(operation, last);
    return status == PSA_SUCCESS ? give(operation, mac, mac_size, mac_length) : status;
}

/*
 * CBC-MAC has no padding of its own.
 *   PSA_ERROR_INVALID_ARGUMENT  the message is empty or not a whole number of blocks
 */
psa_status_t compose_cbc_mac_finish(compose_cmac_operation_t *operation, uint8_t *mac,
                                    size_t mac_size, size_t *mac_length)
{
    if (operation->pending_length != BLOCK) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = absorb(operation, operation->pending);
    return status == PSA_SUCCESS ? give(operation, mac, mac_size, mac_length) : status;
}

psa_status_t compose_cmac_abort(compose_cmac_operation_t *operation)
{
    corral_dispatch_block_abort(&operation->block);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
