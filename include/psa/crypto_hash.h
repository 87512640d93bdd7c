/* SPDX-License-Identifier: Apache-2.0 */
/* Message digests (section 10.2). */
#ifndef PSA_CRYPTO_HASH_H
#define PSA_CRYPTO_HASH_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MD2 (RFC 1319), 16 bytes. Broken. */
#define PSA_ALG_MD2 ((psa_algorithm_t)0x02000001)

/* MD4 (RFC 1320), 16 bytes. Broken. */
#define PSA_ALG_MD4 ((psa_algorithm_t)0x02000002)

/* MD5 (RFC 1321), 16 bytes. Broken. */
#define PSA_ALG_MD5 ((psa_algorithm_t)0x02000003)

/* RIPEMD-160 (ISO/IEC 10118-3), 20 bytes. */
#define PSA_ALG_RIPEMD160 ((psa_algorithm_t)0x02000004)

/* AES-MMO over AES-128 as in Zigbee, 16 bytes. */
#define PSA_ALG_AES_MMO_ZIGBEE ((psa_algorithm_t)0x02000007)

/* SHA-1 (FIPS 180-4), 20 bytes. Broken for signatures. */
#define PSA_ALG_SHA_1 ((psa_algorithm_t)0x02000005)

/* SHA-224 (FIPS 180-4), 28 bytes. */
#define PSA_ALG_SHA_224 ((psa_algorithm_t)0x02000008)

/* SHA-256 (FIPS 180-4), 32 bytes. */
#define PSA_ALG_SHA_256 ((psa_algorithm_t)0x02000009)

/* SHA-384 (FIPS 180-4), 48 bytes. */
#define PSA_ALG_SHA_384 ((psa_algorithm_t)0x0200000a)

/* SHA-512 (FIPS 180-4), 64 bytes. */
#define PSA_ALG_SHA_512 ((psa_algorithm_t)0x0200000b)

/* SHA-512/224 (FIPS 180-4), 28 bytes. */
#define PSA_ALG_SHA_512_224 ((psa_algorithm_t)0x0200000c)

/* SHA-512/256 (FIPS 180-4), 32 bytes. */
#define PSA_ALG_SHA_512_256 ((psa_algorithm_t)0x0200000d)

/* SHA-256/192 (SP 800-208), the first 24 bytes of SHA-256. */
#define PSA_ALG_SHA_256_192 ((psa_algorithm_t)0x0200000e)

/* SHA3-224 (FIPS 202), 28 bytes. */
#define PSA_ALG_SHA3_224 ((psa_algorithm_t)0x02000010)

/* SHA3-256 (FIPS 202), 32 bytes. */
#define PSA_ALG_SHA3_256 ((psa_algorithm_t)0x02000011)

/* SHA3-384 (FIPS 202), 48 bytes. */
#define PSA_ALG_SHA3_384 ((psa_algorithm_t)0x02000012)

/* SHA3-512 (FIPS 202), 64 bytes. */
#define PSA_ALG_SHA3_512 ((psa_algorithm_t)0x02000013)

/* The first 32 bytes of SHAKE128 (FIPS 202). */
#define PSA_ALG_SHAKE128_256 ((psa_algorithm_t)0x02000016)

/* The first 24 bytes of SHAKE256 (FIPS 202). */
#define PSA_ALG_SHAKE256_192 ((psa_algorithm_t)0x02000017)

/* The first 32 bytes of SHAKE256 (FIPS 202). */
#define PSA_ALG_SHAKE256_256 ((psa_algorithm_t)0x02000018)

/* The first 64 bytes of SHAKE256 (FIPS 202), the hash inside Ed448ph. */
#define PSA_ALG_SHAKE256_512 ((psa_algorithm_t)0x02000015)

/* SM3 (ISO/IEC 10118-3), 32 bytes. */
#define PSA_ALG_SM3 ((psa_algorithm_t)0x02000014)

/* Ascon-Hash256 (SP 800-232), 32 bytes. */
#define PSA_ALG_ASCON_HASH256 ((psa_algorithm_t)0x02000019)

/* BLAKE2s (RFC 7693), 32 bytes. */
#define PSA_ALG_BLAKE2S_HASH256 ((psa_algorithm_t)0x0200001c)

/* BLAKE2sp, eight-way parallel BLAKE2s, 32 bytes. */
#define PSA_ALG_BLAKE2SP_HASH256 ((psa_algorithm_t)0x0200001d)

/* BLAKE2b (RFC 7693), 64 bytes. */
#define PSA_ALG_BLAKE2B_HASH512 ((psa_algorithm_t)0x0200001e)

/* BLAKE2bp, four-way parallel BLAKE2b, 64 bytes. */
#define PSA_ALG_BLAKE2BP_HASH512 ((psa_algorithm_t)0x0200001f)

/* 1 for the four BLAKE2 hashes, on which PSA_ALG_BLAKE2_MAC() can be built. */
#define PSA_ALG_IS_BLAKE2_HASH(alg) CORRAL_ALG_MATCHES(alg, 0x7ffffffc, 0x0200001c)

psa_status_t psa_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t psa_hash_compare(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              const uint8_t *hash, size_t hash_length);

#define PSA_HASH_OPERATION_INIT CORRAL_ZERO_INIT
psa_status_t psa_hash_setup(psa_hash_operation_t *operation, psa_algorithm_t alg);
psa_status_t psa_hash_update(psa_hash_operation_t *operation, const uint8_t *input,
                             size_t input_length);
psa_status_t psa_hash_finish(psa_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                             size_t *hash_length);
psa_status_t psa_hash_verify(psa_hash_operation_t *operation, const uint8_t *hash,
                             size_t hash_length);
psa_status_t psa_hash_abort(psa_hash_operation_t *operation);
psa_status_t psa_hash_suspend(psa_hash_operation_t *operation, uint8_t *hash_state,
                              size_t hash_state_size, size_t *hash_state_length);
psa_status_t psa_hash_resume(psa_hash_operation_t *operation, const uint8_t *hash_state,
                             size_t hash_state_length);
psa_status_t psa_hash_clone(const psa_hash_operation_t *source_operation,
                            psa_hash_operation_t *target_operation);

#ifdef __cplusplus
}
#endif

#endif
