/* SPDX-License-Identifier: Apache-2.0 */
/* The suspend state of a hash, in the format of PSA Crypto 1.5, "Hash suspend state". */
#ifndef BEARSSL_HASH_STATE_H
#define BEARSSL_HASH_STATE_H

#include <bearssl_hash.h>
#include <psa/crypto.h>

/*
 * Write the state after the algorithm field. First the count of hashed bytes (big-endian, 8 bytes,
 * or 16 for blocks of 128 bytes), then the chaining values, and the input that fills no block yet.
 * context: a running hash. block: its block buffer; `count` modulo the block size bytes are read.
 * *state_length: bytes written. On failure nothing is written.
 *   PSA_ERROR_BUFFER_TOO_SMALL  state_size is less than this state needs
 */
psa_status_t bearssl_driver_hash_store(const br_hash_class *const *context, const uint8_t *block,
                                       uint8_t *state, size_t state_size, size_t *state_length);

/*
 * The inverse: put a freshly initialised hash into the state that hash_store() wrote.
 *   PSA_ERROR_INVALID_ARGUMENT  the length does not agree with the count of bytes, or no input
 *                               that the hash is defined for has that many bytes
 *   PSA_ERROR_NOT_SUPPORTED     2^64 bytes or more were hashed, which BearSSL does not count
 */
psa_status_t bearssl_driver_hash_load(const br_hash_class **context, const uint8_t *state,
                                      size_t state_length);

#endif
