/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

#include <corral/builtin.h>
#include <corral/driver.h>
#include <corral/lock.h>

struct corral_single_slot corral_single_slots[CORRAL_AT_LEAST_ONE(CORRAL_SINGLE_KEY_SLOTS)];
struct corral_pair_slot corral_pair_slots[CORRAL_AT_LEAST_ONE(CORRAL_KEY_PAIR_SLOTS)];
struct corral_protected_slot
    corral_protected_slots[CORRAL_AT_LEAST_ONE(CORRAL_PROTECTED_KEY_SLOTS)];
struct corral_builtin_slot corral_builtin_slots[CORRAL_AT_LEAST_ONE(CORRAL_BUILTIN_KEY_COUNT)];

#if CORRAL_BUILTIN_KEY_COUNT == 0
/*
 * No function reads it then; but sanitizers keep, and so link, functions that nothing calls. It has
 * a value because compilers put what has none together, for an ATmega, and keep all of that.
 */
const struct corral_builtin_key corral_builtin_keys[1] = {{0}};
#endif

/* Of all keys ever published; a stale identifier is recognised by it, for one round. */
static uint16_t generation;
static uint32_t rounds;

/* Where a persistent key was last found, and where eviction goes on. */
static size_t recent;
static size_t hand;

/* Whether each caller has a key of its own by this number, and so clients have one, too. */
static bool is_of_caller(size_t index)
{
    return corral_pool_slot(CORRAL_POOL_BUILTIN, index) != NULL &&
           corral_builtin_keys[index].location == PSA_KEY_LOCATION_LOCAL_STORAGE &&
           corral_builtin_keys[index].label[0] == CORRAL_OWN_HARDWARE;
}

struct corral_key *corral_builtin_key_slot(psa_key_id_t id)
{
    const size_t index = corral_builtin_key_index(id);
    const bool is_mine = !corral_owner_is_client() || (CORRAL_HARDWARE_KEY && is_of_caller(index));

    return (id & 0xffffu) == 0 && is_mine ? corral_pool_slot(CORRAL_POOL_BUILTIN, index) : NULL;
}

struct corral_key *corral_pool_slot_of_many(unsigned pool, size_t index)
{
    /* With few pools this is never called. */
    return CORRAL_HAS_MANY_POOLS ? corral_pool_slot_of_few(pool, index) : NULL;
}

static inline unsigned pool_of(const psa_key_attributes_t *attributes)
{
    if (!corral_attributes_are_local(attributes)) {
        return CORRAL_POOL_PROTECTED;
    }
    return PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type) ? CORRAL_POOL_PAIR : CORRAL_POOL_SINGLE;
}

/* Whether looking at each slot from the first takes long. */
#define HAS_MANY_SLOTS                                                                             \
    (CORRAL_SINGLE_KEY_SLOTS + CORRAL_KEY_PAIR_SLOTS + CORRAL_PROTECTED_KEY_SLOTS > 64)

/* If there are many: no slot of the pool before this index is free. */
static size_t free_from[CORRAL_POOL_BUILTIN - CORRAL_POOL_SINGLE];

static void remember_free(const struct corral_key *key)
{
    static const struct {
        const void *slots;
        size_t slot_size;
        size_t count;
    } pools[] = {
        {corral_single_slots, sizeof corral_single_slots[0], CORRAL_SINGLE_KEY_SLOTS},
        {corral_pair_slots, sizeof corral_pair_slots[0], CORRAL_KEY_PAIR_SLOTS},
        {corral_protected_slots, sizeof corral_protected_slots[0], CORRAL_PROTECTED_KEY_SLOTS},
    };

    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++) {
        /* Of a slot before the pool it is more than any pool takes. */
        const uintptr_t offset = CORRAL_ADDRESS(key) - CORRAL_ADDRESS(pools[i].slots);
        if (offset < pools[i].slot_size * pools[i].count &&
            offset / pools[i].slot_size < free_from[i]) {
            free_from[i] = offset / pools[i].slot_size;
        }
    }
}

/* The first free slot of a pool and its index, or NULL. */
static inline struct corral_key *find_free(unsigned pool, size_t *index)
{
    struct corral_key *candidate;

    *index = HAS_MANY_SLOTS ? free_from[pool - CORRAL_POOL_SINGLE] : 0;
    while ((candidate = corral_pool_slot(pool, *index)) != NULL &&
           candidate->state != CORRAL_KEY_FREE) {
        ++*index;
    }
    if (HAS_MANY_SLOTS) {
        free_from[pool - CORRAL_POOL_SINGLE] = *index;
    }
    return candidate;
}

static void wipe(struct corral_key *key)
{
    corral_wipe(key, sizeof *key + corral_key_capacity(&key->attributes));
}

/*
 * Forget a persistent key without holds, each in turn: its slot and its index, or NULL.
 * It may be a key of another owner, who loads it again at the next use; unless only_mine.
 */
static struct corral_key *evict(unsigned pool, bool only_mine, size_t *index)
{
    size_t count = 0;

