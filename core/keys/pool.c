/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

#include <corral/driver.h>
#include <corral/lock.h>

#include "builtin.h"
#include "persistent.h"
#include "policy.h"

/* The four highest bits of a volatile identifier, and of no other: 01, and the pool. */
enum pool { POOL_SINGLE = 4, POOL_PAIR, POOL_PROTECTED, POOL_BUILTIN };

#define POOL_SHIFT 28
#define INDEX_SHIFT 16
#define INDEX_MASK 0xfffu

/* An array of no elements is not C; of an unused one the compiler keeps nothing. */
#define AT_LEAST_ONE(n) ((n) > 0 ? (n) : 1)

struct single_slot {
    struct corral_key key;
    uint8_t data[AT_LEAST_ONE(CORRAL_SINGLE_SLOT_SIZE)];
};

struct pair_slot {
    struct corral_key key;
    uint8_t data[AT_LEAST_ONE(CORRAL_PAIR_SLOT_SIZE)];
};

struct protected_slot {
    struct corral_key key;
    uint8_t data[AT_LEAST_ONE(CORRAL_PROTECTED_SLOT_SIZE)];
};

static struct single_slot single_slots[AT_LEAST_ONE(CORRAL_SINGLE_KEY_SLOTS)];
static struct pair_slot pair_slots[AT_LEAST_ONE(CORRAL_KEY_PAIR_SLOTS)];
static struct protected_slot protected_slots[AT_LEAST_ONE(CORRAL_PROTECTED_KEY_SLOTS)];
static struct protected_slot builtin_slots[AT_LEAST_ONE(CORRAL_BUILTIN_KEY_COUNT)];

/* Of all keys ever published; a stale identifier is recognised by it, for one round. */
static uint16_t generation;
static uint32_t rounds;

static inline struct corral_key *slot_at(void *pool, size_t slot_size, size_t count, size_t index)
{
    return index < count ? (struct corral_key *)((uint8_t *)pool + index * slot_size) : NULL;
}

/* The slot at `index` of a pool, or NULL beyond its end; a pool without slots costs nothing. */
static inline struct corral_key *pool_slot(unsigned pool, size_t index)
{
    if (CORRAL_SINGLE_KEY_SLOTS > 0 && pool == POOL_SINGLE) {
        return slot_at(single_slots, sizeof single_slots[0], CORRAL_SINGLE_KEY_SLOTS, index);
    }
    if (CORRAL_KEY_PAIR_SLOTS > 0 && pool == POOL_PAIR) {
        return slot_at(pair_slots, sizeof pair_slots[0], CORRAL_KEY_PAIR_SLOTS, index);
    }
    if (CORRAL_PROTECTED_KEY_SLOTS > 0 && pool == POOL_PROTECTED) {
        return slot_at(protected_slots, sizeof protected_slots[0], CORRAL_PROTECTED_KEY_SLOTS,
                       index);
    }
    if (CORRAL_BUILTIN_KEY_COUNT > 0 && pool == POOL_BUILTIN) {
        return slot_at(builtin_slots, sizeof builtin_slots[0], CORRAL_BUILTIN_KEY_COUNT, index);
    }
    return NULL;
}

struct corral_key *corral_builtin_key_slot(psa_key_id_t id)
{
    return (id & 0xffffu) == 0 ? pool_slot(POOL_BUILTIN, corral_builtin_key_index(id)) : NULL;
}

static inline unsigned pool_of(const psa_key_attributes_t *attributes)
{
    if (!corral_attributes_are_local(attributes)) {
        return POOL_PROTECTED;
    }
    return PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type) ? POOL_PAIR : POOL_SINGLE;
}

static inline struct corral_key *find(psa_key_id_t id)
{
    struct corral_key *key =
        pool_slot((unsigned)(id >> POOL_SHIFT), (size_t)(id >> INDEX_SHIFT) & INDEX_MASK);

    /*
     * A slot without a usable key has an identifier that is not volatile, and is not found. Where
     * others may hold a key that is being destroyed, it keeps its identifier: they read it.
     */
    return key != NULL && key->attributes.id == id &&
                   (!CORRAL_COUNT_HOLDS || key->state == CORRAL_KEY_READY)
               ? key
               : NULL;
}

