/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key exchanges by password (PSA Crypto 1.5, 10.13). A state is the set of inputs, in
 * any order; after that, the number of steps done in each direction, for which there
 * are complete orders. The steps of WPA3-SAE are no chain, and have a table.
 */
#ifndef TEST_MACHINE_PAKE_H
#define TEST_MACHINE_PAKE_H

#include <string.h>

#include "machine.h"

/* An output has the number of its step less one; small letters in an order. */
enum pake_call {
    PAKE_SHARE,
    PAKE_PUBLIC,
    PAKE_PROOF,
    PAKE_CONFIRM,
    PAKE_SALT,
    PAKE_COMMIT,
    PAKE_COUNT,
    PAKE_KEY_ID,
    PAKE_INPUT,                    /* and the step; capital letters */
    PAKE_FOREIGN = 2 * PAKE_INPUT, /* a step that the algorithm has not */
    PAKE_SETUP,
    PAKE_SET_USER,
    PAKE_SET_PEER,
    PAKE_SET_ROLE,
    PAKE_SET_CONTEXT,
    PAKE_GET_KEY,
};
static const char pake_letters[] = "kvpcsmniKVPCSMNI";

/* In the first state nothing is set; user, peer, role and context are bits that are added. */
#define PAKE_SET_UP MACHINE_OWN
#define PAKE_NAMED 3u
#define PAKE_PLAYS 4u

enum pake_kind { PAKE_OF_JPAKE, PAKE_OF_CLIENT, PAKE_OF_SERVER, PAKE_OF_SAE, PAKE_KINDS };

static const struct pake {
    unsigned settings; /* how many there are */
    unsigned needed;   /* those that the first step needs */
    const char *orders[4];
} pakes[PAKE_KINDS] = {
    [PAKE_OF_JPAKE] = {3,
                       PAKE_NAMED,
                       {"kvpkvpKVPKVPkvpKVP", "kvpkvpKVPKVPKVPkvp", "KVPKVPkvpkvpkvpKVP",
                        "KVPKVPkvpkvpKVPkvp"}},
    [PAKE_OF_CLIENT] = {4, PAKE_PLAYS, {"kKCc"}},
    [PAKE_OF_SERVER] = {4, PAKE_PLAYS, {"KkcC"}},
    [PAKE_OF_SAE] = {3, PAKE_NAMED, {NULL}},
};

/* Of WPA3-SAE: which commits have passed; then whether a counter for a confirmation has come, and a
 * proof that the peer has the key. */
enum {
    SAE_HAS_SENT = PAKE_SET_UP + 8,
    SAE_HAS_TAKEN,
    SAE_HAS_BOTH,
    SAE_MAY_COUNT,
    SAE_MAY_CONFIRM,
    SAE_MAY_END,
    SAE_MAY_ALL,
    SAE_STATES
};
_Static_assert(SAE_STATES <= MACHINE_MOST_STATES, "a set has no room for all states");

#define SAE_NAMED (ONLY(PAKE_SET_UP + PAKE_NAMED) | ONLY(PAKE_SET_UP + PAKE_NAMED + PAKE_PLAYS))
#define SAE_END (ONLY(SAE_MAY_END) | ONLY(SAE_MAY_ALL))

