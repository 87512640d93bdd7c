/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the API on the client's side of a wall; or what else it may try (option
 * `attack`). */
#include <string.h>

#include "../../../ports/semihosting/options.h"
#include "../../api/suites/all.h"
#include "../../attestation/suite.h"
#include "../local/local.h"
#include "client.h"

extern const struct test_suite suite_buffers, suite_transport;
extern const struct test_suite suite_aead_whole, suite_aead_states;
extern const struct test_suite suite_refused, suite_bound, suite_empty, suite_kept;

int main(void)
{
    const struct test_suite *const suites[] = {
        API_SUITES(API_SUITE_LISTED) & suite_attestation,
        &suite_aead_whole,
        &suite_aead_states,
        &suite_refused,
        &suite_bound,
        &suite_empty,
        &suite_kept,
    };
    const struct test_suite *const answered[] = {&suite_buffers, &suite_transport};
    const char *const named = option_value("attack");

    if (named != NULL && strcmp(named, "all") == 0) {
        return test_initialise_and_run(answered, 2);
    }
    if (named != NULL) {
        attack(named);
        return 0;
    }
    return local_run(suites, sizeof suites / sizeof suites[0]);
}
