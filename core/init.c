/* SPDX-License-Identifier: Apache-2.0 */
#include "init.h"

#include <corral/dispatch/init.h>
#include <corral/lock.h>
#include <psa/crypto.h>

#include "persistent.h"
#include "random.h"

bool corral_initialised;

psa_status_t psa_crypto_init(void)
{
    psa_status_t status = PSA_SUCCESS;

    if (corral_initialised) {
        return PSA_SUCCESS;
    }
    status = corral_dispatch_init();
    if (status == PSA_SUCCESS && CORRAL_HAS_RANDOM) {
        status = corral_random_seed();
    }
    if (status == PSA_SUCCESS && CORRAL_PERSISTENT_KEYS) {
        status = corral_persistent_recover();
    }
    corral_initialised = status == PSA_SUCCESS;
    return status;
}
