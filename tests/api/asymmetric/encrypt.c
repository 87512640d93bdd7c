/* SPDX-License-Identifier: Apache-2.0 */
/* Asymmetric encryption (PSA Crypto 1.5, 10.10). */
#include <string.h>

#include <corral/dispatch/asymmetric.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/rsa_keys.h"

#define PAIR PSA_KEY_TYPE_RSA_KEY_PAIR
#define PUBLIC PSA_KEY_TYPE_RSA_PUBLIC_KEY
#define OAEP PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256)
#define CRYPT PSA_ALG_RSA_PKCS1V15_CRYPT
#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define SIZE 128u
#define OAEP_ROOM (SIZE - 66u)
#define CRYPT_ROOM (SIZE - 11u)

static psa_key_id_t pair_for(psa_algorithm_t alg)
{
    return test_import(PAIR, alg, BOTH, rsa1024_pair, sizeof rsa1024_pair);
}

static const uint8_t label[] = {'l', 'a', 'b', 'e', 'l'};

/* A text that does not fit: PKCS#1 v1.5 answers this like a wrong padding. */
static void check_too_small(psa_key_id_t pair, psa_algorithm_t alg, const uint8_t *cipher,
                            const uint8_t *salt, size_t salt_size, size_t room)
{
    uint8_t *const plain = test_buffer(room);
    size_t n = 9;

    EXPECT(alg == CRYPT ? PSA_ERROR_INVALID_PADDING : PSA_ERROR_BUFFER_TOO_SMALL,
           psa_asymmetric_decrypt(pair, alg, cipher, SIZE, salt, salt_size, plain, room, &n));
    CHECK(n == 0 && test_all(plain, room, 0));
}

/*
 * Encrypts with the pair and with its public key; both decrypt to the same, into a buffer that just
 * fits the text.
 */
static void check_round_trip(psa_algorithm_t alg, size_t room, const uint8_t *salt,
                             size_t salt_size)
{
    const psa_key_id_t pair = pair_for(alg);
    const psa_key_id_t keys[] = {
        pair, test_import(PUBLIC, alg, PSA_KEY_USAGE_ENCRYPT, rsa1024_public, 140)};
    uint8_t text[SIZE];
    size_t n;

    test_fill(text, sizeof text, 0x11);
    for (size_t length = 0; length <= room; length += length < 2 ? 1 : room / 2 - 1) {
        test_context("bytes", length);
        uint8_t *cipher = test_buffer(SIZE);
        const uint8_t *const copy = length > 0 ? test_copy(text, length) : NULL;
        EXPECT(PSA_SUCCESS, psa_asymmetric_encrypt(keys[length & 1], alg, copy, length, salt,
                                                   salt_size, cipher, SIZE, &n));
        CHECK(n == SIZE);
        for (size_t more = 0; more < 2 * SIZE; more += SIZE - 1) {
            uint8_t *plain = test_buffer(length + more);
            EXPECT(PSA_SUCCESS, psa_asymmetric_decrypt(pair, alg, cipher, SIZE, salt, salt_size,
                                                       plain, length + more, &n));
            CHECK_BYTES(plain, n, text, length);
        }
        if (length > 0) {
            check_too_small(pair, alg, cipher, salt, salt_size, length - 1);
            check_too_small(pair, alg, cipher, salt, salt_size, 0);
        }
    }
}

static void encrypt__every_length__comes_back(void)
{
    check_round_trip(OAEP, OAEP_ROOM, NULL, 0);
    check_round_trip(OAEP, OAEP_ROOM, label, sizeof label);
    check_round_trip(CRYPT, CRYPT_ROOM, NULL, 0);
}

static void decrypt__of_another_library__gives_the_text(void)
{
    const psa_key_id_t key = test_import(PAIR, OAEP, BOTH, rsa2048_pair, sizeof rsa2048_pair);
    const psa_key_id_t crypt = test_import(PAIR, CRYPT, BOTH, rsa2048_pair, sizeof rsa2048_pair);
    uint8_t plain[256];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_asymmetric_decrypt(key, OAEP, rsa2048_oaep, 256, label, sizeof label,
                                               plain, 256, &n));
    CHECK_BYTES(plain, n, abc, 3);
    EXPECT(PSA_SUCCESS,
           psa_asymmetric_decrypt(crypt, CRYPT, rsa2048_crypt, 256, NULL, 0, plain, 256, &n));
    CHECK_BYTES(plain, n, abc, 3);
}

