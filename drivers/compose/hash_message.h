/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPOSE_HASH_MESSAGE_H
#define COMPOSE_HASH_MESSAGE_H

#include <corral/bindings.h>
#include <corral/dispatch/hash.h>

/* The hash of a message that is signed; the caller wipes it. */
struct hash {
    size_t length;
    uint8_t data[CORRAL_HASH_MAX_LENGTH];
};

static inline psa_status_t hash_message(psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, struct hash *hash)
{
    return corral_dispatch_hash_compute(PSA_ALG_GET_HASH(alg), input, input_length, hash->data,
                                        sizeof hash->data, &hash->length);
}

#endif
