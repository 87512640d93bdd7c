/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the operations in parts of every family. */
#include "../../harness/harness.h"

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
