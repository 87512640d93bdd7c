/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges through all their states; the other side goes along, so that there are values. */
#include "../../harness/machines/pake.h"
#include "../../harness/walk.h"
#include "sae_test.h"
#include "spake2p_rows.h"

#define JPAKE PSA_ALG_JPAKE(PSA_ALG_SHA_256)
#define SPAKE2P PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA_256)
#define SPAKE2P_PAIR PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)

/* The setup of the operation that walks, and of the other one. */
static const struct exchange {
    psa_algorithm_t alg;
    uint32_t confirmation;
    psa_pake_role_t roles[2];
    psa_pake_role_t other_role; /* which it has not */
    bool has_names;
} exchanges[PAKE_KINDS] = {
    [PAKE_OF_JPAKE] = {JPAKE, PSA_PAKE_UNCONFIRMED_KEY, {0, 0}, PSA_PAKE_ROLE_FIRST, true},
    [PAKE_OF_CLIENT] = {SPAKE2P, 0, {PSA_PAKE_ROLE_CLIENT, PSA_PAKE_ROLE_SERVER}, 0, false},
    [PAKE_OF_SERVER] = {SPAKE2P, 0, {PSA_PAKE_ROLE_SERVER, PSA_PAKE_ROLE_CLIENT}, 0x99, false},
    [PAKE_OF_SAE] = {FIXED, 0, {0, 0}, PSA_PAKE_ROLE_CLIENT, true},
};

static const struct exchange *exchange;
static psa_key_id_t key;
/* Together, because they are copied together. */
static struct {
    psa_pake_operation_t mine;
    psa_pake_operation_t others;
} sides;

static psa_status_t set_up(psa_pake_operation_t *operation)
{
    const psa_pake_cipher_suite_t suite = suite_of(exchange->alg, P256, exchange->confirmation);

    return psa_pake_setup(operation, key, &suite);
}

static psa_status_t setup(void)
{
    const psa_status_t status = set_up(&sides.mine);

    if (status == PSA_SUCCESS) {
        NEED(psa_pake_abort(&sides.others));
        NEED(set_up(&sides.others));
        NEED(psa_pake_set_role(&sides.others, exchange->roles[1]));
        if (exchange->has_names) {
            NEED(psa_pake_set_user(&sides.others, sae_macs[1], MAC_SIZE));
            NEED(psa_pake_set_peer(&sides.others, sae_macs[0], MAC_SIZE));
        }
    }
    return status;
}

static psa_status_t abort_both(void)
{
    NEED(psa_pake_abort(&sides.others));
    return psa_pake_abort(&sides.mine);
}

static psa_status_t output_into(psa_pake_step_t step, size_t size)
{
    const psa_status_t status =
        psa_pake_output(&sides.mine, step, walk_output.bytes, size, &walk_output.length);

    if (status != PSA_SUCCESS) {
        CHECK(walk_output.length == 0);
    } else if (step != KEY_ID) {
        NEED(psa_pake_input(&sides.others, step, walk_output.bytes, walk_output.length));
    }
    return status;
}

static psa_status_t output(psa_pake_step_t step)
{
    return output_into(step, WALK_ROOM);
}

static psa_status_t output_short(psa_pake_step_t step)
{
    return output_into(step, PSA_PAKE_OUTPUT_SIZE(exchange->alg, P256, step) - 1);
}

/* The other side's message for a step, with its last byte changed on request; out of
 * place it may be empty. */
static psa_status_t input_changed(psa_pake_step_t step, unsigned change)
{
    static const uint8_t count[2] = {1, 0};
    uint8_t value[COMMIT_SIZE] = {4};
    size_t length = 0;

    if (step == COUNT) {
        return psa_pake_input(&sides.mine, step, count, change == 0 ? 2 : 1);
    }
    if (step == SALT) {
        (void)psa_pake_input(&sides.others, step, NULL, 0);
        return psa_pake_input(&sides.mine, step, value, change == 0 ? 0 : POINT_SIZE);
    }
    if (step == CONFIRM && exchange->alg == FIXED) {
        (void)psa_pake_input(&sides.others, COUNT, count, sizeof count);
    }
    if (psa_pake_output(&sides.others, step, value, sizeof value, &length) == PSA_SUCCESS) {
        value[length - 1] = (uint8_t)(value[length - 1] ^ change);
    }
    return psa_pake_input(&sides.mine, step, value, length);
}

