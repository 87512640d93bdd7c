/* SPDX-License-Identifier: Apache-2.0 */
/* PSA Crypto API 1.5 (IHI 0086).
 *
 * Section numbers in these headers are those of the specification. Unless a comment says otherwise:
 *  - a pointer may be NULL only where its length is zero;
 *  - input and output buffers may overlap: the result is as if the inputs had been copied first;
 *  - "room needed" is always sufficient; the output may be shorter;
 *  - on failure a length that the function writes is 0, an identifier is PSA_KEY_ID_NULL, and an
 *    output buffer holds nothing secret.
 *
 * Some statuses mean the same for every function. Comments below refer to them by name:
 *  library  PSA_ERROR_BAD_STATE: psa_crypto_init() has not succeeded;
 *  device   PSA_ERROR_INSUFFICIENT_MEMORY: no key slot, or no working memory, is free;
 *           PSA_ERROR_COMMUNICATION_FAILURE: the secure element did not answer;
 *           PSA_ERROR_CORRUPTION_DETECTED: tampering or memory corruption;
 *  storage  PSA_ERROR_STORAGE_FAILURE: a persistent key could not be read or written;
 *           PSA_ERROR_DATA_CORRUPT, PSA_ERROR_DATA_INVALID: its record is damaged or unknown.
 *
 * An operation object is inactive, active, or in the error state (section 3.3.2). A call that fails
 * on an active one puts it into the error state, and then only its abort function helps. A setup
 * that fails leaves it as it was, and so does a call on an inactive one, PSA_ERROR_BAD_STATE.
 * A call that ends an operation with success makes it inactive.
 */
#ifndef PSA_CRYPTO_H
#define PSA_CRYPTO_H

#include "crypto_families.h"
#include "crypto_operations.h"

#include <corral/unwanted.h>

#endif
