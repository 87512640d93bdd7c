/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The secure elements of this board. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.constants of the board's elements.
 */
#ifndef CORRAL_LOCATIONS_H
#define CORRAL_LOCATIONS_H

#include <corral/cast.h>
#include <psa/crypto_types.h>

/* Where keys of secure elements live: psa_key_location_t. */
#define CORRAL_LOCATION_SE0 CORRAL_CAST(psa_key_location_t, 0x800001)
#define CORRAL_LOCATION_SE1 CORRAL_CAST(psa_key_location_t, 0x800002)

/* Those that can keep keys, and their names, each followed by a comma: for arrays. */
#define CORRAL_ELEMENT_LOCATIONS CORRAL_LOCATION_SE0, CORRAL_LOCATION_SE1,
#define CORRAL_ELEMENT_NAMES "SE0", "SE1",

#endif
