/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in parts: order of calls, lengths, ends (PSA Crypto 1.5, 10.6.3). */
#include "aead_test.h"

#include "../../harness/entropy.h"
#include "../../harness/machines/aead.h"
#include "../../harness/walk.h"

/* Encrypt in parts all of it; the tag goes behind the text. */
static void seal_in_parts(psa_aead_operation_t *operation, uint8_t whole[WHOLE_SIZE])
{
    size_t n;
    size_t tag_length;

    EXPECT(PSA_SUCCESS, psa_aead_update_ad(operation, ad, 5));
    EXPECT(PSA_SUCCESS, psa_aead_update_ad(operation, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_aead_update_ad(operation, ad + 5, AD_SIZE - 5));
    EXPECT(PSA_SUCCESS, psa_aead_update(operation, text, 17, whole, 17, &n));
    CHECK(n == 17);
    EXPECT(PSA_SUCCESS, psa_aead_update(operation, NULL, 0, NULL, 0, &n));
    CHECK(n == 0);
    EXPECT(PSA_SUCCESS,
           psa_aead_update(operation, text + 17, TEXT_SIZE - 17, whole + 17, TEXT_SIZE - 17, &n));
    CHECK(n == TEXT_SIZE - 17);
    EXPECT(PSA_SUCCESS,
           psa_aead_finish(operation, NULL, 0, &n, whole + TEXT_SIZE, TAG_SIZE, &tag_length));
    CHECK(n == 0 && tag_length == TAG_SIZE);
    CHECK(test_all((const uint8_t *)operation, sizeof *operation, 0));
}

static void parts__with_lengths_or_without__agree_with_the_whole(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        uint8_t expected[WHOLE_SIZE];
        uint8_t whole[WHOLE_SIZE];
        uint8_t back[TEXT_SIZE];
        size_t n;
        NEED(seal(a, key, a->alg, expected, sizeof expected, &n));
        for (unsigned is_announced = 0; is_announced < 2; is_announced++) {
            psa_aead_operation_t operation = begin(a, key, true, is_announced);
            seal_in_parts(&operation, whole);
            CHECK_BYTES(whole, sizeof whole, expected, sizeof expected);
            operation = begin(a, key, false, is_announced);
            EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, ad, AD_SIZE));
            EXPECT(PSA_SUCCESS,
                   psa_aead_update(&operation, whole, TEXT_SIZE, back, sizeof back, &n));
            EXPECT(PSA_SUCCESS,
                   psa_aead_verify(&operation, NULL, 0, &n, whole + TEXT_SIZE, TAG_SIZE));
            CHECK_BYTES(back, sizeof back, text, TEXT_SIZE);
            CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
        }
    }
}

static void lengths__not_kept__are_invalid_arguments(void)
{
    uint8_t out[TEXT_SIZE + 1];
    uint8_t tag[TAG_SIZE];
    size_t n;
    size_t m;

    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        psa_aead_operation_t operation = begin(a, key, true, true);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_aead_update_ad(&operation, out, AD_SIZE + 1));
        check_failed(&operation, key, a->alg);
        operation = begin(a, key, true, true);
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, ad, AD_SIZE - 1));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_aead_update(&operation, text, 1, out, 1, &n));
        check_failed(&operation, key, a->alg);
        operation = begin(a, key, true, true);
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, ad, AD_SIZE));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_aead_update(&operation, out, sizeof out, out, sizeof out, &n));
        CHECK(n == 0);
        check_failed(&operation, key, a->alg);
        operation = begin(a, key, true, true);
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, ad, AD_SIZE));
        EXPECT(PSA_SUCCESS, psa_aead_update(&operation, text, TEXT_SIZE - 1, out, TEXT_SIZE, &n));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_aead_finish(&operation, out, sizeof out, &n, tag, sizeof tag, &m));
        CHECK(m == 0);
        check_failed(&operation, key, a->alg);
        operation = begin(a, key, false, true);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_aead_verify(&operation, NULL, 0, &n, tag, sizeof tag));
        check_failed(&operation, key, a->alg);
    }
}

/* A message without text may end without a part of it: the additional data must be there all the
 * same, all of them. */
