/* SPDX-License-Identifier: Apache-2.0 */
/* Key pairs of SLH-DSA and the roots of their trees: tests/vectors/slh.py writes the values. */
#ifndef SEEDS_ROWS_H
#define SEEDS_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

#define SLH_DSA_ROWS 3

/* SK.seed, SK.prf and PK.seed follow from the secret only, by HKDF with SHA-256. */
struct slh_dsa_row {
    psa_key_type_t type;
    size_t bits;
    const uint8_t *pair; /* the seeds and PK.root */
};

extern const uint8_t slh_dsa_secret[32];
extern const struct slh_dsa_row slh_dsa_rows[SLH_DSA_ROWS];

#endif
