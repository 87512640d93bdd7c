/* SPDX-License-Identifier: Apache-2.0 */
/* Storage behind the wall: whose it is, and whose keys in elements. */
#include "../../harness/harness.h"
#include "../../persistent_elements/chips.h"

extern const struct test_suite suite_entries;
extern const struct test_suite suite_recovery;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_entries, &suite_recovery};

    chips_prepare();
    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
