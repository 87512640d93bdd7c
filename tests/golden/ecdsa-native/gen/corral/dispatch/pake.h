/* SPDX-License-Identifier: Apache-2.0 */
/* Who exchanges keys by passwords. Generated from apps/ecdsa, board native and each driver.json. */
#ifndef CORRAL_DISPATCH_PAKE_H
#define CORRAL_DISPATCH_PAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/pake.h>
#include <corral/pake.h>
#include <psa/crypto.h>

/* Whether this build does the key exchange `alg` in any group. */
static inline bool corral_pake_supported(psa_algorithm_t alg)
{
    (void)alg;
    return false;
}

static inline psa_status_t corral_dispatch_pake_setup(corral_pake_context_t *context,
                                                      const psa_crypto_driver_pake_inputs_t *inputs)
{
    (void)context;
    (void)inputs;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_pake_output(
    corral_pake_context_t *context, const psa_crypto_driver_pake_inputs_t *inputs,
    psa_crypto_driver_pake_step_t step, uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)context;
    (void)inputs;
    (void)step;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_pake_input(corral_pake_context_t *context,
                                                      const psa_crypto_driver_pake_inputs_t *inputs,
                                                      psa_crypto_driver_pake_step_t step,
                                                      const uint8_t *input, size_t input_length)
{
    (void)context;
    (void)inputs;
    (void)step;
    (void)input;
    (void)input_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t
corral_dispatch_pake_get_implicit_key(corral_pake_context_t *context,
                                      const psa_crypto_driver_pake_inputs_t *inputs,
                                      uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)context;
    (void)inputs;
    (void)output;
    (void)output_size;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline void corral_dispatch_pake_abort(corral_pake_context_t *context)
{
    (void)context;
}

#endif
