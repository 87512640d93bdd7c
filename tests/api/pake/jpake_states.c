/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that J-PAKE rejects: cipher suites, keys, names, steps out of order, forgeries. */
#include "../../harness/entropy.h"
#include "jpake_test.h"

#define SHARE PSA_PAKE_STEP_KEY_SHARE
#define PUBLIC PSA_PAKE_STEP_ZK_PUBLIC
#define PROOF PSA_PAKE_STEP_ZK_PROOF

static void refuse_suite(psa_status_t wanted, psa_key_id_t key, psa_algorithm_t alg,
                         uint32_t primitive, uint32_t confirmation)
{
    const psa_pake_cipher_suite_t suite = suite_of(alg, primitive, confirmation);
    psa_pake_operation_t operation = psa_pake_operation_init();

    EXPECT(wanted, psa_pake_setup(&operation, key, &suite));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
}

static void setup__cipher_suite_that_is_none__is_refused(void)
{
    const psa_key_id_t key = password_of("a secret");
    const uint32_t montgomery =
        PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_MONTGOMERY, 255u);
    const uint32_t p224 =
        PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_SECP_R1, 224u);
    const uint32_t ffdh =
        PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_DH, (uint32_t)PSA_DH_FAMILY_RFC7919, 2048u);

    refuse_suite(PSA_ERROR_INVALID_ARGUMENT, key, PSA_ALG_NONE, P256, 1);
    refuse_suite(PSA_ERROR_INVALID_ARGUMENT, key, PSA_ALG_SHA_256, P256, 1);
    refuse_suite(PSA_ERROR_INVALID_ARGUMENT, key, PSA_ALG_HMAC(PSA_ALG_SHA_256), P256, 1);
    refuse_suite(PSA_ERROR_INVALID_ARGUMENT, key, PSA_ALG_JPAKE(PSA_ALG_NONE), P256, 1);
    refuse_suite(PSA_ERROR_INVALID_ARGUMENT, key, PSA_ALG_JPAKE(PSA_ALG_ANY_HASH), P256, 1);
    refuse_suite(PSA_ERROR_INVALID_ARGUMENT, key, JPAKE, P256, 2);
    refuse_suite(PSA_ERROR_NOT_SUPPORTED, key, JPAKE, 0, 1);
    refuse_suite(PSA_ERROR_NOT_SUPPORTED, key, JPAKE, P256 | 0x800000u, 1);
    refuse_suite(PSA_ERROR_NOT_SUPPORTED, key, JPAKE, ffdh, 1);
    refuse_suite(PSA_ERROR_NOT_SUPPORTED, key, JPAKE, montgomery, 1);
    refuse_suite(PSA_ERROR_NOT_SUPPORTED, key, JPAKE, p224, 1);
}

static void setup__hash_that_the_build_lacks__is_not_supported(void)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_PASSWORD, PSA_ALG_JPAKE(PSA_ALG_SHA3_256),
                                         PSA_KEY_USAGE_DERIVE, NAME("a secret"));

    refuse_suite(PSA_ERROR_NOT_SUPPORTED, key, PSA_ALG_JPAKE(PSA_ALG_SHA3_256), P256, 1);
}

static void setup__key_that_does_not_fit__is_refused(void)
{
    static const uint8_t order[SCALAR_SIZE] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
                                               0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                               0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
                                               0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    static const uint8_t zeros[40];

    refuse_suite(PSA_ERROR_INVALID_HANDLE, 0x12345678, JPAKE, P256, 1);
    refuse_suite(PSA_ERROR_INVALID_ARGUMENT,
                 test_import(PSA_KEY_TYPE_DERIVE, JPAKE, PSA_KEY_USAGE_DERIVE, NAME("a secret")),
                 JPAKE, P256, 1);
    refuse_suite(PSA_ERROR_NOT_PERMITTED,
                 test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_EXPORT, NAME("a")), JPAKE,
                 P256, 1);
    refuse_suite(PSA_ERROR_NOT_PERMITTED,
                 test_import(PSA_KEY_TYPE_PASSWORD, PSA_ALG_JPAKE(PSA_ALG_SHA_512),
                             PSA_KEY_USAGE_DERIVE, NAME("a")),
                 JPAKE, P256, 1);
    /* As numbers these are 0 modulo the order. */
    refuse_suite(
        PSA_ERROR_INVALID_ARGUMENT,
        test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, zeros, sizeof zeros), JPAKE,
        P256, 1);
    refuse_suite(
        PSA_ERROR_INVALID_ARGUMENT,
        test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, order, sizeof order), JPAKE,
        P256, 1);
}