static void finish__without_the_announced_data__is_an_invalid_argument(void)
{
    uint8_t tag[TAG_SIZE];
    size_t n;
    size_t m;

    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        for (size_t given = 0; given < AD_SIZE; given += AD_SIZE - 1) {
            for (size_t is_encrypt = 0; is_encrypt < 2; is_encrypt++) {
                psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
                test_context("algorithm", i);
                NEED(is_encrypt ? psa_aead_encrypt_setup(&operation, key, a->alg)
                                : psa_aead_decrypt_setup(&operation, key, a->alg));
                NEED(psa_aead_set_lengths(&operation, AD_SIZE, 0));
                NEED(psa_aead_set_nonce(&operation, nonce, a->nonce_length));
                NEED(psa_aead_update_ad(&operation, ad, given));
                memset(tag, 0, sizeof tag);
                EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                       is_encrypt ? psa_aead_finish(&operation, NULL, 0, &n, tag, sizeof tag, &m)
                                  : psa_aead_verify(&operation, NULL, 0, &n, tag, sizeof tag));
                check_failed(&operation, key, a->alg);
            }
        }
    }
}

static void lengths__said_twice__count_as_said_last(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        uint8_t whole[WHOLE_SIZE];
        uint8_t expected[WHOLE_SIZE];
        size_t n;
        NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
        EXPECT(PSA_SUCCESS, psa_aead_set_lengths(&operation, 3, 70000));
        EXPECT(PSA_SUCCESS, psa_aead_set_lengths(&operation, AD_SIZE, TEXT_SIZE));
        EXPECT(PSA_SUCCESS, psa_aead_set_nonce(&operation, nonce, a->nonce_length));
        seal_in_parts(&operation, whole);
        NEED(seal(a, key, a->alg, expected, sizeof expected, &n));
        CHECK_BYTES(whole, sizeof whole, expected, sizeof expected);
    }
}

static void lengths__beyond_the_algorithm__are_refused(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        const bool is_bounded = a->alg != PSA_ALG_CCM && SIZE_MAX > 0xffffffff;
        NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
        EXPECT(is_bounded ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS,
               psa_aead_set_lengths(&operation, 0, SIZE_MAX));
        EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
        NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
        EXPECT(a->alg == PSA_ALG_GCM && is_bounded ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS,
               psa_aead_set_lengths(&operation, SIZE_MAX, 0));
        EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    }
}

static void generate_nonce__ccm__is_shorter_for_a_longer_text(void)
{
    static const struct {
        uint32_t text_length;
        size_t nonce_length;
    } cases[] = {{0, 13}, {0xffff, 13}, {0x10000, 12}, {0xffffff, 12}, {0x1000000, 11}};
    const psa_key_id_t key = key_for(&algorithms[0]);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        uint8_t drawn[13];
        size_t n;
        NEED(psa_aead_encrypt_setup(&operation, key, PSA_ALG_CCM));
        NEED(psa_aead_set_lengths(&operation, 0, cases[i].text_length));
        EXPECT(PSA_SUCCESS, psa_aead_generate_nonce(&operation, drawn, cases[i].nonce_length, &n));
        CHECK(n == cases[i].nonce_length);
        EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    }
}

static void generate_nonce__drawn__opens_the_message(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        uint8_t drawn[2][PSA_AEAD_NONCE_MAX_SIZE];
        uint8_t whole[WHOLE_SIZE];
        uint8_t back[TEXT_SIZE];
        size_t n;
        size_t m;
        for (unsigned j = 0; j < 2; j++) {
            psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
            NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
            NEED(psa_aead_set_lengths(&operation, AD_SIZE, TEXT_SIZE));
            EXPECT(PSA_SUCCESS, psa_aead_generate_nonce(&operation, drawn[j], sizeof drawn[j], &m));
            CHECK(m == a->nonce_length);
            seal_in_parts(&operation, whole);
        }
        CHECK(memcmp(drawn[0], drawn[1], m) != 0);
        EXPECT(PSA_SUCCESS, psa_aead_decrypt(key, a->alg, drawn[1], m, ad, AD_SIZE, whole,
                                             sizeof whole, back, sizeof back, &n));
        CHECK_BYTES(back, n, text, TEXT_SIZE);
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
        NEED(psa_aead_set_lengths(&operation, AD_SIZE, TEXT_SIZE));
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_aead_generate_nonce(&operation, drawn[0], m - 1, &n));
        CHECK(n == 0);
        check_failed(&operation, key, a->alg);
    }
}

static void generate_nonce__no_entropy__fails_and_gives_nothing(void)
{
    const struct algorithm *const a = &algorithms[1];
    const psa_key_id_t key = key_for(a);
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t drawn[12] = {1};
    size_t n = 1;

    NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t status = psa_aead_generate_nonce(&operation, drawn, sizeof drawn, &n);
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, status);
    CHECK(n == 0 && test_all(drawn, sizeof drawn, 0));
    check_failed(&operation, key, a->alg);
}

