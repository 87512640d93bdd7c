/* SPDX-License-Identifier: Apache-2.0 */
/* ML-DSA, whose keys are kept as seeds, and SLH-DSA: signatures of messages and of hashes. */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(seed_sign, "");
SUBJECT_KIND(seed_derive, "");

#define BOTH                                                                                       \
    (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_SIGN_HASH |         \
     PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_EXPORT)
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define DETERMINISTIC (PSA_ALG_ML_DSA ^ PSA_ALG_DETERMINISTIC_ML_DSA)
#define MAX_PUBLIC 2592u
#define MAX_SIGNATURE 17088u /* of the largest set of SLH-DSA that is tested */

static uint8_t signature[MAX_SIGNATURE];
static size_t signature_length;
static const uint8_t input[64] = "what is signed: of hashes as many bytes as they have";

static bool is_pure(const struct subject_row *row)
{
    return PSA_ALG_IS_ML_DSA(row->alg) || PSA_ALG_IS_SLH_DSA(row->alg);
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

/* FIPS 204 and 205 identify these hashes and no others. */
static bool is_left_out(const struct subject_row *row)
{
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(row->alg);

    return !is_pure(row) && hash != PSA_ALG_SHA_256 && hash != PSA_ALG_SHA_512;
}

static psa_key_id_t public_of(const struct subject_row *row, psa_key_id_t pair)
{
    static uint8_t data[MAX_PUBLIC];
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(row->type), 0, row->alg, BOTH);
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
    struct subject_row other = *row;

    /* Hedged and deterministic are two things to sign, and one to verify. */
    other.alg ^= DETERMINISTIC;

    EXPECT(PSA_SUCCESS, sign(row, pair, sizeof signature));
    CHECK(signature_length == PSA_SIGN_OUTPUT_SIZE(row->type, row->bits, row->alg));
    EXPECT(PSA_SUCCESS, verify(row, public_key, signature_length));
    EXPECT(PSA_SUCCESS, verify(row, pair, signature_length));
    EXPECT(PSA_SUCCESS, verify(&other, public_key, signature_length));
    EXPECT(PSA_ERROR_NOT_PERMITTED, sign(&other, pair, sizeof signature));
    EXPECT(PSA_SUCCESS, sign(row, pair, sizeof signature));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, public_key, signature_length - 1));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, public_key, 0));
    for (size_t i = 0; i < signature_length; i += signature_length / 7) {
        signature[i] ^= 0x20;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, public_key, signature_length));
        signature[i] ^= 0x20;
    }
}

SUBJECT_TEST(seed_sign__result__verifies)
{
    subject_for_each(&subject_seed_sign, check_result);
}

static psa_status_t sign_under(const struct subject_row *row, psa_key_id_t key,
                               const uint8_t *context, size_t context_length, size_t size)
{
    return is_pure(row)
               ? psa_sign_message_with_context(key, row->alg, input, sizeof input, context,
                                               context_length, signature, size, &signature_length)
               : psa_sign_hash_with_context(key, row->alg, input, input_length(row), context,
                                            context_length, signature, size, &signature_length);
}

static psa_status_t verify_under(const struct subject_row *row, psa_key_id_t key,
                                 const uint8_t *context, size_t context_length, size_t length)
{
    return is_pure(row)
               ? psa_verify_message_with_context(key, row->alg, input, sizeof input, context,
                                                 context_length, signature, length)
               : psa_verify_hash_with_context(key, row->alg, input, input_length(row), context,
                                              context_length, signature, length);
}

