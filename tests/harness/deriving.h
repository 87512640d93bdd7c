/* SPDX-License-Identifier: Apache-2.0 */
/* Key derivations that tests of several suites begin, ask for keys and end. */
#ifndef TEST_DERIVING_H
#define TEST_DERIVING_H

#include "harness.h"

#define DERIVING_ALG PSA_ALG_HKDF(PSA_ALG_SHA_256)

/* With a key of these permissions as its secret, without information yet. */
static inline psa_key_derivation_operation_t deriving_begun(psa_key_usage_t usage,
                                                            const uint8_t *secret, size_t size)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_DERIVE, DERIVING_ALG, usage, secret, size);

    NEED(psa_key_derivation_setup(&operation, DERIVING_ALG));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key));
    return operation;
}

/* With all that gives output. */
static inline psa_key_derivation_operation_t deriving_ready(psa_key_usage_t usage,
                                                            const uint8_t *secret, size_t size)
{
    psa_key_derivation_operation_t operation = deriving_begun(usage, secret, size);

    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    return operation;
}

/* A key that may be exported; *key is none unless all is well. */
static inline psa_status_t deriving_key(psa_key_derivation_operation_t *operation,
                                        psa_key_type_t type, size_t bits, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, bits, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    *key = 9;
    const psa_status_t status = psa_key_derivation_output_key(&attributes, operation, key);
    CHECK(status == PSA_SUCCESS || *key == PSA_KEY_ID_NULL);
    return status;
}

/* The content of such a key. */
static inline void deriving_export(psa_key_id_t key, uint8_t *data, size_t size)
{
    size_t length = 0;

    NEED(psa_export_key(test_keep(key), data, size, &length));
    CHECK(length == size);
}

static inline void deriving_end(psa_key_derivation_operation_t *operation)
{
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(operation));
    test_destroy_keys();
    test_free_buffers();
}

/* The same of an operation that has failed. */
static inline void deriving_failed(psa_key_derivation_operation_t *operation)
{
    size_t capacity;

    EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_get_capacity(operation, &capacity));
    EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_output_bytes(operation, NULL, 0));
    deriving_end(operation);
}

#endif
