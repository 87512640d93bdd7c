/* SPDX-License-Identifier: Apache-2.0 */
/* RSA keys: import, export, generation (PSA Crypto 1.5, 9.5.1, 9.7). */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/rsa_keys.h"

#define PAIR PSA_KEY_TYPE_RSA_KEY_PAIR
#define PUBLIC PSA_KEY_TYPE_RSA_PUBLIC_KEY
#define ALG PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)
#define ROOM PSA_EXPORT_KEY_PAIR_MAX_SIZE

static psa_status_t import_as(psa_key_type_t type, size_t bits, const uint8_t *data, size_t size)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, bits, ALG, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_VERIFY_HASH);
    psa_key_id_t key;

    psa_status_t status = psa_import_key(&attributes, data, size, &key);
    if (status == PSA_SUCCESS) {
        NEED(psa_destroy_key(key));
    } else {
        CHECK(key == PSA_KEY_ID_NULL);
    }
    return status;
}

static void check_round_trip(psa_key_type_t type, size_t bits, const uint8_t *data, size_t size,
                             const uint8_t *public_data, size_t public_size)
{
    const psa_key_id_t key = test_import(type, ALG, PSA_KEY_USAGE_EXPORT, data, size);
    psa_key_attributes_t attributes = psa_key_attributes_init();
    uint8_t *out = test_buffer(size);
    size_t n;

    EXPECT(PSA_SUCCESS, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_bits(&attributes) == bits);
    EXPECT(PSA_SUCCESS, psa_export_key(key, out, size, &n));
    CHECK_BYTES(out, n, data, size);
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, out, public_size, &n));
    CHECK_BYTES(out, n, public_data, public_size);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_key(key, out, size - 1, &n));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(key, out, public_size - 1, &n));
    CHECK(n == 0);
    CHECK(size <= PSA_EXPORT_KEY_OUTPUT_SIZE(type, bits));
    CHECK(public_size <= PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(type, bits));
}

static void rsa_import__exported_again__is_the_same(void)
{
    check_round_trip(PAIR, 1024, rsa1024_pair, sizeof rsa1024_pair, rsa1024_public,
                     sizeof rsa1024_public);
    check_round_trip(PAIR, 2048, rsa2048_pair, sizeof rsa2048_pair, rsa2048_public,
                     sizeof rsa2048_public);
    check_round_trip(PUBLIC, 1024, rsa1024_public, sizeof rsa1024_public, rsa1024_public,
                     sizeof rsa1024_public);
    check_round_trip(PUBLIC, 2048, rsa2048_public, sizeof rsa2048_public, rsa2048_public,
                     sizeof rsa2048_public);
}

static void rsa_import__size_of_the_attributes__must_agree(void)
{
    EXPECT(PSA_SUCCESS, import_as(PAIR, 1024, rsa1024_pair, sizeof rsa1024_pair));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import_as(PAIR, 2048, rsa1024_pair, sizeof rsa1024_pair));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import_as(PUBLIC, 1024, rsa2048_public, 270));
    EXPECT_REFUSED(import_as(PAIR, 1536, rsa1024_pair, sizeof rsa1024_pair));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import_as(PUBLIC, 0, rsa1024_pair, sizeof rsa1024_pair));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import_as(PAIR, 0, rsa1024_public, sizeof rsa1024_public));
}

static void rsa_import__cut_or_prolonged__is_refused(void)
{
    uint8_t *longer = test_buffer(sizeof rsa1024_public + 1);

    memcpy(longer, rsa1024_public, sizeof rsa1024_public);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import_as(PUBLIC, 0, longer, sizeof rsa1024_public + 1));
    for (size_t size = 0; size < sizeof rsa1024_public; size++) {
        test_context("bytes", size);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               import_as(PUBLIC, 0, test_copy(rsa1024_public, size), size));
    }
    for (size_t size = 0; size < sizeof rsa1024_pair; size += 7) {
        test_context("bytes of a pair", size);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               import_as(PAIR, 1024, test_copy(rsa1024_pair, size), size));
    }
}

