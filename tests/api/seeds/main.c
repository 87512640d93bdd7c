/* SPDX-License-Identifier: Apache-2.0 */
/* ML-KEM, ML-DSA and SLH-DSA pairs out of key derivations (PSA Crypto 1.5, 9.5.6 to 9.5.8). */
#include <string.h>

#include "../../harness/deriving.h"
#include "../../harness/harness.h"
#include "rows.h"

#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define SECRET PSA_KEY_DERIVATION_INPUT_SECRET
#define ML_KEM PSA_KEY_TYPE_ML_KEM_KEY_PAIR
#define ML_DSA PSA_KEY_TYPE_ML_DSA_KEY_PAIR
#define SLH_DSA PSA_KEY_TYPE_SLH_DSA_KEY_PAIR(PSA_SLH_DSA_FAMILY_SHA2_F)
#define EXPORT PSA_KEY_USAGE_EXPORT
#define MAX_PUBLIC 2592u
#define MAX_SIGNATURE 17088u /* of SLH-DSA-SHA2-128f, the only one that signs here */
#define CAPACITY ((size_t)255 * 32)

static const struct {
    psa_key_type_t type;
    size_t bits;
    size_t seed_size;
} seeds[] = {{ML_KEM, 512, 64}, {ML_KEM, 768, 64}, {ML_KEM, 1024, 64},
             {ML_DSA, 128, 32}, {ML_DSA, 192, 32}, {ML_DSA, 256, 32}};

static psa_key_derivation_operation_t with_usage(psa_key_usage_t usage)
{
    return deriving_ready(usage, slh_dsa_secret, sizeof slh_dsa_secret);
}

static psa_key_derivation_operation_t ready(void)
{
    return with_usage(PSA_KEY_USAGE_DERIVE);
}

static psa_status_t derive(psa_key_derivation_operation_t *operation, psa_key_type_t type,
                           size_t bits, psa_key_id_t *key)
{
    const psa_status_t status = deriving_key(operation, type, bits, key);

    if (status == PSA_SUCCESS) {
        (void)test_keep(*key);
    }
    return status;
}

static void check_private(psa_key_id_t key, const uint8_t *wanted, size_t size)
{
    uint8_t data[128];
    size_t length = 0;

    EXPECT(PSA_SUCCESS, psa_export_key(key, data, sizeof data, &length));
    CHECK_BYTES(data, length, wanted, size);
}

static void check_same_public(psa_key_id_t key, psa_key_id_t other)
{
    static uint8_t data[2][MAX_PUBLIC];
    size_t length[2] = {0, 1};

    EXPECT(PSA_SUCCESS, psa_export_public_key(key, data[0], MAX_PUBLIC, &length[0]));
    EXPECT(PSA_SUCCESS, psa_export_public_key(other, data[1], MAX_PUBLIC, &length[1]));
    CHECK_BYTES(data[0], length[0], data[1], length[1]);
}

static size_t left(const psa_key_derivation_operation_t *operation)
{
    size_t capacity = 0;

    NEED(psa_key_derivation_get_capacity(operation, &capacity));
    return capacity;
}

static void output_key__ml_kem_and_ml_dsa__is_the_key_of_the_next_bytes_as_seed(void)
{
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        const size_t size = seeds[i].seed_size;
        psa_key_derivation_operation_t operation = ready();
        uint8_t stream[9 + 64 + 5];
        psa_key_id_t key;
        psa_key_id_t imported;
        test_context("key", i);
        NEED(psa_key_derivation_output_bytes(&operation, stream, sizeof stream));
        deriving_end(&operation);
        operation = ready();
        NEED(psa_key_derivation_output_bytes(&operation, stream, 9));
        EXPECT(PSA_SUCCESS, derive(&operation, seeds[i].type, seeds[i].bits, &key));
        CHECK(left(&operation) == CAPACITY - 9 - size);
        check_private(key, stream + 9, size);
        const psa_key_attributes_t attributes =
            test_attributes(seeds[i].type, seeds[i].bits, PSA_ALG_NONE, EXPORT);
        NEED(psa_import_key(&attributes, stream + 9, size, &imported));
        check_same_public(key, test_keep(imported));
        NEED(psa_key_derivation_output_bytes(&operation, stream, 5));
        CHECK_BYTES(stream, 5, stream + 9 + size, 5); /* nothing was skipped */
        deriving_end(&operation);
    }
}

