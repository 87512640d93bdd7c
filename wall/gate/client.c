/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>

#include <corral/bindings.h>

#include "../client/cross.h"
#include "gate.h"

/* False after a reset of the client, whose variables are zero then. */
static bool has_met;

psa_status_t corral_wall_cross(struct corral_wall_call *call)
{
    if (!has_met) {
        const psa_status_t status = corral_wall_meet(CORRAL_CONFIG_HASH);
        if (status != PSA_SUCCESS) {
            return status;
        }
        has_met = true;
    }
    return corral_wall_enter(call);
}
