/* SPDX-License-Identifier: Apache-2.0 */
/* J-PAKE as it should go: the key, its types, both orders of messages. */
#include "jpake_test.h"

static void exchange__same_password__same_key(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(key, false);
    uint8_t secrets[2][POINT_SIZE];

    run_jpake(&client, &server);
    CHECK(take_secret(&client, secrets[0], POINT_SIZE) == POINT_SIZE);
    CHECK(take_secret(&server, secrets[1], POINT_SIZE) == POINT_SIZE);
    CHECK(secrets[0][0] == 0x04);
    CHECK_BYTES(secrets[0], POINT_SIZE, secrets[1], POINT_SIZE);
}

static void exchange__other_password__proofs_hold_and_keys_differ(void)
{
    psa_pake_operation_t client = jpake_side(password_of("a secret"), true);
    psa_pake_operation_t server = jpake_side(password_of("A secret"), false);
    uint8_t secrets[2][POINT_SIZE];

    run_jpake(&client, &server);
    (void)take_secret(&client, secrets[0], POINT_SIZE);
    (void)take_secret(&server, secrets[1], POINT_SIZE);
    CHECK(memcmp(secrets[0], secrets[1], POINT_SIZE) != 0);
}

static void exchange__twice__other_key(void)
{
    const psa_key_id_t key = password_of("a secret");
    uint8_t secrets[2][POINT_SIZE];

    for (unsigned i = 0; i < 2; i++) {
        psa_pake_operation_t client = jpake_side(key, true);
        psa_pake_operation_t server = jpake_side(key, false);

        run_jpake(&client, &server);
        (void)take_secret(&client, secrets[i], POINT_SIZE);
        EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
    }
    CHECK(memcmp(secrets[0], secrets[1], POINT_SIZE) != 0);
}

static void round__inputs_before_outputs__same_key(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(key, false);
    uint8_t secrets[2][POINT_SIZE];

    pass_shares(&client, &server, 2);
    pass_shares(&server, &client, 2);
    pass_shares(&server, &client, 1);
    pass_shares(&client, &server, 1);
    (void)take_secret(&client, secrets[0], POINT_SIZE);
    (void)take_secret(&server, secrets[1], POINT_SIZE);
    CHECK_BYTES(secrets[0], POINT_SIZE, secrets[1], POINT_SIZE);
}

static void operation__moved_between_calls__same_key(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t first = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(key, false);
    psa_pake_operation_t second;
    uint8_t secrets[2][POINT_SIZE];

    pass_shares(&first, &server, 2);
    memcpy(&second, &first, sizeof second);
    memset(&first, 0x5a, sizeof first);
    pass_shares(&server, &second, 2);
    pass_shares(&second, &server, 1);
    memcpy(&first, &second, sizeof first);
    memset(&second, 0x5a, sizeof second);
    pass_shares(&server, &first, 1);
    (void)take_secret(&first, secrets[0], POINT_SIZE);
    (void)take_secret(&server, secrets[1], POINT_SIZE);
    CHECK_BYTES(secrets[0], POINT_SIZE, secrets[1], POINT_SIZE);
}

/* The premaster secret of a side; its shared key is destroyed before or after it is read. */
static psa_status_t premaster_secret(psa_pake_operation_t *side, bool is_destroyed_before,
                                     uint8_t secret[PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE])
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_TLS12_ECJPAKE_TO_PMS, PSA_KEY_USAGE_DERIVE);
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();
    psa_key_id_t shared;

    NEED(psa_pake_get_shared_key(side, &attributes, &shared));
    NEED(psa_key_derivation_setup(&derivation, PSA_ALG_TLS12_ECJPAKE_TO_PMS));
    NEED(psa_key_derivation_input_key(&derivation, PSA_KEY_DERIVATION_INPUT_SECRET, shared));
    if (is_destroyed_before) {
        NEED(psa_destroy_key(shared));
    } else {
        (void)test_keep(shared);
    }
    const psa_status_t status =
        psa_key_derivation_output_bytes(&derivation, secret, PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
    return status;
}

static void secret__premaster_secret_of_tls__same_on_both_sides(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t sides[2] = {jpake_side(key, true), jpake_side(key, false)};
    uint8_t secrets[2][PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE];

    run_jpake(&sides[0], &sides[1]);
    NEED(premaster_secret(&sides[0], false, secrets[0]));
    NEED(premaster_secret(&sides[1], false, secrets[1]));
    CHECK_BYTES(secrets[0], sizeof secrets[0], secrets[1], sizeof secrets[1]);
}

static void lenient__shared_key_destroyed_before_the_output__is_read_or_not_there(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t sides[2] = {jpake_side(key, true), jpake_side(key, false)};
    uint8_t secrets[2][PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE];

    run_jpake(&sides[0], &sides[1]);
    NEED(premaster_secret(&sides[0], false, secrets[0]));
    EXPECT(CORRAL_LENIENT_JPAKE || CORRAL_LENIENT_DESTROY ? PSA_SUCCESS : PSA_ERROR_BAD_STATE,
           premaster_secret(&sides[1], true, secrets[1]));
    if (CORRAL_LENIENT_JPAKE || CORRAL_LENIENT_DESTROY) {
        CHECK_BYTES(secrets[0], sizeof secrets[0], secrets[1], sizeof secrets[1]);
    }
}

