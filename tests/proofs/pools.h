/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slot store with its pools laid open: any possible state, and the invariants of each.
 * core/keys/pool.c and core/keys/hold.c are included, so a proof sees their static
 * objects. Only corral_wipe() is replaced, which writes a slot at once instead of byte by
 * byte.
 */
#ifndef CORRAL_TESTS_PROOFS_POOLS_H
#define CORRAL_TESTS_PROOFS_POOLS_H

#include "../../core/keys/hold.c"
#include "../../core/keys/pool.c"
#include "proof.h"

#define SLOTS (CORRAL_SINGLE_KEY_SLOTS + CORRAL_KEY_PAIR_SLOTS + CORRAL_PROTECTED_KEY_SLOTS)

static const struct corral_single_slot zero_single;
static const struct corral_pair_slot zero_pair;
static const struct corral_protected_slot zero_protected;

#define WIPE_IF_IT_IS(pool, i)                                                                     \
    if (buffer == &corral_##pool##_slots[i]) {                                                     \
        CLAIM(size == sizeof corral_##pool##_slots[i],                                             \
              "a slot is wiped to its end, and not beyond");                                       \
        corral_##pool##_slots[i] = zero_##pool;                                                    \
        return;                                                                                    \
    }

void corral_wipe(void *buffer, size_t size)
{
    WIPE_IF_IT_IS(single, 0)
    WIPE_IF_IT_IS(single, 1)
    WIPE_IF_IT_IS(pair, 0)
    WIPE_IF_IT_IS(protected, 0)
    CLAIM(size == 0 || __CPROVER_w_ok(buffer, size), "what is wiped is there");
}

/* policy.c is under a proof of its own: a policy permits, or does not. */
bool corral_policy_covers(const psa_key_attributes_t *attributes, psa_key_usage_t usage,
                          psa_algorithm_t alg)
{
    (void)attributes;
    (void)usage;
    return alg == PSA_ALG_NONE || nondet_bool();
}

/* The slots by number, by constant addresses: corral_key_at() itself is under proof. */
static struct corral_key *slot(size_t number)
{
    switch (number) {
    case 0:
        return &corral_single_slots[0].key;
    case 1:
        return &corral_single_slots[1].key;
    case 2:
        return &corral_pair_slots[0].key;
    default:
        return &corral_protected_slots[0].key;
    }
}

static unsigned pool_of_slot(size_t number)
{
    return number < 2 ? CORRAL_POOL_SINGLE : number == 2 ? CORRAL_POOL_PAIR : CORRAL_POOL_PROTECTED;
}

/* The highest 16 bits of a volatile identifier in that slot. */
static psa_key_id_t place_of_slot(size_t number)
{
    return (psa_key_id_t)(pool_of_slot(number) << 12 | (number == 1 ? 1 : 0));
}

/* The invariant of each slot between any two steps of a program with volatile keys. */
static bool slot_is_sound(size_t number)
{
    const struct corral_key *const key = slot(number);

    if (key->state != CORRAL_KEY_FREE && pool_of(&key->attributes) != pool_of_slot(number)) {
        return false;
    }
    const bool is_at_home = key->attributes.id >> CORRAL_INDEX_SHIFT == place_of_slot(number);

    switch (key->state) {
    case CORRAL_KEY_FREE:
        return key->attributes.id == 0 && key->holds == 0 && key->length == 0 &&
               key->public_length == 0;
    case CORRAL_KEY_RESERVED: /* being created, or being destroyed: then others may read it */
        return key->holds == 0 ? key->attributes.id == place_of_slot(number) : is_at_home;
    case CORRAL_KEY_READY:
        return is_at_home;
    case CORRAL_KEY_DYING:
        return is_at_home && key->holds > 0;
    default:
        return false;
    }
}

static bool slots_are_sound(void)
{
    return slot_is_sound(0) && slot_is_sound(1) && slot_is_sound(2) && slot_is_sound(3);
}

struct corral_single_slot nondet_single_slot(void);
struct corral_pair_slot nondet_pair_slot(void);
struct corral_protected_slot nondet_protected_slot(void);

/* Any state at all that is sound, whatever came before. */
static void any_slots(void)
{
    corral_single_slots[0] = nondet_single_slot();
    corral_single_slots[1] = nondet_single_slot();
    corral_pair_slots[0] = nondet_pair_slot();
    corral_protected_slots[0] = nondet_protected_slot();
    generation = nondet_uint16();
    rounds = nondet_uint32();
    GIVEN(slots_are_sound());
}

/* Whether a key can be found by this identifier. */
static bool is_found(psa_key_id_t id)
{
    for (size_t i = 0; i < SLOTS; i++) {
        if (slot(i)->state == CORRAL_KEY_READY && slot(i)->attributes.id == id) {
            return true;
        }
    }
    return false;
}

static unsigned holds_of_all(void)
{
    unsigned holds = 0;

    for (size_t i = 0; i < SLOTS; i++) {
        holds += slot(i)->holds;
    }
    return holds;
}

static unsigned slots_in_use(void)
{
    unsigned in_use = 0;

    for (size_t i = 0; i < SLOTS; i++) {
        in_use += slot(i)->state != CORRAL_KEY_FREE ? 1 : 0;
    }
    return in_use;
}

#endif
