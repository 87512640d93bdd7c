/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls on operations that are not active (docs/DECISIONS.md on 3.3.2): BAD_STATE, and nothing has
 * changed, neither the operation nor an output. Each claim is made of every function.
 */
#include <string.h>

#include "families.h"

/* Whether a call is refused, and leaves the operation and its outputs as they are. */
static void check_refused(const struct function *function)
{
    static uint8_t before[sizeof(psa_key_derivation_operation_t) + sizeof(psa_pake_operation_t) +
                          sizeof(psa_verify_operation_t) + sizeof(psa_aead_operation_t) +
                          sizeof(psa_hash_operation_t)];
    const struct family *const family = &families[function->family];

    REQUIRE(family->size <= sizeof before);
    memcpy(before, family->operation, family->size);
    (void)families_output_is_untouched();
    EXPECT(PSA_ERROR_BAD_STATE, families_do(family, function->name));
    CHECK_BYTES(family->operation, family->size, before, family->size);
    CHECK(families_output_is_untouched());
}

static void complete(const struct family *family)
{
    for (size_t i = 0; i < 4 && family->complete[i] != NULL; i++) {
        NEED(families_do(family, family->complete[i]));
    }
}

static void check_usable(const struct family *family)
{
    NEED(families_do(family, family->setup));
    complete(family);
}

static void every_function__operation_never_set_up__changes_nothing(void)
{
    families_begin();
    for (size_t i = 0; i < function_count; i++) {
        const struct family *const family = &families[functions[i].family];

        test_context(functions[i].name, i);
        memset(family->operation, 0, family->size);
        check_refused(&functions[i]);
        check_usable(family);
    }
}

static void every_function__operation_that_was_aborted__changes_nothing(void)
{
    families_begin();
    for (size_t i = 0; i < function_count; i++) {
        const struct family *const family = &families[functions[i].family];

        test_context(functions[i].name, i);
        NEED(families_do(family, family->setup));
        NEED(families_do(family, family->abort));
        check_refused(&functions[i]);
        check_usable(family);
    }
}

static void every_function__operation_that_has_ended__changes_nothing(void)
{
    families_begin();
    for (size_t i = 0; i < function_count; i++) {
        const struct family *const family = &families[functions[i].family];

        test_context(functions[i].name, i);
        NEED(families_do(family, family->setup));
        complete(family);
        check_refused(&functions[i]);
        check_refused(&functions[i]);
        check_usable(family);
    }
}

static void every_function__operation_that_has_failed__is_bad_state_until_it_is_aborted(void)
{
    families_begin();
    for (size_t i = 0; i < function_count; i++) {
        const struct family *const family = &families[functions[i].family];

        test_context(functions[i].name, i);
        NEED(families_do(family, family->setup));
        CHECK(families_do(family, family->spoil) != PSA_SUCCESS);
        check_refused(&functions[i]);
        EXPECT(PSA_ERROR_BAD_STATE, families_do(family, family->setup));
        check_refused(&functions[i]);
        EXPECT(PSA_SUCCESS, families_do(family, family->abort));
        EXPECT(PSA_SUCCESS, families_do(family, family->abort));
        CHECK(test_all(family->operation, family->size, 0));
        check_usable(family);
    }
}

static void every_family__operation_that_is_active__is_set_up_no_second_time(void)
{
    families_begin();
    for (size_t i = 0; i < FAMILIES; i++) {
        test_context(families[i].name, i);
        NEED(families_do(&families[i], families[i].setup));
        EXPECT(PSA_ERROR_BAD_STATE, families_do(&families[i], families[i].setup));
        complete(&families[i]);
    }
}

static const struct test_case tests[] = {
    TEST(every_function__operation_never_set_up__changes_nothing),
    TEST(every_function__operation_that_was_aborted__changes_nothing),
    TEST(every_function__operation_that_has_ended__changes_nothing),
    TEST(every_function__operation_that_has_failed__is_bad_state_until_it_is_aborted),
    TEST(every_family__operation_that_is_active__is_set_up_no_second_time),
};
TEST_SUITE(states, tests);
