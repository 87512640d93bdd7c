/* SPDX-License-Identifier: Apache-2.0 */
/* Message digests (section 10.2). */
#ifndef PSA_CRYPTO_HASH_H
#define PSA_CRYPTO_HASH_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MD2 (RFC 1319), 16 bytes. Broken. */
#define PSA_ALG_MD2 CORRAL_CAST(psa_algorithm_t, 0x02000001)

/* MD4 (RFC 1320), 16 bytes. Broken. */
#define PSA_ALG_MD4 CORRAL_CAST(psa_algorithm_t, 0x02000002)

/* MD5 (RFC 1321), 16 bytes. Broken. */
#define PSA_ALG_MD5 CORRAL_CAST(psa_algorithm_t, 0x02000003)

/* RIPEMD-160 (ISO/IEC 10118-3), 20 bytes. */
#define PSA_ALG_RIPEMD160 CORRAL_CAST(psa_algorithm_t, 0x02000004)

/* AES-MMO over AES-128 as in Zigbee, 16 bytes. */
#define PSA_ALG_AES_MMO_ZIGBEE CORRAL_CAST(psa_algorithm_t, 0x02000007)

/* SHA-1 (FIPS 180-4), 20 bytes. Broken for signatures. */
#define PSA_ALG_SHA_1 CORRAL_CAST(psa_algorithm_t, 0x02000005)

/* SHA-224 (FIPS 180-4), 28 bytes. */
#define PSA_ALG_SHA_224 CORRAL_CAST(psa_algorithm_t, 0x02000008)

/* SHA-256 (FIPS 180-4), 32 bytes. */
#define PSA_ALG_SHA_256 CORRAL_CAST(psa_algorithm_t, 0x02000009)

/* SHA-384 (FIPS 180-4), 48 bytes. */
#define PSA_ALG_SHA_384 CORRAL_CAST(psa_algorithm_t, 0x0200000a)

/* SHA-512 (FIPS 180-4), 64 bytes. */
#define PSA_ALG_SHA_512 CORRAL_CAST(psa_algorithm_t, 0x0200000b)

/* SHA-512/224 (FIPS 180-4), 28 bytes. */
#define PSA_ALG_SHA_512_224 CORRAL_CAST(psa_algorithm_t, 0x0200000c)

/* SHA-512/256 (FIPS 180-4), 32 bytes. */
#define PSA_ALG_SHA_512_256 CORRAL_CAST(psa_algorithm_t, 0x0200000d)

/* SHA-256/192 (SP 800-208), the first 24 bytes of SHA-256. */
#define PSA_ALG_SHA_256_192 CORRAL_CAST(psa_algorithm_t, 0x0200000e)

/* SHA3-224 (FIPS 202), 28 bytes. */
#define PSA_ALG_SHA3_224 CORRAL_CAST(psa_algorithm_t, 0x02000010)

/* SHA3-256 (FIPS 202), 32 bytes. */
#define PSA_ALG_SHA3_256 CORRAL_CAST(psa_algorithm_t, 0x02000011)

/* SHA3-384 (FIPS 202), 48 bytes. */
#define PSA_ALG_SHA3_384 CORRAL_CAST(psa_algorithm_t, 0x02000012)

/* SHA3-512 (FIPS 202), 64 bytes. */
#define PSA_ALG_SHA3_512 CORRAL_CAST(psa_algorithm_t, 0x02000013)

/* The first 32 bytes of SHAKE128 (FIPS 202). */
#define PSA_ALG_SHAKE128_256 CORRAL_CAST(psa_algorithm_t, 0x02000016)

/* The first 24 bytes of SHAKE256 (FIPS 202). */
#define PSA_ALG_SHAKE256_192 CORRAL_CAST(psa_algorithm_t, 0x02000017)

/* The first 32 bytes of SHAKE256 (FIPS 202). */
#define PSA_ALG_SHAKE256_256 CORRAL_CAST(psa_algorithm_t, 0x02000018)

/* The first 64 bytes of SHAKE256 (FIPS 202), the hash inside Ed448ph. */
#define PSA_ALG_SHAKE256_512 CORRAL_CAST(psa_algorithm_t, 0x02000015)

/* SM3 (ISO/IEC 10118-3), 32 bytes. */
#define PSA_ALG_SM3 CORRAL_CAST(psa_algorithm_t, 0x02000014)

/* Ascon-Hash256 (SP 800-232), 32 bytes. */
#define PSA_ALG_ASCON_HASH256 CORRAL_CAST(psa_algorithm_t, 0x02000019)

/* BLAKE2s (RFC 7693), 32 bytes. */
#define PSA_ALG_BLAKE2S_HASH256 CORRAL_CAST(psa_algorithm_t, 0x0200001c)

