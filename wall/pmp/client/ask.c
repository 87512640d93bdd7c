/* SPDX-License-Identifier: Apache-2.0 */
#include "ask.h"

#include "../../gate/gate.h"
#include "../trap.h"

psa_status_t corral_wall_meet(uint32_t configuration)
{
    return corral_wall_ask(CORRAL_WALL_ASK_TO_MEET, configuration);
}

psa_status_t corral_wall_enter(struct corral_wall_call *message)
{
    return corral_wall_ask(CORRAL_WALL_ASK_TO_ENTER, (uintptr_t)message);
}
