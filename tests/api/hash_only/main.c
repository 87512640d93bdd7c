/* SPDX-License-Identifier: Apache-2.0 */
/* The suite of hashes in a build that has nothing else: no key slots, no generator. */
#include "../../harness/harness.h"

static void random__without_generator__is_not_supported(void)
{
    uint8_t output[4];

    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_generate_random(output, sizeof output));
    CHECK(test_all(output, sizeof output, 0));
}

static const struct test_case tests[] = {
    TEST(random__without_generator__is_not_supported),
};

TEST_SUITE(without, tests);

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
