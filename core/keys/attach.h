/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_KEYS_ATTACH_H
#define CORRAL_CORE_KEYS_ATTACH_H

#include "key.h"

/*
 * Fill a slot with the context of a key that its element holds already. The slot's attributes
 * contain type, location and policy; size and usage flags are set from the element's key.
 *   PSA_ERROR_INVALID_ARGUMENT  not a label of this element, or a key of another type or size
 *   PSA_ERROR_DOES_NOT_EXIST    the element has no key there
 *   PSA_ERROR_NOT_PERMITTED     the key's place has been given to another one
 *   PSA_ERROR_NOT_SUPPORTED     no driver attaches keys of this type
 */
psa_status_t corral_attach(struct corral_key *key, const uint8_t *label, size_t label_length);

#endif
