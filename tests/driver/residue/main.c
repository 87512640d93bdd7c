/* SPDX-License-Identifier: Apache-2.0 */
/* Each driver's residues of secrets: the tests of the common suite that work with some. */
#include "../common/subject.h"

/* Generated. */
extern const struct test_suite suite_residue;

static const struct test_case tests[] = {
    TEST(probe__every_function_of_the_driver__was_called),
};

static TEST_SUITE(probes, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_residue, &suite_probes};

    return test_initialise_and_run(suites, 2);
}
