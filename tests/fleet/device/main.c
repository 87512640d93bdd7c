/* SPDX-License-Identifier: Apache-2.0 */
/* The device side of a fleet, part by part. */
#include "../../harness/harness.h"

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
