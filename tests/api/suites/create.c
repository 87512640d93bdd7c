/* SPDX-License-Identifier: Apache-2.0 */
/* Key generation, and randomness that fails while a key is made (PSA Crypto 1.5, 9.9.1). */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECC_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define X25519_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define ECDSA_SHA256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)

static void refuse_generation(psa_status_t wanted, psa_key_type_t type, size_t bits)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, bits, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    psa_key_id_t key = 0x40001234;

    EXPECT(wanted, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    key = 0x40001234;
    EXPECT(wanted, psa_generate_key_custom(&attributes, &custom, NULL, 0, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void check_random_key(psa_key_type_t type, size_t bits)
{
    const psa_key_id_t key = test_generate(type, bits, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const psa_key_id_t other = test_generate(type, bits, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const size_t size = (bits + 7) / 8;
    uint8_t *a = test_buffer(size);
    uint8_t *b = test_buffer(size);
    psa_key_attributes_t found;
    size_t length;

    EXPECT(PSA_SUCCESS, psa_export_key(key, a, size, &length));
    CHECK(length == size);
    EXPECT(PSA_SUCCESS, psa_export_key(other, b, size, &length));
    CHECK(length == size && memcmp(a, b, size) != 0);
    CHECK(!test_all(a, size, a[0]));
    NEED(psa_get_key_attributes(key, &found));
    CHECK(psa_get_key_bits(&found) == bits && psa_get_key_type(&found) == type);
    test_destroy_keys();
}

static void generate_key__every_kind__has_the_size_asked_for_and_is_never_the_same(void)
{
    check_random_key(PSA_KEY_TYPE_AES, 128);
    check_random_key(PSA_KEY_TYPE_AES, 256);
    check_random_key(PSA_KEY_TYPE_HMAC, 256);
    check_random_key(PSA_KEY_TYPE_HMAC, 64);
    check_random_key(PSA_KEY_TYPE_RAW_DATA, 512);
    check_random_key(PSA_KEY_TYPE_DERIVE, 128);
    check_random_key(ECC_PAIR, 256);
    check_random_key(X25519_PAIR, 255);
}

static void generate_key__zero_size__is_refused(void)
{
    const psa_key_type_t types[] = {PSA_KEY_TYPE_RAW_DATA, PSA_KEY_TYPE_HMAC, PSA_KEY_TYPE_AES,
                                    PSA_KEY_TYPE_DERIVE,   ECC_PAIR,          X25519_PAIR};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        test_context("type", types[i]);
        refuse_generation(PSA_ERROR_INVALID_ARGUMENT, types[i], 0);
    }
}

static void generate_key__size_that_no_key_has__is_refused(void)
{
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT, PSA_KEY_TYPE_AES, 120);
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT, PSA_KEY_TYPE_AES, 512);
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT, PSA_KEY_TYPE_HMAC, 12);
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT, PSA_KEY_TYPE_RAW_DATA, 1);
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT, PSA_KEY_TYPE_RAW_DATA, 65536);
}

static void generate_key__what_the_build_leaves_out__is_not_supported(void)
{
    refuse_generation(PSA_ERROR_NOT_SUPPORTED, PSA_KEY_TYPE_AES, 192);
    refuse_generation(PSA_ERROR_NOT_SUPPORTED, PSA_KEY_TYPE_CAMELLIA, 128);
    refuse_generation(PSA_ERROR_NOT_SUPPORTED, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_K1),
                      256);
    refuse_generation(PSA_ERROR_NOT_SUPPORTED, PSA_KEY_TYPE_RSA_KEY_PAIR, 2048);
    refuse_generation(PSA_ERROR_NOT_SUPPORTED, PSA_KEY_TYPE_RAW_DATA, 8 * 2048);
}

static void generate_key__public_key__is_refused(void)
{
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT, ECC_PUBLIC, 256);
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT,
                      PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_MONTGOMERY), 255);
}

static void generate_key__no_type__is_refused(void)
{
    refuse_generation(PSA_ERROR_NOT_SUPPORTED, PSA_KEY_TYPE_NONE, 128);
    refuse_generation(PSA_ERROR_INVALID_ARGUMENT, PSA_KEY_TYPE_NONE, 0);
}

