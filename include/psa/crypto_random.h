/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes (section 10.14.1). */
#ifndef PSA_CRYPTO_RANDOM_H
#define PSA_CRYPTO_RANDOM_H

#include "crypto_types.h"

#ifdef __cplusplus
extern "C" {
#endif

psa_status_t psa_generate_random(uint8_t *output, size_t output_size);

#ifdef __cplusplus
}
#endif

#endif
