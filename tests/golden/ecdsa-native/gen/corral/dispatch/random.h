/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who generates random bytes. Generated from a configuration, board native and each driver.json.
 * Made by corral.generate.randomness of the rows of family random in dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_RANDOM_H
#define CORRAL_DISPATCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/random.h>
#include <corral/port.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

#include <corral/drivers/mbedtls/entry_points.h>

/* No driver of this build serves these. */
#define corral_dispatch_init_random(...) CORRAL_UNSERVED_1(__VA_ARGS__)

/* Bytes of full entropy that the generator needs before its first use, and to reseed. */
#define CORRAL_RANDOM_INITIAL_ENTROPY_SIZE 48
#define CORRAL_RANDOM_RESEED_ENTROPY_SIZE 32

#define CORRAL_ENTROPY_SOURCE_COUNT 1

/* Source 0 is the port's own, the others are those that the board lists. */
static inline psa_status_t corral_dispatch_read_entropy(size_t source, uint8_t *output, size_t size,
                                                        size_t *estimate_bits)
{
    (void)source;
    return corral_port_entropy(output, size, estimate_bits);
}

static inline psa_status_t corral_dispatch_add_entropy(corral_random_context_t *context,
                                                       const uint8_t *entropy, size_t entropy_size)
{
    return mbedtls_driver_add_entropy(&context->as.mbedtls_driver_random_context, entropy,
                                      entropy_size);
}

static inline psa_status_t corral_dispatch_get_random(corral_random_context_t *context,
                                                      uint8_t *output, size_t output_size,
                                                      size_t *output_length)
{
    return mbedtls_driver_get_random(&context->as.mbedtls_driver_random_context, output,
                                     output_size, output_length);
}

#endif
