/* SPDX-License-Identifier: Apache-2.0 */
/* RSA: keys, signatures, encryption. A program of its own, because its keys are large. */
#include "../../harness/harness.h"

extern const struct test_suite suite_rsa_keys;
extern const struct test_suite suite_rsa_sign;
extern const struct test_suite suite_rsa_encrypt;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_rsa_keys,
        &suite_rsa_sign,
        &suite_rsa_encrypt,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
