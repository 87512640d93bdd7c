/* SPDX-License-Identifier: Apache-2.0 */
/* A client whose memory is an arena; the memory outside of it belongs to others. */
#ifndef TEST_WALL_ARENA_H
#define TEST_WALL_ARENA_H

#include "../../wall/call.h"
#include "../../wall/loopback/loopback.h"
#include "../harness/harness.h"

#define ARENA_BUFFERS 16384u

/* As many operations as one client may have. */
#define OPERATIONS_EACH CORRAL_OWNER_SHARE(CORRAL_WALL_OPERATIONS)

struct arena {
    struct corral_wall_call call;
    uint8_t buffers[ARENA_BUFFERS];
};

/* Between what the client must not touch. */
struct arena_with_neighbours {
    uint8_t before[64];
    struct arena arena;
    uint8_t behind[64];
};

extern struct arena_with_neighbours arena_memory;
#define ARENA (&arena_memory.arena)

/* From now on calls are of this client, whose memory is the arena. */
void arena_enter(corral_owner_t client);

/* Whether the neighbours are as they were. */
bool arena_is_kept(void);

/* Calls are again of client 1, which has all memory; the clients 2 and 3 are forgotten. */
void arena_leave(void);

/* A message for a function that has each input and output that it can have, of 16 bytes each. */
struct corral_wall_call *arena_call(uint32_t function);

/* Calls of this client, from all memory. */
void call_as(corral_owner_t client);

#endif
