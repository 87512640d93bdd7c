/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms in common: categories, wildcards, the hash inside an algorithm (section 10.1).
 *
 * The bits of an identifier (appendix B.1): 31 vendor, 30 to 24 category, 23 and 22 flags, 21 to 16
 * length of a MAC or tag, 15 "at least this length", 14 to 8 algorithm, 7 to 0 hash.
 */
#ifndef PSA_CRYPTO_ALGORITHMS_H
#define PSA_CRYPTO_ALGORITHMS_H

#include "crypto_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No algorithm: a key with this policy permits no cryptographic operation. */
#define PSA_ALG_NONE CORRAL_CAST(psa_algorithm_t, 0)

/* Bits of an identifier, of the identifier's type: int may have 16 bits, so plain
 * literals are too short. */
#define CORRAL_ALG_BITS(alg, mask) ((alg)&CORRAL_CAST(psa_algorithm_t, mask))
#define CORRAL_ALG_MATCHES(alg, mask, value)                                                       \
    (CORRAL_ALG_BITS(alg, mask) == CORRAL_CAST(psa_algorithm_t, value))
#define CORRAL_ALG_CATEGORY_IS(alg, category) CORRAL_ALG_MATCHES(alg, 0x7f000000, category)

/* An algorithm that names a hash in its low byte. */
#define CORRAL_ALG_OVER_HASH(base, hash_alg)                                                       \
    CORRAL_CAST(psa_algorithm_t,                                                                   \
                CORRAL_CAST(psa_algorithm_t, base) | CORRAL_ALG_BITS(hash_alg, 0x000000ff))

/* Category of an algorithm: 1 or 0 (section 10.1.2). */
#define PSA_ALG_IS_HASH(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x02000000)
#define PSA_ALG_IS_XOF(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x0d000000)
#define PSA_ALG_IS_MAC(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x03000000)
#define PSA_ALG_IS_CIPHER(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x04000000)
#define PSA_ALG_IS_AEAD(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x05000000)
#define PSA_ALG_IS_KEY_WRAP(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x0b000000)
#define PSA_ALG_IS_KEY_DERIVATION(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x08000000)
#define PSA_ALG_IS_SIGN(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x06000000)
#define PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x07000000)
#define PSA_ALG_IS_KEY_AGREEMENT(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x09000000)
#define PSA_ALG_IS_PAKE(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x0a000000)
#define PSA_ALG_IS_KEY_ENCAPSULATION(alg) CORRAL_ALG_CATEGORY_IS(alg, 0x0c000000)

/* In the policy of a signature key: any hash. Never part of the algorithm of an operation
 * (section 10.9.10). */
#define PSA_ALG_ANY_HASH CORRAL_CAST(psa_algorithm_t, 0x020000ff)

/* The hash that a composite algorithm is built on, or PSA_ALG_NONE. */
#define PSA_ALG_GET_HASH(alg)                                                                      \
    (CORRAL_ALG_BITS(alg, 0x000000ff) == 0 ? PSA_ALG_NONE : CORRAL_ALG_OVER_HASH(0x02000000, alg))

/* 1 for an algorithm that is a policy only: any hash, a MAC or tag of at least some length, CCM*
 * with any tag, either WPA3-SAE. 0 for one that an operation can use. */
#define PSA_ALG_IS_WILDCARD(alg)                                                                   \
    (CORRAL_ALG_MATCHES(alg, 0x000000ff, 0x000000ff) ||                                            \
     CORRAL_ALG_MATCHES(alg, 0x7f008000, 0x03008000) ||                                            \
     CORRAL_ALG_MATCHES(alg, 0x7f008000, 0x05008000) || (alg) == PSA_ALG_CCM_STAR_ANY_TAG)

#ifdef __cplusplus
}
#endif

#endif