/* A message that is hashed first: the same as signing its hash. */
static void check_hashed(const struct subject_row *row, psa_key_id_t key, const uint8_t *context)
{
    const psa_algorithm_t hash_alg = PSA_ALG_GET_HASH(row->alg);
    uint8_t hash[64];
    size_t n = 0;

    NEED(psa_hash_compute(hash_alg, input, 9, hash, sizeof hash, &n));
    EXPECT(PSA_SUCCESS,
           psa_sign_message_with_context(key, row->alg, input, 9, context, 3, signature,
                                         sizeof signature, &signature_length));
    EXPECT(PSA_SUCCESS, psa_verify_hash_with_context(key, row->alg, hash, n, context, 3, signature,
                                                     signature_length));
    EXPECT(PSA_SUCCESS, psa_verify_message_with_context(key, row->alg, input, 9, context, 3,
                                                        signature, signature_length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message_with_context(key, row->alg, input, 8, context, 3, signature,
                                           signature_length));
}

static void check_context(const struct subject_row *row)
{
    uint8_t context[256];

    if (is_left_out(row)) {
        return;
    }
    test_fill(context, sizeof context, 0x35);
    const psa_key_id_t key = subject_key(row, BOTH, NULL, 0);
    for (size_t length = 1; length < sizeof context; length += 254) {
        const uint8_t *exact = test_copy(context, length);
        EXPECT(PSA_SUCCESS, sign_under(row, key, exact, length, sizeof signature));
        EXPECT(PSA_SUCCESS, verify_under(row, key, exact, length, signature_length));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               verify_under(row, key, exact, length - 1, signature_length));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, key, signature_length));
        context[0] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               verify_under(row, key, context, length, signature_length));
        context[0] ^= 1;
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           sign_under(row, key, context, sizeof context, sizeof signature));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, sign_under(row, key, context, 5, 31));
    CHECK(signature_length == 0);
    if (!is_pure(row) && PSA_ALG_GET_HASH(row->alg) == PSA_ALG_SHA_256) {
        check_hashed(row, key, context);
    }
}

SUBJECT_TEST(seed_sign__context__belongs_to_the_signature)
{
    subject_for_edges(&subject_seed_sign, check_context);
}

/* A context in the room for the signature, and a message of no bytes. */
static void check_overlap(const struct subject_row *row)
{
    uint8_t context[40];

    if (is_left_out(row)) {
        return;
    }
    test_fill(context, sizeof context, 0x35);
    const psa_key_id_t key = subject_key(row, BOTH, NULL, 0);
    memcpy(signature + 8, context, sizeof context);
    EXPECT(PSA_SUCCESS, sign_under(row, key, signature + 8, sizeof context, sizeof signature));
    EXPECT(PSA_SUCCESS, verify_under(row, key, context, sizeof context, signature_length));
    if (is_pure(row)) {
        EXPECT(PSA_SUCCESS, psa_sign_message(key, row->alg, signature + 8, 0, signature,
                                             sizeof signature, &signature_length));
        EXPECT(PSA_SUCCESS,
               psa_verify_message(key, row->alg, NULL, 0, signature, signature_length));
    }
}

SUBJECT_TEST(seed_sign__context_in_the_output__verifies)
{
    subject_for_edges(&subject_seed_sign, check_overlap);
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

SUBJECT_TEST(seed_sign__short_buffer__is_too_small)
{
    subject_for_edges(&subject_seed_sign, check_short);
}

/* Any bytes are a seed; a key of SLH-DSA has its public key in it, and that is computed. */
static void draw_key(const struct subject_row *row, uint8_t *data, size_t size)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;
    size_t length;

    if (row->type == PSA_KEY_TYPE_ML_DSA_KEY_PAIR) {
        NEED(psa_generate_random(data, size));
        return;
    }
    NEED(psa_generate_key(&attributes, &key));
    NEED(psa_export_key(key, data, size, &length));
    NEED(psa_destroy_key(key));
}

static bool is_hedged(const struct subject_row *row)
{
    return (row->alg & DETERMINISTIC) == 0;
}

/* No room, a context that is too long, and no random numbers, which not every signature takes. */
static void check_failing(const struct subject_row *row, psa_key_id_t key)
{
    const psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    psa_key_id_t generated = PSA_KEY_ID_NULL;
    uint8_t context[256];

    test_fill(context, sizeof context, 0x35);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           sign(row, key, PSA_SIGN_OUTPUT_SIZE(row->type, row->bits, row->alg) - 1));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           sign_under(row, key, context, sizeof context, sizeof signature));
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t generation = psa_generate_key(&attributes, &generated);
    const psa_status_t signing =
        is_hedged(row) ? sign(row, key, sizeof signature) : PSA_ERROR_INSUFFICIENT_ENTROPY;
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, generation);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, signing);
}

