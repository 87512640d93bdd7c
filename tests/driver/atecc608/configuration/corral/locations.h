/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_LOCATIONS_H
#define CORRAL_LOCATIONS_H

#include <psa/crypto_types.h>

#define CORRAL_ELEMENT_LOCATIONS                                                                   \
    (psa_key_location_t)0x800001, (psa_key_location_t)0x800002, (psa_key_location_t)0x800003,
#define CORRAL_ELEMENT_NAMES "SE0", "SE1", "SE2",

#endif
