/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes in one call and in parts; clone, suspend and resume (PSA Crypto 1.5, 10.2). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/machines/hash.h"
#include "../../harness/material.h"
#include "../../harness/walk.h"

#define ALG PSA_ALG_SHA_256
#define LENGTH 32u
/* Real, but not in this configuration. */
#define ABSENT PSA_ALG_RIPEMD160

static psa_hash_operation_t started(const uint8_t *data, size_t size)
{
    psa_hash_operation_t operation = psa_hash_operation_init();

    NEED(psa_hash_setup(&operation, ALG));
    NEED(psa_hash_update(&operation, data, size));
    return operation;
}

static void hash_compute__known_answers__agree(void)
{
    uint8_t out[LENGTH];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_hash_compute(ALG, abc, 3, out, sizeof out, &n));
    CHECK_BYTES(out, n, sha256_abc, LENGTH);
    EXPECT(PSA_SUCCESS, psa_hash_compute(ALG, NULL, 0, out, sizeof out, &n));
    CHECK_BYTES(out, n, sha256_empty, LENGTH);
    EXPECT(PSA_SUCCESS, psa_hash_compare(ALG, NULL, 0, sha256_empty, LENGTH));
}

static void hash_compute__short_buffer__is_too_small(void)
{
    for (size_t size = 0; size < LENGTH; size++) {
        uint8_t *out = test_buffer(size);
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_hash_compute(ALG, abc, 3, out, size, &n));
        CHECK(n == 0);
    }
}

static void hash_compute__large_buffer__writes_the_hash_alone(void)
{
    uint8_t *out = test_buffer(100);
    size_t n;

    EXPECT(PSA_SUCCESS, psa_hash_compute(ALG, abc, 3, out, 100, &n));
    CHECK_BYTES(out, n, sha256_abc, LENGTH);
    CHECK(test_all(out + LENGTH, 100 - LENGTH, 0xa5));
}

static void hash__not_a_hash_or_left_out__says_which(void)
{
    const psa_algorithm_t wrong[] = {PSA_ALG_NONE, PSA_ALG_CTR, PSA_ALG_HMAC(ALG),
                                     PSA_ALG_ECDSA(ALG), (psa_algorithm_t)0xffffffff};
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t out[64];
    size_t n = 1;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_context("algorithm", i);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_compute(wrong[i], abc, 3, out, sizeof out, &n));
        CHECK(n == 0);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_compare(wrong[i], abc, 3, out, LENGTH));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_setup(&operation, wrong[i]));
    }
    test_context("left out", 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_hash_compute(ABSENT, abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_hash_compare(ABSENT, abc, 3, out, 20));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_hash_setup(&operation, ABSENT));
    /* A failed setup leaves the object as it was: inactive. */
    EXPECT(PSA_SUCCESS, psa_hash_setup(&operation, ALG));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
}

static void hash_compare__anything_else__is_an_invalid_signature(void)
{
    uint8_t hash[LENGTH + 1] = {0};

    memcpy(hash, sha256_abc, LENGTH);
    EXPECT(PSA_SUCCESS, psa_hash_compare(ALG, abc, 3, test_copy(hash, LENGTH), LENGTH));
    for (size_t i = 0; i < LENGTH; i++) {
        hash[i] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_hash_compare(ALG, abc, 3, hash, LENGTH));
        hash[i] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_hash_compare(ALG, abc, 3, test_copy(hash, i), i));
    }
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_hash_compare(ALG, abc, 3, hash, LENGTH + 1));
}

static void hash__chunks_of_every_size__give_the_same(void)
{
    uint8_t message[200];
    uint8_t whole[LENGTH];
    uint8_t out[LENGTH];
    size_t n;

    test_fill(message, sizeof message, 5);
    NEED(psa_hash_compute(ALG, message, sizeof message, whole, sizeof whole, &n));
    for (size_t chunk = 1; chunk <= sizeof message; chunk++) {
        psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
        NEED(psa_hash_setup(&operation, ALG));
        for (size_t at = 0; at < sizeof message; at += chunk) {
            const size_t rest = sizeof message - at;
            EXPECT(PSA_SUCCESS,
                   psa_hash_update(&operation, message + at, rest < chunk ? rest : chunk));
            EXPECT(PSA_SUCCESS, psa_hash_update(&operation, NULL, 0));
        }
        EXPECT(PSA_SUCCESS, psa_hash_finish(&operation, out, sizeof out, &n));
        CHECK_BYTES(out, n, whole, LENGTH);
    }
}

