/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/bindings.h>
#include <corral/driver.h>
#include <psa/crypto.h>

#include "../../core/keys/pool.h"
#include "operations.h"
#include "serve.h"

psa_status_t corral_wall_begin(void)
{
    struct {
        uint32_t operations;
        uint16_t keys;
    } first;

    if (!CORRAL_HAS_RANDOM) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = psa_crypto_init(); /* drivers give no random numbers before it */
    if (status == PSA_SUCCESS) {
        status = corral_random((uint8_t *)&first, sizeof first);
    }
    if (status == PSA_SUCCESS) {
        corral_wall_number_from(first.operations);
        corral_keys_number_from(first.keys);
    }
    return status;
}
