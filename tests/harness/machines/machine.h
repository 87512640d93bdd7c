/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which the calls on an operation in parts may come, as a table: walks (../walk.h) try
 * it, fuzz targets take from it what they expect. A family's table has only the
 * transitions that the standard permits. The others are the same in all families (PSA
 * Crypto 1.5, 3.3.2, and docs/DECISIONS.md on it). A call out of its place is
 * BAD_STATE. A call that fails makes an active operation a failed one; one that is not
 * active stays unchanged. Abort always succeeds, and leaves the operation inactive.
 */
#ifndef TEST_MACHINE_H
#define TEST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <psa/crypto.h>

/* The states that operations of every family have, and the first one of a family's own. */
enum { MACHINE_INACTIVE, MACHINE_FAILED, MACHINE_OWN };

/* Where a move leads to that leads nowhere. */
#define MACHINE_SAME 99u

/* A set of states, or of calls, with one member. */
#define ONLY(number) (UINT64_C(1) << (number))

/* A set has 64 members, of which one is behind all states. */
#define MACHINE_MOST_STATES 63u
#define MACHINE_MOST_MOVES 112u

/* In the states of a set a call is in its place; where it succeeds, it leads to a state. */
struct machine_move {
    unsigned call;
    uint64_t from;
    unsigned to;
};

struct machine {
    const struct machine_move *moves;
    size_t count;
    unsigned states; /* how many */
    /* Calls that leave the operation as it is where they fail. */
    uint64_t harmless;
    /* Those that do so only in their place. */
    uint64_t forgiven;
};

#define MACHINE(name, moves, states, harmless)                                                     \
    _Static_assert((states) <= MACHINE_MOST_STATES, "a set has no room for all states");           \
    static const struct machine name = {moves, sizeof(moves) / sizeof((moves)[0]), states,         \
                                        harmless, 0}

/* NULL: the call is out of its place. */
static inline const struct machine_move *machine_find(const struct machine *machine, unsigned state,
                                                      unsigned call)
{
    for (size_t i = 0; i < machine->count; i++) {
        if (machine->moves[i].call == call && (machine->moves[i].from >> state & 1) != 0) {
            return &machine->moves[i];
        }
    }
    return NULL;
}

/* A call, if the table has it in any state, or another one. */
static inline unsigned machine_call(const struct machine *machine, unsigned call,
                                    unsigned otherwise)
{
    for (size_t i = 0; i < machine->count; i++) {
        if (machine->moves[i].call == call) {
            return call;
        }
    }
    return otherwise;
}

/* The status of a call in a state: `otherwise` if it is in its place. */
static inline psa_status_t machine_status(const struct machine *machine, unsigned state,
                                          unsigned call, psa_status_t otherwise)
{
    return machine_find(machine, state, call) != NULL ? otherwise : PSA_ERROR_BAD_STATE;
}

/* The state after a call that returned `status`. */
static inline unsigned machine_after(const struct machine *machine, unsigned state, unsigned call,
                                     psa_status_t status)
{
    const struct machine_move *const move = machine_find(machine, state, call);
    const uint64_t spared = machine->harmless | (move != NULL ? machine->forgiven : 0);

    if (status == PSA_SUCCESS && move != NULL) {
        return move->to != MACHINE_SAME ? move->to : state;
    }
    return state == MACHINE_INACTIVE || (spared >> call & 1) != 0 ? state : MACHINE_FAILED;
}

/* Whether a call said what it must, as machine_status(). The state becomes the one after it. */
static inline bool machine_moves(const struct machine *machine, unsigned *state, unsigned call,
                                 psa_status_t status, psa_status_t otherwise)
{
    const bool is_right = status == machine_status(machine, *state, call, otherwise);

    *state = machine_after(machine, *state, call, status);
    return is_right;
}

/* A table that is unfolded from something shorter. */
struct machine_made {
    struct machine_move moves[MACHINE_MOST_MOVES];
    struct machine machine;
};

/* End the program before a table is written beyond its end: its content is a test's. */
static inline void machine_must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "a machine has too many %s\n", what);
        exit(1); /* a board has no signals to abort() with */
    }
}

static inline void machine_begin(struct machine_made *made, unsigned states, uint64_t harmless)
{
    machine_must(states <= MACHINE_MOST_STATES, "states");
    made->machine.moves = made->moves;
    made->machine.count = 0;
    made->machine.states = states;
    made->machine.harmless = harmless;
    made->machine.forgiven = 0;
}

static inline void machine_add(struct machine_made *made, unsigned call, uint64_t from, unsigned to)
{
    const struct machine_move move = {call, from, to};

    machine_must(made->machine.count < MACHINE_MOST_MOVES, "moves");
    made->moves[made->machine.count++] = move;
}

/* One state more. */
static inline unsigned machine_add_state(struct machine_made *made)
{
    machine_must(made->machine.states < MACHINE_MOST_STATES, "states");
    return made->machine.states++;
}

#endif
