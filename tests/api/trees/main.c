/* SPDX-License-Identifier: Apache-2.0 */
/* Public keys of LMS and HSS through the API: the rules of their types, with each driver. */
#include <string.h>

#include "keys.h"

#include <corral/config.h>

#define LMS_SIZE 56u
#define LMS_HEADER_SIZE 24u
#define HSS_SIZE 60u

/* Of these keys a build without SHAKE256 knows that it does not support them. */
#define HAS_SHAKE (CORRAL_WANT_ALG_SHAKE256_192 && CORRAL_WANT_ALG_SHAKE256_256)

static void lms_key__types_that_cannot_be__are_refused(void)
{
    const psa_key_type_t lms = PSA_KEY_TYPE_LMS_PUBLIC_KEY;
    uint8_t key[LMS_SIZE + 1];

    for (unsigned tree = 0; tree < 32; tree++) {
        for (unsigned leaf = 0; leaf < 24; leaf++) {
            const unsigned family = (tree - 5) / 5;
            const bool is_right = tree >= 5 && tree < 25 && leaf > 0 && (leaf - 1) / 4 == family;
            const size_t size = is_right && family % 2 == 1 ? LMS_SIZE - 8 : LMS_SIZE;
            fill_key(key, sizeof key, (uint8_t)tree, (uint8_t)leaf);
            EXPECT(!is_right                 ? PSA_ERROR_INVALID_ARGUMENT
                   : family < 2 || HAS_SHAKE ? PSA_SUCCESS
                                             : PSA_ERROR_NOT_SUPPORTED,
                   try_import(lms, PSA_ALG_LMS, key, size, 0));
            const size_t bits = 8 * (size - LMS_HEADER_SIZE);
            EXPECT(PSA_ERROR_INVALID_ARGUMENT, try_import(lms, PSA_ALG_LMS, key, size + 1, bits));
            EXPECT(PSA_ERROR_INVALID_ARGUMENT, try_import(lms, PSA_ALG_LMS, key, size - 1, bits));
            test_free_buffers();
        }
    }
}

static void hss_key__levels_that_cannot_be__are_refused(void)
{
    uint8_t key[HSS_SIZE] = {0};

    fill_key(key + 4, LMS_SIZE, 5, 4);
    for (unsigned levels = 0; levels < 256; levels++) {
        key[3] = (uint8_t)levels;
        EXPECT(levels > 0 && levels <= 8 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
               try_import(PSA_KEY_TYPE_HSS_PUBLIC_KEY, PSA_ALG_HSS, key, sizeof key, 256));
    }
    key[0] = 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           try_import(PSA_KEY_TYPE_HSS_PUBLIC_KEY, PSA_ALG_HSS, key, sizeof key, 256));
    for (size_t size = 1; size < 4; size++) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               try_import(PSA_KEY_TYPE_HSS_PUBLIC_KEY, PSA_ALG_HSS, key, size, 256));
    }
}

static void tree_key__other_size_than_that_of_its_hash__is_refused(void)
{
    const psa_key_type_t lms = PSA_KEY_TYPE_LMS_PUBLIC_KEY;
    uint8_t key[LMS_SIZE];

    fill_key(key, sizeof key, 5, 4);
    EXPECT(PSA_SUCCESS, try_import(lms, PSA_ALG_LMS, key, sizeof key, 256));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, try_import(lms, PSA_ALG_LMS, key, sizeof key, 192));
    CHECK(try_import(lms, PSA_ALG_LMS, key, sizeof key, 255) != PSA_SUCCESS);
    CHECK(try_import(lms, PSA_ALG_LMS, key, sizeof key, 512) != PSA_SUCCESS);
}

static void tree_key__verifies_only(void)
{
    static const uint8_t message[] = {1, 2, 3};
    uint8_t data[LMS_SIZE];
    uint8_t output[2000];
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t made = 1;
    size_t n = 1;

    fill_key(data, sizeof data, 5, 4);
    memset(output, 0, sizeof output);
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_LMS_PUBLIC_KEY, PSA_ALG_LMS,
                                         VERIFY | PSA_KEY_USAGE_SIGN_MESSAGE, data, sizeof data);
    CHECK(psa_sign_message(key, PSA_ALG_LMS, message, 3, output, sizeof output, &n) != PSA_SUCCESS);
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_verify_message(key, PSA_ALG_HSS, message, 3, output, 1292));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message(key, PSA_ALG_LMS, message, 3, output, 1292));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message_with_context(key, PSA_ALG_LMS, message, 3, NULL, 0, output, 1292));
    psa_set_key_type(&attributes, PSA_KEY_TYPE_LMS_PUBLIC_KEY);
    psa_set_key_bits(&attributes, 256);
    CHECK(psa_generate_key(&attributes, &made) != PSA_SUCCESS && made == PSA_KEY_ID_NULL);
}

static const struct test_case tests[] = {
    TEST(lms_key__types_that_cannot_be__are_refused),
    TEST(hss_key__levels_that_cannot_be__are_refused),
    TEST(tree_key__other_size_than_that_of_its_hash__is_refused),
    TEST(tree_key__verifies_only),
};

static TEST_SUITE(trees, tests);
extern const struct test_suite suite_tree_mutations;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_trees, &suite_tree_mutations};

    return test_initialise_and_run(suites, 2);
}
