/* SPDX-License-Identifier: Apache-2.0 */
/* The cryptography of LoRaWAN 1.1, for keys that may be anywhere. */
#ifndef KEYS_H
#define KEYS_H

#include <psa/crypto.h>

#define BLOCK 16u
#define CODE_SIZE 4u
#define CODE PSA_ALG_TRUNCATED_MAC(PSA_ALG_CMAC, CODE_SIZE)

/* A key of AES-128 in this location, for one algorithm. */
psa_status_t keys_import(psa_key_location_t location, psa_algorithm_t alg,
                         const uint8_t value[BLOCK], psa_key_id_t *key);

/* Encrypt a block. */
psa_status_t keys_encrypt(psa_key_id_t key, const uint8_t block[BLOCK], uint8_t output[BLOCK]);

/* The session key of this kind: kind, input and zeros, encrypted with the root key. */
psa_status_t keys_derive(psa_key_id_t root, uint8_t kind, const uint8_t *input, size_t size,
                         psa_key_location_t location, psa_algorithm_t alg, psa_key_id_t *key);

/* The code of a block and a message. */
psa_status_t keys_code(psa_key_id_t key, const uint8_t *block, size_t block_size,
                       const uint8_t *message, size_t size, uint8_t code[CODE_SIZE]);

/* Encrypt a payload in place; the counter starts at this block. */
psa_status_t keys_encrypt_payload(psa_key_id_t key, const uint8_t start[BLOCK], uint8_t *payload,
                                  size_t size);

#endif
