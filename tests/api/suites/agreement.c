/* SPDX-License-Identifier: Apache-2.0 */
/* Raw key agreement, and agreement into a key (PSA Crypto 1.5, 10.11). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/scan.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECC_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define X_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define ED_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define SIZE 32u

static psa_key_id_t x25519(void)
{
    return test_import(X_PAIR, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, x25519_private, 32);
}

static psa_key_id_t p256(void)
{
    return test_import(ECC_PAIR, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, p256_private, 32);
}

static void raw_key_agreement__known_answer__agrees(void)
{
    uint8_t *secret = test_buffer(SIZE);
    size_t n;

    EXPECT(PSA_SUCCESS,
           psa_raw_key_agreement(PSA_ALG_ECDH, x25519(), x25519_peer_public, 32, secret, SIZE, &n));
    CHECK_BYTES(secret, n, x25519_shared, SIZE);
}

static void raw_key_agreement__both_sides__get_the_same(void)
{
    const struct {
        psa_key_type_t type;
        size_t bits;
    } curves[] = {{ECC_PAIR, 256}, {X_PAIR, 255}};

    for (size_t i = 0; i < 2; i++) {
        const psa_key_id_t a =
            test_generate(curves[i].type, curves[i].bits, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
        const psa_key_id_t b =
            test_generate(curves[i].type, curves[i].bits, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
        uint8_t points[2][65];
        uint8_t secrets[2][SIZE];
        size_t lengths[2];
        size_t n;
        NEED(psa_export_public_key(a, points[0], 65, &lengths[0]));
        NEED(psa_export_public_key(b, points[1], 65, &lengths[1]));
        EXPECT(PSA_SUCCESS,
               psa_raw_key_agreement(PSA_ALG_ECDH, a, points[1], lengths[1], secrets[0], SIZE, &n));
        CHECK(n == SIZE);
        EXPECT(PSA_SUCCESS,
               psa_raw_key_agreement(PSA_ALG_ECDH, b, points[0], lengths[0], secrets[1], SIZE, &n));
        CHECK_BYTES(secrets[0], SIZE, secrets[1], n);
        test_destroy_keys();
    }
}

static void raw_key_agreement__short_buffer__leaves_no_hold(void)
{
    const psa_key_id_t key = p256();

    for (size_t size = 0; size < SIZE; size++) {
        uint8_t *out = test_buffer(size);
        size_t n = 9;
        test_context("bytes", size);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_raw_key_agreement(PSA_ALG_ECDH, key, p256_public, 65, out, size, &n));
        CHECK(n == 0 && test_all(out, size, 0));
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void raw_key_agreement__peer_off_the_curve__is_refused(void)
{
    const psa_key_id_t key = p256();
    uint8_t point[66];
    size_t n;

    for (size_t i = 0; i < 65; i += 4) {
        uint8_t *secret = test_buffer(SIZE);
        memcpy(point, p256_public, 65);
        point[i] ^= 0x02;
        n = 1;
        test_context("byte", i);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_raw_key_agreement(PSA_ALG_ECDH, key, point, 65, secret, SIZE, &n));
        CHECK(n == 0 && (test_all(secret, SIZE, 0) || test_all(secret, SIZE, 0xa5)));
    }
    memset(point, 4, sizeof point);
    memcpy(point, p256_public, 65);
    for (size_t length = 0; length <= sizeof point; length++) {
        uint8_t *secret = test_buffer(SIZE);
        test_context("bytes", length);
        if (length != 65) {
            EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                   psa_raw_key_agreement(PSA_ALG_ECDH, key, test_copy(point, length), length,
                                         secret, SIZE, &n));
            CHECK(n == 0);
        }
    }
}

static void raw_key_agreement__x25519_peer_of_wrong_length__is_refused(void)
{
    const psa_key_id_t key = x25519();
    uint8_t peer[40] = {9};
    size_t n;

    for (size_t length = 0; length <= sizeof peer; length++) {
        uint8_t secret[SIZE];
        test_context("bytes", length);
        if (length != 32) {
            EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                   psa_raw_key_agreement(PSA_ALG_ECDH, key, test_copy(peer, length), length, secret,
                                         SIZE, &n));
            CHECK(n == 0);
        }
    }
}

static void raw_key_agreement__another_algorithm__is_refused(void)
{
    const psa_key_id_t key = p256();
    uint8_t secret[SIZE];
    size_t n = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_raw_key_agreement(PSA_ALG_ECDSA(PSA_ALG_SHA_256), key,
                                                             p256_public, 65, secret, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_raw_key_agreement(PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(PSA_ALG_SHA_256)),
                                 key, p256_public, 65, secret, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_raw_key_agreement(PSA_ALG_NONE, key, p256_public, 65, secret, SIZE, &n));
}

static void raw_key_agreement__public_or_other_key__is_refused(void)
{
    const psa_key_id_t public_key =
        test_import(ECC_PUBLIC, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, p256_public, 65);
    const psa_key_id_t raw =
        test_import(PSA_KEY_TYPE_DERIVE, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, p256_private, 32);
    uint8_t secret[SIZE];
    size_t n;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_raw_key_agreement(PSA_ALG_ECDH, public_key, p256_public, 65, secret, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_raw_key_agreement(PSA_ALG_ECDH, raw, p256_public, 65, secret, SIZE, &n));
    CHECK(n == 0);
}

/* Also where the key has no secrets, and the macro of their size says 0. */
static void raw_key_agreement__nobody_agrees__is_not_supported_whatever_the_room(void)
{
    const struct {
        psa_key_type_t type;
        psa_algorithm_t alg;
        const uint8_t *data;
    } rows[] = {
        {ECC_PAIR, PSA_ALG_FFDH, p256_private},
        {X_PAIR, PSA_ALG_FFDH, x25519_private},
        {ED_PAIR, PSA_ALG_ECDH, ed25519_private},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_id_t key =
            test_import(rows[i].type, rows[i].alg, PSA_KEY_USAGE_DERIVE, rows[i].data, 32);
        for (size_t size = 0; size <= SIZE; size += SIZE) {
            size_t n = 1;
            test_context("row", i);
            EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_raw_key_agreement(rows[i].alg, key, p256_public, 65,
                                                                  test_buffer(size), size, &n));
            CHECK(n == 0);
        }
        test_destroy_keys();
    }
}

