/* SPDX-License-Identifier: Apache-2.0 */
/* All suites of the API in one program. */
#include "../suites/all.h"

int main(void)
{
    const struct test_suite *const suites[] = {API_SUITES(API_SUITE_LISTED)};

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
