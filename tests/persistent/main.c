/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent keys in local memory. */
#include "../harness/harness.h"

extern const struct test_suite suite_keys;
extern const struct test_suite suite_seal;
extern const struct test_suite suite_cuts;
extern const struct test_suite suite_statuses;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_keys, &suite_seal, &suite_cuts,
                                               &suite_statuses};

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
