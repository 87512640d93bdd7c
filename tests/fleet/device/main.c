/* SPDX-License-Identifier: Apache-2.0 */
/* The device side of a fleet, part by part. */
#include "../../harness/harness.h"

extern const struct test_suite suite_encoding;
extern const struct test_suite suite_messages;
extern const struct test_suite suite_line;
extern const struct test_suite suite_exchange;
extern const struct test_suite suite_discovery;
extern const struct test_suite suite_objects;
extern const struct test_suite suite_clock;
extern const struct test_suite suite_jws;
extern const struct test_suite suite_commands;
extern const struct test_suite suite_pairing;
extern const struct test_suite suite_handover;
extern const struct test_suite suite_power;
extern const struct test_suite suite_chip;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_encoding, &suite_messages, &suite_line, &suite_exchange, &suite_discovery,
        &suite_objects,  &suite_clock,    &suite_jws,  &suite_commands, &suite_pairing,
        &suite_handover, &suite_power,    &suite_chip,
    };

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
