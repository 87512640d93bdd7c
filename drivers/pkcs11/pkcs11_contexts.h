/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations. Their state is kept here between two calls, and no session
 * of the token is open for them. All may be copied byte by byte.
 */
#ifndef PKCS11_CONTEXTS_H
#define PKCS11_CONTEXTS_H

#include <stdint.h>

#define PKCS11_BLOCK_SIZE 16u
#define PKCS11_NAME_SIZE 16u

/* How a key is found again, as it is stored. */
struct pkcs11_key {
    uint8_t kind;   /* of the name: PKCS11_KEY_* */
    uint8_t length; /* of the name */
    uint8_t name[PKCS11_NAME_SIZE];
};

typedef struct {
    struct pkcs11_key key;
    uint8_t device; /* index in the device table */
    uint8_t mode;
    uint8_t is_encrypt;
    uint8_t used;                      /* bytes of `stream` that are spent (CTR) */
    uint8_t state[PKCS11_BLOCK_SIZE];  /* previous ciphertext (CBC), next counter (CTR) */
    uint8_t stream[PKCS11_BLOCK_SIZE]; /* encrypted counter (CTR) */
} pkcs11_cipher_operation_t;

/* Random numbers have no state here. */
typedef struct {
    uint8_t unused;
} pkcs11_random_context_t;

#endif
