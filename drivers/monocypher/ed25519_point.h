/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MONOCYPHER_ED25519_POINT_H
#define MONOCYPHER_ED25519_POINT_H

#include <stdbool.h>
#include <stdint.h>

#define ED25519_KEY_SIZE 32
#define ED25519_SIGNATURE_SIZE 64

/*
 * Does the encoding of a point hold a y coordinate below p = 2^255 - 19? RFC 8032 section 5.1.3
 * refuses others, Monocypher takes them for what is left modulo p. Points are public.
 */
bool monocypher_driver_is_canonical(const uint8_t point[ED25519_KEY_SIZE]);

#endif
