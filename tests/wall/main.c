/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the API over messages, and the wall itself. */
#include "../harness/harness.h"

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