static void hash_finish__short_buffer__is_too_small(void)
{
    for (size_t size = 0; size < LENGTH; size++) {
        psa_hash_operation_t operation = started(abc, 3);
        uint8_t *out = test_buffer(size);
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_hash_finish(&operation, out, size, &n));
        CHECK(n == 0);
        EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
    }
}

static void hash_abort__any_state_and_every_initialiser__succeeds(void)
{
    psa_hash_operation_t zeroed;
    psa_hash_operation_t by_macro = PSA_HASH_OPERATION_INIT;
    psa_hash_operation_t by_function = psa_hash_operation_init();
    psa_hash_operation_t active = started(abc, 3);

    memset(&zeroed, 0, sizeof zeroed);
    EXPECT(PSA_SUCCESS, psa_hash_abort(&zeroed));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&by_macro));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&by_function));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&active));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&active));
    memset(&zeroed, 0, sizeof zeroed);
    EXPECT(PSA_SUCCESS, psa_hash_setup(&zeroed, ALG));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&zeroed));
}

static void hash__object_moved_between_calls__goes_on(void)
{
    psa_hash_operation_t *a = (psa_hash_operation_t *)(void *)test_buffer(sizeof *a);
    psa_hash_operation_t *b = (psa_hash_operation_t *)(void *)test_buffer(sizeof *b);
    uint8_t out[LENGTH];
    size_t n;

    memset(a, 0, sizeof *a);
    NEED(psa_hash_setup(a, ALG));
    NEED(psa_hash_update(a, abc, 1));
    memcpy(b, a, sizeof *a);
    memset(a, 0xdd, sizeof *a);
    NEED(psa_hash_update(b, abc + 1, 2));
    EXPECT(PSA_SUCCESS, psa_hash_finish(b, out, sizeof out, &n));
    CHECK_BYTES(out, n, sha256_abc, LENGTH);
}

static void hash_clone__both__go_their_own_ways(void)
{
    for (size_t split = 0; split <= 130; split += 5) {
        uint8_t message[130];
        uint8_t whole[LENGTH];
        uint8_t out[LENGTH];
        size_t n;

        test_fill(message, sizeof message, 9);
        NEED(psa_hash_compute(ALG, message, sizeof message, whole, sizeof whole, &n));
        psa_hash_operation_t operation = started(message, split);
        psa_hash_operation_t clone = PSA_HASH_OPERATION_INIT;
        EXPECT(PSA_SUCCESS, psa_hash_clone(&operation, &clone));
        EXPECT(PSA_SUCCESS, psa_hash_update(&operation, abc, 3));
        EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
        EXPECT(PSA_SUCCESS, psa_hash_update(&clone, message + split, sizeof message - split));
        EXPECT(PSA_SUCCESS, psa_hash_finish(&clone, out, sizeof out, &n));
        CHECK_BYTES(out, n, whole, LENGTH);
    }
}

/* Skips the test when the driver of this build does not export its state. */
static size_t suspended(psa_hash_operation_t *operation, uint8_t *state, size_t size)
{
    size_t length = 0;
    const psa_status_t status = psa_hash_suspend(operation, state, size, &length);

    if (status == PSA_ERROR_NOT_SUPPORTED) {
        EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(operation, abc, 3));
        EXPECT(PSA_SUCCESS, psa_hash_abort(operation));
        test_skip("the driver of this build does not suspend hashes");
    }
    NEED(status);
    return length;
}

static void hash_suspend__resumed__goes_on(void)
{
    const size_t size = PSA_HASH_SUSPEND_OUTPUT_SIZE(ALG);

    for (size_t split = 0; split <= 130; split++) {
        uint8_t *state = test_buffer(size);
        uint8_t message[130];
        uint8_t whole[LENGTH];
        uint8_t out[LENGTH];
        size_t n;

        test_context("split", split);
        test_fill(message, sizeof message, 2);
        NEED(psa_hash_compute(ALG, message, sizeof message, whole, sizeof whole, &n));
        psa_hash_operation_t operation = started(message, split);
        const size_t length = suspended(&operation, state, size);
        CHECK(length == 4 + 8 + 32 + split % 64);
        CHECK(state[0] == 0x02 && state[1] == 0 && state[2] == 0 && state[3] == 0x09);
        psa_hash_operation_t resumed = PSA_HASH_OPERATION_INIT;
        EXPECT(PSA_SUCCESS, psa_hash_resume(&resumed, state, length));
        EXPECT(PSA_SUCCESS, psa_hash_update(&resumed, message + split, sizeof message - split));
        EXPECT(PSA_SUCCESS, psa_hash_finish(&resumed, out, sizeof out, &n));
        CHECK_BYTES(out, n, whole, LENGTH);
        test_free_buffers();
    }
}

