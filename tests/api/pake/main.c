/* SPDX-License-Identifier: Apache-2.0 */
/* Password-authenticated key exchange, both sides in one program. */
#include "../../harness/harness.h"

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
