/* SPDX-License-Identifier: Apache-2.0 */
/* RSA, whose keys are large; signatures with a context, in parts, and by keys of which there is no
 * pair. */
#include "../../harness/harness.h"

extern const struct test_suite suite_public_alone;
extern const struct test_suite suite_rsa_keys;
extern const struct test_suite suite_rsa_sign;
extern const struct test_suite suite_rsa_encrypt;
extern const struct test_suite suite_sign_context;
extern const struct test_suite suite_sign_parts;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_public_alone, &suite_rsa_keys,     &suite_rsa_sign,
        &suite_rsa_encrypt,  &suite_sign_context, &suite_sign_parts,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
