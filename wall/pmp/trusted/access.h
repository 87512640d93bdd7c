/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that serve.c needs of physical memory protection (transport.h). A client's rights
 * are the same as long as the machine runs, because the entries are locked, and nothing of it runs
 * during a call, because there is one processor and no interrupt. A call is therefore checked only
 * at its begin: serve.c delivers only into ranges that it has checked.
 */
#ifndef CORRAL_WALL_PMP_TRUSTED_ACCESS_H
#define CORRAL_WALL_PMP_TRUSTED_ACCESS_H

#include <corral/driver.h>

#include "../../../core/common/inline.h"
#include "../../trusted/only_client.h"
#include "../../trusted/run.h"
#include "../../trusted/transport.h"
#include "start.h"

/* Whether all of a buffer is in one range of memory. */
CORRAL_APART bool is_in_any(const void *buffer, size_t length, bool is_written)
{
    for (size_t i = 0; i < corral_wall_range_count; i++) {
        const struct corral_wall_range *const range = &corral_wall_ranges[i];
        const bool is_open =
            range->kind == CORRAL_WALL_DATA || (range->kind == CORRAL_WALL_CODE && !is_written);
        if (is_open && corral_wall_region_holds(&range->region, buffer, length)) {
            return true;
        }
    }
    return false;
}

/* The same: most buffers are in the client's RAM, and most others in its code, the first range. */
CORRAL_EXPANDED bool is_in(const void *buffer, size_t length, bool is_written)
{
    return corral_wall_region_holds(&corral_wall_ram, buffer, length) ||
           (!is_written &&
            corral_wall_region_holds(&corral_wall_ranges[0].region, buffer, length)) ||
           is_in_any(buffer, length, is_written);
}

typedef uint32_t __attribute__((__may_alias__)) corral_wall_word;

/* 32 bytes are what cryptography is made of. */
#define BLOCK 32u

/* A few words, by as many loads and stores: `count` is a constant. */
CORRAL_EXPANDED void copy_words(void *to, const void *from, size_t count)
{
    corral_wall_word *const target = to;
    const corral_wall_word *const source = from;

#pragma GCC unroll 32
    for (size_t i = 0; i < count; i++) {
        target[i] = source[i];
    }
}

/* Something that is not aligned, or no multiple of a block. corral_copy() asks the C library for
 * each word where words have to be aligned. */
CORRAL_APART void copy_any(void *to, const void *from, size_t length)
{
    if (((uintptr_t)to | (uintptr_t)from | length) % sizeof(corral_wall_word) != 0) {
        corral_copy(to, from, length);
        return;
    }
    corral_wall_word *target = to;
    const corral_wall_word *source = from;
    const corral_wall_word *const end = source + length / sizeof(corral_wall_word);
    while (source != end) {
        *target++ = *source++;
    }
}

/* Something, of `length` bytes. Always true. */
CORRAL_EXPANDED bool copy(void *to, const void *from, size_t length)
{
    uint8_t *target = to;
    const uint8_t *source = from;

    if (!CORRAL_USUALLY(((((uintptr_t)to | (uintptr_t)from) % sizeof(corral_wall_word)) |
                         length % BLOCK) == 0)) {
        copy_any(to, from, length);
        return true;
    }
    const uint8_t *const end = source + length;
    do {
        copy_words(target, source, BLOCK / sizeof(corral_wall_word));
        target += BLOCK;
        source += BLOCK;
    } while (!CORRAL_USUALLY(source == end));
    return true;
}

inline __attribute__((always_inline)) bool corral_wall_fetch(corral_owner_t client, void *to,
                                                             const void *from, size_t length)
{
    (void)client; /* there is one, and only enter.c calls serve.c */
    return is_in(from, length, false) && copy(to, from, length);
}

inline __attribute__((always_inline)) bool corral_wall_accepts(corral_owner_t client,
                                                               const void *to, size_t length)
{
    (void)client;
    return is_in(to, length, true);
}

inline __attribute__((always_inline)) bool corral_wall_deliver(corral_owner_t client, void *to,
                                                               const void *from, size_t length)
{
    (void)client;
    return copy(to, from, length);
}

/* Of a message that is short these; of another what is left, too. */
#define FIRST_WORDS CORRAL_WALL_SHORT_WORDS

_Static_assert(sizeof(struct corral_wall_input) == 8 && sizeof(struct corral_wall_output) == 8 &&
                   sizeof(struct corral_wall_reply) ==
                       (CORRAL_WALL_WORDS + CORRAL_WALL_OUTPUTS) * sizeof(corral_wall_word) &&
                   CORRAL_WALL_WORDS > FIRST_WORDS && CORRAL_WALL_INPUTS > 1 &&
                   CORRAL_WALL_OUTPUTS == 2,
               "a message has words");

CORRAL_EXPANDED void copy_other_words(uint32_t *to, const uint32_t *from)
{
    copy_words(&to[FIRST_WORDS], &from[FIRST_WORDS], CORRAL_WALL_WORDS - FIRST_WORDS);
}

CORRAL_APART void copy_others(struct corral_wall_call *to, const struct corral_wall_call *from)
{
    copy_other_words(to->reply.words, from->reply.words);
    copy_words(&to->inputs[1], &from->inputs[1], (CORRAL_WALL_INPUTS - 1) * 2);
    copy_words(&to->outputs[1], &from->outputs[1], (CORRAL_WALL_OUTPUTS - 1) * 2);
}

/* Unused fields keep the content of this side's stack: no code reads them. */
inline __attribute__((always_inline)) bool
corral_wall_fetch_call(corral_owner_t client, struct corral_wall_call *to,
                       const struct corral_wall_call *from)
{
    (void)client;
    if ((uintptr_t)from % _Alignof(struct corral_wall_call) != 0 ||
        !is_in(from, sizeof *from, true)) {
        return false;
    }
    to->function = from->function;
    if (to->function >= CORRAL_WALL_FUNCTIONS) {
        return false;
    }
    copy_words(to->reply.words, from->reply.words, FIRST_WORDS);
    copy_words(to->inputs, from->inputs, 2);
    copy_words(to->outputs, from->outputs, 2);
    if (!corral_wall_shapes[to->function].is_short) {
        copy_others(to, from);
    }
    return true;
}

inline __attribute__((always_inline)) bool
corral_wall_deliver_reply(corral_owner_t client, struct corral_wall_call *to,
                          const struct corral_wall_reply *from, bool is_short)
{
    (void)client;
    __asm__ volatile("" ::: "memory"); /* no register is kept for words during the call */
    copy_words(to->reply.words, from->words, FIRST_WORDS);
    to->reply.lengths[0] = from->lengths[0];
    if (!is_short) {
        copy_other_words(to->reply.words, from->words);
        to->reply.lengths[1] = from->lengths[1];
    }
    return true;
}

#endif
