/* SPDX-License-Identifier: Apache-2.0 */
/* Extendable output (PSA Crypto 1.5, 10.3). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/machines/xof.h"
#include "../../harness/material.h"
#include "../../harness/walk.h"

#define ALG PSA_ALG_SHAKE128
/* Real, but not of this build; the second one has a context. */
#define ABSENT PSA_ALG_ASCON_XOF128
#define ABSENT_WITH_CONTEXT PSA_ALG_ASCON_CXOF128

/* The first bytes of SHAKE128 and SHAKE256 of nothing (FIPS 202 examples of NIST). */
static const uint8_t shake128_empty[] = {0x7f, 0x9c, 0x2b, 0xa4, 0xe8, 0x8f, 0x82, 0x7d,
                                         0x61, 0x60, 0x45, 0x50, 0x76, 0x05, 0x85, 0x3e};
static const uint8_t shake256_empty[] = {0x46, 0xb9, 0xdd, 0x2b, 0x0b, 0xa8, 0x8d, 0x13,
                                         0x23, 0x3b, 0x3f, 0xeb, 0x74, 0x3e, 0xeb, 0x24};

static psa_xof_operation_t started(const uint8_t *data, size_t size)
{
    psa_xof_operation_t operation = psa_xof_operation_init();

    NEED(psa_xof_setup(&operation, ALG));
    NEED(psa_xof_update(&operation, data, size));
    return operation;
}

static void xof__known_answers__agree(void)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    uint8_t out[sizeof shake128_empty];

    EXPECT(PSA_SUCCESS, psa_xof_setup(&operation, PSA_ALG_SHAKE128));
    EXPECT(PSA_SUCCESS, psa_xof_output(&operation, out, sizeof out));
    CHECK_BYTES(out, sizeof out, shake128_empty, sizeof shake128_empty);
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_xof_setup(&operation, PSA_ALG_SHAKE256));
    EXPECT(PSA_SUCCESS, psa_xof_update(&operation, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_xof_output(&operation, out, sizeof out));
    CHECK_BYTES(out, sizeof out, shake256_empty, sizeof shake256_empty);
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
}

static void xof__not_an_xof_or_left_out__says_which(void)
{
    const psa_algorithm_t wrong[] = {PSA_ALG_NONE, PSA_ALG_SHA_256, PSA_ALG_SHAKE256_512,
                                     PSA_ALG_CTR, (psa_algorithm_t)0xffffffff};
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_context("algorithm", i);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_xof_setup(&operation, wrong[i]));
    }
    test_context("left out", 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_xof_setup(&operation, ABSENT));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_xof_setup(&operation, ABSENT_WITH_CONTEXT));
    /* A failed setup leaves the object as it was: inactive. */
    EXPECT(PSA_SUCCESS, psa_xof_setup(&operation, ALG));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
}

static void xof__input_and_output_in_chunks__give_the_same(void)
{
    uint8_t message[400];
    uint8_t whole[400];
    uint8_t out[400];

    test_fill(message, sizeof message, 3);
    psa_xof_operation_t once = started(message, sizeof message);
    NEED(psa_xof_output(&once, whole, sizeof whole));
    NEED(psa_xof_abort(&once));
    for (size_t chunk = 1; chunk <= sizeof message; chunk += chunk < 10 ? 1 : 53) {
        psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
        NEED(psa_xof_setup(&operation, ALG));
        for (size_t at = 0; at < sizeof message; at += chunk) {
            const size_t rest = sizeof message - at;
            EXPECT(PSA_SUCCESS,
                   psa_xof_update(&operation, message + at, rest < chunk ? rest : chunk));
            EXPECT(PSA_SUCCESS, psa_xof_update(&operation, NULL, 0));
        }
        for (size_t at = 0; at < sizeof out; at += chunk) {
            const size_t rest = sizeof out - at;
            EXPECT(PSA_SUCCESS, psa_xof_output(&operation, out + at, rest < chunk ? rest : chunk));
            EXPECT(PSA_SUCCESS, psa_xof_output(&operation, NULL, 0));
        }
        CHECK_BYTES(out, sizeof out, whole, sizeof whole);
        EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
    }
}

