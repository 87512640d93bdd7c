/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that SPAKE2+ rejects: keys, roles, steps out of order, forgeries, other secrets. */
#include "../../harness/entropy.h"
#include "spake2p_test.h"

static void refuse_import(psa_key_type_t type, size_t bits, const uint8_t *data, size_t length)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, bits, SPAKE2P, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_import_key(&attributes, test_copy(data, length), length, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

/* A length that no key of this build has is not told from one that no key has at all. */
static void refuse_length(psa_key_type_t type, const uint8_t *data, size_t length)
{
    const psa_key_attributes_t attributes = test_attributes(type, 0, SPAKE2P, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    EXPECT_REFUSED(psa_import_key(&attributes, test_copy(data, length), length, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void import_key__no_key_of_spake2p__is_refused(void)
{
    static const uint8_t order[SCALAR_SIZE] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
                                               0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                               0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
                                               0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    const uint8_t *const pair = spake2p_exchanges[0].pair.data;
    uint8_t data[PUBLIC_SIZE];
    size_t length;

    refuse_length(PAIR_TYPE, pair, PAIR_SIZE - 1);
    refuse_length(PAIR_TYPE, pair, 32);
    refuse_import(PAIR_TYPE, 384, pair, PAIR_SIZE);
    for (unsigned i = 0; i < 2; i++) {
        memcpy(data, pair, PAIR_SIZE);
        memset(data + i * SCALAR_SIZE, 0, SCALAR_SIZE);
        refuse_import(PAIR_TYPE, 0, data, PAIR_SIZE);
        memcpy(data + i * SCALAR_SIZE, order, SCALAR_SIZE);
        refuse_import(PAIR_TYPE, 0, data, PAIR_SIZE);
    }
    NEED(psa_export_public_key(pair_for(SPAKE2P), data, sizeof data, &length));
    CHECK(length == PUBLIC_SIZE);
    refuse_length(PUBLIC_TYPE, data, PUBLIC_SIZE - 1);
    refuse_length(PUBLIC_TYPE, data, PAIR_SIZE);
    data[PUBLIC_SIZE - 1] ^= 1;
    refuse_import(PUBLIC_TYPE, 0, data, PUBLIC_SIZE);
    data[PUBLIC_SIZE - 1] ^= 1;
    data[SCALAR_SIZE] = 2;
    refuse_import(PUBLIC_TYPE, 0, data, PUBLIC_SIZE);
    data[SCALAR_SIZE] = 4;
    memset(data, 0, SCALAR_SIZE);
    refuse_import(PUBLIC_TYPE, 0, data, PUBLIC_SIZE);
}

static void export__pair_and_public_key__as_the_formats_say(void)
{
    const psa_key_id_t pair = pair_for(SPAKE2P);
    psa_key_attributes_t attributes;
    uint8_t data[PUBLIC_SIZE];
    uint8_t again[PUBLIC_SIZE];
    size_t length;

    NEED(psa_get_key_attributes(pair, &attributes));
    CHECK(psa_get_key_bits(&attributes) == 256);
    NEED(psa_export_key(pair, data, sizeof data, &length));
    CHECK_BYTES(data, length, spake2p_exchanges[0].pair.data, PAIR_SIZE);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(pair, data, PUBLIC_SIZE - 1, &length));
    NEED(psa_export_public_key(pair, data, sizeof data, &length));
    CHECK(memcmp(data, spake2p_exchanges[0].pair.data, SCALAR_SIZE) == 0);
    const psa_key_id_t public_key = public_of(pair, SPAKE2P);
    NEED(psa_export_key(public_key, again, sizeof again, &length));
    CHECK_BYTES(again, length, data, PUBLIC_SIZE);
    NEED(psa_export_public_key(public_key, again, sizeof again, &length));
    CHECK_BYTES(again, length, data, PUBLIC_SIZE);
}

static void generate_key__pair__is_not_supported(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PAIR_TYPE, 256, SPAKE2P, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void refuse_setup(psa_status_t wanted, psa_key_id_t key, psa_algorithm_t alg, size_t bits,
                         uint32_t confirmation)
{
    psa_pake_cipher_suite_t suite = spake2p_suite(alg, bits);
    psa_pake_operation_t operation = psa_pake_operation_init();

    psa_pake_cs_set_key_confirmation(&suite, confirmation);
    EXPECT(wanted, psa_pake_setup(&operation, key, &suite));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
}

static void setup__what_does_not_fit__is_refused(void)
{
    const psa_key_id_t key = pair_for(SPAKE2P);
    const psa_key_id_t password =
        test_import(PSA_KEY_TYPE_PASSWORD, SPAKE2P, PSA_KEY_USAGE_DERIVE, NAME("a secret"));
    const psa_pake_cipher_suite_t ffdh = suite_of(
        SPAKE2P,
        PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_DH, (uint32_t)PSA_DH_FAMILY_RFC7919, 2048u),
        PSA_PAKE_CONFIRMED_KEY);
    psa_pake_operation_t operation = psa_pake_operation_init();

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_setup(&operation, key, &ffdh));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, key, SPAKE2P, 384, PSA_PAKE_CONFIRMED_KEY);
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, password, SPAKE2P, 256, PSA_PAKE_CONFIRMED_KEY);
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, key, SPAKE2P, 256, PSA_PAKE_UNCONFIRMED_KEY);
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, key, SPAKE2P, 256, 2);
    refuse_setup(PSA_ERROR_NOT_PERMITTED, key, PSA_ALG_SPAKE2P_CMAC(PSA_ALG_SHA_256), 256,
                 PSA_PAKE_CONFIRMED_KEY);
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, key, PSA_ALG_SPAKE2P_HMAC(PSA_ALG_ANY_HASH), 256,
                 PSA_PAKE_CONFIRMED_KEY);
    test_destroy_keys();
    refuse_setup(PSA_ERROR_NOT_SUPPORTED, pair_for(PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA3_256)),
                 PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA3_256), 256, PSA_PAKE_CONFIRMED_KEY);
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, pair_for(PSA_ALG_SPAKE2P_MATTER),
                 PSA_ALG_SPAKE2P_MATTER, 384, PSA_PAKE_CONFIRMED_KEY);
}

