/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configuration of mlkem-native: portable C, one object for each parameter set with nothing of it
 * visible outside, random bytes always given by the caller.
 */
#ifndef CORRAL_MLKEM_CONFIG_H
#define CORRAL_MLKEM_CONFIG_H

#include <corral/driver.h>

#define MLK_CONFIG_NAMESPACE_PREFIX mlkem_native
#define MLK_CONFIG_INTERNAL_API_QUALIFIER static
#define MLK_CONFIG_EXTERNAL_API_QUALIFIER static
#define MLK_CONFIG_NO_RANDOMIZED_API
#define MLK_CONFIG_SERIAL_FIPS202_ONLY
#define MLK_CONFIG_FIPS202_CUSTOM_HEADER "mlkem_fips202.h"

#define MLK_CONFIG_CUSTOM_ZEROIZE
static inline void mlk_zeroize(void *buffer, size_t size)
{
    corral_wipe(buffer, size);
}

#endif
