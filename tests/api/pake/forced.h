/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers of the test's choice: the linker redirects corral_random()
 * (-Wl,--wrap=corral_random).
 */
#ifndef FORCED_H
#define FORCED_H

#include <stddef.h>
#include <stdint.h>

/* The next request for `size` bytes gets these; later requests are drawn as usual. */
void test_force_random(const uint8_t *data, size_t size);
/* The same for so many requests; their bytes lie one behind the other. */
void test_force_randoms(const uint8_t *data, size_t size, size_t count);
/* How many of these are still to come. */
size_t test_forced_left(void);

#endif
