/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures with a context, and of messages in parts. */
#include "../../harness/harness.h"

extern const struct test_suite suite_sign_context;
extern const struct test_suite suite_sign_parts;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_sign_context,
        &suite_sign_parts,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
