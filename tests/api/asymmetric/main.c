/* SPDX-License-Identifier: Apache-2.0 */
/* RSA, whose keys are large; signatures with a context, in parts, and by keys of which there is no
 * pair. */
#include "../../harness/harness.h"

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
