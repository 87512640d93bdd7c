/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "curves.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(sign_hash, "sign_hash");
SUBJECT_KIND(verify_hash, "verify_hash");
SUBJECT_KIND(sign_message, "sign_message");
SUBJECT_KIND(verify_message, "verify_message");
SUBJECT_KIND(sign_hash_context, "sign_hash_with_context");
SUBJECT_KIND(sign_message_context, "sign_message_with_context");

#define BOTH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define MAX_SIGNATURE 144u
#define INPUT_MAX_SIZE 64u

typedef void row_test(const struct subject_row *row);
/* subject_for_each_of() or subject_for_edges_of(). */
typedef void for_rows(const struct subject_kind *one, const struct subject_kind *other,
                      row_test *test);

static bool signs_hashes(const struct subject_row *row)
{
    return row->kind == &subject_sign_hash || row->kind == &subject_verify_hash;
}

/* Bytes of the hash that the algorithm signs; of a message of these tests as many as of SHA-256. */
static size_t input_size(const struct subject_row *row)
{
    const size_t hash_length = signs_hashes(row) ? PSA_HASH_LENGTH(row->alg) : 0;

    return hash_length != 0 ? hash_length : 32;
}

static void fill_input(uint8_t input[INPUT_MAX_SIZE])
{
    test_fill(input, INPUT_MAX_SIZE, 0x35);
}

static psa_status_t sign(const struct subject_row *row, psa_key_id_t key, const uint8_t *input,
                         uint8_t *signature, size_t size, size_t *length)
{
    return signs_hashes(row)
               ? psa_sign_hash(key, row->alg, input, input_size(row), signature, size, length)
               : psa_sign_message(key, row->alg, input, input_size(row), signature, size, length);
}

static psa_status_t verify(const struct subject_row *row, psa_key_id_t key, const uint8_t *input,
                           const uint8_t *signature, size_t length)
{
    return signs_hashes(row)
               ? psa_verify_hash(key, row->alg, input, input_size(row), signature, length)
               : psa_verify_message(key, row->alg, input, input_size(row), signature, length);
}

/* The pair of the row's signing or verifying key, generated where the driver's keys live. */
static psa_key_id_t pair_of(const struct subject_row *row)
{
    struct subject_row pair = *row;

    pair.type = PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(row->type);
    return subject_key(&pair, BOTH | PSA_KEY_USAGE_EXPORT, NULL, 0);
}

static void each_signing(for_rows *each, row_test *test)
{
    each(&subject_sign_hash, &subject_sign_message, test);
}

static void each_verifying(for_rows *each, row_test *test)
{
    each(&subject_verify_hash, &subject_verify_message, test);
}

static void check_result(const struct subject_row *row)
{
    const psa_key_id_t key = pair_of(row);
    uint8_t input[INPUT_MAX_SIZE];
    size_t n;

    fill_input(input);
    for (unsigned i = 0; i < (row->only_computes ? 1u : 3u); i++) {
        const size_t size = subject_signature_size(row);
        uint8_t *signature = test_buffer(size);
        EXPECT(PSA_SUCCESS, sign(row, key, test_copy(input, input_size(row)), signature, size, &n));
        CHECK(n == size);
        EXPECT(PSA_SUCCESS, verify(row, key, input, signature, n));
        input[i]++;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, key, input, signature, n));
    }
}

SUBJECT_TEST(sign__result__verifies)
{
    each_signing(subject_for_each_of, check_result);
}

