/* SPDX-License-Identifier: Apache-2.0 */
/* The suite that every driver inherits: published vectors, and how it behaves at the edges. */
#include "../../harness/harness.h"
#include "../../vectors/vectors.h"
#include "frames.h"
#include "subject.h"

#define SUBJECT_TEST(test) TEST(test),

static const struct test_case tests[] = {
    TEST(vectors__hash__all_agree),
    TEST(vectors__mac__all_agree),
    TEST(vectors__cipher__all_agree),
    TEST(vectors__verify__all_agree),
    TEST(vectors__sign__all_agree),
    TEST(vectors__agreement__all_agree),
    TEST(vectors__asymmetric_decrypt__all_agree),
    TEST(vectors__aead__all_agree),
    TEST(vectors__xof__all_agree),
    TEST(vectors__wrap__all_agree),
    TEST(vectors__decapsulate__all_agree),
    TEST(vectors__encapsulate__all_agree),
    TEST(vectors__derivation__all_agree),
    SUBJECT_TESTS(SUBJECT_TEST) SUBJECT_SECRET_TESTS(SUBJECT_TEST)
        TEST(probe__every_function_of_the_driver__was_called),
    TEST(wipe__frames__are_all_that_the_library_used),
};

static TEST_SUITE(driver, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_driver};

    test_location = subject_location;
    return test_initialise_and_run(suites, 1);
}
