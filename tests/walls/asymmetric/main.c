/* SPDX-License-Identifier: Apache-2.0 */
/* RSA, and signatures with a context or in parts, on the client's side of a wall. */
#include "../local/local.h"

int main(void)
{
    return local_run(test_suites, test_suite_count);
}
