/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the API over messages, and the wall itself. */
#include "../api/suites/all.h"
#include "../attestation/suite.h"
#include "arena.h"

extern const struct test_suite suite_messages;
extern const struct test_suite suite_handles;
extern const struct test_suite suite_owners;
extern const struct test_suite suite_any_message;
extern const struct test_suite suite_callers;
extern const struct test_suite suite_resets;

int main(void)
{
    const struct test_suite *const suites[] = {
        API_SUITES(API_SUITE_LISTED) & suite_messages,
        &suite_handles,
        &suite_owners,
        &suite_any_message,
        &suite_callers,
        &suite_resets,
        &suite_attestation,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
