/* SPDX-License-Identifier: Apache-2.0 */
#include "../../gate/gate.h"
#include "../trap.h"

static psa_status_t ask(uintptr_t number, uintptr_t argument)
{
    register uintptr_t a0 __asm__("a0") = argument;
    register uintptr_t a7 __asm__("a7") = number;

    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a7)
                     :
                     : "a1", "a2", "a3", "a4", "a5", "a6", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
                       "memory");
    return (psa_status_t)a0;
}

psa_status_t corral_wall_meet(uint32_t configuration)
{
    return ask(CORRAL_WALL_ASK_TO_MEET, configuration);
}

psa_status_t corral_wall_enter(struct corral_wall_call *message)
{
    return ask(CORRAL_WALL_ASK_TO_ENTER, (uintptr_t)message);
}
