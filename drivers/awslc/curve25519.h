/* SPDX-License-Identifier: Apache-2.0 */
/* Curve25519 of AWS-LC. Keys of X25519 and of Ed25519 have 32 bytes. */
#ifndef AWSLC_CURVE25519_H
#define AWSLC_CURVE25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AWSLC_KEY25519_SIZE 32u
#define AWSLC_SIGNATURE25519_SIZE 64u
#define AWSLC_HASH25519_SIZE 64u
#define AWSLC_CONTEXT25519_MAX_SIZE 255u

/* How one of the two uses its keys. */
struct awslc_use25519 {
    void (*set_bits)(uint8_t *private_key); /* to the form in which it is stored */
    void (*derive_public)(uint8_t *public_key, const uint8_t *private_key);
    bool (*is_public)(const uint8_t *key);
};

extern const struct awslc_use25519 awslc_x25519;
extern const struct awslc_use25519 awslc_ed25519;

/* True for the canonical encoding of a point of the curve that is not of small order. */
bool awslc_ed25519_is_public(const uint8_t *key);

/* The input of a signature: a message, or its SHA-512 with a context (Ed25519ph). */
struct awslc_text25519 {
    const uint8_t *input;
    size_t input_length;
    bool is_hash;
    const uint8_t *context;
    size_t context_length;
};

/* Whether the hash and the context have the lengths that they may have. */
static inline bool awslc_fits_25519(const struct awslc_text25519 *text)
{
    return !text->is_hash || (text->input_length == AWSLC_HASH25519_SIZE &&
                              text->context_length <= AWSLC_CONTEXT25519_MAX_SIZE);
}

/*
 * Verify a signature with the cofactor (RFC 8032, 5.1.7). S is below the group's order, and R is
 * canonical.
 */
bool awslc_ed25519_verify(const struct awslc_text25519 *text,
                          const uint8_t signature[AWSLC_SIGNATURE25519_SIZE],
                          const uint8_t public_key[AWSLC_KEY25519_SIZE]);

#endif
