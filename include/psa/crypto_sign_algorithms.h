/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms of asymmetric signature (sections 10.9.1 to 10.9.7 and 10.9.10). */
#ifndef PSA_CRYPTO_SIGN_ALGORITHMS_H
#define PSA_CRYPTO_SIGN_ALGORITHMS_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * RSA (RFC 8017)
 */
/* PKCS#1 v1.5. The hash's identifier goes into the padding. */
#define PSA_ALG_RSA_PKCS1V15_SIGN(hash_alg) CORRAL_ALG_OVER_HASH(0x06000200, hash_alg)

/* PKCS#1 v1.5 padding around what the caller gives; for hashes only. */
#define PSA_ALG_RSA_PKCS1V15_SIGN_RAW CORRAL_CAST(psa_algorithm_t, 0x06000200)

/* PSS with a salt as long as the hash, or as long as the key allows if that is less. */
#define PSA_ALG_RSA_PSS(hash_alg) CORRAL_ALG_OVER_HASH(0x06000300, hash_alg)

/* The same for signing; verification accepts any length of salt. */
#define PSA_ALG_RSA_PSS_ANY_SALT(hash_alg) CORRAL_ALG_OVER_HASH(0x06001300, hash_alg)

#define PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06000200)
#define PSA_ALG_IS_RSA_PSS(alg) CORRAL_ALG_MATCHES(alg, 0xffffef00, 0x06000300)
#define PSA_ALG_IS_RSA_PSS_ANY_SALT(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06001300)
#define PSA_ALG_IS_RSA_PSS_STANDARD_SALT(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06000300)

/*
 * ECDSA (SEC 1). A signature is r || s, each as long as the curve's order in bytes.
 */
#define PSA_ALG_ECDSA(hash_alg) CORRAL_ALG_OVER_HASH(0x06000600, hash_alg)

/* Randomised ECDSA of a hash whose algorithm is not told; for hashes only. */
#define PSA_ALG_ECDSA_ANY CORRAL_CAST(psa_algorithm_t, 0x06000600)

/* Deterministic ECDSA (RFC 6979): the nonce comes from the key and the hash. Verification is
 * the same. */
#define PSA_ALG_DETERMINISTIC_ECDSA(hash_alg) CORRAL_ALG_OVER_HASH(0x06000700, hash_alg)

#define PSA_ALG_IS_ECDSA(alg) CORRAL_ALG_MATCHES(alg, 0xfffffe00, 0x06000600)
#define PSA_ALG_IS_DETERMINISTIC_ECDSA(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06000700)
#define PSA_ALG_IS_RANDOMIZED_ECDSA(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06000600)

/*
 * EdDSA (RFC 8032)
 */
/* Ed25519, or Ed448 with an empty context. Messages only, in one part when signing. */
#define PSA_ALG_PURE_EDDSA CORRAL_CAST(psa_algorithm_t, 0x06000800)

/* Ed25519ctx or Ed448 with a context. Ed25519ctx with an empty context is not Ed25519. */
#define PSA_ALG_EDDSA_CTX CORRAL_CAST(psa_algorithm_t, 0x06000a00)

/* Ed25519ph: SHA-512 of the message is signed. */
#define PSA_ALG_ED25519PH CORRAL_CAST(psa_algorithm_t, 0x0600090b)

/* Ed448ph: 64 bytes of SHAKE256 of the message are signed. */
#define PSA_ALG_ED448PH CORRAL_CAST(psa_algorithm_t, 0x06000915)

#define PSA_ALG_IS_HASH_EDDSA(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06000900)

/*
 * SLH-DSA (FIPS 205). Hedged signing takes fresh randomness, deterministic signing none;
 * verification is the same for both.
 */
#define PSA_ALG_SLH_DSA CORRAL_CAST(psa_algorithm_t, 0x06004000)
#define PSA_ALG_DETERMINISTIC_SLH_DSA CORRAL_CAST(psa_algorithm_t, 0x06004100)
#define PSA_ALG_HASH_SLH_DSA(hash_alg) CORRAL_ALG_OVER_HASH(0x06004200, hash_alg)
#define PSA_ALG_DETERMINISTIC_HASH_SLH_DSA(hash_alg) CORRAL_ALG_OVER_HASH(0x06004300, hash_alg)
#define PSA_ALG_IS_SLH_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xfffffeff, 0x06004000)
#define PSA_ALG_IS_HASH_SLH_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xfffffe00, 0x06004200)
#define PSA_ALG_IS_DETERMINISTIC_HASH_SLH_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06004300)
#define PSA_ALG_IS_HEDGED_HASH_SLH_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06004200)