static void hash_suspend__short_buffer__is_too_small(void)
{
    uint8_t full[PSA_HASH_SUSPEND_OUTPUT_SIZE(ALG)];
    psa_hash_operation_t first = started(aes_text, 37);
    const size_t needed = suspended(&first, full, sizeof full);

    for (size_t size = 0; size < needed; size++) {
        psa_hash_operation_t operation = started(aes_text, 37);
        uint8_t *state = test_buffer(size);
        size_t n = 7;
        test_context("bytes", size);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_hash_suspend(&operation, state, size, &n));
        CHECK(n == 0);
        EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
    }
}

static void hash_resume__state_that_cannot_be__is_refused(void)
{
    uint8_t state[PSA_HASH_SUSPEND_OUTPUT_SIZE(ALG) + 8] = {0};
    psa_hash_operation_t operation = started(aes_text, 37);
    const size_t length = suspended(&operation, state, sizeof state - 8);

    for (size_t cut = 0; cut < length; cut++) {
        test_context("bytes", cut);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_resume(&operation, test_copy(state, cut), cut));
    }
    test_context("longer", 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_resume(&operation, state, length + 1));
    test_context("other algorithm", 0);
    state[3] = 0x7f;
    EXPECT_REFUSED(psa_hash_resume(&operation, state, length));
    state[3] = (uint8_t)ABSENT;
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_hash_resume(&operation, state, length));
    state[3] = 0x09;
    /* Refusals have left the operation inactive. */
    EXPECT(PSA_SUCCESS, psa_hash_resume(&operation, state, length));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
}

static void hash_compute__output_over_the_input__gives_the_same(void)
{
    uint8_t whole[LENGTH];
    uint8_t message[80];
    size_t n;

    test_fill(message, sizeof message, 77);
    NEED(psa_hash_compute(ALG, message, sizeof message, whole, sizeof whole, &n));
    for (size_t at = 0; at + LENGTH <= sizeof message; at++) {
        uint8_t *buffer = test_copy(message, sizeof message);
        test_context("shift", at);
        EXPECT(PSA_SUCCESS, psa_hash_compute(ALG, buffer, sizeof message, buffer + at, LENGTH, &n));
        CHECK_BYTES(buffer + at, n, whole, LENGTH);
    }
}

static psa_hash_operation_t walked;
static psa_hash_operation_t other;
static uint8_t kept[PSA_HASH_SUSPEND_OUTPUT_SIZE(ALG)];
static size_t kept_length;

TEST_CALL(setup, psa_hash_setup(&walked, ALG));
TEST_CALL(setup_of_no_hash, psa_hash_setup(&walked, PSA_ALG_CTR));
TEST_CALL(setup_left_out, psa_hash_setup(&walked, ABSENT));
TEST_CALL(update, psa_hash_update(&walked, abc, 3));
TEST_CALL(finish, psa_hash_finish(&walked, WALK_OUT));
TEST_CALL(finish_short, psa_hash_finish(&walked, walk_output.bytes, 31, &walk_output.length));
TEST_CALL(verify, psa_hash_verify(&walked, sha256_empty, LENGTH));
TEST_CALL(verify_another, psa_hash_verify(&walked, sha256_abc, LENGTH));
TEST_CALL(verify_cut, psa_hash_verify(&walked, sha256_empty, LENGTH - 1));
TEST_CALL(verify_nothing, psa_hash_verify(&walked, NULL, 0));
TEST_CALL(suspend, psa_hash_suspend(&walked, WALK_OUT));
TEST_CALL(suspend_short, psa_hash_suspend(&walked, walk_output.bytes, 3, &walk_output.length));
TEST_CALL(resume, psa_hash_resume(&walked, kept, kept_length));
TEST_CALL(resume_cut, psa_hash_resume(&walked, kept, kept_length - 1));
TEST_CALL(abort_walked, psa_hash_abort(&walked));

/* Clone from one operation to another, of which one is in the walk; before, the other one is set
 * up or not; afterwards it is inactive. */