static void xof_abort__any_state_and_every_initialiser__wipes_the_operation(void)
{
    psa_xof_operation_t by_macro = PSA_XOF_OPERATION_INIT;
    psa_xof_operation_t zeroed;
    psa_xof_operation_t by_function = psa_xof_operation_init();
    psa_xof_operation_t active = started(abc, 3);

    memset(&zeroed, 0, sizeof zeroed);
    EXPECT(PSA_SUCCESS, psa_xof_abort(&by_macro));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&zeroed));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&by_function));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&active));
    CHECK(test_all((const uint8_t *)&active, sizeof active, 0));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&active));
    EXPECT(PSA_SUCCESS, psa_xof_setup(&active, ALG));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&active));
}

static void xof__object_moved_between_calls__goes_on(void)
{
    psa_xof_operation_t *a = (psa_xof_operation_t *)(void *)test_buffer(sizeof *a);
    psa_xof_operation_t *b = (psa_xof_operation_t *)(void *)test_buffer(sizeof *b);
    uint8_t whole[300];
    uint8_t out[300];

    psa_xof_operation_t once = started(abc, 3);
    NEED(psa_xof_output(&once, whole, sizeof whole));
    NEED(psa_xof_abort(&once));
    *a = started(abc, 1);
    memcpy(b, a, sizeof *a);
    memset(a, 0xdd, sizeof *a);
    NEED(psa_xof_update(b, abc + 1, 2));
    NEED(psa_xof_output(b, out, 100));
    memcpy(a, b, sizeof *a);
    memset(b, 0xdd, sizeof *b);
    EXPECT(PSA_SUCCESS, psa_xof_output(a, out + 100, 200));
    CHECK_BYTES(out, sizeof out, whole, sizeof whole);
    EXPECT(PSA_SUCCESS, psa_xof_abort(a));
}

static psa_xof_operation_t walked;

TEST_CALL(setup, psa_xof_setup(&walked, ALG));
TEST_CALL(setup_of_no_xof, psa_xof_setup(&walked, PSA_ALG_SHA_256));
TEST_CALL(setup_left_out, psa_xof_setup(&walked, ABSENT));
TEST_CALL(set_context, psa_xof_set_context(&walked, abc, 3));
TEST_CALL(set_no_context, psa_xof_set_context(&walked, NULL, 0));
TEST_CALL(update, psa_xof_update(&walked, abc, 3));
TEST_CALL(update_nothing, psa_xof_update(&walked, NULL, 0));
TEST_CALL(output, psa_xof_output(&walked, walk_output.bytes, WALK_ROOM));
TEST_CALL(output_nothing, psa_xof_output(&walked, NULL, 0));
TEST_CALL(abort_walked, psa_xof_abort(&walked));

/* No algorithm of this build has a context. */
static const struct walk_call calls[] = {
    WALK_CALL(XOF_SETUP, PSA_SUCCESS, setup),
    WALK_CALL(XOF_SETUP, PSA_ERROR_INVALID_ARGUMENT, setup_of_no_xof),
    WALK_CALL(XOF_SETUP, PSA_ERROR_NOT_SUPPORTED, setup_left_out),
    WALK_CALL(XOF_SET_CONTEXT, PSA_ERROR_INVALID_ARGUMENT, set_context),
    WALK_CALL(XOF_SET_CONTEXT, PSA_ERROR_INVALID_ARGUMENT, set_no_context),
    WALK_CALL(XOF_UPDATE, PSA_SUCCESS, update),
    WALK_CALL(XOF_UPDATE, PSA_SUCCESS, update_nothing),
    WALK_CALL(XOF_OUTPUT, PSA_SUCCESS, output),
    WALK_CALL(XOF_OUTPUT, PSA_SUCCESS, output_nothing),
};

static void xof__every_call_in_every_state__is_as_the_table_says(void)
{
    const struct walk walk = WALK(xof_machine, walked, abort_walked, calls, .measured = 0);

    walk_through(&walk);
}

static const struct test_case tests[] = {
    TEST(xof__known_answers__agree),
    TEST(xof__not_an_xof_or_left_out__says_which),
    TEST(xof__input_and_output_in_chunks__give_the_same),
    TEST(xof_abort__any_state_and_every_initialiser__wipes_the_operation),
    TEST(xof__object_moved_between_calls__goes_on),
    TEST(xof__every_call_in_every_state__is_as_the_table_says),
};

TEST_SUITE(xof, tests);
