/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/harness.h"

extern const struct test_suite suite_derived_keys;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_derived_keys};

    return test_initialise_and_run(suites, 1);
}