static void decrypt__wrong_padding__says_so_and_wipes(void)
{
    const psa_key_id_t pairs[] = {pair_for(OAEP), pair_for(CRYPT)};
    const psa_algorithm_t algs[] = {OAEP, CRYPT};
    uint8_t plain[SIZE];
    size_t n;

    for (unsigned i = 0; i < 2; i++) {
        uint8_t cipher[SIZE];
        EXPECT(PSA_SUCCESS,
               psa_asymmetric_encrypt(pairs[i], algs[i], abc, 3, NULL, 0, cipher, SIZE, &n));
        for (size_t at = 0; at < SIZE; at += 42) {
            cipher[at] ^= 1;
            memset(plain, 0xa5, sizeof plain);
            n = 9;
            EXPECT(
                PSA_ERROR_INVALID_PADDING,
                psa_asymmetric_decrypt(pairs[i], algs[i], cipher, SIZE, NULL, 0, plain, SIZE, &n));
            CHECK(n == 0 && test_all(plain, SIZE, 0));
            cipher[at] ^= 1;
        }
        memset(cipher, 0xff, sizeof cipher); /* not below the modulus */
        EXPECT(PSA_ERROR_INVALID_PADDING,
               psa_asymmetric_decrypt(pairs[i], algs[i], cipher, SIZE, NULL, 0, plain, SIZE, &n));
        memset(cipher, 0, sizeof cipher);
        EXPECT(PSA_ERROR_INVALID_PADDING,
               psa_asymmetric_decrypt(pairs[i], algs[i], cipher, SIZE, NULL, 0, plain, SIZE, &n));
    }
}

static void decrypt__another_label__is_invalid_padding(void)
{
    const psa_key_id_t pair = pair_for(OAEP);
    uint8_t cipher[SIZE];
    uint8_t plain[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_asymmetric_encrypt(pair, OAEP, abc, 3, label, 5, cipher, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_PADDING,
           psa_asymmetric_decrypt(pair, OAEP, cipher, SIZE, label, 4, plain, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_PADDING,
           psa_asymmetric_decrypt(pair, OAEP, cipher, SIZE, NULL, 0, plain, SIZE, &n));
    EXPECT(PSA_SUCCESS,
           psa_asymmetric_decrypt(pair, OAEP, cipher, SIZE, label, 5, plain, SIZE, &n));
}

static void encrypt__salt_without_oaep__is_refused(void)
{
    const psa_key_id_t pair = pair_for(CRYPT);
    uint8_t cipher[SIZE];
    size_t n = 9;

    for (size_t size = 1; size <= 5; size += 4) {
        test_context("size", size);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_asymmetric_encrypt(pair, CRYPT, abc, 3, label, size, cipher, SIZE, &n));
        CHECK(n == 0);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_asymmetric_decrypt(pair, CRYPT, rsa1024_signature, SIZE, label, size, cipher,
                                      SIZE, &n));
    }
    test_context(NULL, 0);
}

static void encrypt__text_too_long__is_refused(void)
{
    const psa_key_id_t oaep = pair_for(OAEP);
    const psa_key_id_t crypt = pair_for(CRYPT);
    uint8_t text[SIZE] = {0};
    uint8_t cipher[SIZE];
    size_t n = 9;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_asymmetric_encrypt(oaep, OAEP, text, OAEP_ROOM + 1, NULL, 0, cipher, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_asymmetric_encrypt(crypt, CRYPT, text, CRYPT_ROOM + 1, NULL, 0, cipher, SIZE, &n));
}