psa_status_t corral_key_hold_for(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                                 struct corral_key **key)
{
    psa_status_t status = PSA_ERROR_INVALID_HANDLE;

    if (corral_id_is_persistent(id)) {
        return corral_persistent_hold_for(id, usage, alg, key);
    }
    if (corral_id_is_builtin(id)) {
        const psa_status_t loaded = corral_builtin_key_load(id);
        if (loaded != PSA_SUCCESS) {
            return loaded;
        }
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    struct corral_key *found = find(id);
    if (found != NULL) {
        *key = found;
        status = corral_policy_permits(&found->attributes, usage, alg);
        if (CORRAL_COUNT_HOLDS && status == PSA_SUCCESS) {
            if (found->holds == UINT8_MAX) {
                status = PSA_ERROR_INSUFFICIENT_MEMORY;
            } else {
                found->holds++;
            }
        }
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    return status;
}

psa_status_t corral_key_hold(psa_key_id_t id, struct corral_key **key)
{
    return corral_key_hold_for(id, 0, PSA_ALG_NONE, key);
}

/* The last word is the first one where there is no other. */
static inline bool is_same(const struct corral_key_number *a, const struct corral_key_number *b)
{
    const size_t last = CORRAL_KEY_NUMBER_WORDS - 1;

    return a->words[0] == b->words[0] && a->words[last] == b->words[last];
}

psa_status_t corral_key_hold_again(const struct corral_bound_key *bound, struct corral_key **key)
{
    psa_status_t status = corral_key_hold(bound->id, key);

    if (status == PSA_SUCCESS && !is_same(&(*key)->number, &bound->number)) {
        corral_key_release(*key);
        status = PSA_ERROR_INVALID_HANDLE;
    }
    return status == PSA_ERROR_INVALID_HANDLE ? PSA_ERROR_BAD_STATE : status;
}

void corral_key_unhold(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->holds--;
    if (CORRAL_PERSISTENT_KEYS && key->holds == 0 && corral_persistent_is_transient(key)) {
        key->state = CORRAL_KEY_DYING;
    }
    const bool is_last = key->holds == 0 && key->state == CORRAL_KEY_DYING;
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (is_last) {
        corral_key_free(key);
    }
}

/* The first free slot of a pool and its index, or NULL. */
static inline struct corral_key *find_free(unsigned pool, size_t *index)
{
    struct corral_key *candidate;

    *index = 0;
    while ((candidate = pool_slot(pool, *index)) != NULL && candidate->state != CORRAL_KEY_FREE) {
        ++*index;
    }
    return candidate;
}

psa_status_t corral_key_reserve(const psa_key_attributes_t *attributes, struct corral_key **key)
{
    const unsigned pool = pool_of(attributes);
    size_t index;

    corral_lock_enter(CORRAL_LOCK_CORE);
    struct corral_key *candidate = find_free(pool, &index);
    if (CORRAL_PERSISTENT_KEYS && candidate == NULL && corral_persistent_evict(attributes)) {
        candidate = find_free(pool, &index);
    }
    if (candidate != NULL) {
        /* With the lock: whoever looks up a stale identifier reads this slot's. */
        candidate->state = CORRAL_KEY_RESERVED;
        candidate->attributes = *attributes;
        if (!corral_key_is_persistent(candidate)) {
            /* Where the slot is, for corral_key_publish(); not volatile, so nobody finds it. */
            candidate->attributes.id = (psa_key_id_t)(pool << 12 | index);
        }
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    *key = candidate;
    return candidate != NULL ? PSA_SUCCESS : PSA_ERROR_INSUFFICIENT_MEMORY;
}

psa_key_id_t corral_key_publish(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    generation++;
    rounds += generation == 0 ? 1 : 0;
    key->number.words[0] = rounds;
    key->state = CORRAL_KEY_READY;
    const psa_key_id_t id = key->attributes.id << INDEX_SHIFT | generation;
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
    const size_t size = sizeof *key + corral_key_capacity(&key->attributes);

    corral_lock_enter(CORRAL_LOCK_CORE);
    corral_wipe(key, size);
    corral_lock_leave(CORRAL_LOCK_CORE);
}

psa_status_t corral_key_withdraw(psa_key_id_t id, struct corral_key **key)
{
    psa_status_t status = corral_key_hold(id, key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    if ((*key)->state == CORRAL_KEY_READY) {
        (*key)->state = CORRAL_KEY_RESERVED;
        if (!CORRAL_COUNT_HOLDS) {
            (*key)->attributes.id = 0;
        }
    } else {
        /* Another thread was faster; it frees the key when our hold is gone. */
        status = PSA_ERROR_INVALID_HANDLE;
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (status != PSA_SUCCESS) {
        corral_key_release(*key);
    }
    return status;
}

void corral_key_free_held(struct corral_key *key)
{
    if (!CORRAL_COUNT_HOLDS) {
        corral_key_free(key);
        return;
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->state = CORRAL_KEY_DYING;
    corral_lock_leave(CORRAL_LOCK_CORE);
    corral_key_unhold(key);
}

void corral_key_revive(struct corral_key *key, psa_key_id_t id)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->state = CORRAL_KEY_READY;
    if (!CORRAL_COUNT_HOLDS) {
        key->attributes.id = id;
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    corral_key_release(key);
}

struct corral_key *corral_key_at(size_t index)
{
    const size_t singles = CORRAL_SINGLE_KEY_SLOTS;
    const size_t local = singles + CORRAL_KEY_PAIR_SLOTS;
    const size_t made = local + CORRAL_PROTECTED_KEY_SLOTS;

    if (CORRAL_BUILTIN_KEY_COUNT > 0 && index >= made) {
        return pool_slot(POOL_BUILTIN, index - made);
    }
    if (index >= local) {
        return pool_slot(POOL_PROTECTED, index - local);
    }
    return index >= singles ? pool_slot(POOL_PAIR, index - singles) : pool_slot(POOL_SINGLE, index);
}

static unsigned pool_holds(unsigned pool)
{
    unsigned holds = 0;
    const struct corral_key *key;

    for (size_t index = 0; (key = pool_slot(pool, index)) != NULL; index++) {
        holds += key->holds;
    }
    return holds;
}

unsigned corral_holds(void)
{
    return pool_holds(POOL_SINGLE) + pool_holds(POOL_PAIR) + pool_holds(POOL_PROTECTED) +
           pool_holds(POOL_BUILTIN);
}
