/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations that Mbed TLS supports. This header reaches
 * applications through psa/crypto.h, so it repeats the library's structures member by
 * member instead of including its headers; the sources assert at compile time that it fits.
 * A MAC context and the random context point to memory that the library takes from the heap: they
 * may be moved, but not copied, and must be aborted.
 */
#ifndef MBEDTLS_CONTEXTS_H
#define MBEDTLS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* mbedtls_md5_context */
typedef struct {
    uint32_t total[2];
    uint32_t state[4];
    uint8_t buffer[64];
} mbedtls_driver_md5_operation_t;

/* mbedtls_ripemd160_context */
typedef struct {
    uint32_t total[2];
    uint32_t state[5];
    uint8_t buffer[64];
} mbedtls_driver_ripemd160_operation_t;

/* mbedtls_sha1_context */
typedef struct {
    uint32_t total[2];
    uint32_t state[5];
    uint8_t buffer[64];
} mbedtls_driver_sha1_operation_t;

/* mbedtls_sha256_context */
typedef struct {
    uint8_t buffer[64];
    uint32_t total[2];
    uint32_t state[8];
    int is_224;
} mbedtls_driver_sha256_operation_t;

/* mbedtls_sha512_context */
typedef struct {
    uint64_t total[2];
    uint64_t state[8];
    uint8_t buffer[128];
    int is_384;
} mbedtls_driver_sha512_operation_t;

/* mbedtls_sha3_context */
typedef struct {
    uint64_t state[25];
    uint32_t index;
    uint16_t output_length;
    uint16_t block_length;
} mbedtls_driver_sha3_operation_t;

/* mbedtls_md_context_t */
typedef struct {
    const void *info;
    void *hash;
    void *pads;
} mbedtls_driver_hmac_operation_t;

/* mbedtls_cipher_context_t */
typedef struct {
    const void *info;
    int key_bits;
    int operation;
    void (*pad)(void); /* these two if the library has CBC */
    void (*unpad)(void);
    uint8_t pending[16];
    size_t pending_length;
    uint8_t iv[16];
    size_t iv_length;
    void *cipher;
    void *cmac;
} mbedtls_driver_cmac_operation_t;

/* mbedtls_aes_context */
typedef struct {
    int rounds;
    size_t offset;
    uint32_t schedule[68];
} mbedtls_driver_aes_key_t;

typedef struct {
    mbedtls_driver_aes_key_t key;
    uint8_t is_decryption;
} mbedtls_driver_aes_ecb_operation_t;

/* mbedtls_aria_context, mbedtls_camellia_context */
typedef struct {
    int rounds;
    uint32_t schedule[68];
} mbedtls_driver_block_key_t;

typedef struct {
    mbedtls_driver_block_key_t key;
    uint8_t is_decryption; /* Camellia; ARIA decrypts with another schedule only */
} mbedtls_driver_block_ecb_operation_t;

typedef struct {
    mbedtls_driver_aes_key_t key;
    uint8_t iv[16];
    uint8_t is_decryption;
} mbedtls_driver_aes_cbc_operation_t;

typedef struct {
    mbedtls_driver_aes_key_t key;
    uint8_t counter[16];
    uint8_t stream[16];
    size_t offset; /* in `stream` */
} mbedtls_driver_aes_ctr_operation_t;

/* CFB and OFB: `iv` is the register that the cipher feeds back. */
typedef struct {
    mbedtls_driver_aes_key_t key;
    uint8_t iv[16];
    size_t offset; /* in `iv` */
    uint8_t is_decryption;
} mbedtls_driver_aes_feedback_operation_t;

/* mbedtls_block_cipher_context_t, or mbedtls_cipher_context_t, which is smaller */
typedef struct {
    int cipher;
    mbedtls_driver_aes_key_t key;
} mbedtls_driver_block_t;

/* mbedtls_ccm_context */
typedef struct {
    uint8_t chain[16];
    uint8_t counter[16];
    size_t lengths[4];
    unsigned modes[2];
    mbedtls_driver_block_t block;
    int state;
} mbedtls_driver_ccm_t;

typedef struct {
    mbedtls_driver_ccm_t state;
    uint8_t tag_length;
    bool is_encrypt;
} mbedtls_driver_ccm_operation_t;

/* mbedtls_gcm_context */
typedef struct {
    mbedtls_driver_block_t block;
    uint64_t table[16][2];
    uint64_t lengths[2];
    uint8_t blocks[3][16];
    uint8_t modes[2];
} mbedtls_driver_gcm_t;

typedef struct {
    mbedtls_driver_gcm_t state;
    uint8_t tag_length;
    bool is_encrypt;
} mbedtls_driver_gcm_operation_t;

/* mbedtls_chachapoly_context */
typedef struct {
    uint32_t cipher[16];
    uint8_t keystream[64];
    size_t used;
    uint32_t authenticator[13];
    uint8_t queue[16];
    size_t queued;
    uint64_t lengths[2];
    int modes[2];
} mbedtls_driver_chachapoly_t;

typedef struct {
    mbedtls_driver_chachapoly_t state;
    bool is_encrypt;
} mbedtls_driver_chachapoly_operation_t;

/* mbedtls_hmac_drbg_context with SHA-256; `hmac.info` is null until the first seed */
typedef struct {
    mbedtls_driver_hmac_operation_t hmac;
    uint8_t value[64];
    int counter;
    size_t entropy_length;
    int prediction_resistance;
    int interval;
    void (*entropy)(void);
    void *entropy_context;
} mbedtls_driver_random_context_t;

#endif
