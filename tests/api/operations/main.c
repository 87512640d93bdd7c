/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of the operations in parts of every family. */
#include "../../harness/harness.h"

extern const struct test_suite suite_refused;
extern const struct test_suite suite_bound;
extern const struct test_suite suite_empty;
extern const struct test_suite suite_kept;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_refused, &suite_bound, &suite_empty,
                                               &suite_kept};

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
