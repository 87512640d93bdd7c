/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the core by themselves. */
#include "../harness/harness.h"

extern const struct test_suite suite_policy;
extern const struct test_suite suite_entropy;
extern const struct test_suite suite_padding;
extern const struct test_suite suite_memory;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_policy,
        &suite_entropy,
        &suite_padding,
        &suite_memory,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
