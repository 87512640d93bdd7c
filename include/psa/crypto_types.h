/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the PSA Crypto API 1.5 that do not depend on the configuration, and the names of those
 * that do. Operation objects are declared here and defined in <corral/operations.h>, so headers
 * which that one includes may include this one.
 */
#ifndef PSA_CRYPTO_TYPES_H
#define PSA_CRYPTO_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Key type and family of asymmetric parameters (sections 9.2, 9.5). */
typedef uint16_t psa_key_type_t;
typedef uint8_t psa_ecc_family_t;
typedef uint8_t psa_dh_family_t;
typedef uint8_t psa_slh_dsa_family_t;

/* Where and how long a key lives: location in bits 8 to 31, persistence in bits 0 to 7
 * (section 9.6). */
typedef uint32_t psa_key_lifetime_t;
typedef uint8_t psa_key_persistence_t;
typedef uint32_t psa_key_location_t;

/* Identifier of a key, persistent or volatile (section 9.7). */
typedef uint32_t psa_key_id_t;

/* Algorithm, and permitted uses of a key (sections 10.1, 9.8). */
typedef uint32_t psa_algorithm_t;
typedef uint32_t psa_key_usage_t;

/* Input of a key derivation (section 10.8.2). */
typedef uint16_t psa_key_derivation_step_t;

/* Components of a password-authenticated key exchange (section 10.13). */
typedef uint32_t psa_pake_primitive_t;
typedef uint8_t psa_pake_primitive_type_t;
typedef uint8_t psa_pake_family_t;
typedef uint8_t psa_pake_role_t;
typedef uint8_t psa_pake_step_t;

/* Attributes of a key (section 9.1). The members belong to the implementation: applications use the
 * psa_set_key_xxx() and psa_get_key_xxx() functions. All bits zero is a valid, empty object. */
typedef struct psa_key_attributes_s {
    psa_key_type_t type;
    uint16_t bits;
    psa_key_usage_t usage;
    psa_algorithm_t algorithm;
    psa_key_lifetime_t lifetime;
    psa_key_id_t id;
} psa_key_attributes_t;

/* How a key is to be made by psa_generate_key_custom() and psa_key_derivation_output_key_custom()
 * (section 9.9.1). flags: zero, no flag is defined. */
typedef struct psa_custom_key_parameters_t {
    uint32_t flags;
} psa_custom_key_parameters_t;

/* Cipher suite of a password-authenticated key exchange (section 10.13.3). The members belong to
 * the implementation. All bits zero is a valid, empty object. */
typedef struct psa_pake_cipher_suite_s {
    psa_algorithm_t algorithm;
    psa_pake_primitive_t primitive;
    uint32_t key_confirmation;
} psa_pake_cipher_suite_t;

/* Operation objects. All bits zero, the INIT macro and the init function give the same, inactive
 * object. An object may be moved by copying its bytes between two calls. */
typedef struct psa_hash_operation_s psa_hash_operation_t;
typedef struct psa_xof_operation_s psa_xof_operation_t;
typedef struct psa_mac_operation_s psa_mac_operation_t;
typedef struct psa_cipher_operation_s psa_cipher_operation_t;
typedef struct psa_aead_operation_s psa_aead_operation_t;
typedef struct psa_key_derivation_operation_s psa_key_derivation_operation_t;
typedef struct psa_sign_operation_s psa_sign_operation_t;
typedef struct psa_verify_operation_s psa_verify_operation_t;
typedef struct psa_pake_operation_s psa_pake_operation_t;

/* Initialiser of an aggregate with all members zero, without warnings in C and C++. */
#ifdef __cplusplus
#define CORRAL_ZERO_INIT                                                                           \
    {                                                                                              \
    }
#else
#define CORRAL_ZERO_INIT                                                                           \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/* Functions that this configuration forbids. Clang has to know before it sees the functions
 * declared; GCC warns of declarations that come twice, so its list is included by psa/crypto.h. */
#ifdef __clang__
#include <corral/unwanted.h>
#endif

#endif
