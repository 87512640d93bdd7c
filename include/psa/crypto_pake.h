/* SPDX-License-Identifier: Apache-2.0 */
/* Password-authenticated key exchange (section 10.13). */
#ifndef PSA_CRYPTO_PAKE_H
#define PSA_CRYPTO_PAKE_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Algorithms
 */
/* J-PAKE (RFC 8236). */
#define PSA_ALG_JPAKE(hash_alg) CORRAL_ALG_OVER_HASH(0x0a000100, hash_alg)

/* SPAKE2+ (RFC 9383), confirming with HMAC or with CMAC. */
#define PSA_ALG_SPAKE2P_HMAC(hash_alg) CORRAL_ALG_OVER_HASH(0x0a000400, hash_alg)
#define PSA_ALG_SPAKE2P_CMAC(hash_alg) CORRAL_ALG_OVER_HASH(0x0a000500, hash_alg)

/* SPAKE2+ as in Matter 1.2: draft 02 of RFC 9383, SHA-256 and P-256. */
#define PSA_ALG_SPAKE2P_MATTER CORRAL_CAST(psa_algorithm_t, 0x0a000609)

/* WPA3-SAE with a shared key of 32 bytes, or with one as long as the hash. A password goes with the
 * first and SHA-256, a password token with the hash of its group. */
#define PSA_ALG_WPA3_SAE_FIXED(hash_alg) CORRAL_ALG_OVER_HASH(0x0a000800, hash_alg)
#define PSA_ALG_WPA3_SAE_GDH(hash_alg) CORRAL_ALG_OVER_HASH(0x0a000900, hash_alg)

/* Policy: either form of WPA3-SAE with any hash. */
#define PSA_ALG_WPA3_SAE_ANY CORRAL_CAST(psa_algorithm_t, 0x0a0088ff)

/* Kind of exchange: 1 or 0. */
#define PSA_ALG_IS_JPAKE(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x0a000100)
#define PSA_ALG_IS_SPAKE2P(alg) CORRAL_ALG_MATCHES(alg, 0xfffffc00, 0x0a000400)
#define PSA_ALG_IS_SPAKE2P_HMAC(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x0a000400)
#define PSA_ALG_IS_SPAKE2P_CMAC(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x0a000500)
#define PSA_ALG_IS_WPA3_SAE(alg) CORRAL_ALG_MATCHES(alg, 0xfffffe00, 0x0a000800)
#define PSA_ALG_IS_WPA3_SAE_FIXED(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x0a000800)
#define PSA_ALG_IS_WPA3_SAE_GDH(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x0a000900)

/*
 * Primitives: the group that the exchange works in, with the family and size of its keys.
 */
/* An elliptic curve: psa_ecc_family_t. */
#define PSA_PAKE_PRIMITIVE_TYPE_ECC CORRAL_CAST(psa_pake_primitive_type_t, 0x01)

/* A finite-field group: psa_dh_family_t. */
#define PSA_PAKE_PRIMITIVE_TYPE_DH CORRAL_CAST(psa_pake_primitive_type_t, 0x02)

/* A primitive from its parts, or 0 if bits does not fit; and its parts. */
#define PSA_PAKE_PRIMITIVE(pake_type, pake_family, pake_bits)                                      \
    (((pake_bits)&0xFFFF) != (pake_bits)                                                           \
         ? CORRAL_CAST(psa_pake_primitive_t, 0)                                                    \
         : CORRAL_CAST(psa_pake_primitive_t, CORRAL_CAST(psa_pake_primitive_t, pake_type) << 24 |  \
                                                 CORRAL_CAST(psa_pake_primitive_t, pake_family)    \
                                                     << 16 |                                       \
                                                 CORRAL_CAST(psa_pake_primitive_t, pake_bits)))
#define PSA_PAKE_PRIMITIVE_GET_TYPE(pake_primitive)                                                \
    CORRAL_CAST(psa_pake_primitive_type_t, ((pake_primitive) >> 24) & 0xFF)
#define PSA_PAKE_PRIMITIVE_GET_FAMILY(pake_primitive)                                              \
    CORRAL_CAST(psa_pake_family_t, ((pake_primitive) >> 16) & 0xFF)
#define PSA_PAKE_PRIMITIVE_GET_BITS(pake_primitive) CORRAL_CAST(size_t, (pake_primitive)&0xFFFF)

/*
 * Cipher suites: algorithm, primitive, key confirmation. The functions only read and write the
 * object; psa_pake_setup() checks it.
 */
/* Initialiser of an empty cipher suite. */
#define PSA_PAKE_CIPHER_SUITE_INIT CORRAL_ZERO_INIT

/* Whether both sides prove that they have the same key before it is used. Default: they do. */
#define PSA_PAKE_CONFIRMED_KEY 0
#define PSA_PAKE_UNCONFIRMED_KEY 1

/* A cipher suite without algorithm and primitive, with confirmation of the key. */
static inline psa_pake_cipher_suite_t psa_pake_cipher_suite_init(void)
{
    const psa_pake_cipher_suite_t cipher_suite = PSA_PAKE_CIPHER_SUITE_INIT;
    return cipher_suite;
}

