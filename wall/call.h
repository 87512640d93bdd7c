/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The message of a call, as both sides see it. Which parameter of a function stands where is
 * generated from its prototype; docs/WALL.md has the rules.
 *
 * Buffers are told by where they are in the client's memory: who carries the message over has no
 * more to copy than this, and the trusted side takes each input once.
 */
#ifndef CORRAL_WALL_CALL_H
#define CORRAL_WALL_CALL_H

#include <stddef.h>
#include <stdint.h>

#include <corral/config.h>
#include <corral/wall_functions.h>

struct corral_wall_input {
    const void *data;
    size_t length;
};

struct corral_wall_output {
    void *data;
    size_t size;
};

/* What the trusted side writes back. */
struct corral_wall_reply {
    uint32_t words[CORRAL_WALL_WORDS]; /* values, handles, results; long ones have two */
    size_t lengths[CORRAL_WALL_OUTPUTS];
};

/* reply: first, so that message and reply have one address. What a function does not use may hold
 * anything. */
struct corral_wall_call {
    struct corral_wall_reply reply;
    uint32_t function; /* CORRAL_WALL_x */
    struct corral_wall_input inputs[CORRAL_WALL_INPUTS];
    struct corral_wall_output outputs[CORRAL_WALL_OUTPUTS];
};

/* A value of up to 64 bits in two words. */
static inline void corral_wall_set_long(uint32_t *words, uint64_t value)
{
    words[0] = (uint32_t)(value & 0xffffffffu);
    words[1] = (uint32_t)(value >> 32);
}

static inline uint64_t corral_wall_long(const uint32_t *words)
{
    return (uint64_t)words[1] << 32 | words[0];
}

#endif
