/* SPDX-License-Identifier: Apache-2.0 */
/* Secure storage on emulated flash. */
#include "../harness/harness.h"

extern const struct test_suite suite_its;
extern const struct test_suite suite_ps;
extern const struct test_suite suite_its_media;
extern const struct test_suite suite_ps_media;
extern const struct test_suite suite_log;
extern const struct test_suite suite_fill;
extern const struct test_suite suite_cuts;
extern const struct test_suite suite_damage;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_its,      &suite_ps,  &suite_its_media,
                                               &suite_ps_media, &suite_log, &suite_fill,
                                               &suite_damage,   &suite_cuts};

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
