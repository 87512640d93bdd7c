/* SPDX-License-Identifier: Apache-2.0 */
/* Each family of algorithms over a hash, with hashes that the build does not compute. */
#include "unwanted.h"

#include "../../harness/material.h"
#include "../../harness/rsa_keys.h"

static const uint8_t secret[64] = {1};

/* A call works with SHA-384, which `alg` has, and with no other hash. */
static void take_one_hash(psa_algorithm_t alg, psa_status_t (*call)(psa_algorithm_t alg))
{
    EXPECT(PSA_SUCCESS, call(alg));
    for (size_t i = 0; i < UNWANTED_COUNT; i++) {
        test_context("hash", i);
        EXPECT(PSA_ERROR_NOT_SUPPORTED, call(unwanted_in(alg, i)));
        test_destroy_keys();
    }
    test_context(NULL, 0);
}

/* A key for nothing else, of which psa_check_key_usage() says what the call will. */
static psa_key_id_t key_for(psa_algorithm_t alg, psa_key_type_t type, psa_key_usage_t usage,
                            psa_status_t *wanted)
{
    const psa_key_id_t key = test_import(type, alg, usage, secret, sizeof secret);

    *wanted = psa_check_key_usage(key, alg, usage);
    return key;
}

static psa_status_t hash(psa_algorithm_t alg)
{
    uint8_t output[64];
    size_t length;

    return psa_hash_compute(alg, secret, sizeof secret, output, sizeof output, &length);
}

static void hash__not_wanted__is_not_supported(void)
{
    take_one_hash(PSA_ALG_SHA_384, hash);
}

static psa_status_t mac(psa_algorithm_t alg)
{
    psa_status_t wanted;
    const psa_key_id_t key = key_for(alg, PSA_KEY_TYPE_HMAC, PSA_KEY_USAGE_SIGN_MESSAGE, &wanted);
    uint8_t output[64];
    size_t length;

    const psa_status_t status =
        psa_mac_compute(key, alg, secret, sizeof secret, output, sizeof output, &length);
    EXPECT(wanted, status);
    return status;
}

static void hmac__of_an_unwanted_hash__is_not_supported(void)
{
    take_one_hash(PSA_ALG_HMAC(PSA_ALG_SHA_384), mac);
}

static psa_status_t derivation(psa_algorithm_t alg)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_status_t wanted;
    (void)key_for(alg,
                  PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg) ? PSA_KEY_TYPE_PASSWORD
                                                            : PSA_KEY_TYPE_DERIVE,
                  PSA_KEY_USAGE_DERIVE, &wanted);
    const psa_status_t status = psa_key_derivation_setup(&operation, alg);

    EXPECT(wanted, status);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    return status;
}

static void derivation__over_an_unwanted_hash__is_not_supported(void)
{
    static const psa_algorithm_t algorithms[] = {
        PSA_ALG_HKDF(PSA_ALG_SHA_384),
        PSA_ALG_HKDF_EXTRACT(PSA_ALG_SHA_384),
        PSA_ALG_HKDF_EXPAND(PSA_ALG_SHA_384),
        PSA_ALG_TLS12_PRF(PSA_ALG_SHA_384),
        PSA_ALG_TLS12_PSK_TO_MS(PSA_ALG_SHA_384),
        PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_384),
        PSA_ALG_SP800_108_COUNTER_HMAC(PSA_ALG_SHA_384),
    };

    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        take_one_hash(algorithms[i], derivation);
    }
}

static psa_status_t encryption(psa_algorithm_t alg)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_RSA_KEY_PAIR, alg, PSA_KEY_USAGE_ENCRYPT,
                                         rsa2048_pair, sizeof rsa2048_pair);
    uint8_t output[256];
    size_t length = 1;

    const psa_status_t status =
        psa_asymmetric_encrypt(key, alg, secret, 1, NULL, 0, output, sizeof output, &length);
    EXPECT(psa_check_key_usage(key, alg, PSA_KEY_USAGE_ENCRYPT), status);
    CHECK(status == PSA_SUCCESS || length == 0);
    return status;
}

static void oaep__by_an_unwanted_hash__is_not_supported(void)
{
    take_one_hash(PSA_ALG_RSA_OAEP(PSA_ALG_SHA_384), encryption);
}

static psa_status_t message(psa_algorithm_t alg)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), alg,
                    PSA_KEY_USAGE_SIGN_MESSAGE, p256_private, sizeof p256_private);
    uint8_t signature[64];
    size_t length;

    const psa_status_t status =
        psa_sign_message(key, alg, secret, sizeof secret, signature, sizeof signature, &length);
    EXPECT(psa_check_key_usage(key, alg, PSA_KEY_USAGE_SIGN_MESSAGE), status);
    return status;
}

static void message__hashed_by_an_unwanted_hash__is_not_supported(void)
{
    take_one_hash(PSA_ALG_ECDSA(PSA_ALG_SHA_384), message);
    take_one_hash(PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_384), message);
}

static psa_status_t exchange(psa_algorithm_t alg)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_PASSWORD, alg, PSA_KEY_USAGE_DERIVE, secret, sizeof secret);
    psa_pake_cipher_suite_t suite = PSA_PAKE_CIPHER_SUITE_INIT;
    psa_pake_operation_t operation = PSA_PAKE_OPERATION_INIT;

    psa_pake_cs_set_algorithm(&suite, alg);
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    const psa_status_t status = psa_pake_setup(&operation, key, &suite);
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
    return status;
}

static void jpake__with_an_unwanted_hash__is_not_supported(void)
{
    take_one_hash(PSA_ALG_JPAKE(PSA_ALG_SHA_384), exchange);
}

static const struct test_case tests[] = {
    TEST(hash__not_wanted__is_not_supported),
    TEST(hmac__of_an_unwanted_hash__is_not_supported),
    TEST(derivation__over_an_unwanted_hash__is_not_supported),
    TEST(oaep__by_an_unwanted_hash__is_not_supported),
    TEST(message__hashed_by_an_unwanted_hash__is_not_supported),
    TEST(jpake__with_an_unwanted_hash__is_not_supported),
};

TEST_SUITE(families, tests);
