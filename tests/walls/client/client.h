/* SPDX-License-Identifier: Apache-2.0 */
/* The client of a wall that protects: its attempts by any transport, and the parts of
 * one transport. */
#ifndef TEST_WALLS_CLIENT_H
#define TEST_WALLS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../wall/gate/gate.h"
#include "../../wall/range.h"

/* Attempts that do not return, or end the run, by the name in option `attack`. */
struct attack {
    const char *name;
    void (*run)(void);
};

/* Of the transport. */
extern const struct range ranges[];
extern const size_t range_count;
extern const struct attack attacks[];
extern const size_t attack_count;
void start_again(void); /* the client's program, from its beginning */

/* Memory of the client that is no variable's. */
extern const uintptr_t spare_memory;

/* Do what has this name, and say if anything goes on then. */
void attack(const char *name);

/* The message of direct calls, and its buffers: inputs are first. */
extern struct corral_wall_call message;
extern uint8_t buffers[CORRAL_WALL_INPUTS + CORRAL_WALL_OUTPUTS][32];

/* A message of a function with all of its buffers. */
void make(uint32_t function);

/* A message for the hash of a text, as the client's side would make it. */
void make_hash(const uint8_t *text, size_t length, uint8_t *hash);

#endif