static psa_status_t clone_with_other(const psa_hash_operation_t *from, psa_hash_operation_t *to,
                                     bool is_other_active)
{
    NEED(psa_hash_abort(&other));
    if (is_other_active) {
        NEED(psa_hash_setup(&other, ALG));
    }
    const psa_status_t status = psa_hash_clone(from, to);
    NEED(psa_hash_abort(&other));
    return status;
}

TEST_CALL(clone, clone_with_other(&walked, &other, false));
TEST_CALL(clone_onto_active, clone_with_other(&walked, &other, true));
TEST_CALL(clone_into, clone_with_other(&other, &walked, true));
TEST_CALL(clone_from_inactive, clone_with_other(&other, &walked, false));

static const struct walk_call calls[] = {
    WALK_CALL(HASH_SETUP, PSA_SUCCESS, setup),
    WALK_CALL(HASH_SETUP, PSA_ERROR_INVALID_ARGUMENT, setup_of_no_hash),
    WALK_CALL(HASH_SETUP, PSA_ERROR_NOT_SUPPORTED, setup_left_out),
    WALK_CALL(HASH_UPDATE, PSA_SUCCESS, update),
    WALK_CALL(HASH_FINISH, PSA_SUCCESS, finish),
    WALK_CALL(HASH_FINISH, PSA_ERROR_BUFFER_TOO_SMALL, finish_short),
    WALK_CALL(HASH_VERIFY, PSA_SUCCESS, verify),
    WALK_CALL(HASH_VERIFY, PSA_ERROR_INVALID_SIGNATURE, verify_another),
    WALK_CALL(HASH_VERIFY, PSA_ERROR_INVALID_SIGNATURE, verify_cut),
    WALK_CALL(HASH_VERIFY, PSA_ERROR_INVALID_SIGNATURE, verify_nothing),
    WALK_CALL(HASH_CLONE, PSA_SUCCESS, clone),
    WALK_CALL(HASH_CLONE, PSA_ERROR_BAD_STATE, clone_onto_active),
    WALK_CALL(HASH_CLONE_INTO, PSA_SUCCESS, clone_into),
    WALK_CALL(HASH_CLONE_INTO, PSA_ERROR_BAD_STATE, clone_from_inactive),
    WALK_CALL(HASH_SUSPEND, PSA_SUCCESS, suspend),
    WALK_CALL(HASH_SUSPEND, PSA_ERROR_BUFFER_TOO_SMALL, suspend_short),
    WALK_CALL(HASH_RESUME, PSA_SUCCESS, resume),
    WALK_CALL(HASH_RESUME, PSA_ERROR_INVALID_ARGUMENT, resume_cut),
};
/* Of these, the ones that are of suspended hashes: not every driver has them. */
#define OF_SUSPENDED 4u

static void hash__every_call_in_every_state__is_as_the_table_says(void)
{
    NEED(setup());
    const psa_status_t status = psa_hash_suspend(&walked, kept, sizeof kept, &kept_length);
    struct walk walk = WALK(hash_machine, walked, abort_walked, calls,
                            .measured = ONLY(HASH_FINISH) | ONLY(HASH_SUSPEND));

    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_NOT_SUPPORTED);
    walk.count -= status == PSA_SUCCESS ? 0 : OF_SUSPENDED;
    walk_through(&walk);
}

static const struct test_case tests[] = {
    TEST(hash_compute__known_answers__agree),
    TEST(hash_compute__short_buffer__is_too_small),
    TEST(hash_compute__large_buffer__writes_the_hash_alone),
    TEST(hash__not_a_hash_or_left_out__says_which),
    TEST(hash_compare__anything_else__is_an_invalid_signature),
    TEST(hash__chunks_of_every_size__give_the_same),
    TEST(hash_finish__short_buffer__is_too_small),
    TEST(hash_abort__any_state_and_every_initialiser__succeeds),
    TEST(hash__object_moved_between_calls__goes_on),
    TEST(hash_clone__both__go_their_own_ways),
    TEST(hash_suspend__resumed__goes_on),
    TEST(hash_suspend__short_buffer__is_too_small),
    TEST(hash_resume__state_that_cannot_be__is_refused),
    TEST(hash_compute__output_over_the_input__gives_the_same),
    TEST(hash__every_call_in_every_state__is_as_the_table_says),
};

TEST_SUITE(hash, tests);
