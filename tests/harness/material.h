/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and messages for tests, from the RFCs that the names say. */
#ifndef TEST_MATERIAL_H
#define TEST_MATERIAL_H

#include <stdint.h>

/* RFC 6979, A.2.5: P-256 private key, public key, SHA-256 of "sample", its deterministic signature.
 */
extern const uint8_t p256_private[32];
extern const uint8_t p256_public[65];
extern const uint8_t p256_hash[32];
extern const uint8_t p256_signature[64];
/* "sample" itself. */
extern const uint8_t p256_message[6];

/* Wycheproof, x25519_test, row 1: X25519 key, its public key, a peer and the shared secret. */
extern const uint8_t x25519_private[32];
extern const uint8_t x25519_public[32];
extern const uint8_t x25519_peer_public[32];
extern const uint8_t x25519_shared[32];

/* RFC 8032, 7.1, test 2: Ed25519 key, public key, message and signature. */
extern const uint8_t ed25519_private[32];
extern const uint8_t ed25519_public[32];
extern const uint8_t ed25519_message[1];
extern const uint8_t ed25519_signature[64];

/* SP 800-38A: AES-128 key, four blocks of text, IV; F.2.1: the text in CBC mode. */
extern const uint8_t aes_key[16];
extern const uint8_t aes_text[64];
extern const uint8_t aes_iv[16];
extern const uint8_t aes_cbc[64];
/* SP 800-38A, 192 and 256 bits. */
extern const uint8_t aes192_key[24];
extern const uint8_t aes256_key[32];

/* RFC 4231, test 2: HMAC-SHA-256 of hmac_message. */
extern const uint8_t hmac_key[4];
extern const uint8_t hmac_message[28];
extern const uint8_t hmac_tag[32];

/* FIPS 180 example: SHA-256 of "abc". */
extern const uint8_t abc[3];
extern const uint8_t sha256_abc[32];

/* SHA-256 of nothing. */
extern const uint8_t sha256_empty[32];

#endif
