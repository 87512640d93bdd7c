/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RSA keys as the API imports and exports them: the DER structures RSAPrivateKey (of two primes)
 * and RSAPublicKey of RFC 8017, A.1. For the glue of drivers, whose libraries want numbers. Nothing
 * here computes with the numbers.
 */
#ifndef CORRAL_RSA_H
#define CORRAL_RSA_H

#include <stdbool.h>

#include <psa/crypto.h>

/* The numbers of a key, in the order of RSAPrivateKey; a public key has the first two. */
enum corral_rsa_number {
    CORRAL_RSA_MODULUS,
    CORRAL_RSA_PUBLIC_EXPONENT,
    CORRAL_RSA_PRIVATE_EXPONENT,
    CORRAL_RSA_PRIME_1,
    CORRAL_RSA_PRIME_2,
    CORRAL_RSA_EXPONENT_1,
    CORRAL_RSA_EXPONENT_2,
    CORRAL_RSA_COEFFICIENT,
    CORRAL_RSA_NUMBERS
};

/* The largest public exponent, in bytes: the limit of PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE().
 */
#define CORRAL_RSA_PUBLIC_EXPONENT_MAX_SIZE 8u

/* Bytes of the modulus of the largest configured key, and so of its signatures; at least 1. */
#define CORRAL_RSA_MAX_SIZE (CORRAL_RSA_MAX_BITS > 0 ? CORRAL_RSA_MAX_BITS / 8 : 1)

/* A number in the key's own bytes: most significant byte first, and that byte is not 0. */
struct corral_rsa_field {
    const uint8_t *data;
    size_t length;
};

struct corral_rsa_key {
    struct corral_rsa_field
        numbers[CORRAL_RSA_NUMBERS]; /* those that the key lacks have length 0 */
};

/*
 * Find the numbers of a key of `type`, which is PSA_KEY_TYPE_RSA_KEY_PAIR or its public key.
 * It accepts only DER (one encoding for each key), positive numbers, an odd modulus, and an odd
 * public exponent greater than 1. The driver checks whether the numbers belong together.
 *   PSA_ERROR_INVALID_ARGUMENT  it is no such key
 *   PSA_ERROR_NOT_SUPPORTED     it has more than two primes, or a larger public exponent than above
 */
psa_status_t corral_rsa_read(psa_key_type_t type, const uint8_t *data, size_t length,
                             struct corral_rsa_key *key);

/* corral_rsa_read(), only for its status. */
psa_status_t corral_rsa_check(psa_key_type_t type, const uint8_t *data, size_t length);

/* Bits of the modulus of a key that corral_rsa_read() has read. */
size_t corral_rsa_modulus_bits(const struct corral_rsa_key *key);

/* Bits of the modulus of a key's data; 0: it is no key that corral_rsa_read() accepts. */
size_t corral_rsa_bits(psa_key_type_t type, const uint8_t *data, size_t length);

/*
 * Write the public key of `key`, in the format in which it is exported.
 *   PSA_ERROR_BUFFER_TOO_SMALL  nothing was written
 */
psa_status_t corral_rsa_write_public(const struct corral_rsa_key *key, uint8_t *data, size_t size,
                                     size_t *length);

/*
 * Write a key pair, of numbers as in struct corral_rsa_key.
 *   PSA_ERROR_BUFFER_TOO_SMALL  nothing was written
 */
psa_status_t corral_rsa_write_pair(const struct corral_rsa_key *key, uint8_t *data, size_t size,
                                   size_t *length);

#endif
