/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes (section 10.14.1). */
#ifndef PSA_CRYPTO_RANDOM_H
#define PSA_CRYPTO_RANDOM_H

#include "crypto_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills output with output_size random bytes, fit for keys. Never use output after a failure: it
 * may be anything. Section 10.14.1.
 *   PSA_ERROR_NOT_SUPPORTED         the build has no random generator
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  the generator had to be reseeded, and the entropy source could
 *                                   not do it
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_generate_random(uint8_t *output, size_t output_size);

#ifdef __cplusplus
}
#endif

#endif