static void set_role__not_of_the_algorithm_or_the_key__is_refused(void)
{
    const psa_pake_cipher_suite_t suite = spake2p_suite(SPAKE2P, 256);
    const psa_key_id_t pair = pair_for(SPAKE2P);
    const psa_key_id_t public_key = public_of(pair, SPAKE2P);
    const struct {
        psa_key_id_t key;
        psa_pake_role_t role;
    } rows[] = {{pair, PSA_PAKE_ROLE_NONE},
                {pair, PSA_PAKE_ROLE_FIRST},
                {pair, PSA_PAKE_ROLE_SECOND},
                {pair, 0x99},
                {public_key, PSA_PAKE_ROLE_CLIENT}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_pake_operation_t operation = psa_pake_operation_init();

        test_context("row", i);
        NEED(psa_pake_setup(&operation, rows[i].key, &suite));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_set_role(&operation, rows[i].role));
        check_failed(&operation, rows[i].key, &suite);
    }
}

/* The client learns it from the server's confirmation, before it has sent its own. */
static void expect_mismatch(psa_pake_operation_t *client, psa_pake_operation_t *server,
                            psa_key_id_t key)
{
    const psa_pake_cipher_suite_t suite = spake2p_suite(SPAKE2P, 256);
    uint8_t confirmation[32];
    size_t length;

    run_spake2p(client, server, 2);
    NEED(psa_pake_output(server, CONFIRM, confirmation, sizeof confirmation, &length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_pake_input(client, CONFIRM, confirmation, length));
    check_failed(client, key, &suite);
    EXPECT(PSA_SUCCESS, psa_pake_abort(server));
}

static void exchange__other_secret_on_one_side__confirmation_fails(void)
{
    const psa_key_id_t pair = pair_for(SPAKE2P);

    for (unsigned i = 0; i < 2; i++) {
        uint8_t data[PAIR_SIZE];

        memcpy(data, spake2p_exchanges[0].pair.data, PAIR_SIZE);
        data[32 * i + 31] ^= 1;
        const psa_key_id_t other =
            test_import(PAIR_TYPE, SPAKE2P, PSA_KEY_USAGE_DERIVE, data, PAIR_SIZE);
        psa_pake_operation_t client = spake2p_side(other, SPAKE2P, 256, true);
        psa_pake_operation_t server = spake2p_side(pair, SPAKE2P, 256, false);

        expect_mismatch(&client, &server, pair);
        NEED(psa_destroy_key(other));
    }
}

static void exchange__other_names_or_context__confirmation_fails(void)
{
    const psa_key_id_t pair = pair_for(SPAKE2P);

    for (unsigned i = 0; i < 5; i++) {
        psa_pake_operation_t client = spake2p_side(pair, SPAKE2P, 256, true);
        psa_pake_operation_t server = spake2p_side(pair, SPAKE2P, 256, false);

        test_context("difference", i);
        name_side(&client, true, NULL);
        if (i == 0) {
            NEED(psa_pake_set_peer(&server, NAME("clienT")));
            NEED(psa_pake_set_user(&server, NAME("server")));
        } else if (i == 1) {
            NEED(psa_pake_set_peer(&server, NAME("client")));
        } else if (i == 2) {
            name_side(&server, true, NULL); /* both say that they are the client */
        } else {
            name_side(&server, false, NULL);
            NEED(i == 3 ? psa_pake_set_context(&server, NULL, 0)
                        : psa_pake_set_context(&server, NAME("context")));
        }
        expect_mismatch(&client, &server, pair);
    }
}

static void input__changed_confirmation__is_an_invalid_signature(void)
{
    const psa_pake_cipher_suite_t suite = spake2p_suite(SPAKE2P, 256);
    const psa_key_id_t pair = pair_for(SPAKE2P);

    for (unsigned i = 0; i < 8; i++) {
        psa_pake_operation_t client = spake2p_side(pair, SPAKE2P, 256, true);
        psa_pake_operation_t server = spake2p_side(pair, SPAKE2P, 256, false);
        const bool is_clients = i % 2 != 0;
        psa_pake_operation_t *const sender = is_clients ? &client : &server;
        psa_pake_operation_t *const receiver = is_clients ? &server : &client;
        uint8_t value[33] = {0};
        size_t length;

        test_context("change", i);
        run_spake2p(&client, &server, is_clients ? 3 : 2);
        NEED(psa_pake_output(sender, CONFIRM, value, 32, &length));
        if (i < 4) {
            value[i < 2 ? 0 : 31] ^= 0x80;
        } else {
            length = i < 6 ? 31 : 33;
        }
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_pake_input(receiver, CONFIRM, test_copy(value, length), length));
        check_failed(receiver, pair, &suite);
        EXPECT(PSA_SUCCESS, psa_pake_abort(sender));
    }
}

