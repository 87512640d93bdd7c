/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms that only wolfCrypt supports, through the API: the rules of its key types. */
#include <string.h>

#include "../trees/keys.h"

#define XMSS_SIZE 68u

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
    TEST(xmss_key__types_that_cannot_be__are_refused),
    TEST(tree_key__reads_back_and_is_exported),
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