static void verify__forged_or_cut_tag__is_an_invalid_signature(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        uint8_t whole[WHOLE_SIZE + 1] = {0};
        uint8_t back[TEXT_SIZE];
        size_t n;
        NEED(seal(a, key, a->alg, whole, sizeof whole, &n));
        for (size_t length = 0; length <= TAG_SIZE + 1; length++) {
            psa_aead_operation_t operation = begin(a, key, false, true);
            uint8_t *tag = test_copy(whole + TEXT_SIZE, length);
            EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, ad, AD_SIZE));
            EXPECT(PSA_SUCCESS,
                   psa_aead_update(&operation, whole, TEXT_SIZE, back, sizeof back, &n));
            if (length == TAG_SIZE) {
                tag[TAG_SIZE - 1] ^= 1;
            }
            n = 1;
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   psa_aead_verify(&operation, back, sizeof back, &n, tag, length));
            CHECK(n == 0 && test_all(back, sizeof back, 0));
            check_failed(&operation, key, a->alg);
            test_free_buffers();
        }
    }
}

static psa_aead_operation_t walked;
static const struct algorithm *walks_with;
static psa_key_id_t walked_key;
static uint8_t empty_tag[TAG_SIZE];

TEST_CALL(encrypt_setup, psa_aead_encrypt_setup(&walked, walked_key, walks_with->alg));
TEST_CALL(decrypt_setup, psa_aead_decrypt_setup(&walked, walked_key, walks_with->alg));
TEST_CALL(set_lengths, psa_aead_set_lengths(&walked, 0, 0));
TEST_CALL(set_nonce, psa_aead_set_nonce(&walked, nonce, walks_with->nonce_length));
TEST_CALL(set_no_nonce, psa_aead_set_nonce(&walked, NULL, 0));
TEST_CALL(generate_nonce, psa_aead_generate_nonce(&walked, WALK_OUT));
TEST_CALL(generate_nonce_short,
          psa_aead_generate_nonce(&walked, walk_output.bytes, 6, &walk_output.length));
TEST_CALL(update_ad, psa_aead_update_ad(&walked, NULL, 0));
TEST_CALL(update, psa_aead_update(&walked, NULL, 0, WALK_OUT));
TEST_CALL(update_text,
          psa_aead_update(&walked, text, 2, walk_output.bytes, 1, &walk_output.length));
TEST_CALL(finish, psa_aead_finish(&walked, NULL, 0, &walk_output.second, WALK_OUT));
TEST_CALL(finish_short, psa_aead_finish(&walked, NULL, 0, &walk_output.second, walk_output.bytes,
                                        TAG_SIZE - 1, &walk_output.length));
TEST_CALL(verify, psa_aead_verify(&walked, WALK_OUT, empty_tag, TAG_SIZE));
TEST_CALL(verify_forged, psa_aead_verify(&walked, WALK_OUT, text, TAG_SIZE));
TEST_CALL(verify_cut, psa_aead_verify(&walked, WALK_OUT, empty_tag, TAG_SIZE - 1));
TEST_CALL(abort_walked, psa_aead_abort(&walked));

enum { ENCRYPT_SETUP_ROW, DECRYPT_SETUP_ROW, TEXT_ROW };

static struct walk_call calls[] = {
    [ENCRYPT_SETUP_ROW] = WALK_CALL(AEAD_ENCRYPT_SETUP, PSA_SUCCESS, encrypt_setup),
    [DECRYPT_SETUP_ROW] = WALK_CALL(AEAD_DECRYPT_SETUP, PSA_SUCCESS, decrypt_setup),
    [TEXT_ROW] = WALK_CALL(AEAD_UPDATE, PSA_ERROR_BUFFER_TOO_SMALL, update_text),
    WALK_CALL(AEAD_SET_LENGTHS, PSA_SUCCESS, set_lengths),
    WALK_CALL(AEAD_SET_NONCE, PSA_SUCCESS, set_nonce),
    WALK_CALL(AEAD_SET_NONCE, PSA_ERROR_INVALID_ARGUMENT, set_no_nonce),
    WALK_CALL(AEAD_GENERATE_NONCE, PSA_SUCCESS, generate_nonce),
    WALK_CALL(AEAD_GENERATE_NONCE, PSA_ERROR_BUFFER_TOO_SMALL, generate_nonce_short),
    WALK_CALL(AEAD_UPDATE_AD, PSA_SUCCESS, update_ad),
    WALK_CALL(AEAD_UPDATE, PSA_SUCCESS, update),
    WALK_CALL(AEAD_FINISH, PSA_SUCCESS, finish),
    WALK_CALL(AEAD_FINISH, PSA_ERROR_BUFFER_TOO_SMALL, finish_short),
    WALK_CALL(AEAD_VERIFY, PSA_SUCCESS, verify),
    WALK_CALL(AEAD_VERIFY, PSA_ERROR_INVALID_SIGNATURE, verify_forged),
    WALK_CALL(AEAD_VERIFY, PSA_ERROR_INVALID_SIGNATURE, verify_cut),
};

