/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the API in the non-secure world; or what else it may try (option `attack`). */
#include <string.h>

#include "../../ports/semihosting/options.h"
#include "../api/suites/all.h"
#include "nonsecure.h"

extern const struct test_suite suite_attacks;

int main(void)
{
    const struct test_suite *const suites[] = {API_SUITES(API_SUITE_LISTED)};
    const struct test_suite *const attacks[] = {&suite_attacks};
    const char *const named = option_value("attack");

    if (named != NULL && strcmp(named, "all") == 0) {
        return test_initialise_and_run(attacks, 1);
    }
    if (named != NULL) {
        attack(named);
        return 0;
    }
    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
