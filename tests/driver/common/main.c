/* SPDX-License-Identifier: Apache-2.0 */
/* The suite that every driver inherits: published vectors, and how it behaves at the edges. */
#include "frames.h"
#include "subject.h"

/* Generated: the vectors', and those of the files beside this one. */
extern const struct test_suite suite_driver;

static const struct test_case tests[] = {
    TEST(probe__every_function_of_the_driver__was_called),
    TEST(wipe__frames__are_all_that_the_library_used),
};

static TEST_SUITE(probes, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_driver, &suite_probes};

    test_location = subject_location;
    return test_initialise_and_run(suites, 2);
}
