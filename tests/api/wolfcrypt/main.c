/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms that only wolfCrypt supports, through the API: the rules of its key types. */
#include <string.h>

#include "../../harness/harness.h"

#define LMS_SIZE 56u
#define LMS_HEADER_SIZE 24u
#define HSS_SIZE 60u
#define XMSS_SIZE 68u
#define VERIFY PSA_KEY_USAGE_VERIFY_MESSAGE

static psa_status_t try_import(psa_key_type_t type, psa_algorithm_t alg, const uint8_t *data,
                               size_t size, size_t bits)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, VERIFY);
    const psa_status_t status = psa_import_key(&attributes, test_copy(data, size), size, &key);
    CHECK((key == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    return status;
}

/* A key of which only the types have a meaning. */
static void fill_key(uint8_t *key, size_t size, uint8_t type, uint8_t leaf_type)
{
    test_fill(key, size, 0x21);
    memset(key, 0, 8);
    key[3] = type;
    key[7] = leaf_type;
}

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
            EXPECT(is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
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

static void xmss_key__types_that_cannot_be__are_refused(void)
{
    uint8_t key[XMSS_SIZE];
    unsigned whole = 0;
    unsigned short_ones = 0;

    for (unsigned type = 0; type < 64; type++) {
        fill_key(key, sizeof key, (uint8_t)type, 7);
        const bool is_whole = try_import(PSA_KEY_TYPE_XMSS_PUBLIC_KEY, PSA_ALG_XMSS, key,
                                         sizeof key, 0) == PSA_SUCCESS;
        const bool is_short =
            try_import(PSA_KEY_TYPE_XMSS_PUBLIC_KEY, PSA_ALG_XMSS, key, 52, 0) == PSA_SUCCESS;
        CHECK(!is_whole || !is_short);
        whole += is_whole;
        short_ones += is_short;
    }
    CHECK(whole == 6 && short_ones == 6); /* three heights, two hashes */
}

static void tree_key__reads_back_and_is_exported(void)
{
    uint8_t data[XMSS_SIZE];
    uint8_t output[XMSS_SIZE];
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    size_t n;

    fill_key(data, sizeof data, 1, 0x20);
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_XMSS_MT_PUBLIC_KEY, PSA_ALG_XMSS_MT, VERIFY, data, sizeof data);
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_bits(&attributes) == 256);
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, output, sizeof output, &n));
    CHECK_BYTES(output, n, data, sizeof data);
    EXPECT(PSA_SUCCESS, psa_export_key(key, output, sizeof output, &n));
    CHECK_BYTES(output, n, data, sizeof data);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(key, output, sizeof output - 1, &n));
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

static void ascon_key__other_sizes__are_refused(void)
{
    uint8_t data[40];

    test_fill(data, sizeof data, 3);
    for (size_t size = 1; size <= sizeof data; size++) {
        EXPECT(size == 16   ? PSA_SUCCESS
               : size == 32 ? PSA_ERROR_NOT_SUPPORTED
                            : PSA_ERROR_INVALID_ARGUMENT,
               try_import(PSA_KEY_TYPE_ASCON, PSA_ALG_ASCON_AEAD128, data, size, 0));
    }
}

static void ascon_aead__lengths_that_cannot_be__are_refused(void)
{
    const psa_algorithm_t least =
        PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_ASCON_AEAD128, 4);
    uint8_t nonce[20] = {0};
    uint8_t output[32];
    size_t n;

    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_ASCON, least, PSA_KEY_USAGE_ENCRYPT, nonce, 16);
    for (size_t tag = 4; tag <= 16; tag++) {
        const psa_algorithm_t alg = PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_ASCON_AEAD128, tag);
        EXPECT(PSA_SUCCESS,
               psa_aead_encrypt(key, alg, nonce, 16, NULL, 0, nonce, 5, output, 32, &n));
        CHECK(n == 5 + tag);
    }
    for (size_t size = 0; size <= sizeof nonce; size++) {
        EXPECT(size == 16 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
               psa_aead_encrypt(key, PSA_ALG_ASCON_AEAD128, nonce, size, NULL, 0, nonce, 5, output,
                                32, &n));
    }
}

static void ascon_hash__in_hmac__is_not_supported(void)
{
    uint8_t data[32] = {0};
    size_t n;
    const psa_algorithm_t alg = PSA_ALG_HMAC(PSA_ALG_ASCON_HASH256);

    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_HMAC, alg, PSA_KEY_USAGE_SIGN_MESSAGE, data, sizeof data);
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_mac_compute(key, alg, data, sizeof data, data, sizeof data, &n));
}

static void cxof__context__is_asked_for_and_bounded(void)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    uint8_t bytes[257] = {0};

    EXPECT(PSA_SUCCESS, psa_xof_setup(&operation, PSA_ALG_ASCON_CXOF128));
    EXPECT(PSA_ERROR_BAD_STATE, psa_xof_update(&operation, bytes, 1));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_xof_setup(&operation, PSA_ALG_ASCON_CXOF128));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_xof_set_context(&operation, bytes, sizeof bytes));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_xof_setup(&operation, PSA_ALG_ASCON_CXOF128));
    EXPECT(PSA_SUCCESS, psa_xof_set_context(&operation, bytes, 256));
    EXPECT(PSA_SUCCESS, psa_xof_output(&operation, bytes, 10));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
}

static const struct test_case tests[] = {
    TEST(lms_key__types_that_cannot_be__are_refused),
    TEST(hss_key__levels_that_cannot_be__are_refused),
    TEST(tree_key__other_size_than_that_of_its_hash__is_refused),
    TEST(xmss_key__types_that_cannot_be__are_refused),
    TEST(tree_key__reads_back_and_is_exported),
    TEST(tree_key__verifies_only),
    TEST(ascon_key__other_sizes__are_refused),
    TEST(ascon_aead__lengths_that_cannot_be__are_refused),
    TEST(ascon_hash__in_hmac__is_not_supported),
    TEST(cxof__context__is_asked_for_and_bounded),
};

static TEST_SUITE(wolfcrypt, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_wolfcrypt};

    return test_initialise_and_run(suites, 1);
}
