/* SPDX-License-Identifier: Apache-2.0 */
/* WPA3-SAE as it should go: known messages and keys, in each order, confirmed again and again. */
#include "forced.h"
#include "sae_test.h"

/* On a board only what is quick: all rows of the smallest group, and the first of each other. */
static bool is_tried(const struct sae_token *row, psa_pake_primitive_t *last)
{
    const bool is_new = row->primitive != *last;

    *last = row->primitive;
    return STRIDE == 1 || row->primitive == CURVE(256u) || is_new;
}

static void check_token(const struct sae_token *row, psa_algorithm_t hash)
{
    const psa_key_id_t token = sae_token_of(row, hash, ANY);
    psa_key_attributes_t attributes;
    uint8_t data[MAX_TOKEN];
    size_t length;

    NEED(psa_get_key_attributes(token, &attributes));
    CHECK(psa_get_key_bits(&attributes) == row->bits);
    CHECK(psa_get_key_type(&attributes) == row->type);
    NEED(psa_export_key(token, data, sizeof data, &length));
    CHECK_BYTES(data, length, row->token.data, row->token.length);
    CHECK(length == PSA_EXPORT_KEY_OUTPUT_SIZE(row->type, row->bits));
}

static void output_key__password_and_network__is_the_known_token(void)
{
    psa_pake_primitive_t last = 0;

    for (size_t i = 0; i < sae_token_count; i++) {
        const struct sae_token *const row = &sae_tokens[i];

        if (is_tried(row, &last)) {
            test_context(row->source, i);
            check_token(row, sae_hash(PSA_KEY_TYPE_IS_WPA3_SAE_DH(row->type), row->bits));
            test_destroy_keys();
            test_free_buffers();
        }
    }
}

static void send(psa_pake_operation_t *operation, psa_pake_step_t step,
                 const struct sae_bytes *wanted)
{
    uint8_t *const output = test_buffer(wanted->length);
    size_t length;

    NEED(psa_pake_output(operation, step, output, wanted->length, &length));
    CHECK_BYTES(output, length, wanted->data, wanted->length);
}

static void receive(psa_pake_operation_t *operation, psa_pake_step_t step,
                    const struct sae_bytes *value)
{
    NEED(psa_pake_input(operation, step, test_copy(value->data, value->length), value->length));
}

/* The only random numbers of an exchange are those of the commit. */
static void send_commit(psa_pake_operation_t *operation, const struct sae_row_side *side)
{
    uint8_t *const draws = test_buffer(2 * side->rand.length);

    memcpy(draws, side->rand.data, side->rand.length);
    memcpy(draws + side->rand.length, side->mask.data, side->mask.length);
    test_force_randoms(draws, side->rand.length, 2);
    send(operation, COMMIT, &side->commit);
    CHECK(test_forced_left() == 0);
    test_force_randoms(NULL, 0, 0);
}

static void check_ends(psa_pake_operation_t *operation, const struct sae_exchange *row)
{
    uint8_t secret[64];

    send(operation, KEY_ID, &row->pmkid);
    const size_t length = take_secret(operation, secret, sizeof secret);
    CHECK_BYTES(secret, length, row->pmk.data, row->pmk.length);
}

/* One side; whether it speaks first. */
static void check_side(const struct sae_exchange *row, unsigned which, bool is_first)
{
    const struct sae_row_side *const mine = &row->sides[which];
    const struct sae_row_side *const peers = &row->sides[1 - which];
    const struct sae_kind kind = {row->alg, row->key.primitive};
    psa_pake_operation_t operation =
        sae_named(sae_key_of(&row->key, row->alg), &kind, mine->mac.data, peers->mac.data);

    if (!is_first) {
        receive(&operation, COMMIT, &peers->commit);
    }
    send_commit(&operation, mine);
    if (is_first) {
        receive(&operation, COMMIT, &peers->commit);
    }
    receive(&operation, SALT, &row->salt);
    if (!is_first) {
        receive(&operation, CONFIRM, &peers->confirm);
    }
    receive(&operation, COUNT, &mine->count);
    send(&operation, CONFIRM, &mine->confirm);
    if (is_first) {
        receive(&operation, CONFIRM, &peers->confirm);
    }
    check_ends(&operation, row);
}

static void exchange__known_numbers__known_messages_and_keys(void)
{
    psa_pake_primitive_t last = 0;

    for (unsigned i = 0; i < sae_exchange_count; i++) {
        const struct sae_exchange *const row = &sae_exchanges[i];

        for (unsigned which = 0; which < 2 && is_tried(&row->key, &last); which++) {
            test_context(row->key.source, 2 * i + which);
            if (row->sides[which].rand.length > 0) {
                check_side(row, which, (i + which) % 2 == 0);
                test_destroy_keys();
                test_free_buffers();
            }
        }
    }
}

