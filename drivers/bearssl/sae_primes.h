/* SPDX-License-Identifier: Apache-2.0 */
/* The primes of the groups that WPA3-SAE is done in, big-endian. */
#ifndef BEARSSL_SAE_PRIMES_H
#define BEARSSL_SAE_PRIMES_H

#include <stdint.h>

extern const uint8_t bearssl_driver_sae_prime_256[32];
extern const uint8_t bearssl_driver_sae_prime_384[48];
extern const uint8_t bearssl_driver_sae_prime_521[66];
extern const uint8_t bearssl_driver_sae_prime_3072[384];
extern const uint8_t bearssl_driver_sae_prime_4096[512];

#endif
