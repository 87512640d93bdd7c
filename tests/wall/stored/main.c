/* SPDX-License-Identifier: Apache-2.0 */
/* Storage behind the wall: whose it is, and whose keys in elements. */
#include "../../harness/harness.h"
#include "../../persistent_elements/chips.h"

int main(void)
{
    chips_prepare();
    return test_initialise_and_run(test_suites, test_suite_count);
}
