/* SPDX-License-Identifier: Apache-2.0 */
/* CBC over a 128-bit block cipher (NIST SP 800-38A, 6.2); whole blocks, no padding. */
#ifndef COMPOSE_CBC_H
#define COMPOSE_CBC_H

#include <stdbool.h>

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    uint8_t chain[16]; /* the IV, then the last ciphertext block */
    bool is_encrypt;
} compose_cbc_operation_t;

/* Entry points of cipher_multipart. */
psa_status_t compose_cbc_encrypt_setup(compose_cbc_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_cbc_decrypt_setup(compose_cbc_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_cbc_set_iv(compose_cbc_operation_t *operation, const uint8_t *iv,
                                size_t iv_length);
psa_status_t compose_cbc_update(compose_cbc_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);
psa_status_t compose_cbc_abort(compose_cbc_operation_t *operation);

#endif
