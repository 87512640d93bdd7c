/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <string.h>

#include "../../wall/trusted/serve.h"

#define NEIGHBOUR 0x3c

struct arena_with_neighbours arena_memory;

void arena_enter(corral_owner_t client)
{
    memset(arena_memory.before, NEIGHBOUR, sizeof arena_memory.before);
    memset(arena_memory.behind, NEIGHBOUR, sizeof arena_memory.behind);
    corral_wall_loopback.client = client;
    corral_wall_loopback.memory.begin = (uintptr_t)ARENA;
    corral_wall_loopback.memory.size = sizeof *ARENA;
}

bool arena_is_kept(void)
{
    return test_all(arena_memory.before, sizeof arena_memory.before, NEIGHBOUR) &&
           test_all(arena_memory.behind, sizeof arena_memory.behind, NEIGHBOUR);
}

void call_as(corral_owner_t client)
{
    corral_wall_loopback.client = client;
    corral_wall_loopback.memory.begin = 0;
    corral_wall_loopback.memory.size = SIZE_MAX;
}

void arena_leave(void)
{
    call_as(1);
    EXPECT(PSA_SUCCESS, corral_wall_forget(2));
    EXPECT(PSA_SUCCESS, corral_wall_forget(3));
}

struct corral_wall_call *arena_call(uint32_t function)
{
    struct corral_wall_call *const call = &ARENA->call;
    uint8_t *buffer = ARENA->buffers;

    memset(call, 0, sizeof *call);
    call->function = function;
    for (size_t i = 0; i < CORRAL_WALL_INPUTS; i++, buffer += 16) {
        call->inputs[i].data = buffer;
        call->inputs[i].length = 16;
    }
    for (size_t i = 0; i < CORRAL_WALL_OUTPUTS; i++, buffer += 16) {
        call->outputs[i].data = buffer;
        call->outputs[i].size = 16;
    }
    return call;
}