static void rsa_import__not_in_der__is_refused(void)
{
    /* The modulus: 30 81 89 02 81 81 00 ..., the exponent: 02 03 01 00 01. */
    static const struct {
        size_t at;
        uint8_t value;
    } changes[] = {
        {0, 0x31},   /* a set */
        {1, 0x80},   /* indefinite length */
        {2, 0x88},   /* length too small */
        {3, 0x03},   /* no integer */
        {6, 0x80},   /* negative modulus */
        {7, 0x7f},   /* a leading zero that is not needed */
        {135, 0x04}, /* no integer */
        {139, 0x00}, /* even exponent */
    };

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        uint8_t *data = test_copy(rsa1024_public, sizeof rsa1024_public);
        test_context("change", i);
        data[changes[i].at] = changes[i].value;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, import_as(PUBLIC, 1024, data, sizeof rsa1024_public));
    }
}

static void rsa_import__numbers_that_contradict__are_refused(void)
{
    /* The last byte of each number of the pair, found by walking over the integers. */
    size_t at = 4;

    for (unsigned number = 0; number < 9; number++) {
        size_t length = rsa1024_pair[at + 1];
        size_t head = 2;
        if (length == 0x81) {
            length = rsa1024_pair[at + 2];
            head = 3;
        } else if (length == 0x82) {
            length = (size_t)rsa1024_pair[at + 2] << 8 | rsa1024_pair[at + 3];
            head = 4;
        }
        uint8_t *data = test_copy(rsa1024_pair, sizeof rsa1024_pair);
        test_context("number", number);
        data[at + head + length - 1] ^= 0x02;
        const psa_status_t status = import_as(PAIR, 1024, data, sizeof rsa1024_pair);
        CHECK(status == PSA_ERROR_INVALID_ARGUMENT ||
              (number == 0 && status == PSA_ERROR_NOT_SUPPORTED));
        at += head + length;
    }
    CHECK(at == sizeof rsa1024_pair);
}

static void rsa_generate__pair__works_and_can_be_imported(void)
{
    const psa_key_id_t key =
        test_generate(PAIR, 1024, ALG,
                      PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);
    uint8_t *out = test_buffer(ROOM);
    uint8_t signature[128];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_hash(key, ALG, sha256_abc, 32, signature, sizeof signature, &n));
    EXPECT(PSA_SUCCESS, psa_verify_hash(key, ALG, sha256_abc, 32, signature, n));
    EXPECT(PSA_SUCCESS, psa_export_key(key, out, ROOM, &n));
    EXPECT(PSA_SUCCESS, import_as(PAIR, 1024, test_copy(out, n), n));
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, out, ROOM, &n));
    EXPECT(PSA_SUCCESS, import_as(PUBLIC, 1024, test_copy(out, n), n));
    static const uint8_t exponent[] = {0x02, 0x03, 0x01, 0x00, 0x01};
    CHECK_BYTES(out + n - 5, 5, exponent, 5);
}

static void rsa_generate__other_sizes__are_refused(void)
{
    static const size_t sizes[] = {0, 512, 1023, 1032, 1536, 4096};
    psa_key_id_t key;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const psa_key_attributes_t attributes = test_attributes(PAIR, sizes[i], ALG, 0);
        test_context("size", sizes[i]);
        EXPECT_REFUSED(psa_generate_key(&attributes, &key));
    }
    const psa_key_attributes_t public_key = test_attributes(PUBLIC, 1024, ALG, 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_generate_key(&public_key, &key));
}

static psa_status_t generate_with(psa_key_type_t type, uint32_t flags, const uint8_t *exponent,
                                  size_t length, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, type == PAIR ? 1024 : 256, ALG, PSA_KEY_USAGE_SIGN_HASH);
    psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;

    custom.flags = flags;
    return psa_generate_key_custom(&attributes, &custom, exponent, length, key);
}

static void rsa_generate_custom__public_exponent__is_taken(void)
{
    static const uint8_t three[] = {3};
    static const uint8_t long_form[] = {0x05, 0x01, 0x00, 0x00, 0x00, 0x00};
    uint8_t out[200];
    psa_key_id_t key;
    size_t n;

    EXPECT(PSA_SUCCESS, generate_with(PAIR, 0, three, sizeof three, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, out, sizeof out, &n));
    static const uint8_t wanted_three[] = {0x02, 0x01, 0x03};
    CHECK_BYTES(out + n - 3, 3, wanted_three, 3);

    EXPECT(PSA_SUCCESS, generate_with(PAIR, 0, long_form, sizeof long_form, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, out, sizeof out, &n));
    static const uint8_t wanted_261[] = {0x02, 0x02, 0x01, 0x05};
    CHECK_BYTES(out + n - 4, 4, wanted_261, 4);

    EXPECT(PSA_SUCCESS, generate_with(PAIR, 0, NULL, 0, &key));
    test_keep(key);
}

