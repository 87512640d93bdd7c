/* SPDX-License-Identifier: Apache-2.0 */
/* CMAC (NIST SP 800-38B, RFC 4493) and CBC-MAC (ISO/IEC 9797-1) over a 128-bit block cipher. */
#ifndef COMPOSE_CMAC_H
#define COMPOSE_CMAC_H

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    uint8_t chain[16];      /* the running CBC value */
    uint8_t pending[16];    /* the last block so far: whether it is the last decides its mask */
    uint8_t pending_length; /* 0 to 16 */
} compose_cmac_operation_t;

/* Multiply by x in the field of 2^128 elements, without a branch on the value. */
void compose_cmac_multiply_by_x(uint8_t value[16]);

/* Entry points of mac_multipart; setup, update and abort serve both algorithms. */
psa_status_t compose_cmac_setup(compose_cmac_operation_t *operation,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t compose_cmac_update(compose_cmac_operation_t *operation, const uint8_t *input,
                                 size_t input_length);
psa_status_t compose_cmac_finish(compose_cmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length);
psa_status_t compose_cmac_abort(compose_cmac_operation_t *operation);

/*
 * CBC-MAC has no padding of its own.
 *   PSA_ERROR_INVALID_ARGUMENT  the message is empty or not a whole number of blocks
 */
psa_status_t compose_cbc_mac_finish(compose_cmac_operation_t *operation, uint8_t *mac,
                                    size_t mac_size, size_t *mac_length);

#endif
