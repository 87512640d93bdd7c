/* SPDX-License-Identifier: Apache-2.0 */
/* Regular SPAKE2+: published exchanges, keys derived from passwords, optional inputs.
 */
#include "forced.h"
#include "spake2p_test.h"

#define MAX_POINT 133u

static psa_key_id_t key_of(const struct spake2p_exchange *row)
{
    return test_import(PAIR_TYPE, row->alg, PSA_KEY_USAGE_DERIVE, row->pair.data, row->pair.length);
}

static void send(psa_pake_operation_t *operation, psa_pake_step_t step,
                 const struct spake2p_bytes *wanted)
{
    uint8_t output[MAX_POINT];
    size_t length;

    NEED(psa_pake_output(operation, step, output, sizeof output, &length));
    if (wanted->length > 0) {
        CHECK_BYTES(output, length, wanted->data, wanted->length);
    }
}

static void receive(psa_pake_operation_t *operation, psa_pake_step_t step,
                    const struct spake2p_bytes *value)
{
    NEED(psa_pake_input(operation, step, test_copy(value->data, value->length), value->length));
}

static void check_secret(psa_pake_operation_t *operation, const struct spake2p_exchange *row)
{
    uint8_t secret[64];

    const size_t length = take_secret(operation, secret, sizeof secret);
    CHECK_BYTES(secret, length, row->shared.data, row->shared.length);
}

static void client__published_scalar__published_messages_and_key(void)
{
    for (unsigned i = 0; i < SPAKE2P_EXCHANGES; i++) {
        const struct spake2p_exchange *const row = &spake2p_exchanges[i];

        if (row->share_v.length == 0) {
            continue;
        }
        test_context(row->source, i);
        psa_pake_operation_t client = spake2p_side(key_of(row), row->alg, row->bits, true);
        name_side(&client, true, &row->context);
        test_force_random(row->x.data, row->x.length);
        send(&client, SHARE, &row->share_p);
        receive(&client, SHARE, &row->share_v);
        receive(&client, CONFIRM, &row->confirm_v);
        send(&client, CONFIRM, &row->confirm_p);
        check_secret(&client, row);
        test_destroy_keys();
    }
}

static void serve(const struct spake2p_exchange *row, psa_key_id_t key)
{
    psa_pake_operation_t server = spake2p_side(key, row->alg, row->bits, false);

    name_side(&server, false, &row->context);
    receive(&server, SHARE, &row->share_p);
    test_force_random(row->y.data, row->y.length);
    send(&server, SHARE, &row->share_v);
    send(&server, CONFIRM, &row->confirm_v);
    receive(&server, CONFIRM, &row->confirm_p);
    check_secret(&server, row);
}

static void server__published_scalar__published_messages_and_key_by_pair_and_public_key(void)
{
    for (unsigned i = 0; i < SPAKE2P_EXCHANGES; i++) {
        const struct spake2p_exchange *const row = &spake2p_exchanges[i];

        if (row->y.length == 0 || row->confirm_p.length == 0) {
            continue;
        }
        test_context(row->source, i);
        const psa_key_id_t pair = key_of(row);
        serve(row, pair);
        serve(row, public_of(pair, row->alg));
        test_destroy_keys();
    }
}

/* Of Matter's exchange only shares and key are published. */
static void both_sides__published_scalars__published_key(void)
{
    for (unsigned i = 0; i < SPAKE2P_EXCHANGES; i++) {
        const struct spake2p_exchange *const row = &spake2p_exchanges[i];
        uint8_t share[MAX_POINT];
        size_t length;

        if (row->y.length == 0) {
            continue;
        }
        test_context(row->source, i);
        const psa_key_id_t pair = key_of(row);
        psa_pake_operation_t client = spake2p_side(pair, row->alg, row->bits, true);
        psa_pake_operation_t server =
            spake2p_side(public_of(pair, row->alg), row->alg, row->bits, false);
        name_side(&client, true, &row->context);
        name_side(&server, false, &row->context);
        test_force_random(row->x.data, row->x.length);
        NEED(psa_pake_output(&client, SHARE, share, sizeof share, &length));
        CHECK_BYTES(share, length, row->share_p.data, row->share_p.length);
        NEED(psa_pake_input(&server, SHARE, share, length));
        test_force_random(row->y.data, row->y.length);
        pass(&server, &client, SHARE);
        pass(&server, &client, CONFIRM);
        pass(&client, &server, CONFIRM);
        check_secret(&client, row);
        check_secret(&server, row);
        test_destroy_keys();
        test_free_buffers();
    }
}

static psa_key_id_t derive_pair(const struct spake2p_registration *row, psa_algorithm_t alg)
{
    const psa_key_id_t password =
        test_import(PSA_KEY_TYPE_PASSWORD, PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256),
                    PSA_KEY_USAGE_DERIVE, row->password.data, row->password.length);
    const psa_key_attributes_t attributes =
        test_attributes(PAIR_TYPE, row->bits, alg, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT);
    psa_key_derivation_operation_t pbkdf = psa_key_derivation_operation_init();
    psa_key_id_t pair;

    NEED(psa_key_derivation_setup(&pbkdf, PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256)));
    NEED(psa_key_derivation_input_integer(&pbkdf, PSA_KEY_DERIVATION_INPUT_COST, row->cost));
    NEED(psa_key_derivation_input_bytes(&pbkdf, PSA_KEY_DERIVATION_INPUT_SALT, row->salt.data,
                                        row->salt.length));
    NEED(psa_key_derivation_input_key(&pbkdf, PSA_KEY_DERIVATION_INPUT_PASSWORD, password));
    NEED(psa_key_derivation_output_key(&attributes, &pbkdf, &pair));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&pbkdf));
    return test_keep(pair);
}

