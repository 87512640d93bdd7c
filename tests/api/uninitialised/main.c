/* SPDX-License-Identifier: Apache-2.0 */
/* Before psa_crypto_init(), and an initialisation that fails (PSA Crypto 1.5, 8.2). */
#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"

static void before_init__creating_keys_and_random__is_a_bad_state(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    uint8_t output[16];
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_BAD_STATE, psa_import_key(&attributes, aes_key, 16, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    key = 1;
    EXPECT(PSA_ERROR_BAD_STATE, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    EXPECT(PSA_ERROR_BAD_STATE, psa_generate_key_custom(&attributes, &custom, NULL, 0, &key));
    EXPECT(PSA_ERROR_BAD_STATE, psa_attach_key(&attributes, output, 1, &key));
    EXPECT(PSA_ERROR_BAD_STATE, psa_generate_random(output, sizeof output));
}

static void before_init__hashes__are_right_all_the_same(void)
{
    uint8_t hash[32];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_hash_compute(PSA_ALG_SHA_256, abc, 3, hash, sizeof hash, &n));
    CHECK_BYTES(hash, n, sha256_abc, 32);
}

static void init__no_entropy__fails_and_can_be_tried_again(void)
{
    const enum test_entropy failures[] = {TEST_ENTROPY_ABSENT, TEST_ENTROPY_STUCK,
                                          TEST_ENTROPY_LATE, TEST_ENTROPY_POOR,
                                          TEST_ENTROPY_EXCESSIVE};
    uint8_t output[16];

    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        test_context("failure", i);
        test_entropy_mode(failures[i]);
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_crypto_init());
        EXPECT(PSA_ERROR_BAD_STATE, psa_generate_random(output, sizeof output));
    }
    before_init__creating_keys_and_random__is_a_bad_state();
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_SUCCESS, psa_crypto_init());
    EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
}

static void init__again__succeeds_and_keeps_the_keys(void)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT,
                                         aes_key, sizeof aes_key);
    uint8_t output[16];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_crypto_init());
    EXPECT(PSA_SUCCESS, psa_export_key(key, output, sizeof output, &n));
    CHECK_BYTES(output, n, aes_key, sizeof aes_key);
}

static const struct test_case tests[] = {
    /* In this order: each leaves the library as the next one needs it. */
    TEST(before_init__creating_keys_and_random__is_a_bad_state),
    TEST(before_init__hashes__are_right_all_the_same),
    TEST(init__no_entropy__fails_and_can_be_tried_again),
    TEST(init__again__succeeds_and_keeps_the_keys),
};

static TEST_SUITE(uninitialised, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_uninitialised};

    return test_run(suites, 1);
}
