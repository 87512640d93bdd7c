/* SPDX-License-Identifier: Apache-2.0 */
/* J-PAKE against the exchange that is published for TLS and Thread. */
#include "published.h"

#include "forced.h"
#include "jpake_test.h"

static psa_key_id_t published_key(void)
{
    return test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, published_password,
                       sizeof published_password);
}

/* The messages of the peer, from the step at `first` on. */
static void receive(psa_pake_operation_t *operation, const struct published_value *values,
                    unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++) {
        const psa_pake_step_t step = (psa_pake_step_t)(PSA_PAKE_STEP_KEY_SHARE + i % 3);

        test_context("value", i);
        NEED(psa_pake_input(operation, step, values[i].data, values[i].length));
    }
    test_context(NULL, 0);
}

/* Send a share that must be the published one; the proof is another in each exchange. */
static void send(psa_pake_operation_t *operation, const struct published_value *value,
                 const uint8_t *scalar)
{
    uint8_t output[POINT_SIZE];
    size_t length;

    if (scalar != NULL) {
        test_force_random(scalar, SCALAR_SIZE);
    }
    NEED(psa_pake_output(operation, PSA_PAKE_STEP_KEY_SHARE, output, sizeof output, &length));
    CHECK_BYTES(output, length, value->data, value->length);
    NEED(psa_pake_output(operation, PSA_PAKE_STEP_ZK_PUBLIC, output, sizeof output, &length));
    NEED(psa_pake_output(operation, PSA_PAKE_STEP_ZK_PROOF, output, SCALAR_SIZE, &length));
}

static void run_published(bool is_client, const struct published_value *mine,
                          const struct published_value *theirs, const uint8_t *first,
                          const uint8_t *second)
{
    psa_pake_operation_t operation = jpake_side(published_key(), is_client);
    uint8_t secret[POINT_SIZE];

    send(&operation, &mine[0], first);
    send(&operation, &mine[3], second);
    receive(&operation, theirs, 0, 6);
    send(&operation, &mine[6], NULL);
    receive(&operation, theirs, 6, 3);
    CHECK(take_secret(&operation, secret, sizeof secret) == POINT_SIZE);
    CHECK_BYTES(secret, POINT_SIZE, published_shared_key, POINT_SIZE);
}

static void client__published_scalars__published_shares_and_key(void)
{
    run_published(true, published_client, published_server, published_x1, published_x2);
}

static void server__published_scalars__published_shares_and_key(void)
{
    run_published(false, published_server, published_client, published_x3, published_x4);
}

static const struct test_case tests[] = {
    TEST(client__published_scalars__published_shares_and_key),
    TEST(server__published_scalars__published_shares_and_key),
};

TEST_SUITE(published, tests);
