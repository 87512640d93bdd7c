/* SPDX-License-Identifier: Apache-2.0 */
#include "init.h"

#include <corral/dispatch/init.h>
#include <corral/lock.h>
#include <psa/crypto.h>

#include "random.h"

static bool initialised;

bool corral_is_initialised(void)
{
    return initialised;
}

psa_status_t psa_crypto_init(void)
{
    psa_status_t status = PSA_SUCCESS;

    if (initialised) {
        return PSA_SUCCESS;
    }
    status = corral_dispatch_init();
    if (status == PSA_SUCCESS && CORRAL_HAS_RANDOM) {
        status = corral_random_seed();
    }
    initialised = status == PSA_SUCCESS;
    return status;
}
