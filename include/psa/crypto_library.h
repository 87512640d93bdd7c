/* SPDX-License-Identifier: Apache-2.0 */
/* Library management (chapter 8): version, initialisation, status codes only of this API. */
#ifndef PSA_CRYPTO_LIBRARY_H
#define PSA_CRYPTO_LIBRARY_H

#include "crypto_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the specification that these headers follow. */
#define PSA_CRYPTO_API_VERSION_MAJOR 1
#define PSA_CRYPTO_API_VERSION_MINOR 5

/* Not enough entropy for the random data that the operation needs. */
#define PSA_ERROR_INSUFFICIENT_ENTROPY CORRAL_CAST(psa_status_t, -148)

/* Decrypted padding is wrong. Telling an attacker so may reveal the plaintext. */
#define PSA_ERROR_INVALID_PADDING CORRAL_CAST(psa_status_t, -150)

/* Makes the library ready: starts the drivers and the devices, and seeds the random generator.
 * Call it before any other function of this API; calling it again after success does nothing and
 * succeeds. Functions that can do without may work before. If keys are stored, it returns
 * PSA_ERROR_STORAGE_FAILURE for an unreadable storage, and PSA_ERROR_DATA_CORRUPT for one
 * that is not in its last state (corral/salvage.h, corral/rollback.h). Section 8.2.2.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  the entropy source gave too little to seed the generator; try
 *                                   again later
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_crypto_init(void);

#ifdef __cplusplus
}
#endif

#endif
