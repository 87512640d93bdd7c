/* SPDX-License-Identifier: Apache-2.0 */
/* The suite of hashes in a build that has nothing else: no key slots, no generator. */
#include "../../harness/harness.h"

extern const struct test_suite suite_hash;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_hash,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
