/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of hashes: the suspend state, in the format of PSA Crypto 1.5, 10.2.5. */
#ifndef MBEDTLS_DRIVER_HASH_STATE_H
#define MBEDTLS_DRIVER_HASH_STATE_H

#include <stdbool.h>

#include <corral/driver.h>
#include <psa/crypto.h>

#include "stack.h"
#include "status.h"

/* How one hash is stored. */
struct hash_shape {
    uint8_t count_size; /* bytes of the length of the input */
    uint8_t words;      /* of the chaining value */
    uint8_t word_size;
    uint8_t block_size;
    bool is_little_endian; /* these words; the length never is */
};

/* The stored state, apart from the input that fills no block yet. */
struct hash_words {
    uint64_t low; /* bytes of input */
    uint64_t high;
    uint64_t chaining[8];
};

/*
 * Write what follows the algorithm field. `words` is wiped. `block`: as many bytes as fill no block
 * yet are read.
 *   PSA_ERROR_BUFFER_TOO_SMALL  state_size is less than this state needs; nothing is written
 */
psa_status_t mbedtls_driver_hash_store(const struct hash_shape *shape, struct hash_words *words,
                                       const uint8_t *block, uint8_t *state, size_t state_size,
                                       size_t *state_length);

/*
 * The reverse. `block` gets the bytes that fill none yet. The caller wipes `words`.
 *   PSA_ERROR_INVALID_ARGUMENT  the length does not agree with the count of bytes, or no input that
 *                               the hash is defined for has that many bytes; nothing is written
 */
psa_status_t mbedtls_driver_hash_load(const struct hash_shape *shape, struct hash_words *words,
                                      uint8_t *block, const uint8_t *state, size_t state_length);

/* The same for hashes of 32-bit words, whose contexts count in two of them, the low one first. */
psa_status_t mbedtls_driver_hash_store_32(const struct hash_shape *shape, const uint32_t total[2],
                                          const uint32_t *chaining, const uint8_t *block,
                                          uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t mbedtls_driver_hash_load_32(const struct hash_shape *shape, uint32_t total[2],
                                         uint32_t *chaining, uint8_t *block, const uint8_t *state,
                                         size_t state_length);

#endif
