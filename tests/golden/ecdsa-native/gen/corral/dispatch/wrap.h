/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who wraps keys. Call with a key of a block cipher. Generated from apps/ecdsa, board native and
 * each driver.json.
 */
#ifndef CORRAL_DISPATCH_WRAP_H
#define CORRAL_DISPATCH_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

static inline psa_status_t corral_dispatch_wrap_key(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, psa_algorithm_t alg,
                                                    const uint8_t *data, size_t data_length,
                                                    uint8_t *wrapped, size_t wrapped_size,
                                                    size_t *wrapped_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)data;
    (void)data_length;
    (void)wrapped;
    (void)wrapped_size;
    (void)wrapped_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_unwrap_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, psa_algorithm_t alg,
                                                      const uint8_t *wrapped, size_t wrapped_length,
                                                      uint8_t *data, size_t data_size,
                                                      size_t *data_length)
{
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)alg;
    (void)wrapped;
    (void)wrapped_length;
    (void)data;
    (void)data_size;
    (void)data_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
