/* SPDX-License-Identifier: Apache-2.0 */
/* Finite field Diffie-Hellman through the API, in a build with one group. */
#include <string.h>

#include <corral/bindings.h>

#include "../../harness/harness.h"

#define SIZE 256u
#define PAIR PSA_KEY_TYPE_DH_KEY_PAIR(PSA_DH_FAMILY_RFC7919)
#define PUBLIC PSA_KEY_TYPE_DH_PUBLIC_KEY(PSA_DH_FAMILY_RFC7919)
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define COMBINED PSA_ALG_KEY_AGREEMENT(PSA_ALG_FFDH, HKDF)
#define SECRET PSA_KEY_DERIVATION_INPUT_SECRET

_Static_assert(CORRAL_PAIR_PRIVATE_MAX_SIZE == SIZE && CORRAL_SINGLE_KEY_MAX_SIZE == SIZE,
               "slots are as large as the one group asks for");

/* 2 to the power of 5, of 7 and of 35. */
static uint8_t private_key[SIZE];
static uint8_t peer[SIZE];
static uint8_t agreed[SIZE];

static void end(void)
{
    test_destroy_keys();
    test_free_buffers();
}

static psa_key_id_t own_key(psa_algorithm_t alg)
{
    memset(private_key, 0, SIZE);
    memset(peer, 0, SIZE);
    memset(agreed, 0, SIZE);
    private_key[SIZE - 1] = 5;
    peer[SIZE - 1] = 1u << 7;
    agreed[SIZE - 5] = 1u << 3;
    return test_import(PAIR, alg, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT, private_key, SIZE);
}

static void key_pair__imported__has_size_and_public_key(void)
{
    const psa_key_id_t key = own_key(PSA_ALG_FFDH);
    psa_key_attributes_t attributes;
    uint8_t *data = test_buffer(SIZE);
    size_t length = 0;

    EXPECT(PSA_SUCCESS, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_bits(&attributes) == 2048 && psa_get_key_type(&attributes) == PAIR);
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, data, SIZE, &length));
    CHECK(length == SIZE && test_all(data, SIZE - 1, 0) && data[SIZE - 1] == 1u << 5);
    CHECK(PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(PUBLIC, 2048) == SIZE &&
          PSA_EXPORT_KEY_OUTPUT_SIZE(PAIR, 2048) == SIZE &&
          PSA_RAW_KEY_AGREEMENT_OUTPUT_SIZE(PAIR, 2048) == SIZE);
    end();
}

static void key_pair__of_a_group_that_is_not_wanted__is_refused(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PAIR, 3072, PSA_ALG_FFDH, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    attributes = test_attributes(PSA_KEY_TYPE_DH_KEY_PAIR(PSA_DH_FAMILY_RFC3526), 2048,
                                 PSA_ALG_FFDH, PSA_KEY_USAGE_DERIVE);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    end();
}

static void raw_agreement__policy_of_another_algorithm__is_not_permitted(void)
{
    uint8_t *secret = test_buffer(SIZE);
    size_t length = 9;
    const psa_key_id_t key = own_key(PSA_ALG_ECDH);

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_raw_key_agreement(PSA_ALG_FFDH, key, peer, SIZE, secret, SIZE, &length));
    CHECK(length == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_raw_key_agreement(PSA_ALG_FFDH, own_key(COMBINED), peer,
                                                          SIZE, secret, SIZE, &length));
    end();
}

static void raw_agreement__public_key__is_refused(void)
{
    const psa_key_id_t pair = own_key(PSA_ALG_FFDH);
    const psa_key_id_t key = test_import(PUBLIC, PSA_ALG_FFDH, PSA_KEY_USAGE_DERIVE, peer, SIZE);
    uint8_t *secret = test_buffer(SIZE);
    size_t length = 9;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_raw_key_agreement(PSA_ALG_FFDH, key, peer, SIZE, secret, SIZE, &length));
    CHECK(length == 0);
    EXPECT(PSA_SUCCESS,
           psa_raw_key_agreement(PSA_ALG_FFDH, pair, peer, SIZE, secret, SIZE, &length));
    CHECK_BYTES(secret, length, agreed, SIZE);
    end();
}

static void key_agreement__secret__becomes_a_key(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 2048, HKDF, PSA_KEY_USAGE_EXPORT);
    const psa_key_id_t pair = own_key(PSA_ALG_FFDH);
    uint8_t *secret = test_buffer(SIZE);
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t length = 0;

    EXPECT(PSA_SUCCESS, psa_key_agreement(pair, peer, SIZE, PSA_ALG_FFDH, &attributes, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_export_key(key, secret, SIZE, &length));
    CHECK_BYTES(secret, length, agreed, SIZE);
    end();
}

static void derivation__agreed_secret__is_the_raw_one(void)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    const psa_key_id_t key = own_key(PSA_ALG_FFDH);
    uint8_t wanted[40];

    NEED(psa_key_derivation_setup(&operation, HKDF));
    NEED(psa_key_derivation_input_bytes(&operation, SECRET, agreed, SIZE));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    NEED(psa_key_derivation_output_bytes(&operation, wanted, sizeof wanted));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_key_derivation_setup(&operation, COMBINED));
    EXPECT(PSA_SUCCESS, psa_key_derivation_key_agreement(&operation, SECRET, key, peer, SIZE));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_key_derivation_verify_bytes(&operation, wanted, sizeof wanted));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_key_derivation_setup(&operation, COMBINED));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_key_derivation_key_agreement(&operation, SECRET, key, peer, SIZE - 1));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    end();
}

static void start(psa_key_derivation_operation_t *operation)
{
    const uint8_t seed[4] = {1, 2, 3, 4};
    const psa_key_id_t secret =
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, seed, sizeof seed);

    NEED(psa_key_derivation_setup(operation, HKDF));
    NEED(psa_key_derivation_input_key(operation, SECRET, secret));
    NEED(psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
}

static void derivation__key_pair__is_one_more_than_the_bytes(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PAIR, 2048, PSA_ALG_FFDH, PSA_KEY_USAGE_EXPORT);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t *bytes = test_buffer(SIZE);
    uint8_t *derived = test_buffer(SIZE);
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t length = 0;

    start(&operation);
    NEED(psa_key_derivation_output_bytes(&operation, bytes, SIZE));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    start(&operation);
    EXPECT(PSA_SUCCESS, psa_key_derivation_output_key(&attributes, &operation, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_export_key(key, derived, SIZE, &length));
    for (size_t i = SIZE; i > 0 && ++bytes[i - 1] == 0; i--) {
    }
    CHECK_BYTES(derived, length, bytes, SIZE);
    end();
}

static const struct test_case tests[] = {
    TEST(key_pair__imported__has_size_and_public_key),
    TEST(key_pair__of_a_group_that_is_not_wanted__is_refused),
    TEST(raw_agreement__policy_of_another_algorithm__is_not_permitted),
    TEST(raw_agreement__public_key__is_refused),
    TEST(key_agreement__secret__becomes_a_key),
    TEST(derivation__agreed_secret__is_the_raw_one),
    TEST(derivation__key_pair__is_one_more_than_the_bytes),
};

TEST_SUITE(ffdh, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_ffdh};

    return test_initialise_and_run(suites, 1);
}
