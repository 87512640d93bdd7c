/* SPDX-License-Identifier: Apache-2.0 */
/* Key encapsulation (PSA Crypto 1.5, 10.12): ML-KEM-768 and ECIES on P-256. */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"

#define BITS 768u
#define SEED_SIZE 64u
#define PUBLIC_SIZE 1184u
#define CIPHERTEXT_SIZE 1088u
#define SECRET_SIZE 32u
#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define P256 PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)

static psa_key_id_t ml_kem_pair(psa_key_usage_t usage)
{
    return test_generate(PSA_KEY_TYPE_ML_KEM_KEY_PAIR, BITS, PSA_ALG_ML_KEM, usage);
}

static psa_key_attributes_t secret_attributes(void)
{
    return test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
}

static psa_status_t encapsulate(psa_key_id_t key, psa_algorithm_t alg, psa_key_id_t *secret,
                                uint8_t *ciphertext, size_t size, size_t *length)
{
    const psa_key_attributes_t attributes = secret_attributes();

    return psa_encapsulate(key, alg, &attributes, secret, ciphertext, size, length);
}

static psa_status_t decapsulate(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *ciphertext,
                                size_t length, psa_key_id_t *secret)
{
    const psa_key_attributes_t attributes = secret_attributes();

    return psa_decapsulate(key, alg, ciphertext, length, &attributes, secret);
}

/* Export and destroy a secret. */
static void take(psa_key_id_t key, uint8_t secret[SECRET_SIZE])
{
    size_t length;

    NEED(psa_export_key(key, secret, SECRET_SIZE, &length));
    CHECK(length == SECRET_SIZE);
    NEED(psa_destroy_key(key));
}

