/* SPDX-License-Identifier: Apache-2.0 */
/* psa/crypto.h of Corral, with names beyond the specification that MCUboot uses. */
#ifndef CORRAL_MCUBOOT_PSA_CRYPTO_H
#define CORRAL_MCUBOOT_PSA_CRYPTO_H

#include_next <psa/crypto.h>

#ifndef PSA_BITS_TO_BYTES
#define PSA_BITS_TO_BYTES(bits) ((size_t)(((bits) + 7) / 8))
#endif

/* MCUboot's source of random bytes for Mbed TLS declares a parameter of this type. */
typedef struct {
    unsigned char unused;
} mbedtls_psa_external_random_context_t;

#endif
