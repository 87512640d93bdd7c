/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_RANDOM_GENERATOR_H
#define CORRAL_CORE_RANDOM_GENERATOR_H

#include <psa/error.h>

/*
 * Instantiate the generator with fresh entropy (psa_crypto_init() does, once), after the start-up
 * test of each source. The generator does the same by itself when no source is left, and when its
 * memory has been copied (HAS_PROCESSES), before it gives out a byte.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no entropy source, or none is healthy
 */
psa_status_t corral_random_seed(void);

#endif
