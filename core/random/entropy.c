/* SPDX-License-Identifier: Apache-2.0 */
#include "entropy.h"

/* Samples of one window of the proportion test, as SP 800-90B sets it for non-binary sources. */
#define WINDOW_LENGTH 512u

/*
 * Cutoffs by claimed bits per sample, 1 to 8, for a false alarm rate of 2^-40: 1,024 samples are
 * judged at each start, and a device shall not fail to start now and then.
 * Repetition (4.4.1): 1 + ceil(40 / H). Proportion (4.4.2): 1 + critbinom(512, 2^-H, 1 - 2^-40).
 */
static const uint8_t repetition_cutoff[8] = {41, 21, 15, 11, 9, 8, 7, 6};
static const uint16_t proportion_cutoff[8] = {336, 201, 123, 78, 51, 35, 26, 19};

static bool repetition_is_plausible(struct corral_entropy_health *health, uint8_t sample,
                                    unsigned bits_per_sample)
{
    if (sample != health->last_sample) {
        health->last_sample = sample;
        health->repetitions = 0;
    }
    health->repetitions++; /* the first sample counts from 0, whatever came "before" it */
    return health->repetitions < repetition_cutoff[bits_per_sample - 1];
}

static bool proportion_is_plausible(struct corral_entropy_health *health, uint8_t sample,
                                    unsigned bits_per_sample)
{
    if (health->window_length == 0) {
        health->window_sample = sample;
        health->window_count = 0;
    }
    if (sample == health->window_sample) {
        health->window_count++;
    }
    health->window_length = (uint16_t)((health->window_length + 1u) % WINDOW_LENGTH);
    return health->window_count < proportion_cutoff[bits_per_sample - 1];
}

bool corral_entropy_is_healthy(struct corral_entropy_health *health, const uint8_t *samples,
                               size_t size, unsigned bits_per_sample)
{
    for (size_t i = 0; i < size; i++) {
        if (!repetition_is_plausible(health, samples[i], bits_per_sample) ||
            !proportion_is_plausible(health, samples[i], bits_per_sample)) {
            return false;
        }
    }
    return true;
}