static const struct machine_move sae_moves[] = {
    {PAKE_COMMIT, SAE_NAMED, SAE_HAS_SENT},
    {PAKE_COMMIT, ONLY(SAE_HAS_TAKEN), SAE_HAS_BOTH},
    {PAKE_INPUT + PAKE_COMMIT, SAE_NAMED, SAE_HAS_TAKEN},
    {PAKE_INPUT + PAKE_COMMIT, ONLY(SAE_HAS_SENT), SAE_HAS_BOTH},
    {PAKE_INPUT + PAKE_SALT, ONLY(SAE_HAS_BOTH), SAE_MAY_COUNT},
    {PAKE_INPUT + PAKE_COUNT, ONLY(SAE_MAY_COUNT) | ONLY(SAE_MAY_CONFIRM), SAE_MAY_CONFIRM},
    {PAKE_INPUT + PAKE_COUNT, SAE_END, SAE_MAY_ALL},
    {PAKE_CONFIRM, ONLY(SAE_MAY_CONFIRM), SAE_MAY_COUNT},
    {PAKE_CONFIRM, ONLY(SAE_MAY_ALL), SAE_MAY_END},
    {PAKE_INPUT + PAKE_CONFIRM, ONLY(SAE_MAY_COUNT) | ONLY(SAE_MAY_END), SAE_MAY_END},
    {PAKE_INPUT + PAKE_CONFIRM, ONLY(SAE_MAY_CONFIRM) | ONLY(SAE_MAY_ALL), SAE_MAY_ALL},
    {PAKE_KEY_ID, SAE_END, MACHINE_SAME},
    {PAKE_GET_KEY, SAE_END, MACHINE_INACTIVE},
};

/* Each setting comes once. Returns the states in which all that a step needs is there. */
static inline uint64_t pake_settings(struct machine_made *made, const struct pake *of)
{
    uint64_t begun = 0;

    for (unsigned set = 0; set < 1u << of->settings; set++) {
        for (unsigned i = 0; i < of->settings; i++) {
            if ((set >> i & 1) == 0) {
                machine_add(made, PAKE_SET_USER + i, ONLY(PAKE_SET_UP + set),
                            PAKE_SET_UP + (set | 1u << i));
            }
        }
        begun |= (set & of->needed) == of->needed ? ONLY(PAKE_SET_UP + set) : 0;
    }
    return begun;
}

/* Of each direction, and one more: none was done. */
#define PAKE_STEPS 10u

/* Add an order of steps; where two orders have done as much, they are in one state. */
static inline void pake_follow(struct machine_made *made, const char *order, uint64_t from,
                               unsigned states[PAKE_STEPS][PAKE_STEPS])
{
    unsigned done[2] = {0, 0};

    for (; *order != 0; order++) {
        const unsigned call = (unsigned)(strchr(pake_letters, *order) - pake_letters);
        done[call / PAKE_INPUT]++;
        machine_must(done[0] < PAKE_STEPS && done[1] < PAKE_STEPS, "steps");
        unsigned *const to = &states[done[0]][done[1]];
        if (*to == 0) {
            *to = machine_add_state(made);
        }
        machine_add(made, call, from, *to);
        from = ONLY(*to);
    }
    machine_add(made, PAKE_GET_KEY, from, MACHINE_INACTIVE);
}

static inline void pake_unfold(enum pake_kind kind, struct machine_made *made)
{
    unsigned states[PAKE_STEPS][PAKE_STEPS] = {{0}};

    machine_begin(made, PAKE_SET_UP + (1u << pakes[kind].settings), ONLY(PAKE_SETUP));
    machine_add(made, PAKE_SETUP, ONLY(MACHINE_INACTIVE), PAKE_SET_UP);
    const uint64_t begun = pake_settings(made, &pakes[kind]);
    for (size_t i = 0; i < 4 && pakes[kind].orders[i] != NULL; i++) {
        pake_follow(made, pakes[kind].orders[i], begun, states);
    }
    if (kind == PAKE_OF_SAE) {
        for (size_t i = 0; i < sizeof sae_moves / sizeof sae_moves[0]; i++) {
            machine_add(made, sae_moves[i].call, sae_moves[i].from, sae_moves[i].to);
        }
        made->machine.states = SAE_STATES;
    }
    machine_add(made, PAKE_FOREIGN, ONLY(made->machine.states) - ONLY(PAKE_SET_UP), MACHINE_FAILED);
}

/* The kind of a step for an algorithm. */
static inline unsigned pake_step(const struct machine_made *made, unsigned step, bool is_output)
{
    return machine_call(&made->machine, is_output ? step : PAKE_INPUT + step, PAKE_FOREIGN);
}

#endif
