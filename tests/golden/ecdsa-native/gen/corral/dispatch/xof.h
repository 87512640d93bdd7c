/* SPDX-License-Identifier: Apache-2.0 */
/* Who computes extendable output. Generated from apps/ecdsa, board native and each driver.json. */
#ifndef CORRAL_DISPATCH_XOF_H
#define CORRAL_DISPATCH_XOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/xof.h>
#include <psa/crypto.h>

static inline psa_status_t corral_dispatch_xof_setup(corral_xof_context_t *context,
                                                     psa_algorithm_t alg)
{
    (void)context;
    (void)alg;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_xof_set_context(corral_xof_context_t *context,
                                                           const uint8_t *value,
                                                           size_t value_length)
{
    (void)context;
    (void)value;
    (void)value_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_xof_update(corral_xof_context_t *context,
                                                      const uint8_t *input, size_t input_length)
{
    (void)context;
    (void)input;
    (void)input_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_xof_output(corral_xof_context_t *context,
                                                      uint8_t *output, size_t output_length)
{
    (void)context;
    (void)output;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline void corral_dispatch_xof_abort(corral_xof_context_t *context)
{
    (void)context;
}

#endif