static psa_status_t get_key_of(psa_key_type_t type)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, 0, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t made = 1;
    const psa_status_t status = psa_pake_get_shared_key(&sides.mine, &attributes, &made);

    CHECK((made == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    EXPECT(PSA_SUCCESS, psa_destroy_key(made));
    return status;
}

#define EACH_STEP(DO)                                                                              \
    DO(PAKE_SHARE, share)                                                                          \
    DO(PAKE_PUBLIC, public)                                                                        \
    DO(PAKE_PROOF, proof)                                                                          \
    DO(PAKE_CONFIRM, confirm)                                                                      \
    DO(PAKE_SALT, salt)                                                                            \
    DO(PAKE_COMMIT, commit)                                                                        \
    DO(PAKE_COUNT, count)                                                                          \
    DO(PAKE_KEY_ID, key_id)
#define STEP_CALLS(step, name)                                                                     \
    TEST_CALL(output_##name, output((step) + 1));                                                  \
    TEST_CALL(output_##name##_short, output_short((step) + 1));                                    \
    TEST_CALL(input_##name, input_changed((step) + 1, 0));                                         \
    TEST_CALL(input_##name##_wrong, input_changed((step) + 1, 1));
#define STEP_ROWS(step, name)                                                                      \
    WALK_CALL(step, PSA_SUCCESS, output_##name),                                                   \
        WALK_CALL(step, PSA_ERROR_BUFFER_TOO_SMALL, output_##name##_short),                        \
        WALK_CALL(PAKE_INPUT + (step), PSA_SUCCESS, input_##name),                                 \
        WALK_CALL(PAKE_INPUT + (step), PSA_ERROR_INVALID_ARGUMENT, input_##name##_wrong),

EACH_STEP(STEP_CALLS)
TEST_CALL(set_role, psa_pake_set_role(&sides.mine, exchange->roles[0]));
TEST_CALL(set_role_otherwise, psa_pake_set_role(&sides.mine, exchange->other_role));
TEST_CALL(set_user, psa_pake_set_user(&sides.mine, sae_macs[0], MAC_SIZE));
TEST_CALL(set_no_user, psa_pake_set_user(&sides.mine, NULL, 0));
TEST_CALL(set_peer, psa_pake_set_peer(&sides.mine, sae_macs[1], MAC_SIZE));
TEST_CALL(set_no_peer, psa_pake_set_peer(&sides.mine, NULL, 0));
TEST_CALL(set_context, psa_pake_set_context(&sides.mine, NULL, 0));
TEST_CALL(output_no_step, output(0));
TEST_CALL(input_no_step, psa_pake_input(&sides.mine, 0xff, sae_macs[0], MAC_SIZE));
TEST_CALL(get_key, get_key_of(PSA_KEY_TYPE_DERIVE));
TEST_CALL(get_password, get_key_of(PSA_KEY_TYPE_PASSWORD));

static struct walk_call calls[] = {
    EACH_STEP(STEP_ROWS) /* first, because set_up_walk() changes them */
    WALK_CALL(PAKE_SET_USER, PSA_SUCCESS, set_no_user),
    WALK_CALL(PAKE_SET_PEER, PSA_SUCCESS, set_no_peer),
    WALK_CALL(PAKE_SET_USER, PSA_SUCCESS, set_user),
    WALK_CALL(PAKE_SET_PEER, PSA_SUCCESS, set_peer),
    WALK_CALL(PAKE_SET_CONTEXT, PSA_SUCCESS, set_context),
    WALK_CALL(PAKE_SET_ROLE, PSA_SUCCESS, set_role),
    WALK_CALL(PAKE_SET_ROLE, PSA_ERROR_INVALID_ARGUMENT, set_role_otherwise),
    WALK_CALL(PAKE_FOREIGN, PSA_ERROR_INVALID_ARGUMENT, output_no_step),
    WALK_CALL(PAKE_FOREIGN, PSA_ERROR_INVALID_ARGUMENT, input_no_step),
    WALK_CALL(PAKE_GET_KEY, PSA_SUCCESS, get_key),
    WALK_CALL(PAKE_GET_KEY, PSA_ERROR_INVALID_ARGUMENT, get_password),
    WALK_CALL(PAKE_SETUP, PSA_SUCCESS, setup),
};

#define ROWS_OF_STEPS (4 * PAKE_INPUT)

static void set_up_walk(enum pake_kind kind, struct machine_made *table)
{
    const psa_status_t unnamed =
        exchanges[kind].has_names ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS;

    exchange = &exchanges[kind];
    pake_unfold(kind, table);
    for (unsigned i = 0; i < ROWS_OF_STEPS; i++) {
        static const psa_status_t wanted[4] = {PSA_SUCCESS, PSA_ERROR_BUFFER_TOO_SMALL, PSA_SUCCESS,
                                               PSA_ERROR_INVALID_ARGUMENT};
        const unsigned step = i / 4;
        const bool is_proof = i % 4 == 3 && (step == PAKE_PROOF || step == PAKE_CONFIRM);
        calls[i].call = pake_step(table, step, i % 4 < 2);
        calls[i].wanted = calls[i].call == PAKE_FOREIGN ? PSA_ERROR_INVALID_ARGUMENT
                          : is_proof                    ? PSA_ERROR_INVALID_SIGNATURE
                                                        : wanted[i % 4];
    }
    calls[ROWS_OF_STEPS].wanted = unnamed;
    calls[ROWS_OF_STEPS + 1].wanted = unnamed;
}

/* A board tries a sample; behind a wall no operation can be copied, so that each call needs an
 * exchange of its own. */
static void walk_with(enum pake_kind kind, psa_key_id_t with)
{
    struct machine_made table;
    const struct walk walk =
        WALK(table.machine, sides.mine, abort_both, calls, .copied = CORRAL_WALL ? 0 : sizeof sides,
             .stride = CORRAL_WALL ? 41 : STRIDE);

    key = with;
    set_up_walk(kind, &table);
    walk_through(&walk);
}

static void jpake__every_call_in_every_state__is_as_the_table_says(void)
{
    walk_with(PAKE_OF_JPAKE, test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE,
                                         (const uint8_t *)"a secret", 8));
}

static void spake2p__every_call_in_every_state__is_as_the_table_says(void)
{
    const psa_key_id_t pair = test_import(SPAKE2P_PAIR, SPAKE2P, PSA_KEY_USAGE_DERIVE,
                                          spake2p_exchanges[0].pair.data, 64);

    walk_with(PAKE_OF_CLIENT, pair);
    walk_with(PAKE_OF_SERVER, pair);
}

static void sae__every_call_in_every_state__is_as_the_table_says(void)
{
    walk_with(PAKE_OF_SAE, sae_token(FIXED));
}

static const struct test_case tests[] = {
    TEST(jpake__every_call_in_every_state__is_as_the_table_says),
    TEST(spake2p__every_call_in_every_state__is_as_the_table_says),
    TEST(sae__every_call_in_every_state__is_as_the_table_says),
};

TEST_SUITE(pake_walks, tests);
