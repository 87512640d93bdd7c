/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_ATTRIBUTES_H
#define TEST_ATTRIBUTES_H

#include <psa/crypto.h>

/* Attributes of a volatile key at a location. */
static inline psa_key_attributes_t volatile_at(psa_key_location_t location, psa_key_type_t type,
                                               size_t bits, psa_algorithm_t alg,
                                               psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, location));
    return attributes;
}

#endif
