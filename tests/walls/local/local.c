/* SPDX-License-Identifier: Apache-2.0 */
#include "local.h"

#include <stdio.h>
#include <string.h>

#define MAX_SUITES 32u
#define MAX_TESTS 64u

#define DRAWS "its random numbers are drawn in the trusted side's image"
#define ENTROPY "the entropy source is in the trusted side's image"
#define CHANGES "it changes what is read in the trusted side's image"

static const struct {
    const char *name;
    const char *reason;
} tests[] = {
    {"cipher__no_entropy__gives_no_ciphertext", ENTROPY},
    {"generate_key__no_entropy__gives_no_key", ENTROPY},
    {"encapsulate__no_entropy__gives_neither_key_nor_ciphertext", ENTROPY},
    {"generate_random__source_fails__gives_nothing_until_it_recovers", ENTROPY},
    {"generate_random__interval_over__asks_the_source_again", ENTROPY},
    {"generate_random__after_a_failure__tests_the_source_from_the_start", ENTROPY},
    {"generate_random__after_a_failure__counts_repetitions_anew", ENTROPY},
    {"generate_random__after_a_failure__depends_on_what_was_before", ENTROPY},
    {"sign_hash__no_entropy__gives_no_signature", ENTROPY},
    {"entropy__absent__is_said_by_whatever_needs_it", ENTROPY},
    {"generate_nonce__no_entropy__fails_and_gives_nothing", ENTROPY},
    {"rsa_generate__no_entropy__gives_no_key", ENTROPY},
    {"rsa_sign__no_entropy__gives_no_signature", ENTROPY},
    {"encrypt__no_entropy__gives_nothing", ENTROPY},
    {"decrypt__no_entropy__succeeds_or_gives_nothing", ENTROPY},
    {"sign_parts__no_entropy__gives_no_signature", ENTROPY},
    {"output__no_entropy__is_said_and_nothing_comes_out", ENTROPY},
    {"ccm__text_that_the_nonce_leaves_no_room_for__is_refused",
     "its text is longer than any buffer of the wall"},
    {"ccm__additional_data_around_the_longer_length__has_the_tag_of_another_library",
     "its data are longer than any buffer of the wall"},
    {"driver__room_for_just_the_result__suffices_and_less_does_not",
     "it calls a driver of the trusted side's image"},
    {"decrypt__driver_that_gives_up_in_the_middle__leaves_no_text",
     "it replaces a driver of the trusted side's image"},
    {"sign_context__signature_that_changes__is_judged_as_it_was_first_read", CHANGES},
    {"label__changed_after_the_check__is_the_one_that_was_checked", CHANGES},
    {"name__changed_after_the_check__is_the_one_that_was_checked", CHANGES},
    {"output__more_text_than_a_size_can_say__is_untouched",
     "its text is longer than any buffer of the wall"},
    {"client__published_scalars__published_shares_and_key", DRAWS},
    {"server__published_scalars__published_shares_and_key", DRAWS},
    {"client__published_scalar__published_messages_and_key", DRAWS},
    {"server__published_scalar__published_messages_and_key_by_pair_and_public_key", DRAWS},
    {"both_sides__published_scalars__published_key", DRAWS},
    {"exchange__known_numbers__known_messages_and_keys", DRAWS},
    {"commit__numbers_out_of_range__are_drawn_again", DRAWS},
};

/* Why a test is local; NULL if it is not. */
static const char *reason_of(const char *name)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(tests[i].name, name) == 0) {
            return tests[i].reason;
        }
    }
    return NULL;
}

static struct test_case chosen[MAX_SUITES][MAX_TESTS];
static struct test_suite parts[MAX_SUITES];
static const struct test_suite *remaining[MAX_SUITES];
static size_t remaining_count;

static void choose(const struct test_suite *suite)
{
    struct test_case *const tests_of = chosen[remaining_count];
    struct test_suite *const part = &parts[remaining_count];

    part->name = suite->name;
    part->tests = tests_of;
    for (size_t i = 0; i < suite->count; i++) {
        const char *const reason = reason_of(suite->tests[i].name);

        if (reason != NULL) {
            printf("local %s: %s\n", suite->tests[i].name, reason);
        } else {
            tests_of[part->count++] = suite->tests[i];
        }
    }
    if (part->count > 0) {
        remaining[remaining_count++] = part;
    }
}

int local_run(const struct test_suite *const *suites, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i >= MAX_SUITES || suites[i]->count > MAX_TESTS) {
            printf("suite %s: no room for its tests\n", suites[i]->name);
            return 1;
        }
        choose(suites[i]);
    }
    return test_initialise_and_run(remaining, remaining_count);
}
