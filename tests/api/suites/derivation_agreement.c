/* SPDX-License-Identifier: Apache-2.0 */
/* Key agreement as an input of a key derivation (PSA Crypto 1.5, 10.11.3). */
#include "../../harness/deriving.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/scan.h"

#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define PBKDF2 PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256)
#define COMBINED PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, HKDF)
#define SECRET PSA_KEY_DERIVATION_INPUT_SECRET
#define X_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)

static const uint8_t secret[32] = "a secret of thirty-two bytes....";

static psa_status_t agree(psa_key_derivation_operation_t *operation, psa_algorithm_t policy,
                          psa_algorithm_t alg, psa_key_derivation_step_t step, const uint8_t *peer,
                          size_t peer_size)
{
    const psa_key_id_t key = test_import(X_PAIR, policy, PSA_KEY_USAGE_DERIVE, x25519_private, 32);

    *operation = psa_key_derivation_operation_init();
    NEED(psa_key_derivation_setup(operation, alg));
    if (step == SECRET && PSA_ALG_IS_HKDF(PSA_ALG_KEY_AGREEMENT_GET_KDF(alg))) {
        NEED(psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    }
    return psa_key_derivation_key_agreement(operation, step, key, peer, peer_size);
}

static void key_agreement__as_secret__is_the_raw_secret_and_may_give_keys(void)
{
    const psa_algorithm_t policies[] = {COMBINED, PSA_ALG_ECDH};
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t wanted[40];
    uint8_t data[16];
    psa_key_id_t key;

    NEED(psa_key_derivation_setup(&operation, HKDF));
    NEED(psa_key_derivation_input_bytes(&operation, SECRET, x25519_shared, 32));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    NEED(psa_key_derivation_output_bytes(&operation, wanted, sizeof wanted));
    deriving_end(&operation);
    for (size_t i = 0; i < 2; i++) {
        EXPECT(PSA_SUCCESS,
               agree(&operation, policies[i], COMBINED, SECRET, x25519_peer_public, 32));
        EXPECT(PSA_SUCCESS, psa_key_derivation_verify_bytes(&operation, wanted, 24));
        EXPECT(PSA_SUCCESS, deriving_key(&operation, PSA_KEY_TYPE_AES, 128, &key));
        deriving_export(key, data, 16);
        CHECK_BYTES(data, 16, wanted + 24, 16);
        deriving_end(&operation);
        CHECK(!test_memory_holds(x25519_shared, 32));
    }
}

static void key_agreement__as_other_secret__makes_a_master_secret(void)
{
    const psa_algorithm_t psk_alg = PSA_ALG_TLS12_PSK_TO_MS(PSA_ALG_SHA_256);
    const psa_algorithm_t alg = PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, psk_alg);
    uint8_t output[2][48];

    for (size_t i = 0; i < 2; i++) {
        psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
        const psa_key_id_t pair =
            test_import(X_PAIR, alg, PSA_KEY_USAGE_DERIVE, x25519_private, 32);
        const psa_key_id_t other =
            test_import(PSA_KEY_TYPE_DERIVE, alg, PSA_KEY_USAGE_DERIVE, x25519_shared, 32);
        NEED(psa_key_derivation_setup(&operation, alg));
        NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SEED, secret, 32));
        if (i == 0) {
            NEED(psa_key_derivation_key_agreement(&operation, PSA_KEY_DERIVATION_INPUT_OTHER_SECRET,
                                                  pair, x25519_peer_public, 32));
        } else {
            NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_OTHER_SECRET,
                                              other));
        }
        NEED(psa_key_derivation_input_bytes(&operation, SECRET, secret, 20));
        NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_LABEL,
                                            (const uint8_t *)"master secret", 13));
        NEED(psa_key_derivation_output_bytes(&operation, output[i], 48));
        deriving_end(&operation);
    }
    CHECK_BYTES(output[0], 48, output[1], 48);
}

static void key_agreement__what_does_not_fit__is_refused(void)
{
    const psa_algorithm_t other = PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PBKDF2);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           agree(&operation, COMBINED, HKDF, SECRET, x25519_peer_public, 32));
    deriving_failed(&operation);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           agree(&operation, COMBINED, COMBINED, PSA_KEY_DERIVATION_INPUT_INFO, x25519_peer_public,
                 32));
    deriving_failed(&operation);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           agree(&operation, COMBINED, COMBINED, PSA_KEY_DERIVATION_INPUT_PASSWORD,
                 x25519_peer_public, 32));
    deriving_failed(&operation);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           agree(&operation, COMBINED, COMBINED, SECRET, x25519_peer_public, 31));
    deriving_failed(&operation);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           agree(&operation, other, COMBINED, SECRET, x25519_peer_public, 32));
    deriving_failed(&operation);
    EXPECT(PSA_ERROR_BAD_STATE, agree(&operation, other, other, PSA_KEY_DERIVATION_INPUT_PASSWORD,
                                      x25519_peer_public, 32));
    deriving_failed(&operation);
    NEED(psa_key_derivation_setup(&operation, COMBINED));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_key_derivation_key_agreement(&operation, SECRET, 77, x25519_peer_public, 32));
    deriving_failed(&operation);
}

static const struct test_case tests[] = {
    TEST(key_agreement__as_secret__is_the_raw_secret_and_may_give_keys),
    TEST(key_agreement__as_other_secret__makes_a_master_secret),
    TEST(key_agreement__what_does_not_fit__is_refused),
};

TEST_SUITE(derivation_agreement, tests);
