/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications that were written for RIOT's own implementation. CORRAL_LENIENT_KEY_BITS
 * and CORRAL_LENIENT_KEY_IDS accept their calls; other calls are valid without them.
 */
#include <psa/crypto.h>

#include "../../harness/harness.h"

#define OTHER_ID ((psa_key_id_t)77)
#define NOBODYS_ID ((psa_key_id_t)9)

static psa_key_attributes_t attributes_of(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                                          psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    return attributes;
}

/* Import the public half of a new key with `told` bits; the status, and the size that it has. */
static psa_status_t import_told(psa_ecc_family_t family, size_t bits, size_t told,
                                psa_algorithm_t alg, size_t *has)
{
    psa_key_attributes_t pair =
        attributes_of(PSA_KEY_TYPE_ECC_KEY_PAIR(family), bits, alg, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_key_attributes_t half =
        attributes_of(PSA_KEY_TYPE_ECC_PUBLIC_KEY(family), told, alg, PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_key_attributes_t found = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    psa_key_id_t public_key;
    uint8_t data[65];
    size_t length;

    *has = 0;
    EXPECT(PSA_SUCCESS, psa_generate_key(&pair, &key));
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, data, sizeof data, &length));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    const psa_status_t status = psa_import_key(&half, data, length, &public_key);
    if (status == PSA_SUCCESS) {
        EXPECT(PSA_SUCCESS, psa_get_key_attributes(public_key, &found));
        *has = psa_get_key_bits(&found);
        EXPECT(PSA_SUCCESS, psa_destroy_key(public_key));
    }
    return status;
}

static void import__length_of_a_public_key_as_its_size__is_taken_only_if_lenient(void)
{
    const psa_status_t expected = CORRAL_LENIENT_KEY_BITS ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
    size_t has;

    EXPECT(expected,
           import_told(PSA_ECC_FAMILY_TWISTED_EDWARDS, 255, 256, PSA_ALG_PURE_EDDSA, &has));
    CHECK(has == (CORRAL_LENIENT_KEY_BITS ? 255u : 0u));
    EXPECT(expected,
           import_told(PSA_ECC_FAMILY_SECP_R1, 256, 520, PSA_ALG_ECDSA(PSA_ALG_SHA_256), &has));
    CHECK(has == (CORRAL_LENIENT_KEY_BITS ? 256u : 0u));
}

static void import__any_other_wrong_size__is_never_taken(void)
{
    size_t has;

    CHECK(import_told(PSA_ECC_FAMILY_TWISTED_EDWARDS, 255, 248, PSA_ALG_PURE_EDDSA, &has) !=
          PSA_SUCCESS);
    CHECK(import_told(PSA_ECC_FAMILY_SECP_R1, 256, 512, PSA_ALG_ECDSA(PSA_ALG_SHA_256), &has) !=
          PSA_SUCCESS);
    EXPECT(PSA_SUCCESS,
           import_told(PSA_ECC_FAMILY_TWISTED_EDWARDS, 255, 255, PSA_ALG_PURE_EDDSA, &has));
    CHECK(has == 255);
}

static void import__failure__leaves_the_identifier_only_if_lenient(void)
{
    const psa_key_attributes_t none = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = OTHER_ID;
    const uint8_t data[32] = {0};

    CHECK(psa_import_key(&none, data, sizeof data, &key) != PSA_SUCCESS);
    CHECK(key == (CORRAL_LENIENT_KEY_IDS ? OTHER_ID : PSA_KEY_ID_NULL));
    key = OTHER_ID;
    CHECK(psa_generate_key(&none, &key) != PSA_SUCCESS);
    CHECK(key == (CORRAL_LENIENT_KEY_IDS ? OTHER_ID : PSA_KEY_ID_NULL));
}

static void use__identifier_without_a_key__has_a_status_of_its_own_if_lenient(void)
{
    const psa_status_t expected =
        CORRAL_LENIENT_KEY_IDS ? PSA_ERROR_DOES_NOT_EXIST : PSA_ERROR_INVALID_HANDLE;
    const uint8_t hash[32] = {0};
    uint8_t signature[64];
    size_t length;

    EXPECT(expected, psa_sign_hash(NOBODYS_ID, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, sizeof hash,
                                   signature, sizeof signature, &length));
    EXPECT(expected, psa_sign_hash(PSA_KEY_ID_VENDOR_MIN, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash,
                                   sizeof hash, signature, sizeof signature, &length));
}

static void destroy_key__identifier_without_a_key__has_one_status_in_either_build(void)
{
    const psa_key_id_t key =
        test_generate(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, PSA_ALG_NONE, 0);

    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(key));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(NOBODYS_ID));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(PSA_KEY_ID_VENDOR_MIN));
}

static const struct test_case tests[] = {
    TEST(import__length_of_a_public_key_as_its_size__is_taken_only_if_lenient),
    TEST(import__any_other_wrong_size__is_never_taken),
    TEST(import__failure__leaves_the_identifier_only_if_lenient),
    TEST(use__identifier_without_a_key__has_a_status_of_its_own_if_lenient),
    TEST(destroy_key__identifier_without_a_key__has_one_status_in_either_build),
};

TEST_SUITE(lenient, tests);

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