static void check_agreement(psa_pake_operation_t *first, psa_pake_operation_t *second)
{
    uint8_t ids[2][KEY_ID_SIZE];
    uint8_t secrets[2][64];
    size_t length;

    NEED(psa_pake_output(first, KEY_ID, ids[0], KEY_ID_SIZE, &length));
    CHECK(length == KEY_ID_SIZE);
    NEED(psa_pake_output(second, KEY_ID, ids[1], KEY_ID_SIZE, &length));
    CHECK_BYTES(ids[1], length, ids[0], KEY_ID_SIZE);
    const size_t size = take_secret(first, secrets[0], sizeof secrets[0]);
    CHECK_BYTES(secrets[1], take_secret(second, secrets[1], sizeof secrets[1]), secrets[0], size);
}

/* One kind of each group: with fresh random numbers. */
static void exchange__fresh_numbers__both_sides_agree(void)
{
    psa_pake_primitive_t last = 0;

    for (unsigned i = 0; i < sae_exchange_count; i++) {
        const struct sae_exchange *const row = &sae_exchanges[i];
        const struct sae_kind kind = {row->alg, row->key.primitive};

        if (!is_tried(&row->key, &last)) {
            continue;
        }
        test_context(row->key.source, i);
        const psa_key_id_t key = sae_key_of(&row->key, row->alg);
        psa_pake_operation_t first = sae_side(key, &kind, 0);
        psa_pake_operation_t second = sae_side(key, &kind, 1);
        sae_run(&first, &second, SAE_SECOND_CONFIRMED);
        check_agreement(&first, &second);
        test_destroy_keys();
        test_free_buffers();
    }
}

static void exchange__twice__no_message_and_no_key_is_the_same(void)
{
    const psa_key_id_t key = sae_token(FIXED);
    uint8_t commits[2][COMMIT_SIZE];
    uint8_t secrets[2][32];
    size_t length;

    for (unsigned i = 0; i < 2; i++) {
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);

        NEED(psa_pake_output(&first, COMMIT, commits[i], COMMIT_SIZE, &length));
        NEED(psa_pake_input(&second, COMMIT, commits[i], length));
        pass(&second, &first, COMMIT);
        NEED(psa_pake_input(&first, SALT, NULL, 0));
        NEED(psa_pake_input(&second, SALT, NULL, 0));
        sae_confirm(&second, &first, 1);
        CHECK(take_secret(&first, secrets[i], sizeof secrets[i]) == 32);
        sae_end(&first, &second);
    }
    CHECK(memcmp(commits[0], commits[1], 32) != 0);
    CHECK(memcmp(commits[0] + 32, commits[1] + 32, 64) != 0);
    CHECK(memcmp(secrets[0], secrets[1], 32) != 0);
}

/* Frames get lost: each try has its own count, and a side that has accepted still answers. */
static void confirm__again_and_again__is_given_and_taken(void)
{
    struct sae_pair pair;
    uint8_t values[2][CONFIRM_SIZE];
    size_t length;

    sae_begin(&pair, sae_token(FIXED), SAE_SALTED);
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t count[2] = {(uint8_t)(1 + i), 0};

        NEED(psa_pake_input(&pair.first, COUNT, count, 2));
        NEED(psa_pake_output(&pair.first, CONFIRM, values[i], CONFIRM_SIZE, &length));
        CHECK(length == CONFIRM_SIZE && memcmp(values[i], count, 2) == 0);
    }
    CHECK(memcmp(values[0] + 2, values[1] + 2, CONFIRM_SIZE - 2) != 0);
    NEED(psa_pake_input(&pair.second, CONFIRM, values[1], CONFIRM_SIZE));
    NEED(psa_pake_input(&pair.second, CONFIRM, values[0], CONFIRM_SIZE));
    sae_confirm(&pair.second, &pair.first, 1);
    sae_confirm(&pair.second, &pair.first, 0xffff);
    sae_confirm(&pair.first, &pair.second, 3);
    check_agreement(&pair.first, &pair.second);
}

static void confirm__same_count_again__same_bytes(void)
{
    static const uint8_t count[2] = {9, 1};
    struct sae_pair pair;
    uint8_t values[2][CONFIRM_SIZE];
    size_t length;

    sae_begin(&pair, sae_token(FIXED), SAE_SALTED);
    for (unsigned i = 0; i < 2; i++) {
        NEED(psa_pake_input(&pair.first, COUNT, count, sizeof count));
        NEED(psa_pake_output(&pair.first, CONFIRM, values[i], CONFIRM_SIZE, &length));
    }
    CHECK_BYTES(values[1], CONFIRM_SIZE, values[0], CONFIRM_SIZE);
    sae_end(&pair.first, &pair.second);
}

static void confirm__two_counts__the_last_one_goes_in(void)
{
    static const uint8_t counts[2][2] = {{1, 0}, {2, 0}};
    struct sae_pair pair;
    uint8_t value[CONFIRM_SIZE];
    size_t length;

    sae_begin(&pair, sae_token(FIXED), SAE_SALTED);
    NEED(psa_pake_input(&pair.first, COUNT, counts[0], 2));
    NEED(psa_pake_input(&pair.first, COUNT, counts[1], 2));
    NEED(psa_pake_output(&pair.first, CONFIRM, value, CONFIRM_SIZE, &length));
    CHECK(memcmp(value, counts[1], 2) == 0);
    NEED(psa_pake_input(&pair.second, CONFIRM, value, length));
    sae_end(&pair.first, &pair.second);
}

