/* SPDX-License-Identifier: Apache-2.0 */
/* Key wrapping (PSA Crypto 1.5, 10.7). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"

#define BOTH (PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP)

/* RFC 3394, 4.1: key encryption key, key data, result. */
static const uint8_t kek[16] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
static const uint8_t wrapped_plain[24] = {0x1f, 0xa6, 0x8b, 0x0a, 0x81, 0x12, 0xb4, 0x47,
                                          0xae, 0xf3, 0x4b, 0xd8, 0xfb, 0x5a, 0x7b, 0x82,
                                          0x9d, 0x3e, 0x86, 0x23, 0x71, 0xd2, 0xcf, 0xe5};

static psa_key_id_t wrapping_key(psa_algorithm_t alg)
{
    return test_import(PSA_KEY_TYPE_AES, alg, BOTH, kek, sizeof kek);
}

static psa_key_id_t data_key(size_t size)
{
    uint8_t data[64];

    test_fill(data, size, 9);
    return test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT, data, size);
}

static psa_status_t unwrap(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *data, size_t size,
                           psa_key_id_t *id)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    return psa_unwrap_key(&attributes, key, alg, data, size, id);
}

static void wrap__known_answer__agrees_in_both_directions(void)
{
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT, plain, sizeof plain);
    uint8_t *out = test_buffer(sizeof wrapped_plain);
    psa_key_id_t id;
    size_t n;

    EXPECT(PSA_SUCCESS, psa_wrap_key(by, PSA_ALG_KW, key, out, sizeof wrapped_plain, &n));
    CHECK_BYTES(out, n, wrapped_plain, sizeof wrapped_plain);
    EXPECT(PSA_SUCCESS, unwrap(by, PSA_ALG_KW, wrapped_plain, sizeof wrapped_plain, &id));
    EXPECT(PSA_SUCCESS, psa_export_key(test_keep(id), out, sizeof plain, &n));
    CHECK_BYTES(out, n, plain, sizeof plain);
}

static void wrap__padded_keys_of_every_length__come_back(void)
{
    for (size_t size = 1; size <= 64; size++) {
        const psa_key_id_t by = wrapping_key(PSA_ALG_KWP);
        const psa_key_id_t key = data_key(size);
        const size_t room = PSA_WRAP_KEY_OUTPUT_SIZE(PSA_KEY_TYPE_AES, PSA_ALG_KWP,
                                                     PSA_KEY_TYPE_RAW_DATA, 8 * size);
        uint8_t *out = test_buffer(room);
        uint8_t expected[64];
        uint8_t data[64];
        psa_key_id_t id;
        size_t n;
        NEED(psa_wrap_key(by, PSA_ALG_KWP, key, out, room, &n));
        CHECK(n == 8 * ((size + 7) / 8) + 8 && n <= room);
        NEED(unwrap(by, PSA_ALG_KWP, out, n, &id));
        EXPECT(PSA_SUCCESS, psa_export_key(id, data, sizeof data, &n));
        test_fill(expected, size, 9);
        CHECK_BYTES(data, n, expected, size);
        EXPECT(PSA_SUCCESS, psa_destroy_key(id));
        test_destroy_keys();
        test_free_buffers();
    }
}

static void wrap__key_pair__comes_back_with_its_size_found(void)
{
    const psa_key_type_t type = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    const psa_key_id_t key =
        test_import(type, PSA_ALG_ECDH, PSA_KEY_USAGE_EXPORT, p256_private, sizeof p256_private);
    psa_key_attributes_t attributes = test_attributes(type, 0, PSA_ALG_ECDH, PSA_KEY_USAGE_EXPORT);
    psa_key_attributes_t found = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t out[40];
    uint8_t public_key[65];
    psa_key_id_t id;
    size_t n;

    EXPECT(PSA_SUCCESS, psa_wrap_key(by, PSA_ALG_KW, key, out, sizeof out, &n));
    CHECK(n == sizeof out);
    EXPECT(PSA_SUCCESS, psa_unwrap_key(&attributes, by, PSA_ALG_KW, out, n, &id));
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(id, &found));
    CHECK(psa_get_key_bits(&found) == 256 && psa_get_key_type(&found) == type);
    EXPECT(PSA_SUCCESS, psa_export_public_key(id, public_key, sizeof public_key, &n));
    CHECK_BYTES(public_key, n, p256_public, sizeof p256_public);
    EXPECT(PSA_SUCCESS, psa_destroy_key(id));
    psa_set_key_bits(&attributes, 255);
    EXPECT_REFUSED(psa_unwrap_key(&attributes, by, PSA_ALG_KW, out, sizeof out, &id));
    CHECK(id == PSA_KEY_ID_NULL);
}

static void wrap__short_buffer__is_too_small_and_zeroed(void)
{
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    const psa_key_id_t key = data_key(16);

    for (size_t size = 0; size < 24; size++) {
        uint8_t *out = test_buffer(size);
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_wrap_key(by, PSA_ALG_KW, key, out, size, &n));
        CHECK(n == 0 && test_all(out, size, 0));
    }
}

