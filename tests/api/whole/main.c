/* SPDX-License-Identifier: Apache-2.0 */
/* All suites of the API in one program. */
#include "../../harness/harness.h"

extern const struct test_suite suite_keys;
extern const struct test_suite suite_create;
extern const struct test_suite suite_slots;
extern const struct test_suite suite_policy;
extern const struct test_suite suite_copy;
extern const struct test_suite suite_hash;
extern const struct test_suite suite_xof;
extern const struct test_suite suite_mac;
extern const struct test_suite suite_cipher;
extern const struct test_suite suite_wrap;
extern const struct test_suite suite_encapsulation;
extern const struct test_suite suite_sign;
extern const struct test_suite suite_agreement;
extern const struct test_suite suite_derivation;
extern const struct test_suite suite_derived_keys;
extern const struct test_suite suite_derivation_agreement;
extern const struct test_suite suite_random;
extern const struct test_suite suite_defects;
extern const struct test_suite suite_statuses;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_keys,      &suite_create,     &suite_slots,         &suite_policy,
        &suite_copy,      &suite_hash,       &suite_xof,           &suite_mac,
        &suite_cipher,    &suite_wrap,       &suite_encapsulation, &suite_sign,
        &suite_agreement, &suite_derivation, &suite_derived_keys,  &suite_derivation_agreement,
        &suite_random,    &suite_defects,    &suite_statuses,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
