/* SPDX-License-Identifier: Apache-2.0 */
/* Mbed TLS includes its header of constants by this name. Ours come with psa/crypto.h. */
#ifndef PSA_CRYPTO_VALUES_H
#define PSA_CRYPTO_VALUES_H

#include "../corral_mbedtls.h"

#endif
