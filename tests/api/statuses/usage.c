/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psa_check_key_usage() says what the calls say: each key with each algorithm in each role, those
 * that the build does not have and those that do not exist, too.
 */
#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/rsa_keys.h"
#include "status_call.h"

#define NO_SUCH_HASH ((psa_algorithm_t)0x020000fe)

static const struct {
    const char *name;
    psa_key_type_t type;
    const uint8_t *data;
    size_t size;
} keys[] = {
    {"AES", PSA_KEY_TYPE_AES, aes_key, 16},
    {"HMAC", PSA_KEY_TYPE_HMAC, aes_text, 64},
    {"raw data", PSA_KEY_TYPE_RAW_DATA, aes_key, 16},
    {"for derivation", PSA_KEY_TYPE_DERIVE, aes_text, 32},
    {"password", PSA_KEY_TYPE_PASSWORD, aes_key, 16},
    {"ECC pair", PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), p256_private, 32},
    {"ECC public", PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), p256_public, 65},
    {"RSA pair", PSA_KEY_TYPE_RSA_KEY_PAIR, rsa1024_pair, 609},
    {"RSA public", PSA_KEY_TYPE_RSA_PUBLIC_KEY, rsa1024_public, 140},
    {"SPAKE2+ pair", PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), spake2p_pair, 64},
};

/* Of these the build has some. */
#define WITH_HASH(hash)                                                                            \
    PSA_ALG_HMAC(hash), PSA_ALG_ECDSA(hash), PSA_ALG_DETERMINISTIC_ECDSA(hash),                    \
        PSA_ALG_RSA_PKCS1V15_SIGN(hash), PSA_ALG_RSA_PSS(hash), PSA_ALG_RSA_OAEP(hash),            \
        PSA_ALG_ED25519PH, PSA_ALG_HKDF(hash),                                                     \
        PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(hash)),                                   \
        PSA_ALG_KEY_AGREEMENT(PSA_ALG_FFDH, PSA_ALG_HKDF(hash)), PSA_ALG_HASH_ML_DSA(hash)

static const psa_algorithm_t algorithms[] = {
    WITH_HASH(PSA_ALG_SHA_256),
    WITH_HASH(PSA_ALG_SHA_512),
    WITH_HASH(NO_SUCH_HASH),
    PSA_ALG_TRUNCATED_MAC(PSA_ALG_HMAC(PSA_ALG_SHA_256), 3),
    PSA_ALG_TRUNCATED_MAC(PSA_ALG_HMAC(PSA_ALG_SHA_256), 33),
    PSA_ALG_TRUNCATED_MAC(PSA_ALG_CMAC, 8),
    PSA_ALG_TRUNCATED_MAC(PSA_ALG_CMAC, 17),
    PSA_ALG_CMAC,
    PSA_ALG_CBC_MAC,
    PSA_ALG_CTR,
    PSA_ALG_CBC_NO_PADDING,
    PSA_ALG_CBC_PKCS7,
    PSA_ALG_XTS,
    PSA_ALG_STREAM_CIPHER,
    PSA_ALG_CCM,
    PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 8),
    PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 5),
    PSA_ALG_GCM,
    PSA_ALG_CHACHA20_POLY1305,
    PSA_ALG_ECDSA_ANY,
    PSA_ALG_PURE_EDDSA,
    PSA_ALG_RSA_PKCS1V15_SIGN_RAW,
    PSA_ALG_RSA_PKCS1V15_CRYPT,
    PSA_ALG_ECDH,
    PSA_ALG_FFDH,
};

#define KIND(name, condition)                                                                      \
    static bool name(psa_algorithm_t alg)                                                          \
    {                                                                                              \
        return (condition);                                                                        \
    }                                                                                              \
    struct status_row

KIND(is_mac, PSA_ALG_IS_MAC(alg));
KIND(is_cipher, PSA_ALG_IS_CIPHER(alg));
KIND(is_aead, PSA_ALG_IS_AEAD(alg));
KIND(is_asymmetric_encryption, PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg));
KIND(signs_hashes, PSA_ALG_IS_SIGN_HASH(alg));
KIND(signs_messages, PSA_ALG_IS_SIGN_MESSAGE(alg) && !PSA_ALG_IS_MAC(alg));
KIND(is_agreement, PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg));
KIND(is_combined_agreement, PSA_ALG_IS_KEY_AGREEMENT(alg) && !is_agreement(alg));
KIND(takes_a_secret, PSA_ALG_IS_HKDF(alg));
KIND(signs, PSA_ALG_IS_SIGN(alg));

static psa_status_t agree(psa_key_id_t key, psa_algorithm_t alg)
{
    uint8_t secret[32];
    size_t length;

    return psa_raw_key_agreement(alg, key, p256_public, 65, secret, sizeof secret, &length);
}

