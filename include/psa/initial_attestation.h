/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Initial attestation (PSA Certified Attestation API 2.0): a signed token that
 * identifies the device, its state, its software, and the caller on it.
 *
 * A token is an entity attestation token of the profile of RFC 9783 in a COSE_Sign1 with ES256. The
 * functions are there in builds with CORRAL_ATTESTATION, after psa_crypto_init().
 */
#ifndef PSA_INITIAL_ATTESTATION_H
#define PSA_INITIAL_ATTESTATION_H

#include <stddef.h>
#include <stdint.h>

#include <psa/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface. */
#define PSA_INITIAL_ATTEST_API_VERSION_MAJOR 2
#define PSA_INITIAL_ATTEST_API_VERSION_MINOR 0

/* No token is longer, whatever the port says of device and software. */
#define PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE (512u)

/* The sizes that a challenge can have, in bytes. */
#define PSA_INITIAL_ATTEST_CHALLENGE_SIZE_32 (32u)
#define PSA_INITIAL_ATTEST_CHALLENGE_SIZE_48 (48u)
#define PSA_INITIAL_ATTEST_CHALLENGE_SIZE_64 (64u)

/*
 * Make a token that answers a challenge. The verifier chose these bytes, and so knows
 * that the token is not an older one. A hash of data and of such bytes makes the token
 * speak for the data, too.
 *   token_buf       written only on success; zeroed if signing fails
 *   token_size      bytes of the token; 0 on failure
 *   PSA_ERROR_INVALID_ARGUMENT  the challenge has none of the sizes above
 *   PSA_ERROR_BUFFER_TOO_SMALL  nothing was written; psa_initial_attest_get_token_size() says how
 *                               much room it takes
 *   PSA_ERROR_SERVICE_FAILURE   before psa_crypto_init()
 *   PSA_ERROR_GENERIC_ERROR     the port's data make the token too long, or the caller's
 *                               number is above 2^31 - 1
 * The port returns an error if it has no key or does not know the device. Statuses of signing, and
 * behind a wall those of any call, are possible, too.
 */
psa_status_t psa_initial_attest_get_token(const uint8_t *auth_challenge, size_t challenge_size,
                                          uint8_t *token_buf, size_t token_buf_size,
                                          size_t *token_size);

/*
 * Return the exact length of the token for a challenge of that size and this caller.
 *   token_size  0 on failure
 *   PSA_ERROR_INVALID_ARGUMENT  the challenge has none of the sizes above
 *   PSA_ERROR_SERVICE_FAILURE   before psa_crypto_init()
 *   PSA_ERROR_GENERIC_ERROR     as above
 */
psa_status_t psa_initial_attest_get_token_size(size_t challenge_size, size_t *token_size);

#ifdef __cplusplus
}
#endif

#endif
