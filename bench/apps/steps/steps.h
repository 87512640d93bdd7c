/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operations that are measured. Each takes the location of its key; 0 is local memory.
 * Attributes are set only as far as the operation needs, so that the compiler sees what an
 * application would write. Keys are not destroyed.
 */
#ifndef BENCH_STEPS_H
#define BENCH_STEPS_H

#include <corral/board.h>
#include <psa/crypto.h>

#define TEXT_SIZE 32

/* Where the keys are: the command line of a measurement says so when it is an element. */
#ifndef BENCH_LOCATION
#define BENCH_LOCATION PSA_KEY_LOCATION_LOCAL_STORAGE
#endif

static const uint8_t bench_bytes[TEXT_SIZE + 1] = "Corral keeps every key in place.";

static inline void bench_place(psa_key_attributes_t *attributes, psa_key_location_t location)
{
    if (location != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        psa_set_key_lifetime(attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                             PSA_KEY_PERSISTENCE_VOLATILE, location));
    }
}

/* Say how it went, as the exit status of a program. */
static inline int bench_end(psa_status_t status)
{
    corral_board_print(status == PSA_SUCCESS ? "bench: pass\n" : "bench: FAIL\n");
    return status == PSA_SUCCESS ? 0 : 1;
}

#endif
