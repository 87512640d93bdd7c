/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations that Monocypher supports. This header reaches
 * applications through psa/crypto.h, so it repeats the library's structures member by
 * member instead of including its headers; the sources assert at compile time that it fits.
 * All contexts may be copied byte by byte.
 */
#ifndef MONOCYPHER_CONTEXTS_H
#define MONOCYPHER_CONTEXTS_H

#include <stddef.h>
#include <stdint.h>

/* crypto_blake2b_ctx */
typedef struct {
    uint64_t state[8];
    uint64_t count[2];
    uint64_t input[16];
    size_t input_length;
    size_t hash_length;
} monocypher_driver_blake2b_operation_t;

/* crypto_sha512_ctx */
typedef struct {
    uint64_t state[8];
    uint64_t input[16];
    uint64_t count[2];
    size_t input_length;
} monocypher_driver_sha512_operation_t;

/*
 * ChaCha20 and XChaCha20, both as the original cipher with a nonce of 8 bytes and a counter of 64
 * bits: ChaCha20 has the first 4 bytes of its nonce in the upper half of the counter, XChaCha20 the
 * key derived from its key and the first 16 bytes of its nonce.
 */
typedef struct {
    uint64_t counter; /* of the next block */
    uint8_t key[32];
    uint8_t nonce[8];
    uint8_t stream[64]; /* the current block of the key stream */
    uint8_t used;       /* bytes of `stream` already spent; 0: no block is pending */
} monocypher_driver_chacha20_operation_t;

/* crypto_poly1305_ctx */
typedef struct {
    uint8_t block[16];
    size_t filled;
    uint32_t numbers[13];
} monocypher_driver_poly1305_t;

typedef struct {
    monocypher_driver_chacha20_operation_t cipher;
    monocypher_driver_poly1305_t authenticator;
    uint64_t ad_length;
    uint64_t text_length;
    uint8_t is_encrypt;
} monocypher_driver_chachapoly_operation_t;

#endif
