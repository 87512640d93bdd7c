/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/init.h>
#include <corral/lock.h>
#include <psa/crypto.h>

#include "common/initialised.h"
#include "keys/persistent.h"
#include "random/generator.h"

static psa_status_t initialise(void)
{
    psa_status_t status = corral_dispatch_init();

    if (CORRAL_HAS_RANDOM && status == PSA_SUCCESS) {
        status = corral_random_seed();
    }
    if (CORRAL_PERSISTENT_KEYS && status == PSA_SUCCESS) {
        status = corral_persistent_recover();
    }
    return status;
}

/* Of several threads that begin with this one works, and the others wait for its result. */
psa_status_t psa_crypto_init(void)
{
    psa_status_t status = PSA_SUCCESS;

    corral_lock_enter(CORRAL_LOCK_INIT);
    if (!corral_initialised) { /* written only under this lock */
        status = initialise();
        corral_lock_enter(CORRAL_LOCK_CORE);
        corral_initialised = status == PSA_SUCCESS;
        corral_lock_leave(CORRAL_LOCK_CORE);
    }
    corral_lock_leave(CORRAL_LOCK_INIT);
    return status;
}