static void check_wiped(const struct subject_row *row)
{
    if (is_left_out(row)) {
        return;
    }
    psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    const bool is_seed = row->type == PSA_KEY_TYPE_ML_DSA_KEY_PAIR;
    const size_t size = PSA_EXPORT_KEY_OUTPUT_SIZE(row->type, row->bits);
    /* Of a key of SLH-DSA what is secret; the signature gives the rest away. */
    const size_t secret_size = is_seed ? size : size / 2;
    uint8_t *data = test_buffer(size);
    uint8_t *public_key = test_buffer(MAX_PUBLIC);
    psa_key_id_t key;
    size_t length;

    draw_key(row, data, size);
    NEED(psa_import_key(&attributes, data, size, &key));
    NEED(psa_export_public_key(key, public_key, MAX_PUBLIC, &length));
    residue_public(public_key, length);
    NEED(sign(row, key, sizeof signature));
    residue_public(signature, signature_length);
    NEED(verify(row, key, signature_length));
    NEED(sign_under(row, key, input, 9, sizeof signature));
    residue_public(signature, signature_length);
    NEED(verify_under(row, key, input, 9, signature_length));
    memset(signature, 0, sizeof signature);
    check_failing(row, key);
    NEED(psa_destroy_key(key));
    NEED(psa_generate_key(&attributes, &key));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(data, secret_size));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, size - 1, &key));
    if (is_seed) {
        psa_set_key_bits(&attributes, 0);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, size, &key));
    }
}

SECRET_TEST(seed_sign__key_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_seed_sign, check_wiped);
}

static psa_key_derivation_operation_t derivation(void)
{
    psa_key_derivation_operation_t operation = psa_key_derivation_operation_init();
    const psa_key_id_t secret =
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, input, sizeof input);

    NEED(psa_key_derivation_setup(&operation, HKDF));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, secret));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    return operation;
}

/* A source that ends before the key has all its bytes. */
static void check_underived(const struct subject_row *row, size_t drawn)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    psa_key_derivation_operation_t operation = derivation();
    psa_key_id_t key = PSA_KEY_ID_NULL;

    NEED(psa_key_derivation_set_capacity(&operation, drawn - 1));
    EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
           psa_key_derivation_output_key(&attributes, &operation, &key));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
}

static void check_derived(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    const size_t size = PSA_EXPORT_KEY_OUTPUT_SIZE(row->type, row->bits);
    const size_t drawn = size / 4 * 3; /* the rest is the root of the tree */
    uint8_t *data[2] = {test_buffer(size), test_buffer(size)};
    size_t length = 0;

    for (size_t i = 0; i < 2; i++) {
        psa_key_derivation_operation_t operation = derivation();
        psa_key_id_t key = PSA_KEY_ID_NULL;
        EXPECT(PSA_SUCCESS, psa_key_derivation_output_key(&attributes, &operation, &key));
        NEED(psa_key_derivation_abort(&operation));
        EXPECT(PSA_SUCCESS, psa_export_key(key, data[i], size, &length));
        CHECK(length == size);
        NEED(psa_destroy_key(key));
        CHECK(!test_memory_holds(data[i], size / 2));
    }
    CHECK_BYTES(data[0], size, data[1], size);
    psa_key_derivation_operation_t operation = derivation();
    NEED(psa_key_derivation_output_bytes(&operation, data[1], drawn));
    NEED(psa_key_derivation_abort(&operation));
    CHECK_BYTES(data[0], drawn, data[1], drawn);
    check_underived(row, drawn);
}

SECRET_TEST(seed_derive__seeds__give_one_key_and_stay_nowhere)
{
    residue_for_each(&subject_seed_derive, check_derived);
}