static void output_key__pair_from_a_password__is_that_of_the_model_and_works(void)
{
    for (unsigned i = 0; i < SPAKE2P_REGISTRATIONS; i++) {
        const struct spake2p_registration *const row = &spake2p_registrations[i];
        uint8_t data[2 * 66];
        size_t length;

        test_context("registration", i);
        const psa_key_id_t pair = derive_pair(row, SPAKE2P);
        NEED(psa_export_key(pair, data, sizeof data, &length));
        CHECK_BYTES(data, length, row->pair.data, row->pair.length);
        psa_pake_operation_t client = spake2p_side(pair, SPAKE2P, row->bits, true);
        psa_pake_operation_t server =
            spake2p_side(public_of(pair, SPAKE2P), SPAKE2P, row->bits, false);
        run_spake2p(&client, &server, 4);
        EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
        EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
        test_destroy_keys();
        test_free_buffers();
    }
}

static void exchange__without_names_and_context__confirms(void)
{
    const psa_key_id_t pair = pair_for(SPAKE2P);
    psa_pake_operation_t client = spake2p_side(pair, SPAKE2P, 256, true);
    psa_pake_operation_t server = spake2p_side(pair, SPAKE2P, 256, false);
    uint8_t secrets[2][32];

    run_spake2p(&client, &server, 4);
    CHECK(take_secret(&client, secrets[0], 32) == 32);
    CHECK(take_secret(&server, secrets[1], 32) == 32);
    CHECK_BYTES(secrets[0], 32, secrets[1], 32);
}

static void exchange__names_of_no_bytes__are_as_if_left_out(void)
{
    const psa_key_id_t pair = pair_for(SPAKE2P);
    psa_pake_operation_t client = spake2p_side(pair, SPAKE2P, 256, true);
    psa_pake_operation_t server = spake2p_side(pair, SPAKE2P, 256, false);

    NEED(psa_pake_set_user(&client, NULL, 0));
    NEED(psa_pake_set_peer(&client, NULL, 0));
    run_spake2p(&client, &server, 4);
    EXPECT(PSA_SUCCESS, psa_pake_abort(&client));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&server));
}

static void get_shared_key__key_of_a_cipher__is_made(void)
{
    const psa_algorithm_t alg = PSA_ALG_SPAKE2P_MATTER;
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE);
    const psa_key_id_t pair = pair_for(alg);
    psa_pake_operation_t client = spake2p_side(pair, alg, 256, true);
    psa_pake_operation_t server = spake2p_side(pair, alg, 256, false);
    uint8_t macs[2][16];
    size_t length;
    psa_key_id_t key;

    run_spake2p(&client, &server, 4);
    NEED(psa_pake_get_shared_key(&client, &attributes, &key));
    NEED(psa_mac_compute(test_keep(key), PSA_ALG_CMAC, NAME("text"), macs[0], 16, &length));
    NEED(psa_pake_get_shared_key(&server, &attributes, &key));
    NEED(psa_mac_compute(test_keep(key), PSA_ALG_CMAC, NAME("text"), macs[1], 16, &length));
    CHECK_BYTES(macs[0], 16, macs[1], 16);
}

/* The same name on both sides, none on one, all bytes: whatever there is room for. */
static void exchange__any_names_that_there_is_room_for__confirms(void)
{
    const psa_key_id_t key = pair_for(SPAKE2P);
    const size_t room = CORRAL_PAKE_IDENTITY_MAX_SIZE;

    for (size_t size = 0; size <= room; size++) {
        const uint8_t *name = test_buffer(size);
        const size_t other = size <= room / 2 ? size : room - size;
        psa_pake_operation_t client = spake2p_side(key, SPAKE2P, 256, true);
        psa_pake_operation_t server = spake2p_side(key, SPAKE2P, 256, false);

        EXPECT(PSA_SUCCESS, psa_pake_set_user(&client, name, size));
        EXPECT(PSA_SUCCESS, psa_pake_set_peer(&client, name, other));
        EXPECT(PSA_SUCCESS, psa_pake_set_peer(&server, name, size));
        EXPECT(PSA_SUCCESS, psa_pake_set_user(&server, name, other));
        if (size % 40 == 1) { /* an exchange takes a board long */
            run_spake2p(&client, &server, 4);
        }
        end_both(&client, &server);
    }
}

static const struct test_case tests[] = {
    TEST(client__published_scalar__published_messages_and_key),
    TEST(server__published_scalar__published_messages_and_key_by_pair_and_public_key),
    TEST(both_sides__published_scalars__published_key),
    TEST(output_key__pair_from_a_password__is_that_of_the_model_and_works),
    TEST(exchange__without_names_and_context__confirms),
    TEST(exchange__names_of_no_bytes__are_as_if_left_out),
    TEST(get_shared_key__key_of_a_cipher__is_made),
    TEST(exchange__any_names_that_there_is_room_for__confirms),
};

TEST_SUITE(spake2p, tests);