static void rsa_generate_custom__no_exponent__is_refused(void)
{
    static const uint8_t values[][4] = {{0}, {1}, {2}, {0, 1, 0, 1}, {1, 0, 0, 0}};
    static const uint8_t three[] = {3};
    static const uint8_t huge[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    psa_key_id_t key;

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        test_context("value", i);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, generate_with(PAIR, 0, values[i], 4, &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, generate_with(PAIR, 1, three, 1, &key));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, generate_with(PAIR, 1, NULL, 0, &key));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, generate_with(PAIR, 0, huge, sizeof huge, &key));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           generate_with(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 0, three, 1, &key));
}

static void rsa_generate__no_entropy__gives_no_key(void)
{
    const psa_key_attributes_t attributes = test_attributes(PAIR, 1024, ALG, 0);
    psa_key_id_t key;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_key(&attributes, &key));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(key == PSA_KEY_ID_NULL);
}

static void rsa_copy__pair_in_memory__works_as_the_source(void)
{
    const psa_key_id_t key = test_import(PAIR, ALG, PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_SIGN_HASH,
                                         rsa1024_pair, sizeof rsa1024_pair);
    const psa_key_attributes_t attributes = test_attributes(0, 0, ALG, PSA_KEY_USAGE_SIGN_HASH);
    uint8_t signature[128];
    psa_key_id_t copy;
    size_t n;

    EXPECT(PSA_SUCCESS, psa_copy_key(key, &attributes, &copy));
    test_keep(copy);
    EXPECT(PSA_SUCCESS, psa_sign_hash(copy, ALG, sha256_abc, 32, signature, sizeof signature, &n));
    CHECK_BYTES(signature, n, rsa1024_signature, sizeof rsa1024_signature);
}

static void rsa_check_usage__role_and_type__decide(void)
{
    const psa_key_id_t pair = test_import(
        PAIR, PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256),
        PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_SIGN_HASH, rsa1024_pair, 609);
    const psa_key_id_t public_key =
        test_import(PUBLIC, ALG, PSA_KEY_USAGE_VERIFY_HASH, rsa1024_public, sizeof rsa1024_public);
    const psa_key_id_t any =
        test_import(PUBLIC, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH), PSA_KEY_USAGE_VERIFY_HASH,
                    rsa1024_public, sizeof rsa1024_public);
    const psa_key_id_t ecc =
        test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), ALG, PSA_KEY_USAGE_SIGN_HASH,
                    p256_private, sizeof p256_private);
    const psa_algorithm_t oaep = PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256);

    EXPECT(PSA_SUCCESS, psa_check_key_usage(pair, oaep, PSA_KEY_USAGE_DECRYPT));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(pair, oaep, PSA_KEY_USAGE_ENCRYPT));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_check_key_usage(pair, oaep, PSA_KEY_USAGE_SIGN_HASH));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_check_key_usage(pair, ALG, PSA_KEY_USAGE_SIGN_HASH));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(public_key, ALG, PSA_KEY_USAGE_VERIFY_HASH));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(any, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH),
                               PSA_KEY_USAGE_VERIFY_HASH));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(any, ALG, PSA_KEY_USAGE_VERIFY_HASH));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(public_key, ALG, PSA_KEY_USAGE_SIGN_HASH));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_check_key_usage(ecc, ALG, PSA_KEY_USAGE_SIGN_HASH));
}

static const struct test_case tests[] = {
    TEST(rsa_import__exported_again__is_the_same),
    TEST(rsa_import__size_of_the_attributes__must_agree),
    TEST(rsa_import__cut_or_prolonged__is_refused),
    TEST(rsa_import__not_in_der__is_refused),
    TEST(rsa_import__numbers_that_contradict__are_refused),
    TEST(rsa_generate__pair__works_and_can_be_imported),
    TEST(rsa_generate__other_sizes__are_refused),
    TEST(rsa_generate_custom__public_exponent__is_taken),
    TEST(rsa_generate_custom__no_exponent__is_refused),
    TEST(rsa_generate__no_entropy__gives_no_key),
    TEST(rsa_copy__pair_in_memory__works_as_the_source),
    TEST(rsa_check_usage__role_and_type__decide),
};

TEST_SUITE(rsa_keys, tests);