/* The number itself is never used: 0, 1, the order and above are drawn again. */
static void commit__numbers_out_of_range__are_drawn_again(void)
{
    static const uint8_t order[32] = {0xff, 0xff, 0xff, 0xff, 0,    0,    0,    0,
                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                      0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
                                      0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    const struct sae_exchange *const row = &sae_exchanges[0];
    const struct sae_row_side *const side = &row->sides[0];
    psa_pake_operation_t operation = sae_named(sae_key_of(&row->key, row->alg), &FIXED_ON_P256,
                                               side->mac.data, row->sides[1].mac.data);
    uint8_t draws[7][32] = {{0}};

    memcpy(draws[1], order, 32);
    memset(draws[2], 0xff, 32);
    memcpy(draws[3], side->rand.data, 32);
    memcpy(draws[4], order, 32);
    memcpy(draws[6], side->mask.data, 32);
    test_force_randoms(draws[0], 32, 7);
    send(&operation, COMMIT, &side->commit);
    CHECK(test_forced_left() == 0);
    test_force_randoms(NULL, 0, 0);
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
}

static void get_shared_key__kinds_of_keys__are_made_and_agree(void)
{
    const struct {
        psa_key_type_t type;
        size_t bits;
        psa_algorithm_t alg;
    } rows[] = {{PSA_KEY_TYPE_HMAC, 0, PSA_ALG_HMAC(PSA_ALG_SHA_256)},
                {PSA_KEY_TYPE_HMAC, 256, PSA_ALG_HMAC(PSA_ALG_SHA_256)},
                {PSA_KEY_TYPE_AES, 256, PSA_ALG_CMAC}};
    const psa_key_id_t key = sae_token(FIXED);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(rows[i].type, rows[i].bits, rows[i].alg, PSA_KEY_USAGE_SIGN_MESSAGE);
        psa_pake_operation_t sides[2] = {sae_side(key, &FIXED_ON_P256, 0),
                                         sae_side(key, &FIXED_ON_P256, 1)};
        uint8_t macs[2][32];
        size_t length = 0;
        psa_key_id_t made;

        test_context("kind", i);
        sae_run(&sides[0], &sides[1], SAE_SECOND_CONFIRMED);
        for (unsigned k = 0; k < 2; k++) {
            NEED(psa_pake_get_shared_key(&sides[k], &attributes, &made));
            NEED(psa_mac_compute(made, rows[i].alg, NAME("text"), macs[k], 32, &length));
            NEED(psa_destroy_key(made));
        }
        CHECK_BYTES(macs[1], length, macs[0], length);
        test_free_buffers();
    }
}

static void get_shared_key__before_it_has_confirmed_itself__is_had(void)
{
    const psa_key_id_t key = sae_token(FIXED);
    psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
    psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
    uint8_t secret[32];

    sae_run(&first, &second, SAE_FIRST_CONFIRMED);
    CHECK(take_secret(&second, secret, sizeof secret) == 32);
    sae_end(&first, &second);
}

/* Operations may lie elsewhere from call to call. */
static void exchange__operation_moved_between_calls__goes_on(void)
{
    const psa_key_id_t key = sae_token(FIXED);
    psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
    psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
    psa_pake_operation_t moved;

    sae_run(&first, &second, SAE_BOTH_COMMITTED);
    memcpy(&moved, &first, sizeof moved);
    memset(&first, 0xdd, sizeof first);
    NEED(psa_pake_input(&moved, SALT, NULL, 0));
    NEED(psa_pake_input(&second, SALT, NULL, 0));
    sae_confirm(&moved, &second, 1);
    memcpy(&first, &moved, sizeof first);
    memset(&moved, 0xdd, sizeof moved);
    sae_confirm(&second, &first, 1);
    check_agreement(&first, &second);
}

static const struct test_case tests[] = {
    TEST(output_key__password_and_network__is_the_known_token),
    TEST(exchange__known_numbers__known_messages_and_keys),
    TEST(exchange__fresh_numbers__both_sides_agree),
    TEST(exchange__twice__no_message_and_no_key_is_the_same),
    TEST(confirm__again_and_again__is_given_and_taken),
    TEST(confirm__same_count_again__same_bytes),
    TEST(confirm__two_counts__the_last_one_goes_in),
    TEST(commit__numbers_out_of_range__are_drawn_again),
    TEST(get_shared_key__kinds_of_keys__are_made_and_agree),
    TEST(get_shared_key__before_it_has_confirmed_itself__is_had),
    TEST(exchange__operation_moved_between_calls__goes_on),
};

TEST_SUITE(sae, tests);
