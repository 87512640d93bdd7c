/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in parts: order of calls, lengths, ends (PSA Crypto 1.5, 10.6.3). */
#include "aead_test.h"

#include "../../harness/entropy.h"

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

/* What an operation can be brought to before a call that must fail. */
enum stage { SET_UP, WITH_NONCE, WITH_TEXT, STAGES };

static psa_aead_operation_t at_stage(const struct algorithm *a, psa_key_id_t key, bool is_encrypt,
                                     enum stage stage)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t out[1];
    size_t n;

    if (stage == SET_UP) {
        NEED(is_encrypt ? psa_aead_encrypt_setup(&operation, key, a->alg)
                        : psa_aead_decrypt_setup(&operation, key, a->alg));
        return operation;
    }
    operation = begin(a, key, is_encrypt, false);
    if (stage == WITH_TEXT) {
        NEED(psa_aead_update_ad(&operation, ad, AD_SIZE));
        NEED(psa_aead_update(&operation, text, 1, out, sizeof out, &n));
    }
    return operation;
}

enum call { SET_LENGTHS, SET_NONCE, GENERATE_NONCE, UPDATE_AD, UPDATE, FINISH, VERIFY, CALLS };

static psa_status_t make_call(psa_aead_operation_t *operation, enum call call)
{
    uint8_t out[64];
    uint8_t tag[TAG_SIZE] = {0};
    size_t n;
    size_t m;

    switch (call) {
    case SET_LENGTHS:
        return psa_aead_set_lengths(operation, AD_SIZE, TEXT_SIZE);
    case SET_NONCE:
        return psa_aead_set_nonce(operation, nonce, 12);
    case GENERATE_NONCE:
        return psa_aead_generate_nonce(operation, out, sizeof out, &n);
    case UPDATE_AD:
        return psa_aead_update_ad(operation, ad, 1);
    case UPDATE:
        return psa_aead_update(operation, text, 0, out, sizeof out, &n);
    case FINISH:
        return psa_aead_finish(operation, out, sizeof out, &n, tag, sizeof tag, &m);
    default:
        return psa_aead_verify(operation, out, sizeof out, &n, tag, sizeof tag);
    }
}

/* Whether a call is in its place; what else it may then say is for other tests. */
static bool is_in_order(enum call call, enum stage stage, bool is_encrypt, bool is_ccm)
{
    switch (call) {
    case SET_LENGTHS:
        return stage == SET_UP;
    case SET_NONCE:
        return stage == SET_UP && !is_ccm;
    case GENERATE_NONCE:
        return stage == SET_UP && !is_ccm && is_encrypt;
    case UPDATE_AD:
        return stage == WITH_NONCE;
    case UPDATE:
        return stage == WITH_NONCE || stage == WITH_TEXT;
    case FINISH:
        return is_encrypt && (stage == WITH_NONCE || stage == WITH_TEXT);
    default:
        return !is_encrypt && (stage == WITH_NONCE || stage == WITH_TEXT);
    }
}

static void calls__out_of_order__end_in_the_error_state(void)
{
    unsigned refused = 0;

    for (unsigned c = 0; c < ALGORITHM_COUNT * 2 * STAGES * CALLS; c++) {
        const struct algorithm *const a = &algorithms[c / (2 * STAGES * CALLS)];
        const bool is_encrypt = c / (STAGES * CALLS) % 2 == 0;
        const enum stage stage = (enum stage)(c / CALLS % STAGES);
        const enum call call = (enum call)(c % CALLS);
        const psa_key_id_t key = key_for(a);
        psa_aead_operation_t operation = at_stage(a, key, is_encrypt, stage);
        test_context("algorithm, direction, stage, call", c);
        const psa_status_t status = make_call(&operation, call);
        if (is_in_order(call, stage, is_encrypt, a->alg == PSA_ALG_CCM)) {
            CHECK(status != PSA_ERROR_BAD_STATE);
        } else {
            EXPECT(PSA_ERROR_BAD_STATE, status);
            check_failed(&operation, key, a->alg);
            refused++;
        }
        EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
        test_destroy_keys();
    }
    CHECK(refused > 80);
}

