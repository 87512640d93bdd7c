/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

bool use(void)
{
    uint8_t bytes[16];

    return DID(psa_generate_random(bytes, sizeof bytes));
}