static void output_key__slh_dsa__is_three_seeds_and_the_root_of_their_tree(void)
{
    for (size_t i = 0; i < SLH_DSA_ROWS; i++) {
        const struct slh_dsa_row *row = &slh_dsa_rows[i];
        const size_t n = row->bits / 8;
        psa_key_derivation_operation_t operation = ready();
        psa_key_attributes_t found;
        uint8_t public_key[64];
        psa_key_id_t key;
        size_t length = 0;
        test_context("row", i);
        EXPECT(PSA_SUCCESS, derive(&operation, row->type, row->bits, &key));
        CHECK(left(&operation) == CAPACITY - 3 * n);
        check_private(key, row->pair, 4 * n);
        EXPECT(PSA_SUCCESS, psa_export_public_key(key, public_key, sizeof public_key, &length));
        CHECK_BYTES(public_key, length, row->pair + 2 * n, 2 * n);
        NEED(psa_get_key_attributes(key, &found));
        CHECK(psa_get_key_type(&found) == row->type && psa_get_key_bits(&found) == row->bits);
        deriving_end(&operation);
    }
}

static void output_key__slh_dsa__signs(void)
{
    static const uint8_t message[] = {1, 2, 3};
    static uint8_t signature[MAX_SIGNATURE];
    const psa_key_attributes_t attributes =
        test_attributes(SLH_DSA, 128, PSA_ALG_DETERMINISTIC_SLH_DSA,
                        PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_key_derivation_operation_t operation = ready();
    psa_key_id_t key;
    size_t length = 0;

    NEED(psa_key_derivation_output_key(&attributes, &operation, &key));
    (void)test_keep(key);
    EXPECT(PSA_SUCCESS, psa_sign_message(key, PSA_ALG_DETERMINISTIC_SLH_DSA, message, 3, signature,
                                         sizeof signature, &length));
    EXPECT(PSA_SUCCESS,
           psa_verify_message(key, PSA_ALG_DETERMINISTIC_SLH_DSA, message, 3, signature, length));
    deriving_end(&operation);
}

static void output_key__less_than_the_seeds_is_left__is_insufficient_data(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
        size_t size;
    } rows[] = {{ML_KEM, 768, 64}, {ML_DSA, 192, 32}, {SLH_DSA, 128, 48}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t missing = 0; missing < 2; missing++) {
            psa_key_derivation_operation_t operation = ready();
            psa_key_id_t key;
            test_context("key", i);
            NEED(psa_key_derivation_set_capacity(&operation, rows[i].size - missing));
            EXPECT(missing ? PSA_ERROR_INSUFFICIENT_DATA : PSA_SUCCESS,
                   derive(&operation, rows[i].type, rows[i].bits, &key));
            CHECK(left(&operation) == 0);
            deriving_end(&operation);
        }
    }
}

static void output_key__sizes_that_no_key_has__are_refused(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
        psa_status_t status;
    } rows[] = {
        {ML_KEM, 0, PSA_ERROR_INVALID_ARGUMENT},
        {ML_KEM, 256, PSA_ERROR_NOT_SUPPORTED},
        {ML_DSA, 0, PSA_ERROR_INVALID_ARGUMENT},
        {ML_DSA, 512, PSA_ERROR_NOT_SUPPORTED},
        {SLH_DSA, 0, PSA_ERROR_INVALID_ARGUMENT},
        {SLH_DSA, 192, PSA_ERROR_NOT_SUPPORTED},
        {SLH_DSA, 127, PSA_ERROR_NOT_SUPPORTED},
        {SLH_DSA, 65528, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_ML_KEM_PUBLIC_KEY, 768, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_ML_DSA_PUBLIC_KEY, 192, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_SLH_DSA_PUBLIC_KEY(PSA_SLH_DSA_FAMILY_SHA2_F), 128,
         PSA_ERROR_INVALID_ARGUMENT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_key_derivation_operation_t operation = ready();
        psa_key_id_t key;
        test_context("row", i);
        EXPECT(rows[i].status, derive(&operation, rows[i].type, rows[i].bits, &key));
        deriving_failed(&operation);
    }
}

