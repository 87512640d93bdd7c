/* SPDX-License-Identifier: Apache-2.0 */
/* Use of the key slots: to choose their numbers, and to find keys that were never destroyed. */
#ifndef CORRAL_SLOTS_H
#define CORRAL_SLOTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of slots of one kind. Without `held` their sum is the configured number. */
struct corral_slot_use {
    size_t unused;
    size_t volatile_keys;
    size_t persistent_keys; /* loaded: their slots are reused if others are needed */
    size_t busy;            /* of keys that another task is creating or destroying */
    size_t held;            /* of these keys, those that a call of another task uses */
};

struct corral_slots {
    struct corral_slot_use single;     /* CORRAL_SINGLE_KEY_SLOTS */
    struct corral_slot_use pair;       /* CORRAL_KEY_PAIR_SLOTS */
    struct corral_slot_use in_element; /* CORRAL_PROTECTED_KEY_SLOTS: keys in elements */
};

/*
 * Count the slots of this program, at any time. Built-in keys have slots of their own, which are
 * not counted. Behind a wall the trusted side has all slots, and only it can call this.
 */
void corral_slots_count(struct corral_slots *slots);

#ifdef __cplusplus
}
#endif

#endif
