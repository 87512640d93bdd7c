/* SPDX-License-Identifier: Apache-2.0 */
/* Key derivation (section 10.8). */
#ifndef PSA_CRYPTO_DERIVATION_H
#define PSA_CRYPTO_DERIVATION_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* HKDF (RFC 5869). Inputs: SALT (optional, before SECRET), SECRET, INFO (at any
 * time). */
#define PSA_ALG_HKDF(hash_alg) CORRAL_ALG_OVER_HASH(0x08000100, hash_alg)

/* HKDF-Extract alone. Inputs: SALT, then SECRET, both needed. Capacity: the hash's length. */
#define PSA_ALG_HKDF_EXTRACT(hash_alg) CORRAL_ALG_OVER_HASH(0x08000400, hash_alg)

/* HKDF-Expand alone. Inputs: SECRET (the pseudorandom key), then INFO, both needed. */
#define PSA_ALG_HKDF_EXPAND(hash_alg) CORRAL_ALG_OVER_HASH(0x08000500, hash_alg)

/* Counter mode of SP 800-108 over HMAC. Inputs: SECRET, then LABEL (optional, without zero bytes),
 * then CONTEXT (optional). The capacity, 2^29 - 1 unless set, is part of the hashed input. */
#define PSA_ALG_SP800_108_COUNTER_HMAC(hash_alg) CORRAL_ALG_OVER_HASH(0x08000700, hash_alg)

/* The same over CMAC with the block cipher of the secret key. */
#define PSA_ALG_SP800_108_COUNTER_CMAC CORRAL_CAST(psa_algorithm_t, 0x08000800)

/* PRF of TLS 1.2 (RFC 5246). Inputs: SEED, SECRET, LABEL, in this order. */
#define PSA_ALG_TLS12_PRF(hash_alg) CORRAL_ALG_OVER_HASH(0x08000200, hash_alg)

/* Master secret of TLS 1.2 from a pre-shared key. Inputs: SEED, OTHER_SECRET (optional),
 * SECRET, LABEL. */
#define PSA_ALG_TLS12_PSK_TO_MS(hash_alg) CORRAL_ALG_OVER_HASH(0x08000300, hash_alg)

/* Premaster secret of TLS 1.2 from EC J-PAKE: SHA-256 of the x coordinate of the point given
 * as SECRET. One read of all 32 bytes. */
#define PSA_ALG_TLS12_ECJPAKE_TO_PMS CORRAL_CAST(psa_algorithm_t, 0x08000609)

/* Hash to element of WPA3-SAE. Inputs: SALT (SSID), PASSWORD, INFO (password identifier,
 * optional). Gives one key. */
#define PSA_ALG_WPA3_SAE_H2E(hash_alg) CORRAL_ALG_OVER_HASH(0x08800400, hash_alg)

/* PBKDF2 (RFC 8018) over HMAC. Inputs: COST (iterations), SALT (one or more, concatenated),
 * PASSWORD. */
#define PSA_ALG_PBKDF2_HMAC(hash_alg) CORRAL_ALG_OVER_HASH(0x08800100, hash_alg)

/* PBKDF2 over AES-CMAC-PRF-128 (RFC 4615). Inputs as for PSA_ALG_PBKDF2_HMAC(). */
#define PSA_ALG_PBKDF2_AES_CMAC_PRF_128 CORRAL_CAST(psa_algorithm_t, 0x08800200)

/* Kind of derivation: 1 or 0. Stretching: meant for passwords, slow on purpose. */
#define PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg) CORRAL_ALG_MATCHES(alg, 0x7f800000, 0x08800000)
#define PSA_ALG_IS_HKDF(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08000100)
#define PSA_ALG_IS_HKDF_EXTRACT(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08000400)
#define PSA_ALG_IS_HKDF_EXPAND(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08000500)
#define PSA_ALG_IS_SP800_108_COUNTER_HMAC(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08000700)
#define PSA_ALG_IS_TLS12_PRF(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08000200)
#define PSA_ALG_IS_TLS12_PSK_TO_MS(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08000300)
#define PSA_ALG_IS_PBKDF2_HMAC(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08800100)
#define PSA_ALG_IS_WPA3_SAE_H2E(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x08800400)

/*
 * Inputs. The values are this implementation's own.
 */

/* Secret of high entropy: a key, the result of an agreement, or bytes. */
#define PSA_KEY_DERIVATION_INPUT_SECRET CORRAL_CAST(psa_key_derivation_step_t, 0x0101)

/* Second secret. */
#define PSA_KEY_DERIVATION_INPUT_OTHER_SECRET CORRAL_CAST(psa_key_derivation_step_t, 0x0102)