static void check_key_usage__jpake__says_who_may(void)
{
    const psa_key_id_t key = password_of("a secret");
    const psa_key_id_t other =
        test_import(PSA_KEY_TYPE_DERIVE, JPAKE, PSA_KEY_USAGE_DERIVE, NAME("a secret"));

    EXPECT(PSA_SUCCESS, psa_check_key_usage(key, JPAKE, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_check_key_usage(key, PSA_ALG_JPAKE(PSA_ALG_SHA_512), PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_check_key_usage(other, JPAKE, PSA_KEY_USAGE_DERIVE));
}

/* A new operation without names. */
static psa_pake_operation_t bare(psa_key_id_t key)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    psa_pake_operation_t operation = PSA_PAKE_OPERATION_INIT;

    NEED(psa_pake_setup(&operation, key, &suite));
    return operation;
}

static void set_peer__name_of_the_user__is_refused(void)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t operation = bare(key);

    NEED(psa_pake_set_user(&operation, NAME("me")));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_set_peer(&operation, NAME("me")));
    check_failed(&operation, key, &suite);
}

static void set_user__longer_than_an_operation_keeps__is_insufficient_memory(void)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    const psa_key_id_t key = password_of("a secret");
    const uint8_t *name = test_buffer(CORRAL_PAKE_IDENTITY_MAX_SIZE + 1);
    psa_pake_operation_t operation = bare(key);

    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY,
           psa_pake_set_user(&operation, name, CORRAL_PAKE_IDENTITY_MAX_SIZE + 1));
    check_failed(&operation, key, &suite);
    operation = bare(key);
    NEED(psa_pake_set_user(&operation, name, CORRAL_PAKE_IDENTITY_MAX_SIZE - 1));
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_pake_set_peer(&operation, NAME("ab")));
    check_failed(&operation, key, &suite);
    operation = bare(key);
    NEED(psa_pake_set_user(&operation, name, CORRAL_PAKE_IDENTITY_MAX_SIZE - 1));
    EXPECT(PSA_SUCCESS, psa_pake_set_peer(&operation, NAME("a")));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
}

/*
 * Go through the exchange until so many values have passed. A turn is a value in the order of
 * run_jpake(): 6 from the client, 6 from the server, 3, 3.
 */
static bool is_clients(unsigned turn)
{
    return turn < 6 || (turn >= 12 && turn < 15);
}

static void advance(psa_pake_operation_t *client, psa_pake_operation_t *server, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) {
        const psa_pake_step_t step = (psa_pake_step_t)(SHARE + i % 3);

        if (is_clients(i)) {
            pass(client, server, step);
        } else {
            pass(server, client, step);
        }
    }
}

/* No shared key comes of it, and the operation has failed. */
static void check_no_key(psa_status_t wanted, psa_pake_operation_t *operation, psa_key_id_t key,
                         const psa_key_attributes_t *attributes)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    psa_key_id_t made = 1;

    EXPECT(wanted, psa_pake_get_shared_key(operation, attributes, &made));
    CHECK(made == PSA_KEY_ID_NULL);
    check_failed(operation, key, &suite);
}

/* Values of another exchange are points all right, but the proof is about others. */
static void input__value_of_another_exchange__proof_is_invalid(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t other = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(key, false);
    uint8_t value[POINT_SIZE];
    size_t length;

    NEED(psa_pake_output(&other, SHARE, value, sizeof value, &length));
    NEED(psa_pake_input(&server, SHARE, value, length));
    NEED(psa_pake_output(&client, SHARE, value, sizeof value, &length));
    pass(&client, &server, PUBLIC);
    NEED(psa_pake_output(&client, PROOF, value, sizeof value, &length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_pake_input(&server, PROOF, value, length));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&other));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
}

