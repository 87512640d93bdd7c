/* SPDX-License-Identifier: Apache-2.0 */
/* HMAC_DRBG with SHA-256 (NIST SP 800-90A Rev. 1, 10.1.2), over the hash of the build. */
#ifndef COMPOSE_DRBG_H
#define COMPOSE_DRBG_H

#include <psa/crypto_families.h>

typedef struct {
    uint8_t key[32];
    uint8_t value[32];
} compose_drbg_context_t;

#endif
