/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations that BearSSL supports. This header reaches
 * applications through psa/crypto.h, so it repeats the library's structures member by
 * member instead of including its headers; the sources assert at compile time that it fits.
 * All contexts may be copied byte by byte: pointers name constants and functions, or are set again
 * by each call.
 */
#ifndef BEARSSL_CONTEXTS_H
#define BEARSSL_CONTEXTS_H

#include <stddef.h>
#include <stdint.h>

/* br_md5_context */
typedef struct {
    const void *methods;
    uint8_t buffer[64];
    uint64_t count;
    uint32_t state[4];
} bearssl_driver_md5_operation_t;

/* br_sha1_context */
typedef struct {
    const void *methods;
    uint8_t buffer[64];
    uint64_t count;
    uint32_t state[5];
} bearssl_driver_sha1_operation_t;

/* br_sha224_context, br_sha256_context */
typedef struct {
    const void *methods;
    uint8_t buffer[64];
    uint64_t count;
    uint32_t state[8];
} bearssl_driver_sha256_operation_t;

/* br_sha384_context, br_sha512_context */
typedef struct {
    const void *methods;
    uint8_t buffer[128];
    uint64_t count;
    uint64_t state[8];
} bearssl_driver_sha512_operation_t;

/* br_hmac_context: room for any hash, then the outer key's state and the length of the MAC */
typedef struct {
    bearssl_driver_sha512_operation_t hash;
    uint8_t outer[64];
    size_t length;
} bearssl_driver_hmac_operation_t;

/* br_aes_ct_cbcenc_keys, br_aes_ct_cbcdec_keys, br_aes_ct_ctrcbc_keys */
typedef struct {
    const void *methods;
    uint32_t schedule[60];
    unsigned rounds;
} bearssl_driver_aes_keys_t;

/* CBC, and ECB, which is CBC of one block under an IV of zeros. */
typedef struct {
    bearssl_driver_aes_keys_t keys;
    uint8_t iv[16];
    /*
     * Encrypt or decrypt whole blocks in place. A pointer, so that a program that never sets one
     * direction up does not carry it.
     */
    void (*run)(const bearssl_driver_aes_keys_t *keys, uint8_t iv[16], uint8_t *text,
                size_t length);
} bearssl_driver_aes_cbc_operation_t;

typedef struct {
    bearssl_driver_aes_keys_t keys;
    uint8_t counter[16];
    uint8_t stream[16]; /* the current block of the key stream */
    uint8_t used;       /* bytes of `stream` already spent; 0: no block is pending */
} bearssl_driver_aes_ctr_operation_t;

/* br_ccm_context */
typedef struct {
    const void *cipher;
    uint8_t blocks[4][16];
    size_t lengths[2];
} bearssl_driver_ccm_t;

typedef struct {
    bearssl_driver_aes_keys_t keys;
    bearssl_driver_ccm_t state;
    size_t ad_length;
    size_t text_length;
    uint8_t tag_length;
    uint8_t is_encrypt;
    uint8_t has_text;
} bearssl_driver_ccm_operation_t;

/* br_gcm_context */
typedef struct {
    const void *type;
    const void *cipher;
    void (*ghash)(void);
    uint8_t h[16];
    uint8_t nonce[12];
    uint8_t blocks[2][16];
    uint32_t counters[2];
    uint64_t lengths[2];
} bearssl_driver_gcm_t;

typedef struct {
    bearssl_driver_aes_keys_t keys;
    bearssl_driver_gcm_t state;
    uint8_t tag_length;
    uint8_t is_encrypt;
    uint8_t has_text;
} bearssl_driver_gcm_operation_t;

/* br_hmac_drbg_context; `hash` is null until the first seed */
typedef struct {
    const void *methods;
    uint8_t key[64];
    uint8_t value[64];
    const void *hash;
} bearssl_driver_random_context_t;

#endif
