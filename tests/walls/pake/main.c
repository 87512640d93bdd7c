/* SPDX-License-Identifier: Apache-2.0 */
/* Password-authenticated key exchange on the client's side of a wall. */
#include "../local/local.h"

int main(void)
{
    return local_run(test_suites, test_suite_count);
}
