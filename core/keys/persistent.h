/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent keys (PSA Crypto 1.5, 9.6.2): in the storage under the application's identifier, in a
 * slot while they are used. With PSA_KEY_USAGE_CACHE they stay in their slot until it is needed or
 * the key is purged.
 */
#ifndef CORRAL_CORE_KEYS_PERSISTENT_H
#define CORRAL_CORE_KEYS_PERSISTENT_H

#include "builtin.h"
#include "pool.h"

/* Whether an identifier can be that of a persistent key in this build. */
static inline bool corral_id_is_persistent(psa_key_id_t id)
{
    return CORRAL_PERSISTENT_KEYS && id >= PSA_KEY_ID_USER_MIN && id <= PSA_KEY_ID_USER_MAX;
}

static inline bool corral_key_is_persistent(const struct corral_key *key)
{
    return CORRAL_PERSISTENT_KEYS && !PSA_KEY_LIFETIME_IS_VOLATILE(key->attributes.lifetime) &&
           !corral_id_is_builtin(key->attributes.id);
}

/*
 * corral_key_hold_for() of a persistent key: from its slot, or loaded into one.
 *   PSA_ERROR_INVALID_HANDLE       there is no such key
 *   PSA_ERROR_NOT_PERMITTED        its policy does not permit it
 *   PSA_ERROR_INSUFFICIENT_MEMORY  no slot is free for it
 *   PSA_ERROR_DATA_INVALID, PSA_ERROR_DATA_CORRUPT, PSA_ERROR_STORAGE_FAILURE
 */
psa_status_t corral_persistent_hold_for(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                                        struct corral_key **key);

/*
 * corral_key_reserve() for a persistent key, which is given its number.
 *   PSA_ERROR_ALREADY_EXISTS  the identifier is in use, also by a key that is being created
 *   PSA_ERROR_NOT_PERMITTED   read-only persistence: only manufacturing makes such keys
 *   PSA_ERROR_INSUFFICIENT_STORAGE  2^32 numbers have been given, which no flash lives to see
 */
psa_status_t corral_persistent_begin(const psa_key_attributes_t *attributes,
                                     struct corral_key **key);

/* Between allocation in an element and creation there: store the context, so that neither leaks. */
psa_status_t corral_persistent_allocated(struct corral_key *key, size_t context_size);

/* Let the element give up what had been allocated for a key, persistent or not, and forget it. */
void corral_persistent_abandon(struct corral_key *key, size_t context_size);

/* Store and publish the new key, or free its slot if `status` says that creation failed. */
psa_status_t corral_persistent_end(struct corral_key *key, psa_status_t status, psa_key_id_t *id);

/* psa_destroy_key() and psa_purge_key() of persistent keys. */
psa_status_t corral_persistent_destroy(psa_key_id_t id);
psa_status_t corral_persistent_purge(psa_key_id_t id);

/*
 * Free a slot that a key with these attributes could use, by forgetting a persistent key that
 * nobody holds. Called with the core's lock. False: there is none.
 */
bool corral_persistent_evict(const psa_key_attributes_t *attributes);

/* Whether the key leaves its slot when nobody holds it. */
bool corral_persistent_is_transient(const struct corral_key *key);

/*
 * Finish what a power cut has interrupted, and tell the elements' drivers of their stored keys.
 *   PSA_ERROR_STORAGE_FAILURE  the storage cannot be used
 *   PSA_ERROR_DATA_CORRUPT     it is not as it was left (storage/rollback.h)
 */
psa_status_t corral_persistent_recover(void);

#endif
