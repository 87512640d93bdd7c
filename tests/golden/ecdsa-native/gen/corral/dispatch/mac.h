/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who computes MACs. Call only with an algorithm and a type of key for which corral_mac_length() is
 * not 0. Generated from apps/ecdsa, board native and each driver.json.
 */
#ifndef CORRAL_DISPATCH_MAC_H
#define CORRAL_DISPATCH_MAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/mac.h>
#include <psa/crypto.h>

/* Bytes of an untruncated MAC; 0: this build does not compute it with such a key. */
static inline size_t corral_mac_length(psa_algorithm_t alg, psa_key_type_t type)
{
    (void)alg;
    (void)type;
    return 0;
}

static inline psa_status_t corral_dispatch_mac_setup(corral_mac_context_t *context,
                                                     const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)context;
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_mac_update(corral_mac_context_t *context,
                                                      const uint8_t *input, size_t input_length)
{
    (void)context;
    (void)input;
    (void)input_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_mac_finish(corral_mac_context_t *context, uint8_t *mac,
                                                      size_t mac_size, size_t *mac_length)
{
    (void)context;
    (void)mac;
    (void)mac_size;
    (void)mac_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline void corral_dispatch_mac_abort(corral_mac_context_t *context)
{
    (void)context;
}

static inline psa_status_t
corral_dispatch_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                            size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                            size_t input_length, uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)input;
    (void)input_length;
    (void)mac;
    (void)mac_size;
    (void)mac_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_mac_verify(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, psa_algorithm_t alg,
                                                      const uint8_t *input, size_t input_length,
                                                      const uint8_t *mac, size_t mac_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)input;
    (void)input_length;
    (void)mac;
    (void)mac_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
