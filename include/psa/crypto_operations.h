/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of the operation objects, which depend on the configuration, and the functions that
 * return an initialised one by value. Each is equivalent to its INIT macro and cannot fail.
 */
#ifndef PSA_CRYPTO_OPERATIONS_H
#define PSA_CRYPTO_OPERATIONS_H

#include "crypto_families.h"
#include <corral/operations.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An inactive operation. */
static inline psa_hash_operation_t psa_hash_operation_init(void)
{
    const psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_xof_operation_t psa_xof_operation_init(void)
{
    const psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_mac_operation_t psa_mac_operation_init(void)
{
    const psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_cipher_operation_t psa_cipher_operation_init(void)
{
    const psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_aead_operation_t psa_aead_operation_init(void)
{
    const psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_key_derivation_operation_t psa_key_derivation_operation_init(void)
{
    const psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_sign_operation_t psa_sign_operation_init(void)
{
    const psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_verify_operation_t psa_verify_operation_init(void)
{
    const psa_verify_operation_t operation = PSA_VERIFY_OPERATION_INIT;
    return operation;
}

/* An inactive operation. */
static inline psa_pake_operation_t psa_pake_operation_init(void)
{
    const psa_pake_operation_t operation = PSA_PAKE_OPERATION_INIT;
    return operation;
}

#ifdef __cplusplus
}
#endif

#endif
