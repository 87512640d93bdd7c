/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_INIT_H
#define CORRAL_CORE_INIT_H

#include <stdbool.h>

/* True once psa_crypto_init() has succeeded. Creating keys and drawing random bytes need it. */
extern bool corral_initialised;

#endif
