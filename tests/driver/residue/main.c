/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of secrets by each driver: the tests of the common suite that work with some. */
#include "../../harness/harness.h"
#include "../common/subject.h"

#define SECRET_TEST(test) TEST(test),

static const struct test_case tests[] = {
    SUBJECT_SECRET_TESTS(SECRET_TEST)
    /* Only so that every function is called: no secret comes to these. */
    TEST(hash__suspended__goes_on),
    TEST(xof__chunks__give_the_same),
    TEST(verify__signed_input__verifies),
    TEST(rsa_verify__forged__is_an_invalid_signature),
    TEST(probe__every_function_of_the_driver__was_called),
};

static TEST_SUITE(residue, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_residue};

    return test_initialise_and_run(suites, 1);
}