static void lenient__password_destroyed_after_the_setup__is_used_or_not_there(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(password_of("a secret"), false);
    uint8_t secrets[2][POINT_SIZE];
    uint8_t *const value = test_buffer(POINT_SIZE);
    size_t length;

    NEED(psa_destroy_key(key));
    if (CORRAL_LENIENT_DESTROY) {
        run_jpake(&client, &server);
        (void)take_secret(&client, secrets[0], POINT_SIZE);
        (void)take_secret(&server, secrets[1], POINT_SIZE);
        CHECK_BYTES(secrets[0], POINT_SIZE, secrets[1], POINT_SIZE);
    } else {
        EXPECT(PSA_ERROR_BAD_STATE,
               psa_pake_output(&client, PSA_PAKE_STEP_KEY_SHARE, value, POINT_SIZE, &length));
    }
    EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
    CHECK(test_all((uint8_t *)&client, sizeof client, 0));
}

static void lenient__suite_by_default__is_taken_or_refused(void)
{
    const psa_pake_cipher_suite_t suite = suite_of(JPAKE, P256, PSA_PAKE_CONFIRMED_KEY);
    psa_pake_operation_t operation = psa_pake_operation_init();

    EXPECT(CORRAL_LENIENT_JPAKE ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
           psa_pake_setup(&operation, password_of("a secret"), &suite));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
}

static void get_shared_key__hmac_with_its_size__is_made(void)
{
    const psa_key_id_t key = password_of("a secret");
    psa_pake_operation_t client = jpake_side(key, true);
    psa_pake_operation_t server = jpake_side(key, false);
    psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_HMAC, 8 * POINT_SIZE,
                                                      PSA_ALG_NONE, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_key_id_t made;

    run_jpake(&client, &server);
    NEED(psa_pake_get_shared_key(&client, &attributes, &made));
    (void)test_keep(made);
    NEED(psa_get_key_attributes(made, &attributes));
    CHECK(psa_get_key_bits(&attributes) == 8 * POINT_SIZE);
    EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
}

/* The password is as many bytes as are given, so that a hash of one does as well. */
static void setup__password_hash__same_key_as_the_same_bytes(void)
{
    const psa_key_id_t hashed =
        test_import(PSA_KEY_TYPE_PASSWORD_HASH, JPAKE, PSA_KEY_USAGE_DERIVE, NAME("a secret"));
    psa_pake_operation_t client = jpake_side(password_of("a secret"), true);
    psa_pake_operation_t server = jpake_side(hashed, false);
    uint8_t secrets[2][POINT_SIZE];

    run_jpake(&client, &server);
    (void)take_secret(&client, secrets[0], POINT_SIZE);
    (void)take_secret(&server, secrets[1], POINT_SIZE);
    CHECK_BYTES(secrets[0], POINT_SIZE, secrets[1], POINT_SIZE);
}

/* A side whose name is `size` bytes of all values, or the one of zeros, as many as have room. */
static psa_pake_operation_t named_side(psa_key_id_t key, size_t size, bool is_first)
{
    const psa_pake_cipher_suite_t suite = jpake_suite();
    const size_t rest = CORRAL_PAKE_IDENTITY_MAX_SIZE - size;
    psa_pake_operation_t operation = psa_pake_operation_init();
    uint8_t *first = test_buffer(size);
    uint8_t *second = test_buffer(rest);

    test_fill(first, size, 0xf1);
    memset(second, 0, rest);
    NEED(psa_pake_setup(&operation, key, &suite));
    EXPECT(PSA_SUCCESS,
           psa_pake_set_user(&operation, is_first ? first : second, is_first ? size : rest));
    EXPECT(PSA_SUCCESS,
           psa_pake_set_peer(&operation, is_first ? second : first, is_first ? rest : size));
    test_free_buffers();
    return operation;
}

static void exchange__any_names_that_there_is_room_for__same_key(void)
{
    const psa_key_id_t key = password_of("a secret");
    uint8_t secrets[2][POINT_SIZE];

    for (size_t size = 1; size < CORRAL_PAKE_IDENTITY_MAX_SIZE; size++) {
        psa_pake_operation_t client = named_side(key, size, true);
        psa_pake_operation_t server = named_side(key, size, false);

        if (size % 40 == 1) { /* an exchange takes a board long */
            run_jpake(&client, &server);
            (void)take_secret(&client, secrets[0], POINT_SIZE);
            (void)take_secret(&server, secrets[1], POINT_SIZE);
            CHECK_BYTES(secrets[0], POINT_SIZE, secrets[1], POINT_SIZE);
        }
        EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
        EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
    }
}

static const struct test_case tests[] = {
    TEST(exchange__same_password__same_key),
    TEST(exchange__other_password__proofs_hold_and_keys_differ),
    TEST(exchange__twice__other_key),
    TEST(round__inputs_before_outputs__same_key),
    TEST(operation__moved_between_calls__same_key),
    TEST(secret__premaster_secret_of_tls__same_on_both_sides),
    TEST(lenient__shared_key_destroyed_before_the_output__is_read_or_not_there),
    TEST(lenient__password_destroyed_after_the_setup__is_used_or_not_there),
    TEST(lenient__suite_by_default__is_taken_or_refused),
    TEST(get_shared_key__hmac_with_its_size__is_made),
    TEST(setup__password_hash__same_key_as_the_same_bytes),
    TEST(exchange__any_names_that_there_is_room_for__same_key),
};

TEST_SUITE(jpake, tests);
