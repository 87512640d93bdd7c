/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures by keys that are kept as seeds: ML-DSA, of messages and of hashes. */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "subject.h"

#define BOTH                                                                                       \
    (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_SIGN_HASH |         \
     PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_EXPORT)
#define MAX_PUBLIC 2592u
#define MAX_SIGNATURE 4627u
#define SEED_SIZE 32u

static uint8_t signature[MAX_SIGNATURE];
static size_t signature_length;
static const uint8_t input[64] = "what is signed: of hashes as many bytes as they have";

static bool is_pure(const struct subject_row *row)
{
    return PSA_ALG_IS_ML_DSA(row->alg);
}

static size_t input_length(const struct subject_row *row)
{
    return is_pure(row) ? sizeof input : PSA_HASH_LENGTH(PSA_ALG_GET_HASH(row->alg));
}

static psa_status_t sign(const struct subject_row *row, psa_key_id_t key, size_t size)
{
    return is_pure(row) ? psa_sign_message(key, row->alg, input, sizeof input, signature, size,
                                           &signature_length)
                        : psa_sign_hash(key, row->alg, input, input_length(row), signature, size,
                                        &signature_length);
}

static psa_status_t verify(const struct subject_row *row, psa_key_id_t key, size_t length)
{
    return is_pure(row)
               ? psa_verify_message(key, row->alg, input, sizeof input, signature, length)
               : psa_verify_hash(key, row->alg, input, input_length(row), signature, length);
}

/* FIPS 204 identifies these hashes and no others. */
static bool is_left_out(const struct subject_row *row)
{
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(row->alg);

    return !is_pure(row) && hash != PSA_ALG_SHA_256 && hash != PSA_ALG_SHA_512;
}

static psa_key_id_t public_of(const struct subject_row *row, psa_key_id_t pair)
{
    static uint8_t data[MAX_PUBLIC];
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_ML_DSA_PUBLIC_KEY, 0, row->alg, BOTH);
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t length;

    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(pair, data, 31, &length));
    NEED(psa_export_public_key(pair, data, sizeof data, &length));
    CHECK(length == PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(row->type, row->bits));
    EXPECT_REFUSED(psa_import_key(&attributes, data, length - 1, &key));
    NEED(psa_import_key(&attributes, data, length, &key));
    return test_keep(key);
}

static void check_result(const struct subject_row *row)
{
    if (is_left_out(row)) {
        return;
    }
    const psa_key_id_t pair = subject_key(row, BOTH, NULL, 0);
    const psa_key_id_t public_key = public_of(row, pair);

    EXPECT(PSA_SUCCESS, sign(row, pair, sizeof signature));
    CHECK(signature_length == PSA_SIGN_OUTPUT_SIZE(row->type, row->bits, row->alg));
    EXPECT(PSA_SUCCESS, verify(row, public_key, signature_length));
    EXPECT(PSA_SUCCESS, verify(row, pair, signature_length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, public_key, signature_length - 1));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, public_key, 0));
    for (size_t i = 0; i < signature_length; i += signature_length / 7) {
        signature[i] ^= 0x20;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, public_key, signature_length));
        signature[i] ^= 0x20;
    }
}

void seed_sign__result__verifies(void)
{
    subject_for_each(SUBJECT_SEED_SIGN, check_result);
}

static void check_short(const struct subject_row *row)
{
    const size_t needed = PSA_SIGN_OUTPUT_SIZE(row->type, row->bits, row->alg);
    const psa_key_id_t pair = subject_key(row, BOTH, NULL, 0);

    for (size_t size = 0; size < needed; size += needed - 1) {
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, sign(row, pair, size));
        CHECK(signature_length == 0 && test_all(signature, size, 0));
    }
}

void seed_sign__short_buffer__is_too_small(void)
{
    subject_for_each(SUBJECT_SEED_SIGN, check_short);
}

static void check_wiped(const struct subject_row *row)
{
    if (is_left_out(row)) {
        return;
    }
    psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    uint8_t *seed = test_buffer(SEED_SIZE);
    psa_key_id_t key;

    NEED(psa_generate_random(seed, SEED_SIZE));
    NEED(psa_import_key(&attributes, seed, SEED_SIZE, &key));
    NEED(sign(row, key, sizeof signature));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(seed, SEED_SIZE));
    psa_set_key_bits(&attributes, 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, seed, SEED_SIZE, &key));
}

void seed_sign__key_destroyed__leaves_no_byte_of_it(void)
{
    subject_for_each(SUBJECT_SEED_SIGN, check_wiped);
}
