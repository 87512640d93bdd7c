/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who agrees on shared secrets. Call with key pairs only. Generated from apps/ecdsa, board native
 * and each driver.json.
 */
#ifndef CORRAL_DISPATCH_AGREEMENT_H
#define CORRAL_DISPATCH_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

static inline psa_status_t
corral_dispatch_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                              const uint8_t *key_buffer, size_t key_buffer_size,
                              const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                              size_t output_size, size_t *output_length)
{
    (void)alg;
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)peer_key;
    (void)peer_key_length;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