    while (corral_pool_slot(pool, count) != NULL) {
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        hand = (hand + 1) % count;
        struct corral_key *key = corral_pool_slot(pool, hand);
        if (corral_key_is_persistent(key) && key->state == CORRAL_KEY_READY && key->holds == 0 &&
            (!only_mine || corral_key_is_mine(key))) {
            wipe(key);
            *index = hand;
            return key;
        }
    }
    return NULL;
}

/* Whether a client calls who has its share of a pool; this program itself may have all of it. */
static bool owner_is_full(unsigned pool)
{
    const struct corral_key *key;
    size_t slots = 0;
    size_t mine = 0;

    for (; (key = corral_pool_slot(pool, slots)) != NULL; slots++) {
        mine += key->state != CORRAL_KEY_FREE && corral_key_is_mine(key);
    }
    const size_t most = CORRAL_OWNER_SHARE(slots);
    return corral_owner_is_client() && mine >= most;
}

psa_status_t corral_key_reserve(const psa_key_attributes_t *attributes, struct corral_key **key)
{
    const unsigned pool = pool_of(attributes);
    size_t index;

    corral_lock_enter(CORRAL_LOCK_CORE);
    const bool only_mine = CORRAL_WALL && owner_is_full(pool);
    struct corral_key *candidate = only_mine ? NULL : find_free(pool, &index);
    if (CORRAL_PERSISTENT_KEYS && candidate == NULL) {
        candidate = evict(pool, only_mine, &index);
    }
    if (candidate != NULL) {
        /* With the lock: a call with a stale identifier reads this slot's. */
        candidate->state = CORRAL_KEY_RESERVED;
        candidate->attributes = *attributes;
        corral_key_make_mine(candidate);
        if (!corral_key_is_persistent(candidate)) {
            /* The slot's position, for corral_key_publish(); not volatile, so no call finds it. */
            candidate->attributes.id = (psa_key_id_t)(pool << 12 | index);
        }
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    *key = candidate;
    return candidate != NULL ? PSA_SUCCESS : PSA_ERROR_INSUFFICIENT_MEMORY;
}

void corral_keys_number_from(uint16_t number)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    generation = number;
    corral_lock_leave(CORRAL_LOCK_CORE);
}

psa_key_id_t corral_key_publish(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    generation++;
    rounds += generation == 0 ? 1 : 0;
    key->number.words[0] = rounds;
    key->state = CORRAL_KEY_READY;
    const psa_key_id_t id = key->attributes.id << CORRAL_INDEX_SHIFT | generation;
    key->attributes.id = id;
    corral_lock_leave(CORRAL_LOCK_CORE);
    return id;
}

void corral_key_publish_as(struct corral_key *key, psa_key_id_t id)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->state = CORRAL_KEY_READY;
    key->attributes.id = id;
    corral_lock_leave(CORRAL_LOCK_CORE);
}

void corral_key_free(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    wipe(key);
    if (HAS_MANY_SLOTS) {
        remember_free(key);
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
}

struct corral_key *corral_key_at(size_t index)
{
    const size_t singles = CORRAL_SINGLE_KEY_SLOTS;
    const size_t local = singles + CORRAL_KEY_PAIR_SLOTS;
    const size_t made = local + CORRAL_PROTECTED_KEY_SLOTS;

    if (CORRAL_BUILTIN_KEY_COUNT > 0 && index >= made) {
        return corral_pool_slot(CORRAL_POOL_BUILTIN, index - made);
    }
    if (index >= local) {
        return corral_pool_slot(CORRAL_POOL_PROTECTED, index - local);
    }
    return index >= singles ? corral_pool_slot(CORRAL_POOL_PAIR, index - singles)
                            : corral_pool_slot(CORRAL_POOL_SINGLE, index);
}

static inline bool is_of(const struct corral_key *key, psa_key_id_t id, enum corral_key_state state)
{
    return key != NULL && key->state == state && key->attributes.id == id &&
           corral_key_is_persistent(key) && corral_key_is_mine(key);
}

struct corral_key *corral_key_search(psa_key_id_t id, enum corral_key_state state)
{
    struct corral_key *key = corral_key_at(recent); /* the one found last is looked at first */

    if (is_of(key, id, state)) {
        return key;
    }
    for (size_t index = 0; (key = corral_key_at(index)) != NULL; index++) {
        if (is_of(key, id, state)) {
            recent = index;
            return key;
        }
    }
    return NULL;
}

static unsigned pool_holds(unsigned pool)
{
    unsigned holds = 0;
    const struct corral_key *key;

    for (size_t index = 0; (key = corral_pool_slot(pool, index)) != NULL; index++) {
        holds += key->holds;
    }
    return holds;
}

unsigned corral_holds(void)
{
    return pool_holds(CORRAL_POOL_SINGLE) + pool_holds(CORRAL_POOL_PAIR) +
           pool_holds(CORRAL_POOL_PROTECTED) + pool_holds(CORRAL_POOL_BUILTIN);
}
