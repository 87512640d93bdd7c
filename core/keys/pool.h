/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key slots: where keys live while they can be used. Rules of access and the origin of
 * the bytes are in other files.
 *
 * Three pools, so that a small key does not occupy room for a large one. They hold single keys
 * (symmetric keys, raw data, public keys), key pairs (private key, and the public key if the driver
 * gave it at generation), and protected keys (the context by which a secure element's driver finds
 * its key). The identifier of a volatile key says where it is: 0x40000000, pool (2 bits), index (12
 * bits), generation (16 bits). Looking one up is an index and a comparison, whatever the number of
 * keys. The fourth pool has the built-in keys (builtin.h), whose generation is always 0.
 */
#ifndef CORRAL_CORE_KEYS_POOL_H
#define CORRAL_CORE_KEYS_POOL_H

#include "owner.h"

/* The four highest bits of a volatile identifier, and of no other: 01, and the pool. */
enum corral_pool {
    CORRAL_POOL_SINGLE = 4,
    CORRAL_POOL_PAIR,
    CORRAL_POOL_PROTECTED,
    CORRAL_POOL_BUILTIN
};

#define CORRAL_POOL_SHIFT 28
#define CORRAL_INDEX_SHIFT 16
#define CORRAL_INDEX_MASK 0xfffu

/* An array of no elements is not C; of an unused one the compiler keeps nothing. */
#define CORRAL_AT_LEAST_ONE(n) ((n) > 0 ? (n) : 1)

struct corral_single_slot {
    struct corral_key key;
    uint8_t data[CORRAL_AT_LEAST_ONE(CORRAL_SINGLE_SLOT_SIZE)];
};

struct corral_pair_slot {
    struct corral_key key;
    uint8_t data[CORRAL_AT_LEAST_ONE(CORRAL_PAIR_SLOT_SIZE)];
};

struct corral_protected_slot {
    struct corral_key key;
    uint8_t data[CORRAL_AT_LEAST_ONE(CORRAL_PROTECTED_SLOT_SIZE)];
};

/* The board's own keys have 32 bytes each, and are in memory. */
#define CORRAL_OWN_KEY_SIZE (CORRAL_HAS_OWN_KEYS ? 32u : 0u)

struct corral_builtin_slot {
    struct corral_key key;
    uint8_t data[CORRAL_PROTECTED_SLOT_SIZE > CORRAL_OWN_KEY_SIZE
                     ? CORRAL_PROTECTED_SLOT_SIZE
                     : CORRAL_AT_LEAST_ONE(CORRAL_OWN_KEY_SIZE)];
};

/* The slots themselves, only for the functions below. */
extern struct corral_single_slot corral_single_slots[CORRAL_AT_LEAST_ONE(CORRAL_SINGLE_KEY_SLOTS)];
extern struct corral_pair_slot corral_pair_slots[CORRAL_AT_LEAST_ONE(CORRAL_KEY_PAIR_SLOTS)];
extern struct corral_protected_slot
    corral_protected_slots[CORRAL_AT_LEAST_ONE(CORRAL_PROTECTED_KEY_SLOTS)];
extern struct corral_builtin_slot
    corral_builtin_slots[CORRAL_AT_LEAST_ONE(CORRAL_BUILTIN_KEY_COUNT)];

static inline struct corral_key *corral_slot_at(void *pool, size_t slot_size, size_t count,
                                                size_t index)
{
    return index < count ? (struct corral_key *)((uint8_t *)pool + index * slot_size) : NULL;
}

