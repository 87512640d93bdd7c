/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The message of a call, as both sides see it. The position of each parameter is
 * generated from the function's prototype; docs/WALL.md has the rules.
 *
 * Buffers are described by their addresses in the client's memory: the carrier of a
 * message copies no more than this, and the trusted side reads each input once.
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

/* The reply of the trusted side. */
struct corral_wall_reply {
    uint32_t words[CORRAL_WALL_WORDS]; /* values, handles, results; long ones have two */
    size_t lengths[CORRAL_WALL_OUTPUTS];
};

/* reply: first, so that message and reply have one address. Fields that a function does
 * not use may hold anything. */
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
