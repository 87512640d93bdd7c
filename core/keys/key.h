/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key in memory: the common begin of all slots, and functions of its attributes and identifier.
 */
#ifndef CORRAL_CORE_KEYS_KEY_H
#define CORRAL_CORE_KEYS_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/bindings.h>
#include <corral/builtin.h>
#include <corral/config.h>
#include <psa/crypto.h>

enum corral_key_state {
    CORRAL_KEY_FREE = 0,
    CORRAL_KEY_RESERVED, /* being created or destroyed: not found by its identifier */
    CORRAL_KEY_READY,
    CORRAL_KEY_DYING, /* destroyed; freed by the last one who holds it */
};

/* Whether built-in keys of the board itself are there, which are in memory while they are used. */
#define CORRAL_HAS_OWN_KEYS (CORRAL_HARDWARE_KEY || CORRAL_ATTESTATION)

/* Whether holds are counted: a single thread loses no key in use, unless keys are evicted. */
#define CORRAL_COUNT_HOLDS (CORRAL_THREADS || CORRAL_PERSISTENT_KEYS || CORRAL_HAS_OWN_KEYS)

/*
 * The begin of every slot; the key's bytes follow at once.
 *
 * No two keys that have had one identifier have one number, as far as an operation can tell. Of a
 * volatile key it says how often the generations had gone round when it was created, so together
 * they count 2^48 creations. A persistent key's was stored with it (persistent.h), and so comes
 * back with it. If records are sealed, the second word is from the seal: it reveals a record
 * that an attacker has put in the place of another. A built-in key is never another one.
 */
struct corral_key {
    psa_key_attributes_t attributes; /* do not change while the key is held */
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

/*
 * The attributes that a caller hands over, read once: the checked values are those of the
 * key, even if the caller's memory changes. volatile: a compiler must not read it again.
 */
static inline psa_key_attributes_t corral_attributes_of(const psa_key_attributes_t *given)
{
    return *(const volatile psa_key_attributes_t *)given;
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

/* Whether an identifier is in the range of built-in keys; there may be no such key. */
static inline bool corral_id_is_builtin(psa_key_id_t id)
{
    return CORRAL_BUILTIN_KEY_COUNT > 0 && id >= CORRAL_BUILTIN_KEY_FIRST &&
           id <= PSA_KEY_ID_VENDOR_MAX;
}

/*
 * Whether an identifier can be that of a persistent key in this build. A caller of
 * persistent.h tests CORRAL_PERSISTENT_KEYS, too: only then a compiler that does not
 * optimise omits the call, and the linker needs no definition.
 */
static inline bool corral_id_is_persistent(psa_key_id_t id)
{
    return CORRAL_PERSISTENT_KEYS && id >= PSA_KEY_ID_USER_MIN && id <= PSA_KEY_ID_USER_MAX;
}

static inline bool corral_key_is_persistent(const struct corral_key *key)
{
    return CORRAL_PERSISTENT_KEYS && !PSA_KEY_LIFETIME_IS_VOLATILE(key->attributes.lifetime) &&
           !corral_id_is_builtin(key->attributes.id);
}

/* Whether the key leaves its slot when its last hold ends: persistent, and not to be cached. */
static inline bool corral_key_is_transient(const struct corral_key *key)
{
    return corral_key_is_persistent(key) && (key->attributes.usage & PSA_KEY_USAGE_CACHE) == 0;
}

/* Whether the key is one of the board itself, which leaves its slot when its last hold ends. */
static inline bool corral_key_is_own(const struct corral_key *key)
{
    return CORRAL_HAS_OWN_KEYS && corral_id_is_builtin(key->attributes.id) &&
           corral_attributes_are_local(&key->attributes);
}

/*
 * Count one more hold; the caller has the core's lock.
 *   PSA_ERROR_INSUFFICIENT_MEMORY  more calls use the key at once than can be counted (255)
 */
static inline psa_status_t corral_key_count_hold(struct corral_key *key)
{
    if (key->holds == UINT8_MAX) {
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    }
    key->holds++;
    return PSA_SUCCESS;
}

/* A reference of an operation to the key with which it was set up. */
static inline struct corral_bound_key corral_key_bind(const struct corral_key *key)
{
    const struct corral_bound_key bound = {key->attributes.id, key->number};

    return bound;
}

#endif
