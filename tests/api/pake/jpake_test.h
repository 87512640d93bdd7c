/* SPDX-License-Identifier: Apache-2.0 */
/* J-PAKE from both sides. */
#ifndef JPAKE_TEST_H
#define JPAKE_TEST_H

#include "pake_test.h"

#define JPAKE PSA_ALG_JPAKE(PSA_ALG_SHA_256)
#define NAME(text) ((const uint8_t *)(text)), (sizeof(text) - 1)

static inline psa_key_id_t password_of(const char *text)
{
    return test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, (const uint8_t *)text,
                       strlen(text));
}

static inline psa_pake_cipher_suite_t jpake_suite(void)
{
    return suite_of(JPAKE, P256, PSA_PAKE_UNCONFIRMED_KEY);
}

/* An operation that is set up, with both names. */
static inline psa_pake_operation_t jpake_side(psa_key_id_t key, bool is_client)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    psa_pake_operation_t operation = psa_pake_operation_init();

    NEED(psa_pake_setup(&operation, key, &suite));
    if (is_client) {
        NEED(psa_pake_set_user(&operation, NAME("client")));
        NEED(psa_pake_set_peer(&operation, NAME("server")));
    } else {
        NEED(psa_pake_set_peer(&operation, NAME("client")));
        NEED(psa_pake_set_user(&operation, NAME("server")));
    }
    return operation;
}

/* So many shares, each with its proof, from one side to the other. */
static inline void pass_shares(psa_pake_operation_t *from, psa_pake_operation_t *to, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        pass(from, to, PSA_PAKE_STEP_KEY_SHARE);
        pass(from, to, PSA_PAKE_STEP_ZK_PUBLIC);
        pass(from, to, PSA_PAKE_STEP_ZK_PROOF);
    }
}

/* All steps; each side's outputs first. */
static inline void run_jpake(psa_pake_operation_t *client, psa_pake_operation_t *server)
{
    pass_shares(client, server, 2);
    pass_shares(server, client, 2);
    pass_shares(client, server, 1);
    pass_shares(server, client, 1);
}

#endif
