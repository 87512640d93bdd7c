/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where keys may be on a board: place 0 is local memory, the others its elements. Programs print
 * the status of each step with its place.
 */
#ifndef PLACES_H
#define PLACES_H

#include <stdio.h>

#include <corral/locations.h>
#include <psa/crypto.h>

#include "../../core/keys/pool.h"
#include "../harness/attributes.h"

static const char *const names[] = {"local", CORRAL_ELEMENT_NAMES};
static const psa_key_location_t locations[] = {PSA_KEY_LOCATION_LOCAL_STORAGE,
                                               CORRAL_ELEMENT_LOCATIONS};
#define COUNT (sizeof locations / sizeof locations[0])

static inline void report(size_t place, const char *step, psa_status_t status)
{
    printf("step %s %s %d\n", names[place], step, (int)status);
}

/* `difference`: the result of memcmp() for a text from this place. */
static inline void report_text(size_t place, int difference)
{
    printf("text %s %d\n", names[place], difference);
}

static inline psa_key_attributes_t attributes_at(size_t place, psa_key_type_t type, size_t bits,
                                                 psa_algorithm_t alg, psa_key_usage_t usage)
{
    return volatile_at(locations[place], type, bits, alg, usage);
}

/* Call use() for each place in turn, and tell what is held at the end. Returns what main() does. */
static inline int at_each_place(void (*use)(size_t place))
{
    if (psa_crypto_init() != PSA_SUCCESS) {
        return 1;
    }
    for (size_t place = 0; place < COUNT; place++) {
        use(place);
    }
    printf("holds %u\n", corral_holds());
    return 0;
}

#endif
