/* SPDX-License-Identifier: Apache-2.0 */
/* RSA, and signatures with a context or in parts, on the client's side of a wall. */
#include "../local/local.h"

extern const struct test_suite suite_public_alone, suite_rsa_keys, suite_rsa_sign,
    suite_rsa_encrypt, suite_sign_context, suite_sign_parts;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_public_alone, &suite_rsa_keys,
                                               &suite_rsa_sign,     &suite_rsa_encrypt,
                                               &suite_sign_context, &suite_sign_parts};

    return local_run(suites, sizeof suites / sizeof suites[0]);
}
