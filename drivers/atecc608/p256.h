/* SPDX-License-Identifier: Apache-2.0 */
/* P-256 in the chip, and the few checks of points and scalars that the chip is not trusted with. */
#ifndef ATECC608_P256_H
#define ATECC608_P256_H

#include "transport.h"

#include <stdbool.h>

#include <psa/crypto_types.h>

#define ATECC608_POINT_SIZE 64u /* X || Y, big-endian, as the chip wants it */
#define ATECC608_SCALAR_SIZE 32u

/* Bits of a private slot's SlotConfig (data sheet, "ReadKey of ECC private keys"). */
#define ATECC608_SIGN_EXTERNAL 0x0001u
#define ATECC608_ECDH_MASK 0x000Cu
#define ATECC608_ECDH_CLEAR 0x0004u

/* Generate a new private key in session->slot. Afterwards atecc608_output() is its public point. */
psa_status_t atecc608_renew_pair(struct atecc608_session *session);

/* Compute the public point of the private key in session->slot; it is in atecc608_output(). */
psa_status_t atecc608_public_point(struct atecc608_session *session);

/*
 * Put a digest into TempKey, from where Sign and Verify take it: the leftmost 256 bits of a longer
 * one, a shorter one with zeros before it.
 */
psa_status_t atecc608_load_digest(struct atecc608_session *session, const uint8_t *hash,
                                  size_t hash_length);

/*
 * Whether `key` is 0x04 || X || Y with X and Y below the prime and on the curve. For public values:
 * takes a time that depends on them.
 */
bool atecc608_is_public_key(const uint8_t *key, size_t key_length);

/* Whether the big-endian value is from 1 to the order of the curve minus 1. Reads every byte. */
bool atecc608_is_scalar(const uint8_t value[ATECC608_SCALAR_SIZE]);

#endif
