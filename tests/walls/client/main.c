/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the API on the client's side of a wall; or what else it may try (option
 * `attack`). */
#include <string.h>

#include "../../../ports/semihosting/options.h"
#include "../local/local.h"
#include "client.h"

extern const struct test_suite suite_buffers, suite_transport;

int main(void)
{
    const struct test_suite *const answered[] = {&suite_buffers, &suite_transport};
    const char *const named = option_value("attack");

    if (named != NULL && strcmp(named, "all") == 0) {
        return test_initialise_and_run(answered, 2);
    }
    if (named != NULL) {
        attack(named);
        return 0;
    }
    return local_run(test_suites, test_suite_count);
}
