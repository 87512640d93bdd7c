/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent keys in local memory. */
#include <corral/config.h>

#include "../harness/harness.h"

extern const struct test_suite suite_keys;
extern const struct test_suite suite_stored;
extern const struct test_suite suite_records;
extern const struct test_suite suite_seal;
extern const struct test_suite suite_rollback;
extern const struct test_suite suite_adversary;
extern const struct test_suite suite_cuts;
extern const struct test_suite suite_pake;
extern const struct test_suite suite_statuses;

static const struct test_suite *const suites[] = {
    &suite_keys,     &suite_stored,    &suite_records,
#if CORRAL_SEALED_STORAGE
    &suite_seal,
#endif
    &suite_rollback, &suite_adversary, &suite_cuts,    &suite_pake, &suite_statuses,
};

int main(void)
{
    const size_t count = sizeof suites / sizeof suites[0];

    /* The last one is long for an emulated processor, and depends on none. */
    return test_initialise_and_run(suites, CORRAL_THREADS ? count : count - 1);
}