static void input__from_one_with_another_name__proof_is_invalid(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t server = bare(key);
    uint8_t value[POINT_SIZE];
    size_t length;

    NEED(psa_pake_set_user(&server, NAME("server")));
    NEED(psa_pake_set_peer(&server, NAME("Client")));
    pass(&client, &server, SHARE);
    pass(&client, &server, PUBLIC);
    NEED(psa_pake_output(&client, PROOF, value, sizeof value, &length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_pake_input(&server, PROOF, value, length));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
}

/* One's own message comes back. */
static void input__reflected__proof_is_invalid(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t client = jpake_side(key, true);
    uint8_t values[6][POINT_SIZE];
    size_t lengths[6];

    for (unsigned i = 0; i < 6; i++) {
        NEED(psa_pake_output(&client, (psa_pake_step_t)(SHARE + i % 3), values[i], POINT_SIZE,
                             &lengths[i]));
    }
    NEED(psa_pake_input(&client, SHARE, values[0], lengths[0]));
    NEED(psa_pake_input(&client, PUBLIC, values[1], lengths[1]));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_pake_input(&client, PROOF, values[2], lengths[2]));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
}

/* Lengths that no value has, and numbers that are too large. */
static void input__of_wrong_form__is_refused(void)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    const psa_key_id_t key = password_of("a secret");
    uint8_t value[POINT_SIZE + 1];
    const struct {
        unsigned turn;
        size_t length;
        psa_status_t status;
    } rows[] = {
        {0, 0, PSA_ERROR_INVALID_ARGUMENT},  {0, 1, PSA_ERROR_INVALID_ARGUMENT},
        {0, 33, PSA_ERROR_INVALID_ARGUMENT}, {0, 64, PSA_ERROR_INVALID_ARGUMENT},
        {0, 66, PSA_ERROR_INVALID_ARGUMENT}, {1, 0, PSA_ERROR_INVALID_ARGUMENT},
        {1, 64, PSA_ERROR_INVALID_ARGUMENT}, {2, 0, PSA_ERROR_INVALID_ARGUMENT},
        {2, 33, PSA_ERROR_INVALID_ARGUMENT}, {2, 32, PSA_ERROR_INVALID_SIGNATURE},
        {2, 1, PSA_ERROR_INVALID_SIGNATURE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_pake_operation_t client = jpake_side(key, true);
        psa_pake_operation_t server = jpake_side(key, false);

        test_context("row", i);
        advance(&client, &server, rows[i].turn);
        memset(value, 0xff, sizeof value);
        value[0] = rows[i].turn == 2 ? 0xff : 4;
        EXPECT(rows[i].status, psa_pake_input(&server, (psa_pake_step_t)(SHARE + rows[i].turn),
                                              test_copy(value, rows[i].length), rows[i].length));
        check_failed(&server, key, &suite);
        EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
    }
}

/* One share with its proof, without the proof's leading zeros. Whether there were any. */
static bool pass_cut(psa_key_id_t key)
{
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(key, false);
    uint8_t proof[SCALAR_SIZE];
    size_t length;
    size_t zeros = 0;

    pass(&client, &server, SHARE);
    pass(&client, &server, PUBLIC);
    NEED(psa_pake_output(&client, PROOF, proof, sizeof proof, &length));
    CHECK(length == SCALAR_SIZE);
    while (proof[zeros] == 0) {
        zeros++;
    }
    NEED(psa_pake_input(&server, PROOF, proof + zeros, length - zeros));
    NEED(psa_pake_abort(&client));
    NEED(psa_pake_abort(&server));
    test_free_buffers();
    return zeros > 0;
}

static void input__proof_without_its_leading_zeros__is_taken(void)
{
    const psa_key_id_t key = password_of("a secret");
    bool is_found = false;

    if (STRIDE > 1) {
        test_skip("one of 256 proofs begins with zeros, which takes a board too long");
    }
    for (unsigned i = 0; i < 4000 && !is_found; i++) {
        is_found = pass_cut(key);
    }
    CHECK(is_found);
}

