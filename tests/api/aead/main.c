/* SPDX-License-Identifier: Apache-2.0 */
/* AEAD alone: no block cipher, MAC or hash that an application could reach. */
#include "../../harness/harness.h"

extern const struct test_suite suite_aead_whole;
extern const struct test_suite suite_aead_states;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_aead_whole, &suite_aead_states};

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
