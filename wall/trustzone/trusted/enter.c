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
#include <stddef.h>

#include <corral/bindings.h>
#include <corral/driver.h>

#include "../../gate/gate.h"
#include "../../trusted/serve.h"
#include "../../trusted/transport.h"
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

/* Wherever it is: this processor reads and writes words at any address. */
typedef uint32_t __attribute__((__may_alias__, __aligned__(1))) word;

/* What was copied is what counts: an interrupt of the client can change the source, which the
 * compiler must not read again. */
static inline void keep_copy(void)
{
    __asm__ volatile("" ::: "memory");
}

/* corral_copy() with more at once, since 32 bytes are what cryptography is made of. Always true. */
static bool copy(void *to, const void *from, size_t length)
{
    const size_t odd = length % (8 * sizeof(word));
    word *target = to;
    const word *source = from;
    const word *const end = source + (length - odd) / sizeof(word);

    while (source != end) {
        target[0] = source[0];
        target[1] = source[1];
        target[2] = source[2];
        target[3] = source[3];
        target[4] = source[4];
        target[5] = source[5];
        target[6] = source[6];
        target[7] = source[7];
        target += 8;
        source += 8;
    }
    if (odd > 0) {
        corral_copy(target, source, odd);
    }
    keep_copy();
    return true;
}

static inline void be_alone(void)
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
    return (control & CONTROL_UNPRIVILEGED) != 0 && exception_of_caller() == 0;
}

/* What the processor says of an address: the caller may read, or write, too; it is in a region. */
#define READABLE (1u << 20 | 1u << 17)
#define WRITABLE (1u << 21 | READABLE)

/*
 * What cmse_check_address_range() does, without the ways that nobody here takes: the range does not
 * wrap, and both ends have the same regions and rights. And devices are no place for buffers:
 * reading them does something, and where there is none the access would be this side's fault.
 */
static bool may_access(const void *buffer, size_t length, uint32_t rights)
{
    const uintptr_t first = (uintptr_t)buffer;
    const uintptr_t last = first + (length - 1u);
    if (last < first) {
        return false;
    }
    const bool of_unprivileged = is_unprivileged();
    const cmse_address_info_t begin =
        of_unprivileged ? cmse_TTAT((void *)first) : cmse_TTA((void *)first);
    const cmse_address_info_t end =
        of_unprivileged ? cmse_TTAT((void *)last) : cmse_TTA((void *)last);

    return begin.value == end.value && (~begin.value & rights) == 0 &&
           (corral_wall_memories >> (begin.flags.sau_region & 31u) & 1u) != 0;
}

bool corral_wall_fetch(corral_owner_t client, void *to, const void *from, size_t length)
{
    return client == CLIENT && may_access(from, length, READABLE) && copy(to, from, length);
}

bool corral_wall_accepts(corral_owner_t client, const void *to, size_t length)
{
    return client == CLIENT && may_access(to, length, WRITABLE);
}

bool corral_wall_deliver(corral_owner_t client, void *to, const void *from, size_t length)
{
    return client == CLIENT && may_access(to, length, WRITABLE) && copy(to, from, length);
}

/* A message but for its reply: each of the two is copied by a few instructions. */
struct __attribute__((__may_alias__)) rest {
    uint32_t words[(sizeof(struct corral_wall_call) - sizeof(struct corral_wall_reply)) / 4u];
};
_Static_assert(sizeof(struct corral_wall_reply) + sizeof(struct rest) ==
                       sizeof(struct corral_wall_call) &&
                   offsetof(struct corral_wall_call, function) == sizeof(struct corral_wall_reply),
               "nothing is left of a message");

static bool is_message(const struct corral_wall_call *at, size_t length)
{
    return (uintptr_t)at % _Alignof(struct corral_wall_call) == 0 &&
           may_access(at, length, WRITABLE);
}

bool corral_wall_fetch_call(corral_owner_t client, struct corral_wall_call *to,
                            const struct corral_wall_call *from)
{
    if (client != CLIENT || !is_message(from, sizeof *from)) {
        return false;
    }
    to->reply = from->reply;
    *(struct rest *)(void *)&to->function = *(const struct rest *)(const void *)&from->function;
    keep_copy();
    return true;
}

bool corral_wall_deliver_reply(corral_owner_t client, struct corral_wall_call *to,
                               const struct corral_wall_reply *from)
{
    if (client != CLIENT || !is_message(to, sizeof to->reply)) {
        return false;
    }
    to->reply = *from;
    return true;
}
