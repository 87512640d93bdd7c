/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key slots: where keys live while they can be used.
 *
 * Three pools, so that a small key does not occupy room for a large one: single keys (symmetric
 * keys, raw data, public keys), key pairs (private key, and the public key if the driver gave it
 * at generation), protected keys (the context by which a secure element's driver finds its key).
 * The identifier of a volatile key says where it is: 0x40000000, pool (2 bits), index (12 bits),
 * generation (16 bits). Looking one up is an index and a comparison, whatever the number of keys.
 * The fourth pool has the built-in keys (builtin.h), whose generation is always 0.
 *
 * A slot is held while a call uses it; destroying a key that another thread holds takes effect when
 * the last hold is given back. In a build for one thread nobody else can destroy the key during a
 * call, and holds cost nothing, unless persistent keys have to make room for each other.
 */
#ifndef CORRAL_CORE_KEYS_POOL_H
#define CORRAL_CORE_KEYS_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/bindings.h>
#include <corral/config.h>
#include <psa/crypto.h>

enum corral_key_state {
    CORRAL_KEY_FREE = 0,
    CORRAL_KEY_RESERVED, /* being created or destroyed: not found by its identifier */
    CORRAL_KEY_READY,
    CORRAL_KEY_DYING, /* destroyed; freed by the last one who holds it */
};

/* Whether holds are counted: who is alone loses no key that it uses, unless keys come and go. */
#define CORRAL_COUNT_HOLDS (CORRAL_THREADS || CORRAL_PERSISTENT_KEYS)

/*
 * What every slot begins with; the key's bytes follow at once.
 *
 * No two keys that have had one identifier have one number, as far as an operation can tell. Of a
 * volatile key it says how often the generations had gone round when it was created, so together
 * they count 2^48 creations. A persistent key's was stored with it (persistent.h), and so comes
 * back with it. Where records are sealed, the second word is from the seal: a record that somebody
 * else has put in the place of another is not taken for it. A built-in key is never another one.
 */
struct corral_key {
    psa_key_attributes_t attributes; /* while somebody holds the key, nobody changes them */
    struct corral_key_number number;
    uint16_t length;       /* bytes of key data: of the private key, of a context */
    uint8_t public_length; /* bytes of the public key behind a private one, or 0 */
    uint8_t holds;
    uint8_t state; /* enum corral_key_state */
};

static inline uint8_t *corral_key_data(struct corral_key *key)
{
    return (uint8_t *)(key + 1);
}

static inline psa_key_location_t corral_attributes_location(const psa_key_attributes_t *attributes)
{
    return PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime);
}

/* True when the key's bytes are in this memory, false when an element keeps the key. */
static inline bool corral_attributes_are_local(const psa_key_attributes_t *attributes)
{
    return CORRAL_ELEMENT_COUNT == 0 ||
           corral_attributes_location(attributes) == PSA_KEY_LOCATION_LOCAL_STORAGE;
}

/*
 * Find the key `id` and hold it. Whoever succeeds calls corral_key_release() exactly once.
 *   PSA_ERROR_INVALID_HANDLE       no such key, or not any more; *key is not written
 *   PSA_ERROR_INSUFFICIENT_MEMORY  more calls use the key at once than can be counted (255)
 */
psa_status_t corral_key_hold(psa_key_id_t id, struct corral_key **key);

/* What an operation remembers of a key that it holds while it is set up. */
static inline struct corral_bound_key corral_key_bind(const struct corral_key *key)
{
    const struct corral_bound_key bound = {key->attributes.id, key->number};

    return bound;
}

/*
 * corral_key_hold() for an operation that goes on with its key, after purging and loading it, too.
 *   PSA_ERROR_BAD_STATE  the key was destroyed, whoever has its identifier now; any other failure
 *                        is that of corral_key_hold()
 */
psa_status_t corral_key_hold_again(const struct corral_bound_key *bound, struct corral_key **key);

/*
 * corral_key_hold(), and check that the key's policy permits `usage` with `alg`.
 *   PSA_ERROR_NOT_PERMITTED  it does not; nothing is held
 */
psa_status_t corral_key_hold_for(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                                 struct corral_key **key);

/* The part of corral_key_release() that a build needs where holds are counted. */
void corral_key_unhold(struct corral_key *key);

static inline void corral_key_release(struct corral_key *key)
{
    if (CORRAL_COUNT_HOLDS) {
        corral_key_unhold(key);
    }
}

/*
 * Take a free slot for a key with these attributes; they are copied into it, without the identifier
 * unless the key is persistent.
 * End with corral_key_publish() or corral_key_free().
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the pool is full
 */
psa_status_t corral_key_reserve(const psa_key_attributes_t *attributes, struct corral_key **key);

/* Bytes of key data that the slots of each pool have room for. */
#define CORRAL_SINGLE_SLOT_SIZE CORRAL_SINGLE_KEY_MAX_SIZE
#define CORRAL_PAIR_SLOT_SIZE                                                                      \
    (CORRAL_PAIR_PRIVATE_MAX_SIZE + (CORRAL_CACHE_PUBLIC_KEY ? CORRAL_CACHED_KEY_MAX_SIZE : 0))
#define CORRAL_PROTECTED_SLOT_SIZE CORRAL_PROTECTED_KEY_MAX_SIZE

/* Bytes of key data that a slot for a key with these attributes has room for. */
static inline size_t corral_key_capacity(const psa_key_attributes_t *attributes)
{
    if (!corral_attributes_are_local(attributes)) {
        return CORRAL_PROTECTED_SLOT_SIZE;
    }
    return CORRAL_KEY_PAIR_SLOTS > 0 && PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type)
               ? CORRAL_PAIR_SLOT_SIZE
               : CORRAL_SINGLE_SLOT_SIZE;
}

/* Give a reserved key its identifier: from now on it is found. */
psa_key_id_t corral_key_publish(struct corral_key *key);

/* The same with an identifier that is known. */
void corral_key_publish_as(struct corral_key *key, psa_key_id_t id);

/* The number of the built-in key `id`, and its slot; NULL: there is no such key. */
static inline size_t corral_builtin_key_index(psa_key_id_t id)
{
    return (size_t)(id >> 16) & 0xfffu;
}
struct corral_key *corral_builtin_key_slot(psa_key_id_t id);

/* Wipe a reserved slot and give it back to its pool. */
void corral_key_free(struct corral_key *key);

/*
 * Begin to destroy a key: it is held by the caller and no longer found by anybody else.
 * End with corral_key_free_held(), or with corral_key_revive() if the element kept its key.
 *   PSA_ERROR_INVALID_HANDLE  no such key
 */
psa_status_t corral_key_withdraw(psa_key_id_t id, struct corral_key **key);
void corral_key_free_held(struct corral_key *key);
void corral_key_revive(struct corral_key *key, psa_key_id_t id);

/* The slot at `index`, counted over all pools; NULL beyond the last. */
struct corral_key *corral_key_at(size_t index);

/* Number of holds on all keys together; 0 between calls. For tests. */
unsigned corral_holds(void);

#endif
