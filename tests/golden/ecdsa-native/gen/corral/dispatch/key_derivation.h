/* SPDX-License-Identifier: Apache-2.0 */
/* Who derives keys. Generated from apps/ecdsa, board native and each driver.json. */
#ifndef CORRAL_DISPATCH_KEY_DERIVATION_H
#define CORRAL_DISPATCH_KEY_DERIVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/key_derivation.h>
#include <corral/derivation.h>
#include <psa/crypto.h>

/* Whether this build does the key derivation `alg`. */
static inline bool corral_key_derivation_supported(psa_algorithm_t alg)
{
    (void)alg;
    return false;
}

/* PSA_SUCCESS, or PSA_ERROR_NOT_SUPPORTED: nobody derives from such a key by `alg`. */
static inline psa_status_t
corral_dispatch_key_derivation_takes(const psa_key_attributes_t *attributes, psa_algorithm_t alg)
{
    (void)alg;
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return PSA_SUCCESS;
}

/* Begin with all inputs. attributes: of the secret if it is a key, of no key otherwise. */
static inline psa_status_t
corral_dispatch_key_derivation_setup(corral_key_derivation_context_t *context,
                                     const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    (void)context;
    (void)attributes;
    (void)alg;
    (void)inputs;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t
corral_dispatch_key_derivation_output_bytes(corral_key_derivation_context_t *context,
                                            uint8_t *output, size_t output_length)
{
    (void)context;
    (void)output;
    (void)output_length;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline void corral_dispatch_key_derivation_abort(corral_key_derivation_context_t *context)
{
    (void)context;
}

#endif
