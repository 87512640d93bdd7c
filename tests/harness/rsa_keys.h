/* SPDX-License-Identifier: Apache-2.0 */
/* RSA keys, made for these tests by OpenSSL, and OpenSSL's results with them for "abc". */
#ifndef TEST_RSA_KEYS_H
#define TEST_RSA_KEYS_H

#include <stdint.h>

/* RSAPrivateKey and RSAPublicKey, public exponent 65537. */
extern const uint8_t rsa1024_pair[609];
/* Of numbers as long as those of the first. */
extern const uint8_t rsa1024_another_pair[609];
extern const uint8_t rsa1024_public[140];
extern const uint8_t rsa2048_pair[1190];
extern const uint8_t rsa2048_public[270];

/* PKCS#1 v1.5 over SHA-256, and of the three bytes themselves. */
extern const uint8_t rsa1024_signature[128];
extern const uint8_t rsa1024_raw[128];
/* PSS over SHA-256 with a salt of 20 bytes. */
extern const uint8_t rsa2048_pss_salt20[256];
/* OAEP with SHA-256 and the label "label"; PKCS#1 v1.5. */
extern const uint8_t rsa2048_oaep[256];
extern const uint8_t rsa2048_crypt[256];

#endif
