/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of an owner who is gone. */
#ifndef CORRAL_CORE_KEYS_FORGET_H
#define CORRAL_CORE_KEYS_FORGET_H

#include <psa/error.h>

/* Destroy the volatile keys whose owner is corral_owner, and purge its stored ones. Returns the
 * first failure, as of psa_destroy_key(): such a key is still there, and CORRAL_OWNER_NOBODY's. */
psa_status_t corral_keys_forget(void);

#endif