static void input__share_that_is_no_point__is_invalid(void)
{
    const psa_pake_cipher_suite_t suite = spake2p_suite(SPAKE2P, 256);
    const psa_key_id_t pair = pair_for(SPAKE2P);
    const size_t lengths[] = {0, 1, 33, 64, 65, 66};
    uint8_t share[POINT_SIZE + 1] = {4, 1};

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        psa_pake_operation_t server = spake2p_side(pair, SPAKE2P, 256, false);

        test_context("length", lengths[i]);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_pake_input(&server, SHARE, test_copy(share, lengths[i]), lengths[i]));
        check_failed(&server, pair, &suite);
    }
}

static void output__no_entropy__is_said_and_nothing_comes_out(void)
{
    const psa_pake_cipher_suite_t suite = spake2p_suite(SPAKE2P, 256);
    const psa_key_id_t pair = pair_for(SPAKE2P);
    psa_pake_operation_t client = spake2p_side(pair, SPAKE2P, 256, true);
    uint8_t share[POINT_SIZE] = {1};
    size_t length = 1;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
           psa_pake_output(&client, SHARE, share, sizeof share, &length));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(length == 0 && test_all(share, sizeof share, 0));
    check_failed(&client, pair, &suite);
}

static void every_step__key_destroyed__is_bad_state(void)
{
    const psa_pake_cipher_suite_t suite = spake2p_suite(SPAKE2P, 256);

    for (unsigned done = 0; done < 4; done++) {
        const psa_key_id_t pair = pair_for(SPAKE2P);
        psa_pake_operation_t client = spake2p_side(pair, SPAKE2P, 256, true);
        psa_pake_operation_t server = spake2p_side(pair, SPAKE2P, 256, false);
        psa_pake_operation_t *const sender = done == 0 || done == 3 ? &client : &server;
        uint8_t value[POINT_SIZE];
        size_t length;

        run_spake2p(&client, &server, done);
        NEED(psa_destroy_key(pair));
        EXPECT(PSA_ERROR_BAD_STATE,
               psa_pake_output(sender, done < 2 ? SHARE : CONFIRM, value, sizeof value, &length));
        check_failed(sender, pair, &suite);
        end_both(&client, &server);
    }
}

static void check_key_usage__pair__may_derive(void)
{
    const psa_key_id_t pair = pair_for(SPAKE2P);

    EXPECT(PSA_SUCCESS, psa_check_key_usage(pair, SPAKE2P, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_check_key_usage(pair, PSA_ALG_SPAKE2P_MATTER, PSA_KEY_USAGE_DERIVE));
}

static const struct test_case tests[] = {
    TEST(import_key__no_key_of_spake2p__is_refused),
    TEST(export__pair_and_public_key__as_the_formats_say),
    TEST(generate_key__pair__is_not_supported),
    TEST(setup__what_does_not_fit__is_refused),
    TEST(set_role__not_of_the_algorithm_or_the_key__is_refused),
    TEST(exchange__other_secret_on_one_side__confirmation_fails),
    TEST(exchange__other_names_or_context__confirmation_fails),
    TEST(input__changed_confirmation__is_an_invalid_signature),
    TEST(input__share_that_is_no_point__is_invalid),
    TEST(output__no_entropy__is_said_and_nothing_comes_out),
    TEST(every_step__key_destroyed__is_bad_state),
    TEST(check_key_usage__pair__may_derive),
};

TEST_SUITE(spake2p_states, tests);
