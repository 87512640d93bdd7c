/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>

#include <corral/bindings.h>

#include "../../core/common/inline.h"
#include "../client/cross.h"
#include "gate.h"

/* False after a reset of the client, whose variables are zero then. */
static bool has_met;

CORRAL_APART psa_status_t meet_and_enter(struct corral_wall_call *call)
{
    const psa_status_t status = corral_wall_meet(CORRAL_CONFIG_HASH);

    if (status != PSA_SUCCESS) {
        return status;
    }
    has_met = true;
    return corral_wall_enter(call);
}

psa_status_t corral_wall_cross(struct corral_wall_call *call)
{
    return has_met ? corral_wall_enter(call) : meet_and_enter(call);
}
