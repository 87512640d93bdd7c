/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creating a key, whatever its bytes come from: begin, fill the slot, end. Between the two no other
 * call finds the key, and corral_create_end() is called exactly once for each begin that succeeded.
 */
#ifndef CORRAL_CORE_KEYS_CREATE_H
#define CORRAL_CORE_KEYS_CREATE_H

#include <corral/config.h>

#include "key.h"

/* Begin a function that creates a key: on failure *key becomes the null identifier. */
static inline void corral_no_key_yet(psa_key_id_t *key)
{
    if (!CORRAL_LENIENT_KEY_IDS) {
        *key = PSA_KEY_ID_NULL;
    }
}

/*
 * Check the attributes of a new key and reserve a slot for it. They are read once;
 * later code reads the slot's attributes, or a copy (corral_attributes_of()).
 *   PSA_ERROR_BAD_STATE            psa_crypto_init() has not succeeded
 *   PSA_ERROR_INVALID_ARGUMENT     usage flags that do not exist, unknown location, or, of a
 *                                  persistent key, an identifier that is not the application's
 *   PSA_ERROR_NOT_SUPPORTED        persistent keys: this build does not store keys
 *   PSA_ERROR_INSUFFICIENT_MEMORY  all slots of the pool are in use
 */
psa_status_t corral_create_begin(const psa_key_attributes_t *given, struct corral_key **key);

/*
 * Publish the key if `status` is PSA_SUCCESS, free its slot otherwise. Returns `status`.
 *   id  the new key's identifier; after a failure what corral_no_key_yet() left there
 */
psa_status_t corral_create_end(struct corral_key *key, psa_status_t status, psa_key_id_t *id);

/*
 * Fill a slot from key data in the standard format (psa_import_key()), in memory or in the
 * element that the attributes name. On failure the element holds nothing new.
 *   PSA_ERROR_INVALID_ARGUMENT     the data are no key of this type, or of another size than asked
 *   PSA_ERROR_NOT_SUPPORTED        no driver takes such a key, or no slot is that large
 *   PSA_ERROR_INSUFFICIENT_STORAGE, PSA_ERROR_COMMUNICATION_FAILURE  from the element
 */
psa_status_t corral_create_import(struct corral_key *key, const uint8_t *data, size_t data_length);

/*
 * Fill a slot from bytes of a key derivation, as many as the type of key takes.
 *   PSA_ERROR_NOT_SUPPORTED  no driver makes such keys of bytes, or an element is to keep it
 */
psa_status_t corral_create_derive(struct corral_key *key, const uint8_t *data, size_t data_length);

#endif
