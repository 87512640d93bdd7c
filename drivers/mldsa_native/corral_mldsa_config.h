/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configuration of mldsa-native for the signatures: portable C with little RAM, one object for each
 * parameter set with nothing of it visible outside, random bytes always given by the caller.
 */
#ifndef CORRAL_MLDSA_CONFIG_H
#define CORRAL_MLDSA_CONFIG_H

#include <corral/driver.h>

/* The library has functions that only other configurations call. */
#define MLD_CONFIG_INTERNAL_API_QUALIFIER static __attribute__((unused))
#define MLD_CONFIG_EXTERNAL_API_QUALIFIER static
#define MLD_CONFIG_CORE_API_ONLY
#define MLD_CONFIG_NO_RANDOMIZED_API
#define MLD_CONFIG_REDUCE_RAM
#define MLD_CONFIG_FIPS202_CUSTOM_HEADER "mldsa_fips202.h"

#define MLD_CONFIG_CUSTOM_ZEROIZE
static inline void mld_zeroize(void *buffer, size_t size)
{
    corral_wipe(buffer, size);
}

#endif