static void encapsulation__both_sides__get_the_same_key(void)
{
    const psa_key_id_t pair = ml_kem_pair(BOTH);
    uint8_t *ciphertext = test_buffer(CIPHERTEXT_SIZE);
    uint8_t sent[SECRET_SIZE];
    uint8_t received[SECRET_SIZE];
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    size_t n;

    CHECK(PSA_ENCAPSULATE_CIPHERTEXT_SIZE(PSA_KEY_TYPE_ML_KEM_KEY_PAIR, BITS, PSA_ALG_ML_KEM) ==
          CIPHERTEXT_SIZE);
    EXPECT(PSA_SUCCESS, encapsulate(pair, PSA_ALG_ML_KEM, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    CHECK(n == CIPHERTEXT_SIZE);
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_bits(&attributes) == 8 * SECRET_SIZE &&
          psa_get_key_type(&attributes) == PSA_KEY_TYPE_DERIVE);
    take(key, sent);
    EXPECT(PSA_SUCCESS, decapsulate(pair, PSA_ALG_ML_KEM, ciphertext, CIPHERTEXT_SIZE, &key));
    take(key, received);
    CHECK_BYTES(received, SECRET_SIZE, sent, SECRET_SIZE);
}

static void encapsulate__public_key_alone__agrees_with_the_pair(void)
{
    const psa_key_id_t pair = ml_kem_pair(PSA_KEY_USAGE_DECRYPT);
    uint8_t *public_key = test_buffer(PUBLIC_SIZE);
    uint8_t *ciphertext = test_buffer(CIPHERTEXT_SIZE);
    uint8_t sent[SECRET_SIZE];
    uint8_t received[SECRET_SIZE];
    psa_key_id_t key;
    size_t n;

    EXPECT(PSA_SUCCESS, psa_export_public_key(pair, public_key, PUBLIC_SIZE, &n));
    CHECK(n == PUBLIC_SIZE);
    const psa_key_id_t public_id = test_import(PSA_KEY_TYPE_ML_KEM_PUBLIC_KEY, PSA_ALG_ML_KEM,
                                               PSA_KEY_USAGE_ENCRYPT, public_key, PUBLIC_SIZE);
    EXPECT(PSA_SUCCESS,
           encapsulate(public_id, PSA_ALG_ML_KEM, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    take(key, sent);
    EXPECT(PSA_SUCCESS, decapsulate(pair, PSA_ALG_ML_KEM, ciphertext, n, &key));
    take(key, received);
    CHECK_BYTES(received, SECRET_SIZE, sent, SECRET_SIZE);
    EXPECT(PSA_ERROR_NOT_PERMITTED, decapsulate(public_id, PSA_ALG_ML_KEM, ciphertext, n, &key));
}

static void decapsulate__forged_ciphertext__gives_another_key_and_no_error(void)
{
    const psa_key_id_t pair = ml_kem_pair(BOTH);
    uint8_t *ciphertext = test_buffer(CIPHERTEXT_SIZE);
    uint8_t sent[SECRET_SIZE];
    uint8_t received[SECRET_SIZE];
    uint8_t again[SECRET_SIZE];
    psa_key_id_t key;
    size_t n;

    NEED(encapsulate(pair, PSA_ALG_ML_KEM, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    take(key, sent);
    ciphertext[n / 2] ^= 1;
    EXPECT(PSA_SUCCESS, decapsulate(pair, PSA_ALG_ML_KEM, ciphertext, n, &key));
    take(key, received);
    CHECK(memcmp(sent, received, SECRET_SIZE) != 0);
    EXPECT(PSA_SUCCESS, decapsulate(pair, PSA_ALG_ML_KEM, ciphertext, n, &key));
    take(key, again);
    CHECK_BYTES(again, SECRET_SIZE, received, SECRET_SIZE);
}

static void decapsulate__ciphertext_of_another_length__is_invalid(void)
{
    static const size_t lengths[] = {0, 1, CIPHERTEXT_SIZE - 1, CIPHERTEXT_SIZE + 1, 768, 1568};
    const psa_key_id_t pair = ml_kem_pair(BOTH);
    psa_key_id_t key = 1;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               decapsulate(pair, PSA_ALG_ML_KEM, test_buffer(lengths[i]), lengths[i], &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
}

static void encapsulate__short_buffer__is_too_small_and_leaves_no_key(void)
{
    const psa_key_id_t pair = ml_kem_pair(BOTH);
    const size_t sizes[] = {0, 1, CIPHERTEXT_SIZE - 1};
    psa_key_id_t key = 1;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *out = test_buffer(sizes[i]);
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               encapsulate(pair, PSA_ALG_ML_KEM, &key, out, sizes[i], &n));
        CHECK(n == 0 && key == PSA_KEY_ID_NULL && test_all(out, sizes[i], 0));
    }
}

static void encapsulation__wrong_policy__is_not_permitted(void)
{
    const psa_key_id_t encrypts = ml_kem_pair(PSA_KEY_USAGE_ENCRYPT);
    const psa_key_id_t decrypts = ml_kem_pair(PSA_KEY_USAGE_DECRYPT);
    uint8_t *ciphertext = test_buffer(CIPHERTEXT_SIZE);
    psa_key_id_t key;
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           encapsulate(decrypts, PSA_ALG_ML_KEM, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           decapsulate(encrypts, PSA_ALG_ML_KEM, ciphertext, CIPHERTEXT_SIZE, &key));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           encapsulate(encrypts, PSA_ALG_ECIES_SEC1, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(encrypts, PSA_ALG_ML_KEM, PSA_KEY_USAGE_ENCRYPT));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(decrypts, PSA_ALG_ML_KEM, PSA_KEY_USAGE_DECRYPT));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_check_key_usage(decrypts, PSA_ALG_ML_KEM, PSA_KEY_USAGE_ENCRYPT));
}

static void encapsulation__wrong_algorithm_key_or_type__is_told(void)
{
    const psa_key_id_t pair = ml_kem_pair(BOTH);
    const psa_key_id_t data =
        test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_ML_KEM, BOTH, aes_key, sizeof aes_key);
    psa_key_attributes_t attributes = secret_attributes();
    uint8_t *ciphertext = test_buffer(CIPHERTEXT_SIZE);
    psa_key_id_t key = 1;
    size_t n;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           encapsulate(pair, PSA_ALG_ECDH, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           decapsulate(pair, PSA_ALG_CTR, ciphertext, CIPHERTEXT_SIZE, &key));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           encapsulate(data, PSA_ALG_ML_KEM, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           encapsulate(0x1234, PSA_ALG_ML_KEM, &key, ciphertext, CIPHERTEXT_SIZE, &n));
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ML_KEM_KEY_PAIR);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_encapsulate(pair, PSA_ALG_ML_KEM, &attributes, &key,
                                                       ciphertext, CIPHERTEXT_SIZE, &n));
    attributes = secret_attributes();
    psa_set_key_bits(&attributes, 128);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_encapsulate(pair, PSA_ALG_ML_KEM, &attributes, &key,
                                                       ciphertext, CIPHERTEXT_SIZE, &n));
    CHECK(key == PSA_KEY_ID_NULL && n == 0 && test_all(ciphertext, CIPHERTEXT_SIZE, 0));
}

static void encapsulate__no_entropy__gives_neither_key_nor_ciphertext(void)
{
    const psa_key_id_t pair = ml_kem_pair(BOTH);
    uint8_t *ciphertext = test_buffer(CIPHERTEXT_SIZE);
    psa_key_id_t key = 1;
    size_t n = 9;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t status =
        encapsulate(pair, PSA_ALG_ML_KEM, &key, ciphertext, CIPHERTEXT_SIZE, &n);
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, status);
    CHECK(n == 0 && key == PSA_KEY_ID_NULL && test_all(ciphertext, CIPHERTEXT_SIZE, 0));
}

