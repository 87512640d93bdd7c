/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges and registrations of SPAKE2+: tests/vectors/spake2p.py writes the values. */
#ifndef SPAKE2P_ROWS_H
#define SPAKE2P_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

#define SPAKE2P_EXCHANGES 7
#define SPAKE2P_REGISTRATIONS 3

struct spake2p_bytes {
    size_t length; /* 0: not told */
    const uint8_t *data;
};

struct spake2p_exchange {
    const char *source;
    psa_algorithm_t alg;
    size_t bits;
    struct spake2p_bytes context;
    struct spake2p_bytes pair;
    struct spake2p_bytes x; /* as the random number that becomes it */
    struct spake2p_bytes y;
    struct spake2p_bytes share_p;
    struct spake2p_bytes share_v;
    struct spake2p_bytes confirm_p;
    struct spake2p_bytes confirm_v;
    struct spake2p_bytes shared;
};

/* A password, stretched by PBKDF2 with HMAC of SHA-256, and the pair that comes of it. */
struct spake2p_registration {
    size_t bits;
    struct spake2p_bytes password;
    struct spake2p_bytes salt;
    uint32_t cost;
    struct spake2p_bytes pair;
};

extern const struct spake2p_exchange spake2p_exchanges[SPAKE2P_EXCHANGES];
extern const struct spake2p_registration spake2p_registrations[SPAKE2P_REGISTRATIONS];

#endif
