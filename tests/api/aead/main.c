/* SPDX-License-Identifier: Apache-2.0 */
/* Only AEAD: no block cipher, MAC or hash that an application could reach. */
#include "../../harness/harness.h"

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
