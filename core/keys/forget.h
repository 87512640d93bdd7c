/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of an owner who is gone. */
#ifndef CORRAL_CORE_KEYS_FORGET_H
#define CORRAL_CORE_KEYS_FORGET_H

#include <psa/error.h>

/*
 * Destroy the volatile keys whose owner is corral_owner, and purge its stored ones. Returns the
 * first failure, as of psa_destroy_key(): such a key is found no more, keeps its slot, and counts
 * for its owner. Each later call tries again to remove it, for any client. No function
 * of the API is at work.
 */
psa_status_t corral_keys_forget(void);

#endif
