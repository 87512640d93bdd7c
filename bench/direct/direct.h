/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same work as through PSA Crypto, by direct calls of a library. Memory that the
 * driver overwrites afterwards is overwritten here, too. Each library has a file that
 * defines `direct_library`; a function that it does not support is NULL.
 */
#ifndef BENCH_DIRECT_H
#define BENCH_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIRECT_KEY_SIZE 32
#define DIRECT_AES_KEY_SIZE 16
#define DIRECT_BLOCK_SIZE 16
#define DIRECT_NONCE_SIZE 12
#define DIRECT_HASH_SIZE 32
#define DIRECT_SCALAR_SIZE 32
#define DIRECT_POINT_SIZE 65
#define DIRECT_SIGNATURE_SIZE 64

/* All functions return whether the library was content. */
struct direct {
    bool (*hash)(const uint8_t *data, size_t size, uint8_t hash[DIRECT_HASH_SIZE]);
    bool (*mac)(const uint8_t key[DIRECT_KEY_SIZE], const uint8_t *data, size_t size,
                uint8_t mac[DIRECT_HASH_SIZE]);
    /* AES-128-CBC; the first block of `data` is the IV. */
    bool (*decrypt)(const uint8_t key[DIRECT_AES_KEY_SIZE], const uint8_t *data, size_t size,
                    uint8_t *text);
    /* AES-128-GCM with a nonce of 12 bytes; the tag of a block follows the text. */
    bool (*seal)(const uint8_t key[DIRECT_AES_KEY_SIZE], const uint8_t *nonce, const uint8_t *data,
                 size_t size, uint8_t *text);
    /* ECDSA on P-256, of a digest. */
    bool (*sign)(const uint8_t private_key[DIRECT_SCALAR_SIZE],
                 const uint8_t hash[DIRECT_HASH_SIZE], uint8_t signature[DIRECT_SIGNATURE_SIZE]);
    bool (*verify)(const uint8_t public_key[DIRECT_POINT_SIZE],
                   const uint8_t hash[DIRECT_HASH_SIZE],
                   const uint8_t signature[DIRECT_SIGNATURE_SIZE]);
};

extern const struct direct direct_library;

#endif
