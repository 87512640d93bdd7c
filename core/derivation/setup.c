/* SPDX-License-Identifier: Apache-2.0 */
#include "operation.h"

#include <corral/dispatch/hash.h>
#include <corral/dispatch/key_derivation.h>
#include <corral/driver.h>

#include "../common/initialised.h"
#include "../common/multipart.h"
#include "../operations/agreement.h"

/* Blocks of HKDF and of PBKDF2 that can be counted (RFC 5869, RFC 8018). */
#define HKDF_BLOCKS 255u
#define PBKDF2_BLOCKS 0xffffffffu
/* As many bytes as have a number of bits in four bytes (PSA Crypto 1.5, 10.8.1). */
#define COUNTER_CAPACITY ((size_t)0x1fffffff)

size_t corral_pbkdf2_block_length(psa_algorithm_t alg)
{
    const size_t hash_length = corral_hash_length(PSA_ALG_GET_HASH(alg));

    return hash_length != 0 ? hash_length : PSA_BLOCK_CIPHER_BLOCK_LENGTH(PSA_KEY_TYPE_AES);
}

static size_t initial_capacity(psa_algorithm_t alg)
{
    if (CORRAL_WANT_ALG_TLS12_ECJPAKE_TO_PMS && alg == PSA_ALG_TLS12_ECJPAKE_TO_PMS) {
        return PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE;
    }
    if (corral_derivation_is_counter(alg)) {
        return COUNTER_CAPACITY;
    }
    if ((CORRAL_WANT_ALG_HKDF_EXTRACT && PSA_ALG_IS_HKDF_EXTRACT(alg)) ||
        corral_derivation_is_token(alg)) {
        return corral_hash_length(PSA_ALG_GET_HASH(alg));
    }
    if ((CORRAL_WANT_ALG_HKDF && PSA_ALG_IS_HKDF(alg)) ||
        (CORRAL_WANT_ALG_HKDF_EXPAND && PSA_ALG_IS_HKDF_EXPAND(alg))) {
        return HKDF_BLOCKS * corral_hash_length(PSA_ALG_GET_HASH(alg));
    }
    if (sizeof(size_t) > 4 && PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg)) {
        return (size_t)PBKDF2_BLOCKS * corral_pbkdf2_block_length(alg);
    }
    return PSA_KEY_DERIVATION_UNLIMITED_CAPACITY;
}

psa_status_t psa_key_derivation_setup(psa_key_derivation_operation_t *operation,
                                      psa_algorithm_t alg)
{
    if (operation->alg != PSA_ALG_NONE || !corral_is_initialised()) {
        return PSA_ERROR_BAD_STATE;
    }
    if ((!PSA_ALG_IS_KEY_DERIVATION(alg) && !PSA_ALG_IS_KEY_AGREEMENT(alg)) ||
        PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_derives(alg)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    corral_wipe(operation, sizeof *operation);
    operation->alg = alg;
    operation->capacity = initial_capacity(PSA_ALG_KEY_AGREEMENT_GET_KDF(alg));
    return PSA_SUCCESS;
}

psa_status_t psa_key_derivation_get_capacity(const psa_key_derivation_operation_t *operation,
                                             size_t *capacity)
{
    *capacity = 0;
    if (!corral_operation_is_active(operation->alg)) {
        return PSA_ERROR_BAD_STATE;
    }
    *capacity = operation->capacity;
    return PSA_SUCCESS;
}

psa_status_t psa_key_derivation_set_capacity(psa_key_derivation_operation_t *operation,
                                             size_t capacity)
{
    if (!corral_operation_is_active(operation->alg) ||
        (operation->is_reading && corral_derivation_is_counter(corral_derivation_alg(operation)))) {
        return corral_derivation_fail(operation, PSA_ERROR_BAD_STATE);
    }
    if (capacity > operation->capacity) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    operation->capacity = capacity;
    return PSA_SUCCESS;
}

/* No driver is at work before the first output is asked for. */
static inline void abort_driver(psa_key_derivation_operation_t *operation)
{
    if (operation->is_reading) {
        corral_dispatch_key_derivation_abort(&operation->as.context);
    }
}

CORRAL_DEFINE_FAIL(corral_derivation_fail, psa_key_derivation_operation_t, abort_driver(operation));

psa_status_t psa_key_derivation_abort(psa_key_derivation_operation_t *operation)
{
    (void)corral_derivation_fail(operation, PSA_SUCCESS);
    operation->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}
