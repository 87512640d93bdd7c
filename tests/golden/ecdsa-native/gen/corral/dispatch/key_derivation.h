/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who derives keys. Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.derivation of the rows of family key_derivation in dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_KEY_DERIVATION_H
#define CORRAL_DISPATCH_KEY_DERIVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/key_derivation.h>
#include <corral/derivation.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_key_derivation_setup(...) CORRAL_UNSERVED_4(__VA_ARGS__)
#define corral_dispatch_key_derivation_output_bytes(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_key_derivation_abort(...) CORRAL_UNSERVED_ABORT(__VA_ARGS__)

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

#endif