/* Password: a key or bytes. */
#define PSA_KEY_DERIVATION_INPUT_PASSWORD CORRAL_CAST(psa_key_derivation_step_t, 0x0103)

/* Purpose of the output. */
#define PSA_KEY_DERIVATION_INPUT_LABEL CORRAL_CAST(psa_key_derivation_step_t, 0x0201)

/* Participants, and similar circumstances. */
#define PSA_KEY_DERIVATION_INPUT_CONTEXT CORRAL_CAST(psa_key_derivation_step_t, 0x0202)

/* Salt. */
#define PSA_KEY_DERIVATION_INPUT_SALT CORRAL_CAST(psa_key_derivation_step_t, 0x0203)

/* Application-specific information. */
#define PSA_KEY_DERIVATION_INPUT_INFO CORRAL_CAST(psa_key_derivation_step_t, 0x0204)

/* Seed. */
#define PSA_KEY_DERIVATION_INPUT_SEED CORRAL_CAST(psa_key_derivation_step_t, 0x0205)

/* Number of iterations or other cost: psa_key_derivation_input_integer(). */
#define PSA_KEY_DERIVATION_INPUT_COST CORRAL_CAST(psa_key_derivation_step_t, 0x0301)

/* As a capacity: as much as the algorithm can give. */
#define PSA_KEY_DERIVATION_UNLIMITED_CAPACITY CORRAL_CAST(size_t, -1)

/* Longest pre-shared key for PSA_ALG_TLS12_PSK_TO_MS(), in bytes: as RFC 4279 section
 * 5.3 requires. */
#define PSA_TLS12_PSK_TO_MS_PSK_MAX_SIZE 64

/* Output of PSA_ALG_TLS12_ECJPAKE_TO_PMS in bytes. */
#define PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE 32

/* Initialiser of an inactive operation. */
#define PSA_KEY_DERIVATION_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts a key derivation, or with PSA_ALG_KEY_AGREEMENT() an agreement and derivation.
 * Give the inputs that the algorithm asks for, in its order; set the capacity if less
 * than all is needed; and read the output. Only psa_key_derivation_abort() ends the
 * operation. On failure the operation is unchanged. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no key derivation, and no agreement combined with one
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_key_derivation_setup(psa_key_derivation_operation_t *operation,
                                      psa_algorithm_t alg);

/* Tells how many bytes of output are left. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE              the operation is not active
 *   PSA_ERROR_COMMUNICATION_FAILURE  the device did not answer
 *   PSA_ERROR_CORRUPTION_DETECTED    tampering or memory corruption */
psa_status_t psa_key_derivation_get_capacity(const psa_key_derivation_operation_t *operation,
                                             size_t *capacity);

/* Limits the output from here on to capacity bytes. For SP 800-108 the limit is an
 * input of the computation, and is fixed by the first output. Too large a value changes
 * nothing and leaves the operation usable. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE              the operation is not active, or its capacity can no longer be
 *                                    set
 *   PSA_ERROR_INVALID_ARGUMENT       capacity is more than the rest
 *   PSA_ERROR_COMMUNICATION_FAILURE  the device did not answer
 *   PSA_ERROR_CORRUPTION_DETECTED    tampering or memory corruption */
psa_status_t psa_key_derivation_set_capacity(psa_key_derivation_operation_t *operation,
                                             size_t capacity);

