/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TrustZone-M: the non-secure world is one client. Compiled with -mcmse: on return from an entry
 * function the compiler overwrites each register that the call does not restore, and the flags.
 *
 * An interrupt of the client may come at any time and call again. That call's frames are on the
 * secure stack above those of the interrupted one, and the processor returns only to the
 * topmost. The second one therefore ends first, and `is_busy` of serve.c needs no atomic
 * access. All threads have this one stack, so that one of them that calls while another's call
 * is interrupted could be resumed as that one, with its rights: it is a fault (be_alone()).
 */
#include <corral/bindings.h>

#include "../../../core/common/inline.h"
#include "../../gate/gate.h"
#include "../../trusted/serve.h"
#include "../../trusted/transport.h"
#include "caller.h"
#include "start.h"

/* For an interrupted call the processor itself leaves as much on the stack; an entry
 * function has used less of it when it comes here. */
#define FRAME_SIZE 72u

CORRAL_EXPANDED void be_alone(void)
{
    uintptr_t stack;

    __asm__ volatile("mov %0, sp" : "=r"(stack));
    if (corral_wall_exception() == 0 &&
        (uintptr_t)&stack_top - CORRAL_WALL_SEAL_SIZE - stack >= FRAME_SIZE) {
        corral_wall_fault();
    }
}

__attribute__((cmse_nonsecure_entry)) psa_status_t corral_wall_meet(uint32_t configuration)
{
    be_alone();
    return configuration == CORRAL_CONFIG_HASH ? corral_wall_forget(CORRAL_WALL_ONLY_CLIENT)
                                               : PSA_ERROR_COMMUNICATION_FAILURE;
}

__attribute__((cmse_nonsecure_entry)) psa_status_t
corral_wall_enter(struct corral_wall_call *message)
{
    be_alone();
    return corral_wall_serve(CORRAL_WALL_ONLY_CLIENT, message);
}
