/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures with a context, of messages in parts, and by keys of which there is no pair. */
#include "../../harness/harness.h"

extern const struct test_suite suite_public_alone;
extern const struct test_suite suite_sign_context;
extern const struct test_suite suite_sign_parts;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_public_alone,
        &suite_sign_context,
        &suite_sign_parts,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