static inline struct corral_key *corral_pool_slot_of_few(unsigned pool, size_t index)
{
    if (CORRAL_SINGLE_KEY_SLOTS > 0 && pool == CORRAL_POOL_SINGLE) {
        return corral_slot_at(corral_single_slots, sizeof corral_single_slots[0],
                              CORRAL_SINGLE_KEY_SLOTS, index);
    }
    if (CORRAL_KEY_PAIR_SLOTS > 0 && pool == CORRAL_POOL_PAIR) {
        return corral_slot_at(corral_pair_slots, sizeof corral_pair_slots[0], CORRAL_KEY_PAIR_SLOTS,
                              index);
    }
    if (CORRAL_PROTECTED_KEY_SLOTS > 0 && pool == CORRAL_POOL_PROTECTED) {
        return corral_slot_at(corral_protected_slots, sizeof corral_protected_slots[0],
                              CORRAL_PROTECTED_KEY_SLOTS, index);
    }
    if (CORRAL_BUILTIN_KEY_COUNT > 0 && pool == CORRAL_POOL_BUILTIN) {
        return corral_slot_at(corral_builtin_slots, sizeof corral_builtin_slots[0],
                              CORRAL_BUILTIN_KEY_COUNT, index);
    }
    return NULL;
}

/* The same, in one copy: where there are many pools it is longer than a call. */
struct corral_key *corral_pool_slot_of_many(unsigned pool, size_t index);

#define CORRAL_HAS_MANY_POOLS                                                                      \
    ((CORRAL_SINGLE_KEY_SLOTS > 0) + (CORRAL_KEY_PAIR_SLOTS > 0) +                                 \
         (CORRAL_PROTECTED_KEY_SLOTS > 0) + (CORRAL_BUILTIN_KEY_COUNT > 0) >                       \
     2)

/* The slot at `index` of a pool, or NULL beyond its end; a pool without slots costs nothing. */
static inline struct corral_key *corral_pool_slot(unsigned pool, size_t index)
{
    return CORRAL_HAS_MANY_POOLS ? corral_pool_slot_of_many(pool, index)
                                 : corral_pool_slot_of_few(pool, index);
}

/* The slot of the volatile or built-in key `id` of the caller, or NULL; the caller has
 * the core's lock. */
static inline struct corral_key *corral_key_find(psa_key_id_t id)
{
    const unsigned pool = (unsigned)(id >> CORRAL_POOL_SHIFT);
    const size_t index = (size_t)(id >> CORRAL_INDEX_SHIFT) & CORRAL_INDEX_MASK;
    struct corral_key *key = corral_pool_slot(pool, index);

    /*
     * A slot without a usable key has an identifier that is not volatile, and is not found. Where
     * others may hold a key that is being destroyed, it keeps its identifier: they read it.
     */
    return key != NULL && key->attributes.id == id && corral_key_is_mine(key) &&
                   (!CORRAL_COUNT_HOLDS || key->state == CORRAL_KEY_READY)
               ? key
               : NULL;
}

/*
 * The slot of the persistent key `id` that is in this state, or NULL: of one that is ready, or
 * reserved for its creation, there is one at most. The caller has the core's lock.
 */
struct corral_key *corral_key_search(psa_key_id_t id, enum corral_key_state state);

/*
 * Take a free slot for a key with these attributes; they are copied into it, without the identifier
 * unless the key is persistent.
 * End with corral_key_publish() or corral_key_free().
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the pool is full, and no key in it can be loaded again; or
 *                                  whoever calls has as many in it as one may have
 */
psa_status_t corral_key_reserve(const psa_key_attributes_t *attributes, struct corral_key **key);

/* Before the first key is made: identifiers go on behind this generation. */
void corral_keys_number_from(uint16_t number);

/* Give a reserved key its identifier: from now on it is found. */
psa_key_id_t corral_key_publish(struct corral_key *key);

/* The same with an identifier that is known. */
void corral_key_publish_as(struct corral_key *key, psa_key_id_t id);

/* The number of the built-in key `id`, and its slot; NULL: the caller has no such key. */
static inline size_t corral_builtin_key_index(psa_key_id_t id)
{
    return (size_t)(id >> 16) & 0xfffu;
}
struct corral_key *corral_builtin_key_slot(psa_key_id_t id);

/* Wipe a reserved slot and give it back to its pool. */
void corral_key_free(struct corral_key *key);

/* The slot at `index`, counted over all pools; NULL beyond the last. */
struct corral_key *corral_key_at(size_t index);

/* Number of holds on all keys together; 0 between calls. For tests. */
unsigned corral_holds(void);

#endif