static void raw_key_agreement__output_over_the_peer__gives_the_same(void)
{
    const psa_key_id_t key = x25519();

    for (size_t at = 0; at <= 64; at += 4) {
        uint8_t *buffer = test_buffer(96);
        size_t n;
        memcpy(buffer + 32, x25519_peer_public, 32);
        test_context("shift", at);
        EXPECT(PSA_SUCCESS,
               psa_raw_key_agreement(PSA_ALG_ECDH, key, buffer + 32, 32, buffer + at, SIZE, &n));
        CHECK_BYTES(buffer + at, n, x25519_shared, SIZE);
    }
}

static void key_agreement__secret__becomes_a_key(void)
{
    const psa_key_id_t key = x25519();
    const psa_key_type_t types[] = {PSA_KEY_TYPE_DERIVE, PSA_KEY_TYPE_RAW_DATA, PSA_KEY_TYPE_HMAC};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(types[i], i == 0 ? 256 : 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
        psa_key_attributes_t found;
        uint8_t secret[SIZE];
        psa_key_id_t shared;
        size_t n;
        test_context("type", i);
        EXPECT(PSA_SUCCESS,
               psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_ECDH, &attributes, &shared));
        test_keep(shared);
        NEED(psa_get_key_attributes(shared, &found));
        CHECK(psa_get_key_type(&found) == types[i] && psa_get_key_bits(&found) == 256);
        EXPECT(PSA_SUCCESS, psa_export_key(shared, secret, SIZE, &n));
        CHECK_BYTES(secret, n, x25519_shared, SIZE);
        EXPECT(PSA_SUCCESS, psa_destroy_key(shared));
    }
}

static void key_agreement__attributes_that_cannot_be__are_refused(void)
{
    const psa_key_id_t key = x25519();
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 256, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t shared = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_ECDH, &attributes, &shared));
    CHECK(shared == PSA_KEY_ID_NULL);
    attributes = test_attributes(PSA_KEY_TYPE_DERIVE, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    shared = 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_ECDH, &attributes, &shared));
    CHECK(shared == PSA_KEY_ID_NULL);
    attributes = test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_key_agreement(key, x25519_peer_public, 31, PSA_ALG_ECDH, &attributes, &shared));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_NONE, &attributes, &shared));
    psa_set_key_id(&attributes, 9);
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_ECDH, &attributes, &shared));
    CHECK(shared == PSA_KEY_ID_NULL);
}

static void key_agreement__without_permission__is_not_permitted(void)
{
    const psa_key_id_t key =
        test_import(X_PAIR, PSA_ALG_ECDH, PSA_KEY_USAGE_EXPORT, x25519_private, 32);
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t shared = 1;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_ECDH, &attributes, &shared));
    CHECK(shared == PSA_KEY_ID_NULL);
}

static void key_agreement__keys_destroyed__leave_no_byte_of_key_or_secret(void)
{
    const psa_key_id_t key = x25519();
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t shared;

    NEED(psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_ECDH, &attributes, &shared));
    NEED(psa_destroy_key(shared));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(x25519_shared, SIZE));
    CHECK(!test_memory_holds(x25519_private, SIZE));
}

static const struct test_case tests[] = {
    TEST(raw_key_agreement__known_answer__agrees),
    TEST(raw_key_agreement__both_sides__get_the_same),
    TEST(raw_key_agreement__short_buffer__leaves_no_hold),
    TEST(raw_key_agreement__peer_off_the_curve__is_refused),
    TEST(raw_key_agreement__x25519_peer_of_wrong_length__is_refused),
    TEST(raw_key_agreement__another_algorithm__is_refused),
    TEST(raw_key_agreement__public_or_other_key__is_refused),
    TEST(raw_key_agreement__nobody_agrees__is_not_supported_whatever_the_room),
    TEST(raw_key_agreement__output_over_the_peer__gives_the_same),
    TEST(key_agreement__secret__becomes_a_key),
    TEST(key_agreement__attributes_that_cannot_be__are_refused),
    TEST(key_agreement__without_permission__is_not_permitted),
    TEST(key_agreement__keys_destroyed__leave_no_byte_of_key_or_secret),
};

TEST_SUITE(agreement, tests);