static void check_short(const struct subject_row *row)
{
    const psa_key_id_t key = pair_of(row);
    const size_t needed = subject_signature_size(row);
    uint8_t input[INPUT_MAX_SIZE];

    fill_input(input);
    for (size_t size = 0; size < needed; size++) {
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, sign(row, key, input, test_buffer(size), size, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(sign__short_buffer__leaves_no_hold)
{
    each_signing(subject_for_each_of, check_short);
}

static void check_large(const struct subject_row *row)
{
    const psa_key_id_t key = pair_of(row);
    const size_t needed = subject_signature_size(row);
    uint8_t *signature = test_buffer(needed + 60);
    uint8_t input[INPUT_MAX_SIZE];
    size_t n;

    fill_input(input);
    EXPECT(PSA_SUCCESS, sign(row, key, input, signature, needed + 60, &n));
    CHECK(n == needed && test_all(signature + needed, 60, 0xa5));
}

SUBJECT_TEST(sign__large_buffer__says_what_it_wrote)
{
    each_signing(subject_for_edges_of, check_large);
}

static void check_overlap(const struct subject_row *row)
{
    const psa_key_id_t key = pair_of(row);
    const size_t size = subject_signature_size(row);
    const size_t input_length = input_size(row);
    uint8_t input[INPUT_MAX_SIZE];
    size_t n;

    fill_input(input);
    for (size_t at = 0; at <= size + input_length; at += (size + input_length) / 3) {
        uint8_t *buffer = test_buffer(2 * size + input_length);
        memcpy(buffer + size, input, input_length);
        EXPECT(PSA_SUCCESS, sign(row, key, buffer + size, buffer + at, size, &n));
        EXPECT(PSA_SUCCESS, verify(row, key, input, buffer + at, size));
    }
}

SUBJECT_TEST(sign__output_over_the_input__verifies)
{
    each_signing(subject_for_edges_of, check_overlap);
}

static void check_no_entropy(const struct subject_row *row)
{
    const psa_key_id_t key = pair_of(row);
    const size_t size = subject_signature_size(row);
    uint8_t *signature = test_buffer(size);
    uint8_t input[INPUT_MAX_SIZE];
    size_t n = 1;

    fill_input(input);
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t status = sign(row, key, input, signature, size, &n);
    test_entropy_mode(TEST_ENTROPY_GOOD);
    if (status == PSA_SUCCESS) {
        /* Deterministic, or with a generator of its own. */
        CHECK(PSA_ALG_IS_DETERMINISTIC_ECDSA(row->alg) || !PSA_ALG_IS_ECDSA(row->alg) ||
              subject_location != 0);
        EXPECT(PSA_SUCCESS, verify(row, key, input, signature, size));
    } else {
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, status);
        CHECK(n == 0 && test_all(signature, size, 0));
    }
    EXPECT(PSA_SUCCESS, sign(row, key, input, signature, size, &n));
}

SUBJECT_TEST(sign__no_entropy__gives_no_signature)
{
    each_signing(subject_for_edges_of, check_no_entropy);
}

/* Everybody may know the public key. */
static void publish(const struct subject_row *row, psa_key_id_t key)
{
    const size_t size = subject_public_size(row);
    uint8_t *point = test_buffer(size);
    size_t n;

    NEED(psa_export_public_key(key, point, size, &n));
    residue_public(point, n);
}

static void check_wiped(const struct subject_row *row)
{
    const size_t size = subject_private_size(row);
    const psa_key_id_t key = pair_of(row);
    uint8_t *secret = test_buffer(size);
    uint8_t *signature = test_buffer(subject_signature_size(row));
    uint8_t input[INPUT_MAX_SIZE];
    size_t n;

    if (psa_export_key(key, secret, size, &n) != PSA_SUCCESS) {
        CHECK(subject_location != 0); /* elements do not give it away */
        return;
    }
    publish(row, key);
    fill_input(input);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           sign(row, key, input, signature, subject_signature_size(row) - 1, &n));
    NEED(sign(row, key, input, signature, subject_signature_size(row), &n));
    residue_public(signature, n);
    CHECK(!test_stack_holds(secret, size));
    NEED(verify(row, key, input, signature, n));
    CHECK(test_memory_holds(secret, size));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, size));
}

static void check_residue(const struct subject_row *row)
{
    residue_run(check_wiped, row);
}

SECRET_TEST(sign__key_destroyed__leaves_no_byte_of_it)
{
    each_signing(subject_for_each_of, check_residue);
}

/* A public key, a signature that it verifies, and the row's input. */
struct signed_input {
    psa_key_id_t key;
    uint8_t input[INPUT_MAX_SIZE];
    uint8_t signature[MAX_SIGNATURE];
    size_t length;
};

static void make_signed(const struct subject_row *row, struct signed_input *made)
{
    struct subject_row public_row = *row;
    const psa_key_id_t pair = pair_of(row);
    uint8_t point[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    size_t n;

    fill_input(made->input);
    NEED(sign(row, pair, made->input, made->signature, sizeof made->signature, &made->length));
    NEED(psa_export_public_key(pair, point, sizeof point, &n));
    public_row.type = PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(row->type);
    made->key = subject_key(&public_row, PSA_KEY_USAGE_VERIFY_HASH, point, n);
    EXPECT(PSA_SUCCESS, verify(row, made->key, made->input, made->signature, made->length));
}

static void check_signed(const struct subject_row *row)
{
    struct signed_input made;

    make_signed(row, &made);
}

RESIDUE_TEST(verify__signed_input__verifies)
{
    each_verifying(subject_for_each_of, check_signed);
}

static void check_forged(const struct subject_row *row)
{
    struct signed_input made;

    make_signed(row, &made);
    for (size_t i = 0; i < made.length; i += made.length / 4) {
        uint8_t *forged = test_copy(made.signature, made.length);
        forged[i] ^= (uint8_t)(1u << i % 8);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, made.key, made.input, forged, made.length));
    }
    made.input[0] ^= 1; /* the end of a hash is cut for a small curve */
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           verify(row, made.key, made.input, made.signature, made.length));
}

