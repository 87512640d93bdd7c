/* SPDX-License-Identifier: Apache-2.0 */
/* Storage behind the wall: whose it is. */
#include "../../harness/harness.h"

extern const struct test_suite suite_entries;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_entries};

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
