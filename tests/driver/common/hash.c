/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/bindings.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(hash, "hash_compute hash_multipart");

#define MESSAGE_SIZE 300u
#define MAX_LENGTH PSA_HASH_MAX_SIZE

/* Hash the message of these tests in one call. */
static size_t whole_hash(psa_algorithm_t alg, const uint8_t *message, size_t size,
                         uint8_t output[MAX_LENGTH])
{
    size_t length = 0;

    NEED(psa_hash_compute(alg, message, size, output, MAX_LENGTH, &length));
    CHECK(length == PSA_HASH_LENGTH(alg));
    return length;
}

static void check_short(const struct subject_row *row)
{
    const size_t needed = PSA_HASH_LENGTH(row->alg);

    for (size_t size = 0; size < needed; size++) {
        psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
        uint8_t *output = test_buffer(size);
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_hash_compute(row->alg, (const uint8_t *)"abc", 3, output, size, &n));
        CHECK(n == 0);
        if (subject_started(psa_hash_setup(&operation, row->alg))) {
            n = 9;
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_hash_finish(&operation, output, size, &n));
            CHECK(n == 0);
            EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(&operation, (const uint8_t *)"abc", 3));
            EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
        }
    }
}

SUBJECT_TEST(hash__short_buffer__is_too_small)
{
    subject_for_each(&subject_hash, check_short);
}

static void check_chunks(const struct subject_row *row)
{
    uint8_t message[MESSAGE_SIZE];
    uint8_t whole[MAX_LENGTH];
    uint8_t output[MAX_LENGTH];
    size_t n;

    test_fill(message, sizeof message, 5);
    const size_t length = whole_hash(row->alg, message, sizeof message, whole);
    for (size_t chunk = 1; chunk <= sizeof message; chunk += chunk < 140 ? 1 : 17) {
        psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
        if (!subject_started(psa_hash_setup(&operation, row->alg))) {
            return;
        }
        for (size_t at = 0; at < sizeof message; at += chunk) {
            const size_t rest = sizeof message - at;
            const size_t part = rest < chunk ? rest : chunk;
            uint8_t *exact = test_copy(message + at, part);
            EXPECT(PSA_SUCCESS, psa_hash_update(&operation, exact, part));
            EXPECT(PSA_SUCCESS, psa_hash_update(&operation, NULL, 0));
        }
        EXPECT(PSA_SUCCESS, psa_hash_finish(&operation, output, sizeof output, &n));
        CHECK_BYTES(output, n, whole, length);
        test_free_buffers();
    }
}

SUBJECT_TEST(hash__chunks__give_the_same)
{
    subject_for_each(&subject_hash, check_chunks);
}

static void check_copy(const struct subject_row *row)
{
    uint8_t message[MESSAGE_SIZE];
    uint8_t whole[MAX_LENGTH];
    uint8_t output[MAX_LENGTH];
    size_t n;

    test_fill(message, sizeof message, 6);
    const size_t length = whole_hash(row->alg, message, sizeof message, whole);
    for (size_t split = 0; split <= sizeof message; split += 13) {
        psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
        psa_hash_operation_t clone = PSA_HASH_OPERATION_INIT;
        if (!subject_started(psa_hash_setup(&operation, row->alg))) {
            return;
        }
        NEED(psa_hash_update(&operation, message, split));
        EXPECT(PSA_SUCCESS, psa_hash_clone(&operation, &clone));
        NEED(psa_hash_update(&operation, message, 7));
        NEED(psa_hash_abort(&operation));
        /* Moved in memory, too. */
        psa_hash_operation_t *moved = (psa_hash_operation_t *)(void *)test_buffer(sizeof clone);
        memcpy(moved, &clone, sizeof clone);
        memset(&clone, 0xdd, sizeof clone);
        EXPECT(PSA_SUCCESS, psa_hash_update(moved, message + split, sizeof message - split));
        EXPECT(PSA_SUCCESS, psa_hash_finish(moved, output, sizeof output, &n));
        CHECK_BYTES(output, n, whole, length);
    }
}

SUBJECT_TEST(hash__copied_operation__goes_on)
{
    subject_for_each(&subject_hash, check_copy);
}

static void check_nothing(const struct subject_row *row)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t whole[MAX_LENGTH];
    uint8_t output[MAX_LENGTH];
    size_t n;

    const size_t length = whole_hash(row->alg, NULL, 0, whole);
    CHECK(whole_hash(row->alg, test_buffer(0), 0, output) == length);
    CHECK_BYTES(output, length, whole, length);
    if (subject_started(psa_hash_setup(&operation, row->alg))) {
        EXPECT(PSA_SUCCESS, psa_hash_finish(&operation, output, sizeof output, &n));
        CHECK_BYTES(output, n, whole, length);
    }
}

SUBJECT_TEST(hash__nothing_hashed__agrees_in_parts)
{
    subject_for_each(&subject_hash, check_nothing);
}

static void check_overlap(const struct subject_row *row)
{
    uint8_t message[150];
    uint8_t whole[MAX_LENGTH];
    size_t n;

    test_fill(message, sizeof message, 7);
    const size_t length = whole_hash(row->alg, message, sizeof message, whole);
    for (size_t at = 0; at + length <= sizeof message; at++) {
        uint8_t *buffer = test_copy(message, sizeof message);
        EXPECT(PSA_SUCCESS,
               psa_hash_compute(row->alg, buffer, sizeof message, buffer + at, length, &n));
        CHECK_BYTES(buffer + at, n, whole, length);
        test_free_buffers();
    }
}

SUBJECT_TEST(hash__output_over_the_input__gives_the_same)
{
    subject_for_each(&subject_hash, check_overlap);
}

