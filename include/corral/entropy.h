/* SPDX-License-Identifier: Apache-2.0 */
/* State of the entropy sources of a board that lists several (further_entropy). */
#ifndef CORRAL_ENTROPY_H
#define CORRAL_ENTROPY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Which sources are out, because they did not deliver, claimed what they cannot hold or failed a
 * health test since the generator began: bit 0 for corral_port_entropy(), bit 1 for the first that
 * the board lists, and so on. Random bytes are given out as long as one source is left.
 * The result is always 0 if there is only one source or if the generator needs no seed:
 * a call that needs random bytes then returns an error. Of the program that has the
 * generator: behind a wall, the trusted side's.
 */
uint8_t corral_entropy_failed(void);

#ifdef __cplusplus
}
#endif

#endif
