/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the tests of key exchanges: both sides of an exchange, and the way between
 * them. */
#ifndef PAKE_TEST_H
#define PAKE_TEST_H

#include <stdbool.h>
#include <string.h>

#include "../../harness/harness.h"

#define P256 PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_SECP_R1, 256u)
#define POINT_SIZE 65u
#define SCALAR_SIZE 32u
/* From one place of an exchange that is tried to the next: all on a PC, a sample on a board. */
#define STRIDE (sizeof(void *) > 4 ? 1u : 5u)

static inline psa_pake_cipher_suite_t suite_of(psa_algorithm_t alg, uint32_t primitive,
                                               uint32_t confirmation)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();

    psa_pake_cs_set_algorithm(&suite, alg);
    psa_pake_cs_set_primitive(&suite, primitive);
    psa_pake_cs_set_key_confirmation(&suite, confirmation);
    return suite;
}

/* One step from one side to the other. */
static inline void pass(psa_pake_operation_t *from, psa_pake_operation_t *to, psa_pake_step_t step)
{
    uint8_t *message = test_buffer(PSA_PAKE_OUTPUT_MAX_SIZE);
    size_t length;

    NEED(psa_pake_output(from, step, message, PSA_PAKE_OUTPUT_MAX_SIZE, &length));
    NEED(psa_pake_input(to, step, message, length));
}

/* That an operation has failed: the walks check the meaning. */
static inline void check_failed(psa_pake_operation_t *operation, psa_key_id_t key,
                                const psa_pake_cipher_suite_t *suite)
{
    EXPECT(PSA_ERROR_BAD_STATE, psa_pake_setup(operation, key, suite));
    EXPECT(PSA_ERROR_BAD_STATE, psa_pake_input(operation, 0, NULL, 0)); /* which is no step */
    EXPECT(PSA_SUCCESS, psa_pake_abort(operation));
    CHECK(test_all((const uint8_t *)operation, sizeof *operation, 0));
}

/* Abort both sides of an exchange; values that were passed in are freed. */
static inline void end_both(psa_pake_operation_t *client, psa_pake_operation_t *server)
{
    EXPECT(PSA_SUCCESS, psa_pake_abort(client));
    EXPECT(PSA_SUCCESS, psa_pake_abort(server));
    test_free_buffers();
}

/* The shared secret of an operation, exported. */
static inline size_t take_secret(psa_pake_operation_t *operation, uint8_t *secret, size_t size)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;
    size_t length;

    NEED(psa_pake_get_shared_key(operation, &attributes, &key));
    (void)test_keep(key);
    CHECK(test_all((const uint8_t *)operation, sizeof *operation, 0));
    NEED(psa_export_key(key, secret, size, &length));
    return length;
}

#endif
