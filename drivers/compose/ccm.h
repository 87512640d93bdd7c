/* SPDX-License-Identifier: Apache-2.0 */
/* CCM over a 128-bit block cipher (RFC 3610, NIST SP 800-38C). It only ever encrypts blocks. */
#ifndef COMPOSE_CCM_H
#define COMPOSE_CCM_H

#include <stdbool.h>

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    size_t ad_length;
    size_t text_length;
    uint8_t chain[16];     /* the running CBC-MAC */
    uint8_t counter[16];   /* the block that makes the next piece of the key stream */
    uint8_t keystream[16]; /* what it made of the last one */
    uint8_t filled;        /* bytes of the current block in `chain`, and of the key stream spent */
    uint8_t tag_length;
    bool is_encrypt;
} compose_ccm_operation_t;

/* Entry points of aead_multipart, with aead_set_lengths. */
psa_status_t compose_ccm_encrypt_setup(compose_ccm_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_ccm_decrypt_setup(compose_ccm_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_ccm_set_lengths(compose_ccm_operation_t *operation, size_t ad_length,
                                     size_t plaintext_length);
psa_status_t compose_ccm_set_nonce(compose_ccm_operation_t *operation, const uint8_t *nonce,
                                   size_t nonce_length);
psa_status_t compose_ccm_update_ad(compose_ccm_operation_t *operation, const uint8_t *input,
                                   size_t input_length);
psa_status_t compose_ccm_update(compose_ccm_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);
psa_status_t compose_ccm_finish(compose_ccm_operation_t *operation, uint8_t *tag, size_t tag_size,
                                size_t *tag_length);
psa_status_t compose_ccm_abort(compose_ccm_operation_t *operation);

#endif
