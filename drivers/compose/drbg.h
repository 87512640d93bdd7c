/* SPDX-License-Identifier: Apache-2.0 */
/* HMAC_DRBG with SHA-256 (NIST SP 800-90A Rev. 1, 10.1.2), over the hash of the build. */
#ifndef COMPOSE_DRBG_H
#define COMPOSE_DRBG_H

#include <psa/crypto_families.h>

typedef struct {
    uint8_t key[32];
    uint8_t value[32];
} compose_drbg_context_t;

/* Entry points of the random family. The first entropy instantiates, further entropy reseeds. */
psa_status_t compose_drbg_init_random(compose_drbg_context_t *context);
psa_status_t compose_drbg_add_entropy(compose_drbg_context_t *context, const uint8_t *entropy,
                                      size_t entropy_size);

/* At most 32,768 bytes a call, half of the standard's bound on one request. */
psa_status_t compose_drbg_get_random(compose_drbg_context_t *context, uint8_t *output,
                                     size_t output_size, size_t *output_length);

#endif
