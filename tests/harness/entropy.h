/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entropy source that can be made to fail, in the place of the board's own: the linker redirects
 * corral_port_entropy() (-Wl,--wrap=corral_port_entropy). It is a fixed sequence, so that a test
 * does the same in each run: a real source sets off the health tests now and then.
 */
#ifndef TEST_ENTROPY_H
#define TEST_ENTROPY_H

#include <stdint.h>

enum test_entropy {
    TEST_ENTROPY_GOOD,      /* bytes that look random, worth 8 bits each */
    TEST_ENTROPY_ABSENT,    /* INSUFFICIENT_ENTROPY */
    TEST_ENTROPY_STUCK,     /* always the same byte, said to be random */
    TEST_ENTROPY_LATE,      /* random, but six equal bytes end the first 1,024 */
    TEST_ENTROPY_EARLY,     /* random, but the first five bytes are the one of a stuck source */
    TEST_ENTROPY_POOR,      /* random, but said to hold less than a bit a byte */
    TEST_ENTROPY_EXCESSIVE, /* random, but said to hold more than 8 bits a byte */
    TEST_ENTROPY_BOARD      /* the output of the board's own function */
};

/* Choose what the source does from now on. */
void test_entropy_mode(enum test_entropy mode);

/* Begin a sequence of numbers anew: one of its own for each `seed`. */
void test_entropy_seed(uint64_t seed);

/* How often the source has been asked since the program began. */
unsigned test_entropy_calls(void);

#endif