/*
 * ML-DSA (FIPS 204), hedged and deterministic likewise.
 */
#define PSA_ALG_ML_DSA CORRAL_CAST(psa_algorithm_t, 0x06004400)
#define PSA_ALG_DETERMINISTIC_ML_DSA CORRAL_CAST(psa_algorithm_t, 0x06004500)
#define PSA_ALG_HASH_ML_DSA(hash_alg) CORRAL_ALG_OVER_HASH(0x06004600, hash_alg)
#define PSA_ALG_DETERMINISTIC_HASH_ML_DSA(hash_alg) CORRAL_ALG_OVER_HASH(0x06004700, hash_alg)
#define PSA_ALG_IS_ML_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xfffffeff, 0x06004400)
#define PSA_ALG_IS_HASH_ML_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xfffffe00, 0x06004600)
#define PSA_ALG_IS_DETERMINISTIC_HASH_ML_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06004700)
#define PSA_ALG_IS_HEDGED_HASH_ML_DSA(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x06004600)

/*
 * Hash-based signatures with state, only for verification.
 */
/* LMS (RFC 8554, SP 800-208). */
#define PSA_ALG_LMS CORRAL_CAST(psa_algorithm_t, 0x06004800)

/* HSS (RFC 8554, SP 800-208). */
#define PSA_ALG_HSS CORRAL_CAST(psa_algorithm_t, 0x06004900)

/* XMSS (RFC 8391, SP 800-208). */
#define PSA_ALG_XMSS CORRAL_CAST(psa_algorithm_t, 0x06004a00)

/* XMSS^MT (RFC 8391, SP 800-208). */
#define PSA_ALG_XMSS_MT CORRAL_CAST(psa_algorithm_t, 0x06004b00)

/*
 * Permitted uses of an algorithm: 1 or 0.
 */

/* Signs the hash of the message and nothing else, so that hashing and then signing the hash is the
 * same as signing the message. Any hash in the place of a hash counts; no hash at all does not:
 * PSA_ALG_RSA_PKCS1V15_SIGN_RAW and PSA_ALG_ECDSA_ANY name none. */
#define PSA_ALG_IS_HASH_AND_SIGN(alg)                                                              \
    (CORRAL_ALG_BITS(alg, 0x000000ff) != 0 &&                                                      \
     (PSA_ALG_IS_RSA_PSS(alg) || PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg) || PSA_ALG_IS_ECDSA(alg) ||     \
      PSA_ALG_IS_HASH_EDDSA(alg) || PSA_ALG_IS_HASH_ML_DSA(alg) || PSA_ALG_IS_HASH_SLH_DSA(alg)))

/* Can sign or verify a hash that the caller has computed. */
#define PSA_ALG_IS_SIGN_HASH(alg)                                                                  \
    (PSA_ALG_IS_HASH_AND_SIGN(alg) || (alg) == PSA_ALG_RSA_PKCS1V15_SIGN_RAW ||                    \
     (alg) == PSA_ALG_ECDSA_ANY)

/* Can sign or verify a message. */
#define PSA_ALG_IS_SIGN_MESSAGE(alg)                                                               \
    (PSA_ALG_IS_SIGN(alg) && (alg) != PSA_ALG_ECDSA_ANY && (alg) != PSA_ALG_RSA_PKCS1V15_SIGN_RAW)

/* Takes a context that is not empty. */
#define PSA_ALG_SIGN_SUPPORTS_CONTEXT(alg)                                                         \
    ((alg) == PSA_ALG_EDDSA_CTX || PSA_ALG_IS_HASH_EDDSA(alg) || PSA_ALG_IS_SLH_DSA(alg) ||        \
     PSA_ALG_IS_HASH_SLH_DSA(alg) || PSA_ALG_IS_ML_DSA(alg) || PSA_ALG_IS_HASH_ML_DSA(alg))

#ifdef __cplusplus
}
#endif

#endif