/* Raw data are information or salt, and may come first. */
static psa_key_derivation_step_t step_of(psa_key_id_t key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    NEED(psa_get_key_attributes(key, &attributes));
    return psa_get_key_type(&attributes) == PSA_KEY_TYPE_RAW_DATA ? PSA_KEY_DERIVATION_INPUT_INFO
                                                                  : PSA_KEY_DERIVATION_INPUT_SECRET;
}

static psa_status_t derive(psa_key_id_t key, psa_algorithm_t alg)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    psa_status_t status = psa_key_derivation_setup(&operation, alg);
    if (status == PSA_SUCCESS) {
        status = PSA_ALG_IS_KEY_AGREEMENT(alg)
                     ? psa_key_derivation_key_agreement(&operation, PSA_KEY_DERIVATION_INPUT_SECRET,
                                                        key, p256_public, 65)
                     : psa_key_derivation_input_key(&operation, step_of(key), key);
    }
    NEED(psa_key_derivation_abort(&operation));
    return status;
}

static const struct {
    psa_key_usage_t usage;
    bool (*is_kind)(psa_algorithm_t alg);
    const char *function; /* that is called in this role with such an algorithm */
    psa_status_t (*call)(psa_key_id_t key, psa_algorithm_t alg); /* NULL: calls.c knows it */
} roles[] = {
    {PSA_KEY_USAGE_DERIVE, is_agreement, "psa_raw_key_agreement", agree},
    {PSA_KEY_USAGE_DERIVE, is_combined_agreement, "psa_key_derivation_key_agreement", derive},
    {PSA_KEY_USAGE_DERIVE, takes_a_secret, "psa_key_derivation_input_key", derive},
    {PSA_KEY_USAGE_SIGN_MESSAGE, is_mac, "psa_mac_compute", NULL},
    {PSA_KEY_USAGE_SIGN_MESSAGE, is_mac, "psa_mac_sign_setup", NULL},
    {PSA_KEY_USAGE_VERIFY_MESSAGE, is_mac, "psa_mac_verify_setup", NULL},
    {PSA_KEY_USAGE_ENCRYPT, is_cipher, "psa_cipher_encrypt_setup", NULL},
    {PSA_KEY_USAGE_DECRYPT, is_cipher, "psa_cipher_decrypt_setup", NULL},
    {PSA_KEY_USAGE_ENCRYPT, is_aead, "psa_aead_encrypt", NULL},
    {PSA_KEY_USAGE_DECRYPT, is_aead, "psa_aead_decrypt_setup", NULL},
    {PSA_KEY_USAGE_ENCRYPT, is_asymmetric_encryption, "psa_asymmetric_encrypt", NULL},
    {PSA_KEY_USAGE_DECRYPT, is_asymmetric_encryption, "psa_asymmetric_decrypt", NULL},
    {PSA_KEY_USAGE_SIGN_HASH, signs_hashes, "psa_sign_hash", NULL},
    {PSA_KEY_USAGE_VERIFY_HASH, signs_hashes, "psa_verify_hash", NULL},
    {PSA_KEY_USAGE_SIGN_MESSAGE, signs_messages, "psa_sign_message", NULL},
    {PSA_KEY_USAGE_VERIFY_MESSAGE, signs_messages, "psa_verify_message", NULL},
};

static psa_status_t called(size_t role, psa_algorithm_t alg, psa_key_id_t key)
{
    const size_t hash_length = PSA_HASH_LENGTH(PSA_ALG_GET_HASH(alg));
    const struct status_row row = {
        .function = roles[role].function,
        .alg = alg,
        .length = signs(alg) && hash_length != 0 ? hash_length : FITTING,
    };
    const psa_status_t status = roles[role].call != NULL
                                    ? roles[role].call(key, alg)
                                    : status_call_of(row.function)->run(&row, key);

    /* Then it was there, and rejected its input. */
    return status == PSA_ERROR_INVALID_SIGNATURE || status == PSA_ERROR_INVALID_PADDING
               ? PSA_SUCCESS
               : status;
}

static void compare(size_t of, psa_algorithm_t alg, size_t role)
{
    const psa_key_attributes_t attributes =
        test_attributes(keys[of].type, 0, alg, roles[role].usage);
    psa_key_id_t key;

    NEED(psa_import_key(&attributes, keys[of].data, keys[of].size, &key));
    EXPECT(called(role, alg, key), psa_check_key_usage(key, alg, roles[role].usage));
    NEED(psa_destroy_key(key));
}

static void check_key_usage__any_key_and_algorithm__says_what_the_call_says(void)
{
    for (size_t of = 0; of < sizeof keys / sizeof keys[0]; of++) {
        for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
            for (size_t role = 0; role < sizeof roles / sizeof roles[0]; role++) {
                if (roles[role].is_kind(algorithms[i])) {
                    test_context(keys[of].name, algorithms[i]);
                    compare(of, algorithms[i], role);
                }
            }
        }
    }
}

static const struct test_case tests[] = {
    TEST(check_key_usage__any_key_and_algorithm__says_what_the_call_says),
};

TEST_SUITE(usage, tests);