/* The algorithm of a cipher suite. */
static inline psa_algorithm_t psa_pake_cs_get_algorithm(const psa_pake_cipher_suite_t *cipher_suite)
{
    return cipher_suite->algorithm;
}

/* Sets the algorithm: a PAKE with its hash. */
static inline void psa_pake_cs_set_algorithm(psa_pake_cipher_suite_t *cipher_suite,
                                             psa_algorithm_t alg)
{
    cipher_suite->algorithm = alg;
}

/* The primitive of a cipher suite. */
static inline psa_pake_primitive_t
psa_pake_cs_get_primitive(const psa_pake_cipher_suite_t *cipher_suite)
{
    return cipher_suite->primitive;
}

/* Sets the primitive: PSA_PAKE_PRIMITIVE(). */
static inline void psa_pake_cs_set_primitive(psa_pake_cipher_suite_t *cipher_suite,
                                             psa_pake_primitive_t primitive)
{
    cipher_suite->primitive = primitive;
}

/* PSA_PAKE_CONFIRMED_KEY or PSA_PAKE_UNCONFIRMED_KEY. */
static inline uint32_t psa_pake_cs_get_key_confirmation(const psa_pake_cipher_suite_t *cipher_suite)
{
    return cipher_suite->key_confirmation;
}

/* Sets whether the key is confirmed: PSA_PAKE_CONFIRMED_KEY or PSA_PAKE_UNCONFIRMED_KEY. */
static inline void psa_pake_cs_set_key_confirmation(psa_pake_cipher_suite_t *cipher_suite,
                                                    uint32_t key_confirmation)
{
    cipher_suite->key_confirmation = key_confirmation;
}

/*
 * Roles
 */
/* The algorithm does not assign roles. */
#define PSA_PAKE_ROLE_NONE CORRAL_CAST(psa_pake_role_t, 0x00)

/* First and second, where the protocol orders the participants. */
#define PSA_PAKE_ROLE_FIRST CORRAL_CAST(psa_pake_role_t, 0x01)
#define PSA_PAKE_ROLE_SECOND CORRAL_CAST(psa_pake_role_t, 0x02)

/* Client (prover) and server (verifier). */
#define PSA_PAKE_ROLE_CLIENT CORRAL_CAST(psa_pake_role_t, 0x11)
#define PSA_PAKE_ROLE_SERVER CORRAL_CAST(psa_pake_role_t, 0x12)

/*
 * Steps of psa_pake_output() and psa_pake_input()
 */
/* Key share, as a public key of the primitive. */
#define PSA_PAKE_STEP_KEY_SHARE CORRAL_CAST(psa_pake_step_t, 0x01)

/* Ephemeral public key of a Schnorr proof, as a public key of the primitive. */
#define PSA_PAKE_STEP_ZK_PUBLIC CORRAL_CAST(psa_pake_step_t, 0x02)

/* Schnorr proof: an integer below the order of the group. */
#define PSA_PAKE_STEP_ZK_PROOF CORRAL_CAST(psa_pake_step_t, 0x03)

/* Confirmation. SPAKE2+: the MAC; WPA3-SAE: a 2-byte counter and the confirm value. */
#define PSA_PAKE_STEP_CONFIRM CORRAL_CAST(psa_pake_step_t, 0x04)

/* Salt of WPA3-SAE, input only. */
#define PSA_PAKE_STEP_SALT CORRAL_CAST(psa_pake_step_t, 0x05)

/* Commitment of WPA3-SAE: scalar and element. */
#define PSA_PAKE_STEP_COMMIT CORRAL_CAST(psa_pake_step_t, 0x06)

/* Counter of WPA3-SAE confirmation, 2 bytes little-endian, input only. */
#define PSA_PAKE_STEP_CONFIRM_COUNT CORRAL_CAST(psa_pake_step_t, 0x07)

/* PMKID of WPA3-SAE, 16 bytes, output only. */
#define PSA_PAKE_STEP_KEY_ID CORRAL_CAST(psa_pake_step_t, 0x08)

/*
 * Operations
 */
/* Initialiser of an inactive operation. */
#define PSA_PAKE_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts an exchange with a password, or what was derived from it, and a cipher suite. The
 * algorithm determines the key types, settings and steps that follow, and their order
 * (sections 10.13.8 to 10.13.13). On failure the operation is unchanged. Section 10.13.6.
 *   PSA_ERROR_BAD_STATE              the operation is not inactive, or the library is not
 *                                    initialised
 *   PSA_ERROR_INVALID_HANDLE         password_key names no key
 *   PSA_ERROR_NOT_PERMITTED          the key lacks PSA_KEY_USAGE_DERIVE, or excludes the algorithm
 *   PSA_ERROR_INVALID_ARGUMENT       the cipher suite is not one of a PAKE, contradicts itself, or
 *                                    does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED          nothing in this build does the cipher suite with such a key
 *   PSA_ERROR_COMMUNICATION_FAILURE  the device did not answer
 *   PSA_ERROR_CORRUPTION_DETECTED    tampering or memory corruption
 *   and the statuses of storage (psa/crypto.h) */
