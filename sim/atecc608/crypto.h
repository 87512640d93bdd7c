/* SPDX-License-Identifier: Apache-2.0 */
/* The chip's arithmetic, all of it by libcrypto. Every function returns false when libcrypto
 * refuses: an invalid scalar, a point that is not on the curve, no randomness. */
#ifndef ATECC608_SIM_CRYPTO_H
#define ATECC608_SIM_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool crypto_random(uint8_t *data, size_t length);

void crypto_sha256(const uint8_t *data, size_t length, uint8_t digest[32]);
void crypto_hmac_sha256(const uint8_t *key, size_t key_length, const uint8_t *data, size_t length,
                        uint8_t mac[32]);

/* The SHA-256 compression function over one block. */
void crypto_sha256_block(uint32_t h[8], const uint8_t block[64]);

bool crypto_aes128(const uint8_t key[16], bool encrypt, const uint8_t input[16],
                   uint8_t output[16]);

/* P-256. Scalars are 32 bytes, public keys X then Y, signatures R then S, all big-endian. */
bool crypto_p256_scalar_valid(const uint8_t private_key[32]);
bool crypto_p256_generate(uint8_t private_key[32], uint8_t public_key[64]);
bool crypto_p256_public(const uint8_t private_key[32], uint8_t public_key[64]);
bool crypto_p256_on_curve(const uint8_t public_key[64]);
bool crypto_p256_sign(const uint8_t private_key[32], const uint8_t digest[32],
                      uint8_t signature[64]);
bool crypto_p256_verify(const uint8_t public_key[64], const uint8_t digest[32],
                        const uint8_t signature[64]);
bool crypto_p256_ecdh(const uint8_t private_key[32], const uint8_t peer[64], uint8_t secret[32]);

#endif
