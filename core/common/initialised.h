/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_COMMON_INITIALISED_H
#define CORRAL_CORE_COMMON_INITIALISED_H

#include <stdbool.h>

#include <corral/lock.h>

/* Written by core/init.c only, under the locks of initialisation and core. */
extern bool corral_initialised;

/* True once psa_crypto_init() has succeeded. All that needs a key or random bytes needs it. */
static inline bool corral_is_initialised(void)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    const bool is_initialised = corral_initialised;
    corral_lock_leave(CORRAL_LOCK_CORE);
    return is_initialised;
}

#endif
