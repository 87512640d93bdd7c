/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealed entries (persistent keys and protected storage) that an older image of the storage cannot
 * take the place of, where the board has a counter that only grows (CORRAL_ROLLBACK_DETECTION).
 *
 * One more entry, the manifest, says under the seal what all sealed entries are together, and for
 * which value of the counter. A change writes it first, with the sum before and after; then the
 * entry; then it advances the counter. So a power cut leaves a state that the manifest knows. Each
 * start advances the counter twice, so that nothing else is valid that earlier runs have announced
 * (docs/DESIGN.md, "Older images").
 *
 * Without detection each function is the one of storage/store.h. Each takes a lock of its own.
 */
#ifndef CORRAL_STORAGE_ROLLBACK_H
#define CORRAL_STORAGE_ROLLBACK_H

#include "store.h"

/*
 * Examine the storage, once between two starts, and finish the change that a power cut interrupted.
 * From then on no other state of the storage is accepted.
 *   PSA_ERROR_DATA_CORRUPT  it is not as it was left: older, or entries are missing, or damaged
 *   PSA_ERROR_STORAGE_FAILURE, or a failure of the counter: it cannot be told
 */
psa_status_t corral_rollback_check(void);

/* corral_store_set() and corral_store_remove() of a sealed entry; statuses of the check also. */
psa_status_t corral_rollback_set(enum corral_space space, uint64_t uid, uint8_t flags,
                                 const uint8_t *data, size_t length);
psa_status_t corral_rollback_remove(enum corral_space space, uint64_t uid);

/* Forget what is known of the storage: it is examined again at the next call. For tests. */
void corral_rollback_forget(void);

static inline psa_status_t corral_sealed_check(void)
{
    return CORRAL_ROLLBACK_DETECTION ? corral_rollback_check() : PSA_SUCCESS;
}

static inline psa_status_t corral_sealed_set(enum corral_space space, uint64_t uid, uint8_t flags,
                                             const uint8_t *data, size_t length)
{
    return CORRAL_ROLLBACK_DETECTION ? corral_rollback_set(space, uid, flags, data, length)
                                     : corral_store_set(space, uid, flags, data, length);
}

static inline psa_status_t corral_sealed_remove(enum corral_space space, uint64_t uid)
{
    return CORRAL_ROLLBACK_DETECTION ? corral_rollback_remove(space, uid)
                                     : corral_store_remove(space, uid);
}

#endif