static void generate_key__lifetimes_without_storage__are_refused(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t key = 1;

    psa_set_key_id(&attributes, 42);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    psa_set_key_id(&attributes, PSA_KEY_ID_VENDOR_MIN);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_generate_key(&attributes, &key));
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, 0x00abcdef));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void generate_key__pair__signs_what_its_public_key_verifies(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const psa_key_id_t pair = test_generate(
            ECC_PAIR, 256, ECDSA_SHA256, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);
        uint8_t *point = test_buffer(65);
        uint8_t *signature = test_buffer(64);
        size_t length;

        NEED(psa_export_public_key(pair, point, 65, &length));
        CHECK(length == 65 && point[0] == 4);
        const psa_key_id_t public_key =
            test_import(ECC_PUBLIC, ECDSA_SHA256, PSA_KEY_USAGE_VERIFY_HASH, point, length);
        EXPECT(PSA_SUCCESS,
               psa_sign_hash(pair, ECDSA_SHA256, p256_hash, 32, signature, 64, &length));
        CHECK(length == 64);
        EXPECT(PSA_SUCCESS,
               psa_verify_hash(public_key, ECDSA_SHA256, p256_hash, 32, signature, 64));
        EXPECT(PSA_SUCCESS, psa_verify_hash(pair, ECDSA_SHA256, p256_hash, 32, signature, 64));
        test_destroy_keys();
    }
}

static void generate_key__pair__has_the_public_key_of_its_private_one(void)
{
    const psa_key_id_t pair = test_generate(ECC_PAIR, 256, ECDSA_SHA256, PSA_KEY_USAGE_EXPORT);
    uint8_t secret[32];
    uint8_t point[65];
    uint8_t recomputed[65];
    size_t length;

    NEED(psa_export_key(pair, secret, sizeof secret, &length));
    NEED(psa_export_public_key(pair, point, sizeof point, &length));
    const psa_key_id_t imported =
        test_import(ECC_PAIR, ECDSA_SHA256, PSA_KEY_USAGE_EXPORT, secret, sizeof secret);
    NEED(psa_export_public_key(imported, recomputed, sizeof recomputed, &length));
    CHECK_BYTES(recomputed, length, point, sizeof point);
}

static void generate_key_custom__parameters__are_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    const uint8_t exponent[] = {3, 0, 0};
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_generate_key_custom(&attributes, &custom, exponent, sizeof exponent, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    custom.flags = 1;
    key = 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_generate_key_custom(&attributes, &custom, NULL, 0, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    custom.flags = 0;
    EXPECT(PSA_SUCCESS, psa_generate_key_custom(&attributes, &custom, NULL, 0, &key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void generate_key__no_entropy__gives_no_key(void)
{
    const struct {
        psa_key_type_t type;
        size_t bits;
    } kinds[] = {
        {PSA_KEY_TYPE_AES, 128}, {PSA_KEY_TYPE_HMAC, 256}, {ECC_PAIR, 256}, {X25519_PAIR, 255}};
    const enum test_entropy failures[] = {TEST_ENTROPY_ABSENT, TEST_ENTROPY_STUCK,
                                          TEST_ENTROPY_POOR, TEST_ENTROPY_EXCESSIVE};

    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        test_entropy_mode(failures[i]);
        for (size_t j = 0; j < sizeof kinds / sizeof kinds[0]; j++) {
            test_context("failure", i * 10 + j);
            refuse_generation(PSA_ERROR_INSUFFICIENT_ENTROPY, kinds[j].type, kinds[j].bits);
        }
    }
    test_entropy_mode(TEST_ENTROPY_GOOD);
    (void)test_generate(ECC_PAIR, 256, ECDSA_SHA256, PSA_KEY_USAGE_SIGN_HASH);
}

static const struct test_case tests[] = {
    TEST(generate_key__every_kind__has_the_size_asked_for_and_is_never_the_same),
    TEST(generate_key__zero_size__is_refused),
    TEST(generate_key__size_that_no_key_has__is_refused),
    TEST(generate_key__what_the_build_leaves_out__is_not_supported),
    TEST(generate_key__public_key__is_refused),
    TEST(generate_key__no_type__is_refused),
    TEST(generate_key__lifetimes_without_storage__are_refused),
    TEST(generate_key__pair__signs_what_its_public_key_verifies),
    TEST(generate_key__pair__has_the_public_key_of_its_private_one),
    TEST(generate_key_custom__parameters__are_refused),
    TEST(generate_key__no_entropy__gives_no_key),
};

TEST_SUITE(create, tests);