/* Gives an input as bytes; meant for public inputs. A secret or password given so can
 * be read back by psa_key_derivation_output_bytes() alone, never as a key. On failure
 * the operation is in the error state: abort it. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or step is out of order or was given
 *                               already
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no such step, takes no bytes for it, or not so
 *                               many
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such an input
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_input_bytes(psa_key_derivation_operation_t *operation,
                                            psa_key_derivation_step_t step, const uint8_t *data,
                                            size_t data_length);

/* Gives a number as input, such as the iterations of PBKDF2. On failure the operation is in the
 * error state: abort it. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or step is out of order or was given
 *                               already
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no such step, takes no number for it, or not
 *                               this one
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such an input
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_input_integer(psa_key_derivation_operation_t *operation,
                                              psa_key_derivation_step_t step, uint64_t value);

/* Gives a key as input. To read output, every key must permit PSA_KEY_USAGE_DERIVE. A key
 * that permits only PSA_KEY_USAGE_VERIFY_DERIVATION restricts the operation to the verify
 * functions. On failure the operation is in the error state: abort it. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or step is out of order or was given
 *                               already
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key has neither of these flags, or excludes the algorithm
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no such step, or takes no key of this type for
 *                               it
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such a key for it
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_input_key(psa_key_derivation_operation_t *operation,
                                          psa_key_derivation_step_t step, psa_key_id_t key);

/* Writes the next output_length bytes of the output; the capacity shrinks by as many. After
 * INSUFFICIENT_DATA nothing is written and the capacity is 0; after any other failure the
 * operation is in the error state: abort it. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE          the operation is not active, or lacks an input
 *   PSA_ERROR_NOT_PERMITTED      a key among the inputs lacks PSA_KEY_USAGE_DERIVE
 *   PSA_ERROR_INSUFFICIENT_DATA  output_length is more than the capacity
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_output_bytes(psa_key_derivation_operation_t *operation,
                                             uint8_t *output, size_t output_length);

/* Creates a key of the type and size in attributes from the next bytes of the output;
 * the type determines their number and use (chapters 9.3 to 9.5). The secret or
 * password must have been given as a key or by an agreement. *key: identifier of the
 * new key. After INSUFFICIENT_DATA the capacity is 0; after any other failure the
 * operation is in the error state: abort it. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE             the operation is not active, or lacks an input
 *   PSA_ERROR_NOT_PERMITTED         the secret was given as bytes, a key among the inputs lacks
 *                                   PSA_KEY_USAGE_DERIVE, or a policy forbids the new key
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has this identifier
 *   PSA_ERROR_INSUFFICIENT_DATA     the capacity is less than the key takes
 *   PSA_ERROR_INVALID_ARGUMENT      the attributes are invalid; among others a public-key type, a
 *                                   size of 0, or a password hash for another algorithm than this
 *                                   one
 *   PSA_ERROR_NOT_SUPPORTED         this build derives or holds no such key there
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_output_key(const psa_key_attributes_t *attributes,
                                           psa_key_derivation_operation_t *operation,
                                           psa_key_id_t *key);

/* psa_key_derivation_output_key() with parameters of production, as for psa_generate_key_custom().
 * No type of key defines any for derivation: custom->flags is 0 and custom_data_length is 0.
 * Section 10.8.3.
 *   PSA_ERROR_BAD_STATE             the operation is not active, or lacks an input
 *   PSA_ERROR_NOT_PERMITTED         the secret was given as bytes, a key among the inputs lacks
 *                                   PSA_KEY_USAGE_DERIVE, or a policy forbids the new key
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has this identifier
 *   PSA_ERROR_INSUFFICIENT_DATA     the capacity is less than the key takes
 *   PSA_ERROR_INVALID_ARGUMENT      the attributes or the parameters are invalid
 *   PSA_ERROR_NOT_SUPPORTED         this build derives or holds no such key there, or not with
 *                                   such parameters
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_output_key_custom(const psa_key_attributes_t *attributes,
                                                  psa_key_derivation_operation_t *operation,
                                                  const psa_custom_key_parameters_t *custom,
                                                  const uint8_t *custom_data,
                                                  size_t custom_data_length, psa_key_id_t *key);

/* Compares the next output_length bytes of the output with the expected ones, in time that does
 * not depend on where they differ; the capacity shrinks by as many. After INSUFFICIENT_DATA the
 * capacity is 0; after any other failure, a mismatch included, the operation is in the error
 * state: abort it. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE          the operation is not active, or lacks an input
 *   PSA_ERROR_INVALID_SIGNATURE  the output is another
 *   PSA_ERROR_INSUFFICIENT_DATA  output_length is more than the capacity
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_verify_bytes(psa_key_derivation_operation_t *operation,
                                             const uint8_t *expected_output, size_t output_length);

/* Compares the next bytes of the output with a key of type PSA_KEY_TYPE_PASSWORD_HASH, as
 * psa_key_derivation_verify_bytes() would with its data. Section 10.8.3.
 *   PSA_ERROR_BAD_STATE          the operation is not active, or lacks an input
 *   PSA_ERROR_INVALID_HANDLE     expected names no key
 *   PSA_ERROR_NOT_PERMITTED      the expected key lacks PSA_KEY_USAGE_VERIFY_DERIVATION, or
 *                                excludes the algorithm
 *   PSA_ERROR_INVALID_SIGNATURE  the output is another
 *   PSA_ERROR_INSUFFICIENT_DATA  the expected key is longer than the capacity
 *   PSA_ERROR_INVALID_ARGUMENT   the expected key is of another type
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_verify_key(psa_key_derivation_operation_t *operation,
                                           psa_key_id_t expected);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.8.3.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_key_derivation_abort(psa_key_derivation_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