static void decrypt__ciphertext_of_another_length__is_refused(void)
{
    const psa_key_id_t oaep = pair_for(OAEP);
    uint8_t plain[SIZE];
    size_t n = 9;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_asymmetric_decrypt(oaep, OAEP, rsa1024_raw, SIZE - 1, NULL, 0, plain, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_asymmetric_decrypt(oaep, OAEP, rsa2048_oaep, SIZE + 1, NULL, 0, plain, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_asymmetric_decrypt(oaep, OAEP, NULL, 0, NULL, 0, plain, SIZE, &n));
}

static void encrypt__short_buffer__leaves_no_hold(void)
{
    const psa_key_id_t pair = pair_for(OAEP);
    uint8_t cipher[SIZE];
    size_t n;

    for (size_t size = 0; size < SIZE; size += 3) {
        n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_asymmetric_encrypt(pair, OAEP, abc, 3, NULL, 0, test_buffer(size), size, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_asymmetric_encrypt(pair, OAEP, abc, 3, NULL, 0, cipher, SIZE, &n));
    CHECK(PSA_ASYMMETRIC_DECRYPT_OUTPUT_SIZE(PAIR, 1024, OAEP) == OAEP_ROOM);
    EXPECT(PSA_SUCCESS, psa_asymmetric_decrypt(pair, OAEP, cipher, SIZE, NULL, 0,
                                               test_buffer(OAEP_ROOM), OAEP_ROOM, &n));
    EXPECT(PSA_SUCCESS, psa_destroy_key(pair));
}

static void encrypt__overlapping_buffers__give_the_same(void)
{
    const psa_algorithm_t algs[] = {OAEP, CRYPT};

    for (unsigned i = 0; i < 2; i++) {
        const psa_key_id_t pair = pair_for(algs[i]);
        const size_t salt_size = i == 0 ? 5 : 0;
        for (size_t shift = 0; shift < 80; shift += 20) {
            uint8_t *both = test_buffer(SIZE + 100);
            size_t n;
            test_context("shift", shift);
            memcpy(both + shift, abc, 3);
            memcpy(both + shift + 3, label, 5);
            EXPECT(PSA_SUCCESS,
                   psa_asymmetric_encrypt(pair, algs[i], both + shift, 3, both + shift + 3,
                                          salt_size, both, SIZE, &n));
            EXPECT(PSA_SUCCESS, psa_asymmetric_decrypt(pair, algs[i], both, SIZE, label, salt_size,
                                                       both + shift, SIZE, &n));
            CHECK_BYTES(both + shift, n, abc, 3);
        }
    }
}

static void encrypt__key_or_policy_that_does_not_fit__is_refused(void)
{
    const psa_key_id_t pair = test_import(PAIR, OAEP, PSA_KEY_USAGE_ENCRYPT, rsa1024_pair, 609);
    const psa_key_id_t public_key = test_import(PUBLIC, OAEP, BOTH, rsa1024_public, 140);
    const psa_key_id_t ecc = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), OAEP,
                                         BOTH, p256_private, sizeof p256_private);
    const psa_key_id_t raw = test_import(PSA_KEY_TYPE_RAW_DATA, OAEP, BOTH, abc, 3);
    const psa_algorithm_t other = PSA_ALG_RSA_OAEP(PSA_ALG_SHA_1);
    uint8_t out[SIZE];
    size_t n = 9;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_asymmetric_decrypt(pair, OAEP, rsa1024_raw, SIZE, NULL, 0, out, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_asymmetric_encrypt(pair, other, abc, 3, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_asymmetric_encrypt(pair, CRYPT, abc, 3, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_asymmetric_decrypt(public_key, OAEP, rsa1024_raw, SIZE, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_asymmetric_encrypt(ecc, OAEP, abc, 3, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_asymmetric_encrypt(raw, OAEP, abc, 3, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_asymmetric_encrypt(pair, PSA_ALG_SHA_256, abc, 3, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_asymmetric_encrypt(0x40000000, OAEP, abc, 3, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_asymmetric_decrypt(0x40000000, OAEP, abc, 3, NULL, 0, out, SIZE, &n));
}

static void encrypt__no_entropy__gives_nothing(void)
{
    const psa_key_id_t oaep = pair_for(OAEP);
    const psa_key_id_t crypt = pair_for(CRYPT);
    uint8_t out[SIZE];
    size_t n = 9;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
           psa_asymmetric_encrypt(oaep, OAEP, abc, 3, NULL, 0, out, SIZE, &n));
    CHECK(n == 0 && test_all(out, SIZE, 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
           psa_asymmetric_encrypt(crypt, CRYPT, abc, 3, NULL, 0, out, SIZE, &n));
    test_entropy_mode(TEST_ENTROPY_GOOD);
}

static void crypt__hash_that_is_not_there__is_not_supported(void)
{
    const psa_algorithm_t absent = PSA_ALG_RSA_OAEP(PSA_ALG_SHA3_256);
    const psa_key_id_t key = pair_for(absent);
    uint8_t out[SIZE] = {0};
    size_t n;

    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_asymmetric_encrypt(key, absent, abc, 3, NULL, 0, out, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_asymmetric_decrypt(key, absent, out, SIZE, NULL, 0, out, SIZE, &n));
}

/* Some libraries blind with random numbers; others need none. */
static void decrypt__no_entropy__succeeds_or_gives_nothing(void)
{
    const psa_key_id_t key = pair_for(OAEP);
    uint8_t ciphertext[SIZE];
    uint8_t out[SIZE];
    size_t n;

    NEED(psa_asymmetric_encrypt(key, OAEP, abc, 3, NULL, 0, ciphertext, SIZE, &n));
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t status =
        psa_asymmetric_decrypt(key, OAEP, ciphertext, SIZE, NULL, 0, out, SIZE, &n);
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INSUFFICIENT_ENTROPY);
    CHECK(status == PSA_SUCCESS || (n == 0 && test_all(out, SIZE, 0)));
}

#if CORRAL_WALL
static void driver__room_for_just_the_result__suffices_and_less_does_not(void)
{
    test_skip("it calls a driver of the trusted side's image");
}
#else
/* The core offers a driver buffers that are always large enough; a driver of its own accord takes
 * no less than it needs. */
static void driver__room_for_just_the_result__suffices_and_less_does_not(void)
{
    const psa_key_attributes_t pair = test_attributes(PAIR, 8 * SIZE, OAEP, BOTH);
    const psa_key_attributes_t public_key = test_attributes(PUBLIC, 8 * SIZE, OAEP, BOTH);
    uint8_t *const cipher = test_buffer(SIZE);
    uint8_t *const plain = test_buffer(sizeof label);
    size_t n = 0;

    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           corral_dispatch_asymmetric_encrypt(&public_key, rsa1024_public, 140, OAEP, label,
                                              sizeof label, NULL, 0, test_buffer(SIZE - 1),
                                              SIZE - 1, &n));
    EXPECT(PSA_SUCCESS,
           corral_dispatch_asymmetric_encrypt(&public_key, rsa1024_public, 140, OAEP, label,
                                              sizeof label, NULL, 0, cipher, SIZE, &n));
    CHECK(n == SIZE);
    EXPECT(PSA_SUCCESS,
           corral_dispatch_asymmetric_decrypt(&pair, rsa1024_pair, sizeof rsa1024_pair, OAEP,
                                              cipher, SIZE, NULL, 0, plain, sizeof label, &n));
    CHECK_BYTES(plain, n, label, sizeof label);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           corral_dispatch_asymmetric_decrypt(&pair, rsa1024_pair, sizeof rsa1024_pair, OAEP,
                                              cipher, SIZE, NULL, 0, test_buffer(sizeof label - 1),
                                              sizeof label - 1, &n));
}
#endif

static const struct test_case tests[] = {
    TEST(crypt__hash_that_is_not_there__is_not_supported),
    TEST(decrypt__no_entropy__succeeds_or_gives_nothing),
    TEST(encrypt__every_length__comes_back),
    TEST(decrypt__of_another_library__gives_the_text),
    TEST(decrypt__wrong_padding__says_so_and_wipes),
    TEST(decrypt__another_label__is_invalid_padding),
    TEST(encrypt__salt_without_oaep__is_refused),
    TEST(encrypt__text_too_long__is_refused),
    TEST(decrypt__ciphertext_of_another_length__is_refused),
    TEST(encrypt__short_buffer__leaves_no_hold),
    TEST(driver__room_for_just_the_result__suffices_and_less_does_not),
    TEST(encrypt__overlapping_buffers__give_the_same),
    TEST(encrypt__key_or_policy_that_does_not_fit__is_refused),
    TEST(encrypt__no_entropy__gives_nothing),
};

TEST_SUITE(rsa_encrypt, tests);
