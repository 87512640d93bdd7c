/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three consumers of cryptography as one device has them: a secure transport, signed objects, and a
 * link layer. They are sketches of the work that DTLS, COSE and IEEE 802.15.4 need, not of their
 * formats. bench/apps/shared writes them over PSA Crypto, bench/own over a library each.
 * All functions return whether everything went well.
 */
#ifndef CONSUMERS_H
#define CONSUMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POINT_SIZE 65 /* 4, x, y */
#define SCALAR_SIZE 32
#define SIGNATURE_SIZE 64
#define HASH_SIZE 32
#define SECRET_SIZE 32
#define BLOCK_SIZE 16

/* A key pair of P-256: RFC 6979, A.2.5. */
extern const uint8_t test_private[SCALAR_SIZE];
extern const uint8_t test_public[POINT_SIZE];

/* Sign, and verify, the SHA-256 of a payload with ECDSA on P-256. */
bool cose_sign(const uint8_t *payload, size_t size, uint8_t signature[SIGNATURE_SIZE]);
bool cose_verify(const uint8_t *payload, size_t size, const uint8_t signature[SIGNATURE_SIZE]);

/* Verify the peer's signature of its transcript, agree with its point by an ephemeral key, and
 * derive a secret with HMAC-SHA-256. */
bool dtls_handshake(const uint8_t *transcript, size_t size, const uint8_t signature[SIGNATURE_SIZE],
                    uint8_t secret[SECRET_SIZE]);
/* AES-128-CBC and HMAC-SHA-256 of a record of whole blocks; `sealed` has room for IV and MAC. */
bool dtls_seal(const uint8_t secret[SECRET_SIZE], const uint8_t *record, size_t size,
               uint8_t *sealed);

/* AES-128 in counter mode, and its CBC-MAC over the padded frame. */
bool link_protect(const uint8_t key[BLOCK_SIZE], const uint8_t *frame, size_t blocks,
                  uint8_t *protected, uint8_t mic[BLOCK_SIZE]);

#endif
