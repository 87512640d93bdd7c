/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens, exchanges and forgeries of WPA3-SAE: tests/vectors/sae_rows.py writes the values. */
#ifndef SAE_ROWS_H
#define SAE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

struct sae_bytes {
    size_t length;
    const uint8_t *data;
};

/* A password, and the token that comes of it. */
struct sae_token {
    const char *source;
    psa_pake_primitive_t primitive;
    psa_key_type_t type;
    size_t bits;
    struct sae_bytes ssid;
    struct sae_bytes password;
    struct sae_bytes identifier; /* of no bytes: none */
    struct sae_bytes token;      /* of no bytes: the exchange is by looping */
};

struct sae_row_side {
    struct sae_bytes mac;
    struct sae_bytes rand; /* of no bytes: not published */
    struct sae_bytes mask;
    struct sae_bytes count;
    struct sae_bytes commit;
    struct sae_bytes confirm;
};

struct sae_exchange {
    struct sae_token key;
    psa_algorithm_t alg;
    struct sae_bytes salt;
    struct sae_bytes pmkid;
    struct sae_bytes pmk;
    struct sae_row_side sides[2];
};

/* A commit that must be rejected: it is for the owner of the token, with these addresses. */
struct sae_forgery {
    struct sae_token key;
    psa_algorithm_t alg;
    struct sae_bytes macs[2];
    struct sae_bytes commit;
};

/* A group, by the numbers drawn in it. */
struct sae_group {
    psa_pake_primitive_t primitive;
    struct sae_bytes order;
    uint8_t spare; /* bits of the first byte that the order has not */
};

/* A number for which the map to a curve makes an exception, and its point. */
struct sae_map {
    size_t bits; /* of the curve */
    struct sae_bytes value;
    struct sae_bytes element;
};

extern const struct sae_token sae_tokens[];
extern const size_t sae_token_count;
extern const struct sae_exchange sae_exchanges[];
extern const size_t sae_exchange_count;
extern const struct sae_forgery sae_forgeries[];
extern const size_t sae_forgery_count;
extern const struct sae_group sae_groups[];
extern const size_t sae_group_count;
extern const struct sae_map sae_maps[];
extern const size_t sae_map_count;

#endif