SUBJECT_TEST(verify__forged__is_an_invalid_signature)
{
    each_verifying(subject_for_edges_of, check_forged);
}

static void check_lengths(const struct subject_row *row)
{
    struct signed_input made;

    make_signed(row, &made);
    for (size_t length = 0; length < made.length + 4; length++) {
        if (length != made.length) {
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   verify(row, made.key, made.input, test_copy(made.signature, length), length));
        }
    }
}

SUBJECT_TEST(verify__any_length__is_an_invalid_signature)
{
    each_verifying(subject_for_edges_of, check_lengths);
}

static void check_halves(const struct subject_row *row)
{
    const size_t half = subject_private_size(row);
    struct signed_input made;
    uint8_t order[CURVE_MAX_SIZE];

    make_signed(row, &made);
    for (unsigned which = 0; which < 2; which++) {
        uint8_t *forged = test_copy(made.signature, made.length);
        memset(forged + which * half, 0, half);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, made.key, made.input, forged, made.length));
        memset(forged + which * half, 0xff, half);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, made.key, made.input, forged, made.length));
        if (row->order != NULL) {
            curve_order(row, order);
            memcpy(forged + which * half, order, half);
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   verify(row, made.key, made.input, forged, made.length));
        }
    }
}

SUBJECT_TEST(verify__halves_out_of_range__is_an_invalid_signature)
{
    each_verifying(subject_for_edges_of, check_halves);
}

static psa_status_t sign_context(const struct subject_row *row, psa_key_id_t key,
                                 const uint8_t *input, const uint8_t *context, size_t length,
                                 uint8_t *signature, size_t size, size_t *signature_length)
{
    return row->kind == &subject_sign_hash_context
               ? psa_sign_hash_with_context(key, row->alg, input, INPUT_MAX_SIZE, context, length,
                                            signature, size, signature_length)
               : psa_sign_message_with_context(key, row->alg, input, INPUT_MAX_SIZE, context,
                                               length, signature, size, signature_length);
}

static psa_status_t verify_context(const struct subject_row *row, psa_key_id_t key,
                                   const uint8_t *input, const uint8_t *context, size_t length,
                                   const uint8_t *signature, size_t signature_length)
{
    return row->kind == &subject_sign_hash_context
               ? psa_verify_hash_with_context(key, row->alg, input, INPUT_MAX_SIZE, context, length,
                                              signature, signature_length)
               : psa_verify_message_with_context(key, row->alg, input, INPUT_MAX_SIZE, context,
                                                 length, signature, signature_length);
}

/* Hashes of these algorithms are as long as the inputs of these tests at most: 64 bytes. */
static void check_context(const struct subject_row *row)
{
    const psa_key_id_t key = pair_of(row);
    const size_t size = subject_signature_size(row);
    uint8_t *signature = test_buffer(size);
    uint8_t input[INPUT_MAX_SIZE];
    uint8_t context[255];
    size_t n;

    fill_input(input);
    test_fill(context, sizeof context, 0x53);
    for (size_t length = row->only_computes ? sizeof context : 1; length <= sizeof context;
         length += 127) {
        const uint8_t *exact = test_copy(context, length);
        EXPECT(PSA_SUCCESS, sign_context(row, key, input, exact, length, signature, size, &n));
        CHECK(n == size);
        EXPECT(PSA_SUCCESS, verify_context(row, key, input, exact, length, signature, n));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               verify_context(row, key, input, exact, length - 1, signature, n));
        context[0] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               verify_context(row, key, input, context, length, signature, n));
        context[0] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               verify_context(row, key, input, exact, length, signature, n - 1));
        input[0] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               verify_context(row, key, input, exact, length, signature, n));
        input[0] ^= 1;
    }
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           sign_context(row, key, input, context, 5, signature, size - 1, &n));
}

static void each_with_context(row_test *test)
{
    subject_for_each_of(&subject_sign_hash_context, &subject_sign_message_context, test);
}

SUBJECT_TEST(sign__context__belongs_to_the_signature)
{
    each_with_context(check_context);
}

static void check_context_wiped(const struct subject_row *row)
{
    uint8_t *signature = test_buffer(MAX_SIGNATURE);
    const psa_key_id_t key = pair_of(row);
    uint8_t input[INPUT_MAX_SIZE];
    size_t n;

    publish(row, key);
    fill_input(input);
    NEED(sign_context(row, key, input, input, 9, signature, MAX_SIGNATURE, &n));
    residue_public(signature, n);
    NEED(verify_context(row, key, input, input, 9, signature, n));
}

static void check_context_residue(const struct subject_row *row)
{
    residue_run(check_context_wiped, row);
}

SECRET_TEST(sign__with_context__leaves_no_byte_of_the_key)
{
    each_with_context(check_context_residue);
}
