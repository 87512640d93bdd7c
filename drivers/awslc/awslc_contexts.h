/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations that AWS-LC supports. This header reaches applications
 * through psa/crypto.h, so it repeats the library's structures instead of including its headers;
 * the sources assert at compile time that it fits.
 */
#ifndef AWSLC_CONTEXTS_H
#define AWSLC_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct awslc_hash;

/* SHA512_CTX, the largest. */
typedef struct {
    const struct awslc_hash *hash;
    uint64_t state[27];
} awslc_hash_operation_t;

/* Both hashes after the padded key. */
typedef struct {
    awslc_hash_operation_t inner;
    awslc_hash_operation_t outer;
} awslc_hmac_operation_t;

/* AES_KEY */
typedef struct {
    uint32_t schedule[60];
    unsigned rounds;
} awslc_aes_key_t;

typedef struct {
    awslc_aes_key_t key;
    bool is_encrypt;
} awslc_aes_ecb_operation_t;

typedef struct {
    awslc_aes_key_t key;
    uint8_t iv[16];
    bool is_encrypt;
} awslc_aes_cbc_operation_t;

typedef struct {
    awslc_aes_key_t key;
    uint8_t counter[16];
    uint8_t stream[16];
    unsigned used; /* bytes of `stream` */
} awslc_aes_ctr_operation_t;

/* GCM128_CONTEXT. C++ has no _Alignas; a long double is aligned in the same way. */
typedef union {
    struct {
        uint8_t blocks[3][16];
        uint64_t lengths[2];
        uint8_t hash[16];
        uint64_t table[32];
        void (*functions[3])(void);
        uint64_t flags;
        unsigned pending[4]; /* two, and padding */
    } of_library;
    long double aligned;
} awslc_gcm_state_t;

typedef struct {
    awslc_gcm_state_t state;
    awslc_aes_key_t key;
    uint8_t tag_length;
    bool is_encrypt;
} awslc_gcm_operation_t;

typedef struct {
    awslc_aes_key_t key;
    uint8_t counter[16];
    uint8_t stream[16];
    uint8_t mac[16];
    uint8_t first[16]; /* counter block 0, which encrypts the tag */
    uint64_t ad_length;
    uint64_t length;
    unsigned used;    /* bytes of `stream` */
    unsigned pending; /* bytes of a block in `mac` */
    uint8_t tag_length;
    bool is_encrypt;
    bool has_text;
} awslc_ccm_operation_t;

typedef struct {
    uint8_t poly1305[448]; /* poly1305_state, without the bytes in which it is aligned */
    uint8_t key[32];
    uint8_t nonce[12];
    uint8_t stream[64]; /* of the block in which the text ends so far */
    uint64_t ad_length;
    uint64_t length; /* of the text so far */
    bool is_encrypt;
} awslc_chachapoly_operation_t;

#endif