/* BLAKE2sp, eight-way parallel BLAKE2s, 32 bytes. */
#define PSA_ALG_BLAKE2SP_HASH256 CORRAL_CAST(psa_algorithm_t, 0x0200001d)

/* BLAKE2b (RFC 7693), 64 bytes. */
#define PSA_ALG_BLAKE2B_HASH512 CORRAL_CAST(psa_algorithm_t, 0x0200001e)

/* BLAKE2bp, four-way parallel BLAKE2b, 64 bytes. */
#define PSA_ALG_BLAKE2BP_HASH512 CORRAL_CAST(psa_algorithm_t, 0x0200001f)

/* 1 for the four BLAKE2 hashes, on which PSA_ALG_BLAKE2_MAC() can be built. */
#define PSA_ALG_IS_BLAKE2_HASH(alg) CORRAL_ALG_MATCHES(alg, 0x7ffffffc, 0x0200001c)

/* Computes the hash of a message, *hash_length bytes. Room needed: PSA_HASH_LENGTH(alg). Section
 * 10.2.2.
 *   PSA_ERROR_BUFFER_TOO_SMALL  hash_size is less than the hash
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no hash algorithm, or does not take a message this long
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build computes alg
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              uint8_t *hash, size_t hash_size, size_t *hash_length);

/* Computes the hash of a message and compares it with the expected one, in time that does not
 * depend on where they differ. Section 10.2.2.
 *   PSA_ERROR_INVALID_SIGNATURE  the hashes differ, in value or in length
 *   PSA_ERROR_INVALID_ARGUMENT   alg is no hash algorithm, or does not take a message this long
 *   PSA_ERROR_NOT_SUPPORTED      nothing in this build computes alg
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_hash_compare(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              const uint8_t *hash, size_t hash_length);

/* Initialiser of an inactive operation. */
#define PSA_HASH_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts a hash in parts: psa_hash_update() any number of times, then psa_hash_finish(),
 * psa_hash_verify() or psa_hash_suspend(). On failure the operation is unchanged. Section 10.2.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no hash algorithm
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build computes alg
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_hash_setup(psa_hash_operation_t *operation, psa_algorithm_t alg);

/* Adds a part of the message. On failure the operation is in the error state: abort it. Section
 * 10.2.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active
 *   PSA_ERROR_INVALID_ARGUMENT  the message grows beyond what the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     the message grows beyond what this build takes
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_hash_update(psa_hash_operation_t *operation, const uint8_t *input,
                             size_t input_length);

/* Gives the hash of the parts, *hash_length bytes, and ends the operation. Room needed:
 * PSA_HASH_LENGTH(alg). On failure, too small a buffer included, the operation is in the error
 * state: abort it. To check a hash use psa_hash_verify(). Section 10.2.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active
 *   PSA_ERROR_BUFFER_TOO_SMALL  hash_size is less than the hash
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_hash_finish(psa_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                             size_t *hash_length);

/* Compares the hash of the parts with the expected one, in time that does not depend on where they
 * differ, and ends the operation. On failure, a mismatch included, the operation is in the error
 * state: abort it. Section 10.2.3.
 *   PSA_ERROR_BAD_STATE          the operation is not active
 *   PSA_ERROR_INVALID_SIGNATURE  the hashes differ, in value or in length
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_hash_verify(psa_hash_operation_t *operation, const uint8_t *hash,
                             size_t hash_length);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.2.3.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_hash_abort(psa_hash_operation_t *operation);

/* Writes the state of the operation, *hash_state_length bytes, and ends it; psa_hash_resume()
 * continues from there, here or elsewhere. The state is as secret as the message, and is no hash.
 * Format: section 10.2.5; room needed: PSA_HASH_SUSPEND_OUTPUT_SIZE(alg). On failure the operation
 * is in the error state: abort it. Section 10.2.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active
 *   PSA_ERROR_BUFFER_TOO_SMALL  hash_state_size is less than the state
 *   PSA_ERROR_NOT_SUPPORTED     no such state is defined for the algorithm, or its driver cannot
 *                               give it
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_hash_suspend(psa_hash_operation_t *operation, uint8_t *hash_state,
                              size_t hash_state_size, size_t *hash_state_length);

/* Starts an operation from the state that psa_hash_suspend() wrote; the algorithm is
 * part of it. On failure the operation is unchanged. Section 10.2.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_ARGUMENT  hash_state is no such state
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build resumes the algorithm in it
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_hash_resume(psa_hash_operation_t *operation, const uint8_t *hash_state,
                             size_t hash_state_length);

/* Makes target_operation a copy of an active operation; both go on independently. Section 10.2.3.
 *   PSA_ERROR_BAD_STATE  source_operation is not active, or target_operation is not inactive
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_hash_clone(const psa_hash_operation_t *source_operation,
                            psa_hash_operation_t *target_operation);

#ifdef __cplusplus
}
#endif

#endif