psa_status_t psa_pake_setup(psa_pake_operation_t *operation, psa_key_id_t password_key,
                            const psa_pake_cipher_suite_t *cipher_suite);

/* Sets this side's role, for an algorithm that has roles; for others PSA_PAKE_ROLE_NONE, or no
 * call. On failure the operation is in the error state: abort it. Section 10.13.6.
 *   PSA_ERROR_BAD_STATE              the operation is not active, has a role, or has begun its
 *                                    steps
 *   PSA_ERROR_INVALID_ARGUMENT       the algorithm has no such role, or the key's type does not go
 *                                    with it
 *   PSA_ERROR_NOT_SUPPORTED          this build does not play the role
 *   PSA_ERROR_COMMUNICATION_FAILURE  the device did not answer
 *   PSA_ERROR_CORRUPTION_DETECTED    tampering or memory corruption */
psa_status_t psa_pake_set_role(psa_pake_operation_t *operation, psa_pake_role_t role);

/* Sets this side's identity, or that of the session where there is only one. On failure the
 * operation is in the error state: abort it. Section 10.13.6.
 *   PSA_ERROR_BAD_STATE         the operation is not active, has an identity, or has begun its
 *                               steps
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm takes no such identity
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such an identity
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_pake_set_user(psa_pake_operation_t *operation, const uint8_t *user_id,
                               size_t user_id_len);

/* Sets the other side's identity, for an algorithm that has two. On failure the operation is in
 * the error state: abort it. Section 10.13.6.
 *   PSA_ERROR_BAD_STATE         the operation is not active, has a peer, has begun its steps, or
 *                               its algorithm knows no peer
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm takes no such identity
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such an identity
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_pake_set_peer(psa_pake_operation_t *operation, const uint8_t *peer_id,
                               size_t peer_id_len);

/* Sets data that both sides must agree on, for an algorithm that has such. On failure the
 * operation is in the error state: abort it. Section 10.13.6.
 *   PSA_ERROR_BAD_STATE         the operation is not active, has a context, has begun its steps,
 *                               or its algorithm knows no context
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm takes no such context
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such a context
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_pake_set_context(psa_pake_operation_t *operation, const uint8_t *context,
                                  size_t context_len);

/* Gives what a step sends to the other side, *output_length bytes. Room needed:
 * PSA_PAKE_OUTPUT_SIZE(alg, primitive, step). On failure the operation is in the error state:
 * abort it. Section 10.13.6.
 *   PSA_ERROR_BAD_STATE             the operation is not active and fully set up, or step is out
 *                                   of order
 *   PSA_ERROR_BUFFER_TOO_SMALL      output_size is less than the output
 *   PSA_ERROR_INVALID_ARGUMENT      the algorithm has no such output
 *   PSA_ERROR_NOT_SUPPORTED         this build has no such output
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the step
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_pake_output(psa_pake_operation_t *operation, psa_pake_step_t step, uint8_t *output,
                             size_t output_size, size_t *output_length);

/* Takes what the other side sent for a step. It may have up to PSA_PAKE_INPUT_SIZE(alg, primitive,
 * step) bytes. On failure, a failed proof included, the operation is in the error state: abort it.
 * Section 10.13.6.
 *   PSA_ERROR_BAD_STATE          the operation is not active and fully set up, or step is out of
 *                                order
 *   PSA_ERROR_INVALID_SIGNATURE  the proof or confirmation is wrong: another password, or an
 *                                impostor
 *   PSA_ERROR_INVALID_ARGUMENT   the algorithm has no such input, or not in this form
 *   PSA_ERROR_NOT_SUPPORTED      this build does not take such an input
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_pake_input(psa_pake_operation_t *operation, psa_pake_step_t step,
                            const uint8_t *input, size_t input_length);

/* Creates a key of the shared secret, with attributes, and ends the operation. When: after
 * confirmation for a confirmed key, else after the exchange and before any confirmation. The type
 * may be PSA_KEY_TYPE_DERIVE or PSA_KEY_TYPE_HMAC, for some algorithms a cipher's; the secret has
 * its own size, and one in attributes must agree. *key: identifier of the new key. On failure the
 * operation is in the error state: abort it. Section 10.13.6.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or not at this point
 *   PSA_ERROR_NOT_PERMITTED     a policy forbids the new key
 *   PSA_ERROR_ALREADY_EXISTS    a persistent key has this identifier
 *   PSA_ERROR_INVALID_ARGUMENT  the attributes are invalid, or their type cannot come from this
 *                               algorithm
 *   PSA_ERROR_NOT_SUPPORTED     this build holds no such key there
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_pake_get_shared_key(psa_pake_operation_t *operation,
                                     const psa_key_attributes_t *attributes, psa_key_id_t *key);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.13.6.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_pake_abort(psa_pake_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
