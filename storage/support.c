/* SPDX-License-Identifier: Apache-2.0 */
/* Of protected storage what follows from the configuration. Where the application is an image of
 * its own, behind a wall, this is in both. */
#include <psa/protected_storage.h>

#include "entry.h"

uint32_t psa_ps_get_support(void)
{
    return CORRAL_STORE_HAS_PARTS ? PSA_STORAGE_SUPPORT_SET_EXTENDED : 0;
}
