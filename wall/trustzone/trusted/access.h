/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that serve.c needs of TrustZone-M (transport.h). A client's rights can
 * change during a call, by an interrupt of its own: each access is checked when it comes.
 */
#ifndef CORRAL_WALL_TRUSTZONE_TRUSTED_ACCESS_H
#define CORRAL_WALL_TRUSTZONE_TRUSTED_ACCESS_H

#include <stddef.h>

#include <corral/driver.h>

#include "../../../core/common/inline.h"
#include "../../trusted/only_client.h"
#include "../../trusted/transport.h"
#include "caller.h"
#include "start.h"

#define CONTROL_UNPRIVILEGED 1u

/* 32 bytes are what cryptography is made of. */
#define BLOCK 32u

/* Wherever it is: this processor reads and writes words at any address, but several by one
 * instruction where they are aligned. */
typedef uint32_t __attribute__((__may_alias__, __aligned__(1))) corral_wall_word;

/* corral_copy() with more at once. */
CORRAL_APART void copy_any(void *to, const void *from, size_t length)
{
    corral_wall_word *target = to;
    const corral_wall_word *source = from;

    if (length >= BLOCK) {
        const corral_wall_word *const end = source + length / BLOCK * 8;
        do {
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
        } while (source != end);
    }
    if (length % BLOCK != 0) {
        corral_copy(target, source, length % BLOCK);
    }
}

/*
 * Something, of `length` bytes. Always true. C has no load of several registers. Only
 * the copy counts: an interrupt of the client can change the source. The compiler must
 * not read it again, and takes it for changed here.
 */
CORRAL_EXPANDED bool copy(void *to, const void *from, size_t length)
{
    if (((((uintptr_t)to | (uintptr_t)from) % sizeof(uint32_t)) | length % BLOCK) != 0) {
        copy_any(to, from, length);
        __asm__ volatile("" ::: "memory");
        return true;
    }
    __asm__ volatile("0:\n\t"
                     "ldmia %1!, {r2, r3, ip, lr}\n\t"
                     "stmia %0!, {r2, r3, ip, lr}\n\t"
                     "ldmia %1!, {r2, r3, ip, lr}\n\t"
                     "stmia %0!, {r2, r3, ip, lr}\n\t"
                     "subs %2, #32\n\t"
                     "bne 0b"
                     : "+r"(to), "+r"(from), "+r"(length)
                     :
                     : "r2", "r3", "ip", "lr", "cc", "memory");
    return true;
}

/* The caller's rights in its own world: only those of an unprivileged thread are less
 * than all, because an entry function runs in the mode of its caller. */
CORRAL_EXPANDED bool is_unprivileged(void)
{
    uint32_t control;

    __asm__ volatile("mrs %0, control_ns" : "=r"(control));
    return (control & CONTROL_UNPRIVILEGED) != 0 && corral_wall_exception() == 0;
}

/* The processor's answer for an address: the caller may read, or write, too; it is in a
 * region that is memory, by its number (start.c). */
#define READABLE (1u << 20 | 1u << 17 | CORRAL_WALL_IS_MEMORY << 8)
#define WRITABLE (1u << 21 | READABLE)

/*
 * Like cmse_check_address_range(), without cases that do not occur here: the range does not wrap,
 * and both ends have the same regions and rights. Buffers in devices are rejected: a read can have
 * effects, and an access to a missing device would be this side's fault.
 */
CORRAL_EXPANDED bool is_one(uint32_t begin, uint32_t end, uint32_t rights)
{
    return begin == end && (~begin & rights) == 0;
}

/* The processor's answer for an address now, for the caller's privileged code. Not by
 * arm_cmse.h: nothing there tells the compiler that the answer can be another one later. */
CORRAL_EXPANDED uint32_t ask(uintptr_t address)
{
    uint32_t answer;

    __asm__ volatile("tta %0, %1" : "=r"(answer) : "r"(address) : "memory");
    return answer;
}

/* The same for unprivileged code. */
CORRAL_EXPANDED uint32_t ask_unprivileged(uintptr_t address)
{
    uint32_t answer;

    __asm__ volatile("ttat %0, %1" : "=r"(answer) : "r"(address) : "memory");
    return answer;
}

CORRAL_APART bool may_unprivileged(uintptr_t first, uintptr_t last, uint32_t rights)
{
    return is_one(ask_unprivileged(first), ask_unprivileged(last), rights);
}

CORRAL_EXPANDED bool may_access(const void *buffer, size_t length, uint32_t rights)
{
    const uintptr_t first = (uintptr_t)buffer;
    const uintptr_t last = first + (length - 1u);
    if (last < first) {
        return false;
    }
    if (is_unprivileged()) {
        return may_unprivileged(first, last, rights);
    }
    return is_one(ask(first), ask(last), rights);
}

inline __attribute__((always_inline)) bool corral_wall_fetch(corral_owner_t client, void *to,
                                                             const void *from, size_t length)
{
    (void)client; /* there is one, and only enter.c calls serve.c */
    return may_access(from, length, READABLE) && copy(to, from, length);
}

inline __attribute__((always_inline)) bool corral_wall_accepts(corral_owner_t client,
                                                               const void *to, size_t length)
{
    (void)client;
    return may_access(to, length, WRITABLE);
}

inline __attribute__((always_inline)) bool corral_wall_deliver(corral_owner_t client, void *to,
                                                               const void *from, size_t length)
{
    (void)client;
    return may_access(to, length, WRITABLE) && copy(to, from, length);
}

/* A message but for its reply: each of the two is copied by a few instructions. */
struct __attribute__((__may_alias__)) corral_wall_rest {
    uint32_t words[(sizeof(struct corral_wall_call) - sizeof(struct corral_wall_reply)) / 4u];
};
_Static_assert(sizeof(struct corral_wall_reply) + sizeof(struct corral_wall_rest) ==
                       sizeof(struct corral_wall_call) &&
                   offsetof(struct corral_wall_call, function) == sizeof(struct corral_wall_reply),
               "nothing is left of a message");

CORRAL_EXPANDED bool is_message(const struct corral_wall_call *at, size_t length)
{
    return (uintptr_t)at % _Alignof(struct corral_wall_call) == 0 &&
           may_access(at, length, WRITABLE);
}

inline __attribute__((always_inline)) bool
corral_wall_fetch_call(corral_owner_t client, struct corral_wall_call *to,
                       const struct corral_wall_call *from)
{
    (void)client;
    if (!is_message(from, sizeof *from)) {
        return false;
    }
    to->reply = from->reply;
    *(struct corral_wall_rest *)(void *)&to->function =
        *(const struct corral_wall_rest *)(const void *)&from->function;
    __asm__ volatile("" ::: "memory");
    return true;
}

inline __attribute__((always_inline)) bool
corral_wall_deliver_reply(corral_owner_t client, struct corral_wall_call *to,
                          const struct corral_wall_reply *from, bool is_short)
{
    (void)client;
    (void)is_short; /* it is copied as fast */
    if (!is_message(to, sizeof to->reply)) {
        return false;
    }
    to->reply = *from;
    return true;
}

#endif