static void output_key__secret_that_is_to_be_verified_alone__is_not_permitted(void)
{
    static const psa_key_type_t types[] = {ML_KEM, ML_DSA, SLH_DSA};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        psa_key_derivation_operation_t operation = with_usage(PSA_KEY_USAGE_VERIFY_DERIVATION);
        psa_key_id_t key;
        test_context("type", i);
        EXPECT(PSA_ERROR_NOT_PERMITTED, derive(&operation, types[i], i == 0 ? 512 : 128, &key));
        deriving_failed(&operation);
    }
}

static void output_key__secret_given_as_bytes__is_not_permitted(void)
{
    static const psa_key_type_t types[] = {ML_KEM, ML_DSA, SLH_DSA};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
        psa_key_id_t key;
        test_context("type", i);
        NEED(psa_key_derivation_setup(&operation, HKDF));
        NEED(psa_key_derivation_input_bytes(&operation, SECRET, slh_dsa_secret, 32));
        NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
        EXPECT(PSA_ERROR_NOT_PERMITTED, derive(&operation, types[i], i == 0 ? 512 : 128, &key));
        deriving_failed(&operation);
    }
}

static void derived_key__policy__is_that_of_its_attributes(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
        size_t size;
    } rows[] = {{ML_KEM, 512, 64}, {ML_DSA, 128, 32}, {SLH_DSA, 128, 64}};
    uint8_t data[64];
    size_t length;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(rows[i].type, rows[i].bits, PSA_ALG_NONE, 0);
        psa_key_derivation_operation_t operation = ready();
        psa_key_id_t key;
        test_context("key", i);
        NEED(psa_key_derivation_output_key(&attributes, &operation, &key));
        EXPECT(PSA_ERROR_NOT_PERMITTED,
               psa_export_key(test_keep(key), data, rows[i].size, &length));
        EXPECT(PSA_ERROR_NOT_PERMITTED,
               psa_sign_message(key, PSA_ALG_DETERMINISTIC_ML_DSA, data, 1, data, 64, &length));
        deriving_end(&operation);
    }
}

static void seed__imported_without_a_size__is_an_invalid_argument(void)
{
    uint8_t seed[64] = {1};

    for (size_t i = 0; i < 2; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(i == 0 ? ML_KEM : ML_DSA, 0, PSA_ALG_NONE, EXPORT);
        psa_key_id_t key = 9;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_import_key(&attributes, seed, i == 0 ? 64 : 32, &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
}

static const struct test_case tests[] = {
    TEST(output_key__ml_kem_and_ml_dsa__is_the_key_of_the_next_bytes_as_seed),
    TEST(output_key__slh_dsa__is_three_seeds_and_the_root_of_their_tree),
    TEST(output_key__slh_dsa__signs),
    TEST(output_key__less_than_the_seeds_is_left__is_insufficient_data),
    TEST(output_key__sizes_that_no_key_has__are_refused),
    TEST(output_key__secret_that_is_to_be_verified_alone__is_not_permitted),
    TEST(output_key__secret_given_as_bytes__is_not_permitted),
    TEST(derived_key__policy__is_that_of_its_attributes),
    TEST(seed__imported_without_a_size__is_an_invalid_argument),
};

static TEST_SUITE(seeds, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_seeds};

    return test_initialise_and_run(suites, 1);
}
