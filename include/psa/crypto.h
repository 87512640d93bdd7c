/* SPDX-License-Identifier: Apache-2.0 */
/* PSA Certified Crypto API 1.5 (IHI 0086).
 *
 * Section numbers in these headers are those of the specification. Unless a comment says otherwise:
 *  - a pointer may be NULL only where its length is zero;
 *  - input and output buffers may overlap: the result is as if the inputs had been copied first;
 *  - on failure a length that the function writes is 0, an identifier is PSA_KEY_ID_NULL, and an
 *    output buffer holds nothing secret.
 */
#ifndef PSA_CRYPTO_H
#define PSA_CRYPTO_H

#include "crypto_families.h"
#include "crypto_operations.h"

#endif
