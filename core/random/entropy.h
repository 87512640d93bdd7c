/* SPDX-License-Identifier: Apache-2.0 */
/* Entropy for the generator: the board's raw sources, checked while they are used. */
#ifndef CORRAL_CORE_RANDOM_ENTROPY_H
#define CORRAL_CORE_RANDOM_ENTROPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Samples that the start-up test of NIST SP 800-90B, 4.3, looks at before anything of a source is
 * used: those that the continuous tests below see first. They are thrown away.
 */
#define CORRAL_ENTROPY_START_UP_SAMPLES 1024u

/* Running state of the health tests; all zero at start. One for one source. */
struct corral_entropy_health {
    uint16_t window_length; /* samples seen in the current window of the proportion test */
    uint16_t window_count;  /* of these, equal to the window's first */
    uint8_t window_sample;
    uint8_t last_sample;
    uint8_t repetitions; /* of last_sample in a row; 0 before the first sample */
};

/*
 * Feed `size` bytes of raw source output, one sample a byte, into the two continuous tests of NIST
 * SP 800-90B, 4.4 (repetition count and adaptive proportion, false alarm rate 2^-40).
 *   bits_per_sample  min-entropy claimed for one byte, 1 to 8
 * Returns false when a test fails; the source must then not be trusted any more.
 */
bool corral_entropy_is_healthy(struct corral_entropy_health *health, const uint8_t *samples,
                               size_t size, unsigned bits_per_sample);

#endif
