/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/bindings.h>
#include <corral/driver.h>

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
    const psa_status_t status = corral_random((uint8_t *)&first, sizeof first);
    if (status == PSA_SUCCESS) {
        corral_wall_number_from(first.operations);
        corral_keys_number_from(first.keys);
    }
    return status;
}