static void wrap__key_of_a_length_that_kw_does_not_take__is_invalid(void)
{
    const size_t sizes[] = {1, 7, 8, 15, 17, 20};
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    uint8_t out[64];
    size_t n;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const psa_key_id_t key = data_key(sizes[i]);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_wrap_key(by, PSA_ALG_KW, key, out, sizeof out, &n));
        CHECK(n == 0 && test_all(out, sizeof out, 0));
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    }
}

static void wrap__policies__are_kept(void)
{
    const psa_key_id_t wraps =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_KW, PSA_KEY_USAGE_WRAP, kek, sizeof kek);
    const psa_key_id_t unwraps =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_KW, PSA_KEY_USAGE_UNWRAP, kek, sizeof kek);
    const psa_key_id_t key = data_key(16);
    uint8_t out[24];
    psa_key_id_t id = 1;
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_wrap_key(unwraps, PSA_ALG_KW, key, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_wrap_key(wraps, PSA_ALG_KWP, key, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           unwrap(wraps, PSA_ALG_KW, wrapped_plain, sizeof wrapped_plain, &id));
    CHECK(id == PSA_KEY_ID_NULL);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           unwrap(unwraps, PSA_ALG_KWP, wrapped_plain, sizeof wrapped_plain, &id));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(wraps, PSA_ALG_KW, PSA_KEY_USAGE_WRAP));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(unwraps, PSA_ALG_KW, PSA_KEY_USAGE_UNWRAP));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_check_key_usage(wraps, PSA_ALG_KW, PSA_KEY_USAGE_UNWRAP));
}

static void wrap__key_that_must_not_be_exported__is_not_permitted(void)
{
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    const psa_key_id_t kept =
        test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_COPY, plain, sizeof plain);
    uint8_t out[24];
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_wrap_key(by, PSA_ALG_KW, kept, out, sizeof out, &n));
    CHECK(n == 0);
}

static void wrap__wrong_algorithm_type_or_key__is_told(void)
{
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    const psa_key_id_t data = test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_KW, BOTH, kek, sizeof kek);
    const psa_key_id_t key = data_key(16);
    uint8_t out[24];
    psa_key_id_t id;
    size_t n;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_wrap_key(by, PSA_ALG_CTR, key, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, unwrap(by, PSA_ALG_CTR, out, sizeof out, &id));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_wrap_key(data, PSA_ALG_KW, key, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, unwrap(data, PSA_ALG_KW, out, sizeof out, &id));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_wrap_key(0x1234, PSA_ALG_KW, key, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_wrap_key(by, PSA_ALG_KW, 0x1234, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE, unwrap(0x1234, PSA_ALG_KW, out, sizeof out, &id));
}

static void unwrap__anything_forged_or_cut__is_an_invalid_signature(void)
{
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    uint8_t data[sizeof wrapped_plain];
    psa_key_id_t id = 1;

    for (size_t size = 0; size < sizeof data; size++) {
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               unwrap(by, PSA_ALG_KW, test_copy(wrapped_plain, size), size, &id));
        CHECK(id == PSA_KEY_ID_NULL);
    }
    memcpy(data, wrapped_plain, sizeof data);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, unwrap(by, PSA_ALG_KW, data, sizeof data, &id));
        data[i] ^= 1;
    }
}

static void unwrap__longer_than_any_slot__is_not_supported(void)
{
    static uint8_t data[4096];
    psa_key_id_t id = 1;

    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           unwrap(wrapping_key(PSA_ALG_KW), PSA_ALG_KW, data, sizeof data, &id));
    CHECK(id == PSA_KEY_ID_NULL);
}

static void unwrap__attributes_that_do_not_fit__are_invalid(void)
{
    const psa_key_id_t by = wrapping_key(PSA_ALG_KW);
    psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_NONE, 0, PSA_ALG_NONE, 0);
    psa_key_id_t id = 1;

    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_unwrap_key(&attributes, by, PSA_ALG_KW, wrapped_plain, sizeof wrapped_plain, &id));
    attributes = test_attributes(PSA_KEY_TYPE_AES, 256, PSA_ALG_NONE, 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_unwrap_key(&attributes, by, PSA_ALG_KW, wrapped_plain, sizeof wrapped_plain, &id));
    CHECK(id == PSA_KEY_ID_NULL);
}

static const struct test_case tests[] = {
    TEST(wrap__known_answer__agrees_in_both_directions),
    TEST(wrap__padded_keys_of_every_length__come_back),
    TEST(wrap__key_pair__comes_back_with_its_size_found),
    TEST(wrap__short_buffer__is_too_small_and_zeroed),
    TEST(wrap__key_of_a_length_that_kw_does_not_take__is_invalid),
    TEST(wrap__policies__are_kept),
    TEST(wrap__key_that_must_not_be_exported__is_not_permitted),
    TEST(wrap__wrong_algorithm_type_or_key__is_told),
    TEST(unwrap__anything_forged_or_cut__is_an_invalid_signature),
    TEST(unwrap__longer_than_any_slot__is_not_supported),
    TEST(unwrap__attributes_that_do_not_fit__are_invalid),
};

TEST_SUITE(wrap, tests);