static void ml_kem_import__seed__comes_back_and_needs_its_size(void)
{
    uint8_t seed[SEED_SIZE];
    uint8_t out[SEED_SIZE];
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_ML_KEM_KEY_PAIR, BITS, PSA_ALG_ML_KEM, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;
    size_t n;

    test_fill(seed, sizeof seed, 3);
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, seed, sizeof seed, &key));
    EXPECT(PSA_SUCCESS, psa_export_key(test_keep(key), out, sizeof out, &n));
    CHECK_BYTES(out, n, seed, sizeof seed);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, seed, sizeof seed - 1, &key));
    psa_set_key_bits(&attributes, 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, seed, sizeof seed, &key));
    psa_set_key_bits(&attributes, 777);
    EXPECT_REFUSED(psa_import_key(&attributes, seed, sizeof seed, &key));
}

static void ml_kem_import__public_key_out_of_range__is_invalid(void)
{
    uint8_t *public_key = test_buffer(PUBLIC_SIZE);
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_ML_KEM_PUBLIC_KEY, 0, PSA_ALG_ML_KEM, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t key = 1;

    memset(public_key, 0xff, PUBLIC_SIZE);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, public_key, PUBLIC_SIZE, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void ecies__both_sides__get_the_secret_of_key_agreement(void)
{
    const psa_key_id_t pair =
        test_import(P256, PSA_ALG_ECIES_SEC1, BOTH, p256_private, sizeof p256_private);
    const psa_key_id_t agrees =
        test_import(P256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, p256_private, sizeof p256_private);
    uint8_t *ciphertext = test_buffer(65);
    uint8_t sent[SECRET_SIZE];
    uint8_t received[SECRET_SIZE];
    uint8_t agreed[SECRET_SIZE];
    psa_key_id_t key;
    size_t n;

    EXPECT(PSA_SUCCESS, encapsulate(pair, PSA_ALG_ECIES_SEC1, &key, ciphertext, 65, &n));
    CHECK(n == 65);
    take(key, sent);
    EXPECT(PSA_SUCCESS, decapsulate(pair, PSA_ALG_ECIES_SEC1, ciphertext, n, &key));
    take(key, received);
    CHECK_BYTES(received, SECRET_SIZE, sent, SECRET_SIZE);
    EXPECT(PSA_SUCCESS,
           psa_raw_key_agreement(PSA_ALG_ECDH, agrees, ciphertext, 65, agreed, sizeof agreed, &n));
    CHECK_BYTES(agreed, n, sent, SECRET_SIZE);
}

static void ecies__secret_as_a_cipher_key_or_short_buffer__is_refused(void)
{
    const psa_key_id_t pair =
        test_import(P256, PSA_ALG_ECIES_SEC1, BOTH, p256_private, sizeof p256_private);
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 256, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    uint8_t ciphertext[65];
    psa_key_id_t key = 1;
    size_t n;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_encapsulate(pair, PSA_ALG_ECIES_SEC1, &attributes, &key,
                                                       ciphertext, sizeof ciphertext, &n));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           encapsulate(pair, PSA_ALG_ECIES_SEC1, &key, ciphertext, 64, &n));
    memset(ciphertext, 4, sizeof ciphertext);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           decapsulate(pair, PSA_ALG_ECIES_SEC1, ciphertext, sizeof ciphertext, &key));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, decapsulate(pair, PSA_ALG_ECIES_SEC1, ciphertext, 64, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static const struct test_case tests[] = {
    TEST(encapsulation__both_sides__get_the_same_key),
    TEST(encapsulate__public_key_alone__agrees_with_the_pair),
    TEST(decapsulate__forged_ciphertext__gives_another_key_and_no_error),
    TEST(decapsulate__ciphertext_of_another_length__is_invalid),
    TEST(encapsulate__short_buffer__is_too_small_and_leaves_no_key),
    TEST(encapsulation__wrong_policy__is_not_permitted),
    TEST(encapsulation__wrong_algorithm_key_or_type__is_told),
    TEST(encapsulate__no_entropy__gives_neither_key_nor_ciphertext),
    TEST(ml_kem_import__seed__comes_back_and_needs_its_size),
    TEST(ml_kem_import__public_key_out_of_range__is_invalid),
    TEST(ecies__both_sides__get_the_secret_of_key_agreement),
    TEST(ecies__secret_as_a_cipher_key_or_short_buffer__is_refused),
};

TEST_SUITE(encapsulation, tests);
