/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the RSA entry points. */
#ifndef MBEDTLS_DRIVER_RSA_H
#define MBEDTLS_DRIVER_RSA_H

#include <corral/rsa.h>

#include <mbedtls/md.h>
#include <mbedtls/rsa.h>

/*
 * Initialise `rsa` and load a key of corral_rsa_read() into it. Whatever the result, which is one
 * of the library, mbedtls_rsa_free() must follow; it wipes the key.
 */
int mbedtls_driver_rsa_load(mbedtls_rsa_context *rsa, const struct corral_rsa_key *key);

/*
 * The same with a key as the core stores it.
 * MBEDTLS_ERR_RSA_BAD_INPUT_DATA  it is no such key
 */
int mbedtls_driver_rsa_open(mbedtls_rsa_context *rsa, psa_key_type_t type,
                            const uint8_t *key_buffer, size_t key_buffer_size);

/* The hash of an algorithm; MBEDTLS_MD_NONE if it has none that this build wants and the
 * library has. */
mbedtls_md_type_t mbedtls_driver_rsa_hash(psa_algorithm_t alg);

/* The generator that the library is given. */
int mbedtls_driver_rsa_draw(void *unused, unsigned char *output, size_t size);

/*
 * The PSA status of a result, whose error code may be the sum of two. A failed check of the
 * private operation against faults, and unexpected errors, are PSA_ERROR_CORRUPTION_DETECTED.
 */
psa_status_t mbedtls_driver_rsa_status(int result);

#endif
