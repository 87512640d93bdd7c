/* SPDX-License-Identifier: Apache-2.0 */
/* The correct results, by libcrypto's high-level interface (the chip uses the low one). */
#ifndef TESTS_SIM_REFERENCE_H
#define TESTS_SIM_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void reference_sha256(const uint8_t *data, size_t length, uint8_t digest[32]);
void reference_hmac(const uint8_t key[32], const uint8_t *data, size_t length, uint8_t mac[32]);
void reference_aes(const uint8_t key[16], const uint8_t input[16], uint8_t output[16]);

/* P-256 keys in the chip's form: 32-byte scalar, X then Y. */
void reference_key_pair(uint8_t private_key[32], uint8_t public_key[64]);
bool reference_verify(const uint8_t public_key[64], const uint8_t digest[32],
                      const uint8_t signature[64]);
void reference_sign(const uint8_t private_key[32], const uint8_t public_key[64],
                    const uint8_t digest[32], uint8_t signature[64]);
void reference_ecdh(const uint8_t private_key[32], const uint8_t public_key[64],
                    const uint8_t peer[64], uint8_t secret[32]);

#endif
