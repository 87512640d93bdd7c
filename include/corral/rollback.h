/* SPDX-License-Identifier: Apache-2.0 */
/* Recovery of a storage that is not in its last state (CORRAL_ROLLBACK_DETECTION). */
#ifndef CORRAL_ROLLBACK_H
#define CORRAL_ROLLBACK_H

#include <corral/config.h>
#include <psa/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Accept persistent keys and protected storage in their present state. While they are not,
 * psa_crypto_init() is PSA_ERROR_DATA_CORRUPT. Call this only when whoever may decide it has
 * decided it (after servicing, before erasing all keys), and psa_crypto_init() after it: keys
 * that were destroyed may be there again, and changed entries may be as they were earlier.
 *   PSA_ERROR_NOT_SUPPORTED    this build does not detect it
 *   PSA_ERROR_STORAGE_FAILURE  the storage cannot be read or written; nothing is decided
 *   any failure of corral_port_counter_read() or corral_port_counter_advance(), likewise
 */
#if CORRAL_ROLLBACK_DETECTION
psa_status_t corral_rollback_accept(void);
#else
static inline psa_status_t corral_rollback_accept(void)
{
    return PSA_ERROR_NOT_SUPPORTED;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
