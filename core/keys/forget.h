/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of an owner who is gone. */
#ifndef CORRAL_CORE_KEYS_FORGET_H
#define CORRAL_CORE_KEYS_FORGET_H

#include <psa/error.h>

/* Destroy all keys in slots whose owner is corral_owner. Returns the first failure, as of
 * psa_destroy_key(): such a key is still there, the others are not. */
psa_status_t corral_keys_forget(void);

#endif