/* Only CCM needs lengths, and gets an empty text. */
static void set_up_walk(const struct algorithm *a)
{
    const bool is_ccm = a->alg == PSA_ALG_CCM;

    walks_with = a;
    walked_key = key_for(a);
    calls[ENCRYPT_SETUP_ROW].call = is_ccm ? AEAD_CCM_ENCRYPT_SETUP : AEAD_ENCRYPT_SETUP;
    calls[DECRYPT_SETUP_ROW].call = is_ccm ? AEAD_CCM_DECRYPT_SETUP : AEAD_DECRYPT_SETUP;
    calls[TEXT_ROW].wanted = is_ccm ? PSA_ERROR_INVALID_ARGUMENT : PSA_ERROR_BUFFER_TOO_SMALL;
}

static void parts__every_call_in_every_state__are_as_the_table_says(void)
{
    struct walk walk =
        WALK(aead_machine, walked, abort_walked, calls,
             .measured = ONLY(AEAD_GENERATE_NONCE) | ONLY(AEAD_UPDATE) | ONLY(AEAD_VERIFY),
             .measured_twice = ONLY(AEAD_FINISH));

    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        size_t n;
        set_up_walk(a);
        walk.absent =
            a->alg == PSA_ALG_CCM ? 0 : ONLY(SEAL_NEEDS_LENGTHS) | ONLY(OPEN_NEEDS_LENGTHS);
        NEED(psa_aead_encrypt(walked_key, a->alg, nonce, a->nonce_length, NULL, 0, NULL, 0,
                              empty_tag, TAG_SIZE, &n));
        walk_through(&walk);
    }
}

static void update__short_buffer__fails_for_good(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        psa_aead_operation_t operation = begin(a, key, true, false);
        uint8_t out[TEXT_SIZE];
        size_t n = 1;

        EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, ad, AD_SIZE));
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_aead_update(&operation, text, TEXT_SIZE, out, TEXT_SIZE - 1, &n));
        CHECK(n == 0);
        check_failed(&operation, key, a->alg);
    }
}

/* Calls that go on with the key; each after those that it needs. */
static void key__destroyed__ends_the_operation(void)
{
    static psa_status_t (*const ways[][4])(void) = {
        {encrypt_setup, set_nonce},
        {encrypt_setup, generate_nonce},
        {encrypt_setup, set_nonce, update_ad},
        {encrypt_setup, set_nonce, update},
        {encrypt_setup, set_nonce, finish},
        {decrypt_setup, set_nonce, verify},
    };

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        size_t step = 0;
        set_up_walk(&algorithms[1]);
        for (; ways[i][step + 1] != NULL; step++) {
            NEED(ways[i][step]());
        }
        test_context("way", i);
        EXPECT(PSA_SUCCESS, psa_destroy_key(walked_key));
        EXPECT(PSA_ERROR_BAD_STATE, ways[i][step]());
        check_failed(&walked, key_for(&algorithms[1]), algorithms[1].alg);
    }
}

static const struct test_case tests[] = {
    TEST(parts__every_call_in_every_state__are_as_the_table_says),
    TEST(update__short_buffer__fails_for_good),
    TEST(key__destroyed__ends_the_operation),
    TEST(parts__with_lengths_or_without__agree_with_the_whole),
    TEST(lengths__not_kept__are_invalid_arguments),
    TEST(finish__without_the_announced_data__is_an_invalid_argument),
    TEST(lengths__said_twice__count_as_said_last),
    TEST(lengths__beyond_the_algorithm__are_refused),
    TEST(generate_nonce__ccm__is_shorter_for_a_longer_text),
    TEST(generate_nonce__drawn__opens_the_message),
    TEST(generate_nonce__no_entropy__fails_and_gives_nothing),
    TEST(verify__forged_or_cut_tag__is_an_invalid_signature),
};

TEST_SUITE(aead_states, tests);