/* Whatever the room: that which the macro says, where there is no such state, is none. */
static void check_no_suspend(const struct subject_row *row)
{
    static const size_t rooms[] = {0, 3, 4, 300};

    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
        uint8_t *state = test_buffer(rooms[i]);
        size_t n = 9;
        if (!subject_started(psa_hash_setup(&operation, row->alg))) {
            return;
        }
        EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_hash_suspend(&operation, state, rooms[i], &n));
        CHECK(n == 0 && (rooms[i] < 4 || test_all(state, rooms[i], 0)));
        NEED(psa_hash_abort(&operation));
    }
}

static void check_suspend(const struct subject_row *row)
{
    uint8_t message[MESSAGE_SIZE];
    uint8_t whole[MAX_LENGTH];
    uint8_t output[MAX_LENGTH];
    const size_t size = PSA_HASH_SUSPEND_OUTPUT_SIZE(row->alg);
    size_t n;

    if (!row->can_suspend) {
        check_no_suspend(row);
        return;
    }
    test_fill(message, sizeof message, 18);
    const size_t length = whole_hash(row->alg, message, sizeof message, whole);
    for (size_t split = 0; split <= sizeof message; split++) {
        psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
        psa_hash_operation_t resumed = PSA_HASH_OPERATION_INIT;
        uint8_t *state = test_buffer(size);
        size_t state_length = 0;
        if (!subject_started(psa_hash_setup(&operation, row->alg))) {
            return;
        }
        NEED(psa_hash_update(&operation, message, split));
        EXPECT(PSA_SUCCESS, psa_hash_suspend(&operation, state, size, &state_length));
        EXPECT(PSA_SUCCESS,
               psa_hash_resume(&resumed, test_copy(state, state_length), state_length));
        EXPECT(PSA_SUCCESS, psa_hash_update(&resumed, message + split, sizeof message - split));
        EXPECT(PSA_SUCCESS, psa_hash_finish(&resumed, output, sizeof output, &n));
        CHECK_BYTES(output, n, whole, length);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_resume(&resumed, state, state_length - 1));
        NEED(psa_hash_abort(&resumed));
        test_free_buffers();
    }
}

/*
 * A short message with its hash's padding to a block (RFC 1321, FIPS 180-4): after that
 * the chaining state is the hash of the message.
 */
static size_t padded(psa_algorithm_t alg, const uint8_t *message, size_t size, uint8_t block[128])
{
    const bool is_little_endian = alg == PSA_ALG_MD5 || alg == PSA_ALG_RIPEMD160;
    const size_t length = PSA_HASH_BLOCK_LENGTH(alg);

    memset(block, 0, length);
    memcpy(block, message, size);
    block[size] = 0x80;
    block[is_little_endian ? length - 8 : length - 1] = (uint8_t)(8 * size);
    return length;
}

static void check_state(const struct subject_row *row)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    const size_t fields = 4 + PSA_HASH_SUSPEND_INPUT_LENGTH_FIELD_LENGTH(row->alg);
    uint8_t state[PSA_HASH_SUSPEND_OUTPUT_SIZE(PSA_ALG_SHA_512)];
    uint8_t whole[MAX_LENGTH];
    uint8_t block[128];
    size_t n = 0;

    if (!row->can_suspend) {
        return;
    }
    const size_t length = whole_hash(row->alg, (const uint8_t *)"abc", 3, whole);
    const size_t size = padded(row->alg, (const uint8_t *)"abc", 3, block);
    NEED(psa_hash_setup(&operation, row->alg));
    NEED(psa_hash_update(&operation, block, size));
    NEED(psa_hash_update(&operation, block, 5));
    EXPECT(PSA_SUCCESS, psa_hash_suspend(&operation, state, sizeof state, &n));
    REQUIRE(n == PSA_HASH_SUSPEND_OUTPUT_SIZE(row->alg) - PSA_HASH_BLOCK_LENGTH(row->alg) + 1 + 5);
    CHECK(test_all(state + 4, fields - 5, 0) && state[fields - 1] == size + 5);
    CHECK_BYTES(state + n - 5, 5, block, 5);
    CHECK_BYTES(state + fields, length, whole, length); /* the first words, if it is truncated */
}

SUBJECT_TEST(hash__suspended__holds_what_is_specified)
{
    subject_for_each(&subject_hash, check_state);
}

SECRET_TEST(hash__suspended__goes_on)
{
    subject_for_each(&subject_hash, check_suspend);
}

static void check_wiped(const struct subject_row *row)
{
    uint8_t *secret = test_buffer(150);
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t *output = test_buffer(PSA_HASH_MAX_SIZE);
    size_t n;

    test_fill(secret, 150, 45);
    if (CORRAL_HASHES_TAKE_KEYS) { /* else what is hashed is no secret of ours */
        NEED(psa_generate_random(secret, 150));
    }
    NEED(psa_hash_compute(row->alg, secret, 150, output, PSA_HASH_MAX_SIZE, &n));
    NEED(psa_hash_setup(&operation, row->alg));
    NEED(psa_hash_update(&operation, secret, 70));
    NEED(psa_hash_update(&operation, secret + 70, 80));
    NEED(psa_hash_finish(&operation, output, PSA_HASH_MAX_SIZE, &n));
    NEED(psa_hash_setup(&operation, row->alg));
    NEED(psa_hash_update(&operation, secret, 150));
    NEED(psa_hash_abort(&operation));
    CHECK(!CORRAL_HASHES_TAKE_KEYS || !test_memory_holds(secret, 150));
}

SECRET_TEST(hash__secret_hashed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_hash, check_wiped);
}