static void get_shared_key__type_that_a_point_cannot_be__is_refused(void)
{
    const psa_key_id_t key = password_of("a secret");
    const struct {
        psa_key_type_t type;
        size_t bits;
    } kinds[] = {
        {PSA_KEY_TYPE_AES, 0},      {PSA_KEY_TYPE_RAW_DATA, 0},
        {PSA_KEY_TYPE_PASSWORD, 0}, {PSA_KEY_TYPE_NONE, 0},
        {PSA_KEY_TYPE_DERIVE, 256}, {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 0}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(kinds[i].type, kinds[i].bits, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE);
        psa_pake_operation_t client = jpake_side(key, true);
        psa_pake_operation_t server = jpake_side(key, false);

        test_context("kind", i);
        run_jpake(&client, &server);
        check_no_key(PSA_ERROR_INVALID_ARGUMENT, &client, key, &attributes);
        EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
        test_free_buffers();
    }
}

static void every_step__key_destroyed__is_bad_state(void)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_DERIVE, 0, 0, 0);

    if (CORRAL_LENIENT_DESTROY) {
        test_skip("the operation has a copy of the password: jpake.c");
    }
    for (unsigned turns = 0; turns <= 18; turns += 6) {
        const psa_key_id_t key = password_of("a secret");
        psa_pake_operation_t client = jpake_side(key, true);
        psa_pake_operation_t server = jpake_side(key, false);
        uint8_t *const value = test_buffer(POINT_SIZE);
        size_t length;
        psa_key_id_t made;

        test_context("turns", turns);
        advance(&client, &server, turns);
        NEED(psa_destroy_key(key));
        if (turns < 18) {
            EXPECT(PSA_ERROR_BAD_STATE, psa_pake_output(turns == 6 ? &server : &client, SHARE,
                                                        value, POINT_SIZE, &length));
        } else {
            EXPECT(PSA_ERROR_BAD_STATE, psa_pake_get_shared_key(&client, &attributes, &made));
        }
        CHECK(test_all(value, POINT_SIZE, 0xa5));
        check_failed(turns == 6 ? &server : &client, key, &suite);
        end_both(&client, &server);
    }
}

static void output__no_entropy__is_said_and_nothing_comes_out(void)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    const psa_key_id_t key = password_of("a secret");

    for (unsigned turn = 0; turn < 2; turn++) {
        psa_pake_operation_t client = jpake_side(key, true);
        psa_pake_operation_t server = jpake_side(key, false);
        uint8_t value[POINT_SIZE];
        size_t length = 1;

        advance(&client, &server, turn);
        memset(value, 0x5a, sizeof value);
        test_entropy_mode(TEST_ENTROPY_ABSENT);
        EXPECT(
            PSA_ERROR_INSUFFICIENT_ENTROPY,
            psa_pake_output(&client, (psa_pake_step_t)(SHARE + turn), value, POINT_SIZE, &length));
        test_entropy_mode(TEST_ENTROPY_GOOD);
        CHECK(length == 0 && test_all(value, POINT_SIZE, 0));
        check_failed(&client, key, &suite);
        EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
    }
}

static void get_shared_key__no_slot_left__fails_and_leaves_nothing(void)
{
    const psa_key_id_t key = password_of("a secret");
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_DERIVE, 0, 0, 0);
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(key, false);

    for (unsigned i = 1; i < CORRAL_SINGLE_KEY_SLOTS; i++) {
        (void)password_of("another");
    }
    run_jpake(&client, &server);
    check_no_key(PSA_ERROR_INSUFFICIENT_MEMORY, &client, key, &attributes);
    EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
}

static const struct test_case tests[] = {
    TEST(setup__cipher_suite_that_is_none__is_refused),
    TEST(setup__hash_that_the_build_lacks__is_not_supported),
    TEST(setup__key_that_does_not_fit__is_refused),
    TEST(check_key_usage__jpake__says_who_may),
    TEST(set_peer__name_of_the_user__is_refused),
    TEST(set_user__longer_than_an_operation_keeps__is_insufficient_memory),
    TEST(input__value_of_another_exchange__proof_is_invalid),
    TEST(input__from_one_with_another_name__proof_is_invalid),
    TEST(input__reflected__proof_is_invalid),
    TEST(input__of_wrong_form__is_refused),
    TEST(input__proof_without_its_leading_zeros__is_taken),
    TEST(get_shared_key__type_that_a_point_cannot_be__is_refused),
    TEST(every_step__key_destroyed__is_bad_state),
    TEST(output__no_entropy__is_said_and_nothing_comes_out),
    TEST(get_shared_key__no_slot_left__fails_and_leaves_nothing),
};

TEST_SUITE(jpake_states, tests);