static void setup__of_an_active_operation__leaves_it_as_it_is(void)
{
    const struct algorithm *const a = &algorithms[1];
    const psa_key_id_t key = key_for(a);
    psa_aead_operation_t operation = begin(a, key, true, true);
    uint8_t whole[WHOLE_SIZE];
    uint8_t expected[WHOLE_SIZE];
    size_t n;

    EXPECT(PSA_ERROR_BAD_STATE, psa_aead_encrypt_setup(&operation, key, a->alg));
    EXPECT(PSA_ERROR_BAD_STATE, psa_aead_decrypt_setup(&operation, key, a->alg));
    seal_in_parts(&operation, whole);
    NEED(seal(a, key, a->alg, expected, sizeof expected, &n));
    CHECK_BYTES(whole, sizeof whole, expected, sizeof expected);
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
               psa_aead_finish(&operation, NULL, 0, &n, tag, sizeof tag, &m));
        CHECK(m == 0);
        check_failed(&operation, key, a->alg);
        operation = begin(a, key, false, true);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_aead_verify(&operation, NULL, 0, &n, tag, sizeof tag));
        check_failed(&operation, key, a->alg);
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

static void finish__short_tag_buffer__fails_for_good(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        psa_aead_operation_t operation = begin(a, key, true, false);
        uint8_t out[TEXT_SIZE];
        uint8_t tag[TAG_SIZE];
        size_t n = 1;
        size_t m = 1;
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, ad, AD_SIZE));
        EXPECT(PSA_SUCCESS, psa_aead_update(&operation, text, TEXT_SIZE, out, TEXT_SIZE, &n));
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_aead_finish(&operation, out, sizeof out, &n, tag, TAG_SIZE - 1, &m));
        CHECK(n == 0 && m == 0);
        check_failed(&operation, key, a->alg);
    }
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

static void key__destroyed__ends_the_operation(void)
{
    for (unsigned call = SET_LENGTHS; call < CALLS; call++) {
        const struct algorithm *const a = &algorithms[1];
        const psa_key_id_t key = key_for(a);
        const bool is_encrypt = call != VERIFY;
        psa_aead_operation_t operation =
            at_stage(a, key, is_encrypt, call <= GENERATE_NONCE ? SET_UP : WITH_NONCE);
        if (call == SET_LENGTHS) {
            EXPECT(PSA_SUCCESS, psa_aead_abort(&operation)); /* uses no key: may succeed */
            continue;
        }
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
        EXPECT(PSA_ERROR_BAD_STATE, make_call(&operation, (enum call)call));
        check_failed(&operation, key_for(a), a->alg);
        test_destroy_keys();
    }
}

static void abort__in_every_state__makes_it_inactive(void)
{
    for (unsigned stage = SET_UP; stage < STAGES; stage++) {
        const psa_key_id_t key = key_for(&algorithms[2]);
        psa_aead_operation_t operation = at_stage(&algorithms[2], key, true, (enum stage)stage);
        EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
        CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
        EXPECT(PSA_SUCCESS, psa_aead_encrypt_setup(&operation, key, algorithms[2].alg));
        EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    }
}

static const struct test_case tests[] = {
    TEST(parts__with_lengths_or_without__agree_with_the_whole),
    TEST(calls__out_of_order__end_in_the_error_state),
    TEST(setup__of_an_active_operation__leaves_it_as_it_is),
    TEST(lengths__not_kept__are_invalid_arguments),
    TEST(lengths__said_twice__count_as_said_last),
    TEST(lengths__beyond_the_algorithm__are_refused),
    TEST(generate_nonce__ccm__is_shorter_for_a_longer_text),
    TEST(generate_nonce__drawn__opens_the_message),
    TEST(generate_nonce__no_entropy__fails_and_gives_nothing),
    TEST(update__short_buffer__fails_for_good),
    TEST(finish__short_tag_buffer__fails_for_good),
    TEST(verify__forged_or_cut_tag__is_an_invalid_signature),
    TEST(key__destroyed__ends_the_operation),
    TEST(abort__in_every_state__makes_it_inactive),
};

TEST_SUITE(aead_states, tests);
