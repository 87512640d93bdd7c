/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pseudorandom function under key derivations: a MAC that anybody serves, under one key. Each
 * value is computed at once, so that nothing is open between two calls of an application: a library
 * may keep its MACs on a heap, and an element its own in the chip.
 */
#ifndef COMPOSE_PRF_H
#define COMPOSE_PRF_H

#include <corral/bindings.h>
#include <corral/derivation.h>

#include "hmac.h"

/* Of HMAC: a block of the hash, which a build with CMAC alone lacks. Of CMAC: AES and its like. */
#define COMPOSE_MAC_KEY_MAX (CORRAL_HASH_BLOCK_MAX_LENGTH > 32 ? CORRAL_HASH_BLOCK_MAX_LENGTH : 32)
#define COMPOSE_PRF_KEY_MAX                                                                        \
    (CORRAL_PROTECTED_KEY_MAX_SIZE > COMPOSE_MAC_KEY_MAX ? CORRAL_PROTECTED_KEY_MAX_SIZE           \
                                                         : COMPOSE_MAC_KEY_MAX)

typedef struct {
    psa_key_attributes_t attributes;
    psa_algorithm_t alg; /* of the MAC */
    uint16_t key_length;
    uint8_t key[COMPOSE_PRF_KEY_MAX]; /* or the context of an element's key */
} compose_prf_t;

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

/* Bytes of a block that come next, at most `wanted`; *used counts those that went out. */
size_t compose_take(const uint8_t *block, size_t block_length, uint8_t *used, uint8_t *output,
                    size_t wanted);

#endif
