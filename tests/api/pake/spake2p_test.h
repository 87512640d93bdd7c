/* SPDX-License-Identifier: Apache-2.0 */
/* SPAKE2+ from both sides. */
#ifndef SPAKE2P_TEST_H
#define SPAKE2P_TEST_H

#include "pake_test.h"
#include "spake2p_rows.h"

#define SPAKE2P PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA_256)
#define PAIR_TYPE PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC_TYPE PSA_KEY_TYPE_SPAKE2P_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define NAME(text) ((const uint8_t *)(text)), (sizeof(text) - 1)
#define SHARE PSA_PAKE_STEP_KEY_SHARE
#define CONFIRM PSA_PAKE_STEP_CONFIRM
#define PAIR_SIZE 64u
#define PUBLIC_SIZE 97u

/* The pair of the first published exchange, for another algorithm if need be. */
static inline psa_key_id_t pair_for(psa_algorithm_t alg)
{
    return test_import(PAIR_TYPE, alg, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT,
                       spake2p_exchanges[0].pair.data, PAIR_SIZE);
}

/* The public key of a pair, as a key of its own. */
static inline psa_key_id_t public_of(psa_key_id_t pair, psa_algorithm_t alg)
{
    uint8_t data[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    size_t length;

    NEED(psa_export_public_key(pair, data, sizeof data, &length));
    return test_import(PUBLIC_TYPE, alg, PSA_KEY_USAGE_DERIVE, data, length);
}

static inline psa_pake_cipher_suite_t spake2p_suite(psa_algorithm_t alg, size_t bits)
{
    return suite_of(alg,
                    PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC,
                                       (uint32_t)PSA_ECC_FAMILY_SECP_R1, (uint32_t)bits),
                    PSA_PAKE_CONFIRMED_KEY);
}

/* An operation with its role and nothing else. */
static inline psa_pake_operation_t spake2p_side(psa_key_id_t key, psa_algorithm_t alg, size_t bits,
                                                bool is_client)
{
    const psa_pake_cipher_suite_t suite = spake2p_suite(alg, bits);
    psa_pake_operation_t operation = psa_pake_operation_init();

    NEED(psa_pake_setup(&operation, key, &suite));
    NEED(psa_pake_set_role(&operation, is_client ? PSA_PAKE_ROLE_CLIENT : PSA_PAKE_ROLE_SERVER));
    return operation;
}

static inline void name_side(psa_pake_operation_t *operation, bool is_client,
                             const struct spake2p_bytes *context)
{
    NEED(is_client ? psa_pake_set_user(operation, NAME("client"))
                   : psa_pake_set_user(operation, NAME("server")));
    NEED(is_client ? psa_pake_set_peer(operation, NAME("server"))
                   : psa_pake_set_peer(operation, NAME("client")));
    if (context != NULL) {
        NEED(psa_pake_set_context(operation, context->data, context->length));
    }
}

/* The first `count` of the four messages. */
static inline void run_spake2p(psa_pake_operation_t *client, psa_pake_operation_t *server,
                               unsigned count)
{
    if (count > 0) {
        pass(client, server, SHARE);
    }
    if (count > 1) {
        pass(server, client, SHARE);
    }
    if (count > 2) {
        pass(server, client, CONFIRM);
    }
    if (count > 3) {
        pass(client, server, CONFIRM);
    }
}

#endif
