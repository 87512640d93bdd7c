/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of this driver have in common; operations are laid out in the other headers. */
#ifndef COMPOSE_SHARED_H
#define COMPOSE_SHARED_H

#include <corral/drivers/compose/entry_points.h>

/*
 * Begin an HMAC by the hash `hash_alg` under a key of any length. On failure nothing secret is left
 * in the operation.
 *   PSA_ERROR_NOT_SUPPORTED  the build lacks the hash, or it has no block length for HMAC
 */
psa_status_t compose_hmac_begin(compose_hmac_operation_t *operation, psa_algorithm_t hash_alg,
                                const uint8_t *key, size_t key_length);

/* Multiply by x in the field of 2^128 elements, without a branch on the value. */
void compose_cmac_multiply_by_x(uint8_t value[16]);

/* A MAC of HMAC, as HKDF, the TLS 1.2 PRF and SP 800-108 name their hash. */
static inline psa_algorithm_t compose_hmac_of(psa_algorithm_t alg)
{
    return PSA_ALG_HMAC(PSA_ALG_GET_HASH(alg));
}

/*
 * Set the key: bytes, a key in memory, or an element's. A key in memory for HMAC that is longer
 * than a block becomes its hash, which gives the same values (RFC 2104, 2). PSA_ERROR_NOT_SUPPORTED
 * the build lacks the hash
 */
psa_status_t compose_prf_set_key(compose_prf_t *prf, psa_algorithm_t mac_alg,
                                 const struct corral_derivation_input *secret);

/* One value of the function; `output` and `input` are disjoint. */
psa_status_t compose_prf_compute(const compose_prf_t *prf, const uint8_t *input,
                                 size_t input_length, uint8_t *output, size_t output_size);

/* Attributes of an HMAC key of so many bytes that exists in memory alone. */
psa_key_attributes_t compose_hmac_key(size_t length);

/* Write a number in four bytes, the most significant first. */
void compose_put_number(uint8_t output[4], uint32_t number);

/*
 * Append an input to a message that has *length bytes. The caller's message has room for all that
 * the core gathers.
 */
void compose_append(uint8_t *message, size_t *length, const struct corral_derivation_input *input);

/*
 * Write the bytes of a block that come next, at most *wanted; *used counts those that went out. The
 * output begins behind them then, and as many less are wanted.
 */
void compose_take(const uint8_t *block, size_t block_length, uint8_t *used, uint8_t **output,
                  size_t *wanted);

/* Keep salt and cost. */
void compose_pbkdf2_begin(compose_pbkdf2_t *common,
                          const psa_crypto_driver_key_derivation_inputs_t *inputs);

/* Salt and counter of the next block: *length bytes of common->salt. */
void compose_pbkdf2_next(compose_pbkdf2_t *common, size_t *length);

#endif
