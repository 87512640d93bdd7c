/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent keys (PSA Crypto 1.5, 9.6.2): in the storage under the application's identifier, in a
 * slot while they are used. With PSA_KEY_USAGE_CACHE they stay in their slot until it is needed or
 * the key is purged.
 */
#ifndef CORRAL_CORE_KEYS_PERSISTENT_H
#define CORRAL_CORE_KEYS_PERSISTENT_H

#include "key.h"

/*
 * corral_key_hold() of a persistent key: from its slot, or loaded into one.
 *   PSA_ERROR_BAD_STATE            psa_crypto_init() has not succeeded yet
 *   PSA_ERROR_INVALID_HANDLE       there is no such key
 *   PSA_ERROR_INSUFFICIENT_MEMORY  no slot is free for it
 *   PSA_ERROR_DATA_INVALID, PSA_ERROR_DATA_CORRUPT, PSA_ERROR_STORAGE_FAILURE
 */
psa_status_t corral_persistent_hold(psa_key_id_t id, struct corral_key **key);

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

/* psa_destroy_key() and psa_purge_key() of persistent keys; PSA_ERROR_BAD_STATE as above. */
psa_status_t corral_persistent_destroy(psa_key_id_t id);
psa_status_t corral_persistent_purge(psa_key_id_t id);

/*
 * Finish what a power cut has interrupted, and tell the elements' drivers of their stored keys.
 *   PSA_ERROR_STORAGE_FAILURE  the storage cannot be used
 *   PSA_ERROR_DATA_CORRUPT     it is not as it was left (storage/rollback.h)
 */
psa_status_t corral_persistent_recover(void);

#endif
