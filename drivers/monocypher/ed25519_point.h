/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MONOCYPHER_ED25519_POINT_H
#define MONOCYPHER_ED25519_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ED25519_KEY_SIZE 32
#define ED25519_SIGNATURE_SIZE 64

/*
 * Is the encoding of a point one that RFC 8032 section 5.1.3 decodes, as far as that can be told
 * without computing x: y below p = 2^255 - 19, and no sign where x is 0? Monocypher takes y modulo
 * p and ignores the sign of 0. Points are public, so the time may depend on them.
 */
bool monocypher_driver_is_canonical(const uint8_t point[ED25519_KEY_SIZE]);

/*
 * Take a signature whose R is canonical. The library reads it twice, and another thread
 * may change it meanwhile: with another R the second time, forgeries would pass.
 * Returns false if it has not ED25519_SIGNATURE_SIZE bytes, or R is another encoding.
 */
bool monocypher_driver_take_signature(uint8_t copy[ED25519_SIGNATURE_SIZE],
                                      const uint8_t *signature, size_t length);

#endif
