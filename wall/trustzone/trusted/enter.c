/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TrustZone-M: the non-secure world is one client. Compiled with -mcmse: on return from an entry
 * function the compiler overwrites each register that the call does not restore, and the flags.
 *
 * An interrupt of the client may come at any time and call again. That call's frames are on the
 * secure stack above those of the one it interrupts, and the processor returns only to the
 * topmost: so the second one ends first, and `is_busy` of serve.c needs no atomic access. All
 * threads have this one stack, so that one of them that calls while another's call is interrupted
 * could be resumed as that one, with its rights: it is a fault (be_alone()).
 */
#include <arm_cmse.h>

#include <corral/bindings.h>
#include <corral/driver.h>

#include "../../trusted/serve.h"
#include "../../trusted/transport.h"
#include "../entry.h"
#include "start.h"

/* The only one. */
#define CLIENT 1u

#define CONTROL_UNPRIVILEGED 1u

/* Of an interrupted call the processor alone leaves as much on the stack; an entry function has
 * used less of it when it comes here. */
#define FRAME_SIZE 72u

static uint32_t exception_of_caller(void)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return exception;
}

static void be_alone(void)
{
    uintptr_t stack;

    __asm__ volatile("mov %0, sp" : "=r"(stack));
    if (exception_of_caller() == 0 &&
        (uintptr_t)&stack_top - CORRAL_WALL_SEAL_SIZE - stack >= FRAME_SIZE) {
        corral_wall_fault();
    }
}

__attribute__((cmse_nonsecure_entry)) psa_status_t corral_wall_meet(uint32_t configuration)
{
    be_alone();
    return configuration == CORRAL_CONFIG_HASH ? corral_wall_forget(CLIENT)
                                               : PSA_ERROR_COMMUNICATION_FAILURE;
}

__attribute__((cmse_nonsecure_entry)) psa_status_t
corral_wall_enter(struct corral_wall_call *message)
{
    be_alone();
    return corral_wall_serve(CLIENT, message);
}

/* What the caller has of its own world's rights: none but an unprivileged thread's are less than
 * all, since an entry function runs in the mode of its caller. */
static bool is_unprivileged(void)
{
    uint32_t control;

    __asm__ volatile("mrs %0, control_ns" : "=r"(control));
    return exception_of_caller() == 0 && (control & CONTROL_UNPRIVILEGED) != 0;
}

/* Of what the client has, devices are no place for buffers: reading them does something, and where
 * there is none the access would be this side's fault. A range has one region (Arm's checks see to
 * that), so that of its first byte is that of all. */
static bool is_memory(const void *buffer)
{
    const cmse_address_info_t found = cmse_TT((void *)(uintptr_t)buffer);

    return found.flags.sau_region_valid != 0 &&
           (corral_wall_memories >> (found.flags.sau_region & 31u) & 1u) != 0;
}

static bool may_access(const void *buffer, size_t length, int how)
{
    const int caller = is_unprivileged() ? CMSE_NONSECURE | CMSE_MPU_UNPRIV : CMSE_NONSECURE;

    return cmse_check_address_range((void *)(uintptr_t)buffer, length, caller | how) != NULL &&
           is_memory(buffer);
}

bool corral_wall_fetch(corral_owner_t client, void *to, const void *from, size_t length)
{
    const bool may_read = client == CLIENT && may_access(from, length, CMSE_MPU_READ);

    if (may_read) {
        corral_copy(to, from, length);
    }
    return may_read;
}

bool corral_wall_accepts(corral_owner_t client, const void *to, size_t length)
{
    return client == CLIENT && may_access(to, length, CMSE_MPU_READWRITE);
}

bool corral_wall_deliver(corral_owner_t client, void *to, const void *from, size_t length)
{
    const bool may_write = corral_wall_accepts(client, to, length);

    if (may_write) {
        corral_copy(to, from, length);
    }
    return may_write;
}
