/* SPDX-License-Identifier: Apache-2.0 */
/* The health tests of NIST SP 800-90B, 4.4, against cutoffs that were computed independently. */
#include <string.h>

#include "../../core/random/entropy.h"
#include "../harness/harness.h"

#define WINDOW 512u

/* By claimed bits 1 to 8, exact arithmetic: 1 + ceil(40 / H); 1 + critbinom(512, 2^-H, 1 - 2^-40).
 */
static const unsigned repetition[8] = {41, 21, 15, 11, 9, 8, 7, 6};
static const unsigned proportion[8] = {336, 201, 123, 78, 51, 35, 26, 19};

static bool feed(struct corral_entropy_health *health, uint8_t sample, unsigned bits)
{
    return corral_entropy_is_healthy(health, &sample, 1, bits);
}

static void repetition__up_to_the_cutoff__is_healthy(void)
{
    for (unsigned bits = 1; bits <= 8; bits++) {
        struct corral_entropy_health health = {0};
        test_context("bits", bits);
        for (unsigned i = 1; i < repetition[bits - 1]; i++) {
            CHECK(feed(&health, 0x42, bits));
        }
        CHECK(!feed(&health, 0x42, bits));
        /* Another sample in between starts the count again. */
        memset(&health, 0, sizeof health);
        for (unsigned i = 1; i < repetition[bits - 1]; i++) {
            CHECK(feed(&health, 0x42, bits));
        }
        CHECK(feed(&health, 0x43, bits));
        CHECK(feed(&health, 0x42, bits));
    }
}

static void repetition__of_zeros_from_the_start__is_counted(void)
{
    struct corral_entropy_health health = {0};

    for (unsigned i = 1; i < repetition[7]; i++) {
        CHECK(feed(&health, 0, 8));
    }
    CHECK(!feed(&health, 0, 8));
}

/* One window with the first sample `count` times, and at most once two of it in a row. */
static bool window_is_healthy(struct corral_entropy_health *health, unsigned count, unsigned bits)
{
    unsigned placed = 0;
    uint8_t other = 1;
    bool is_healthy = true;

    for (unsigned i = 0; i < WINDOW; i++) {
        const unsigned left = WINDOW - i;
        const bool must = count - placed >= left;
        const bool may = placed < count && i % 2 == 0;
        uint8_t sample = 0;
        if (must || may) {
            placed++;
        } else {
            sample = other;
            other = other == 255 ? 1 : (uint8_t)(other + 1);
        }
        is_healthy = feed(health, sample, bits) && is_healthy;
    }
    return is_healthy;
}

static void proportion__up_to_the_cutoff__is_healthy(void)
{
    /* From 2 bits on: with 1 bit the samples would have to repeat to reach 336 of 512. */
    for (unsigned bits = 2; bits <= 8; bits++) {
        struct corral_entropy_health health = {0};
        test_context("bits", bits);
        CHECK(window_is_healthy(&health, proportion[bits - 1] - 1, bits));
        /* The next window counts anew. */
        CHECK(window_is_healthy(&health, proportion[bits - 1] - 1, bits));
        CHECK(!window_is_healthy(&health, proportion[bits - 1], bits));
    }
}

static void proportion__of_one_bit__has_its_cutoff_too(void)
{
    struct corral_entropy_health health = {0};
    unsigned count = 0;
    bool is_healthy = true;

    /* Two of three samples the same: no long repetition, a proportion of 2/3. */
    for (unsigned i = 0; i < WINDOW && is_healthy; i++) {
        const uint8_t sample = i % 3 == 2 ? (uint8_t)(i % 200 + 1) : 0;
        count += sample == 0 ? 1u : 0u;
        is_healthy = feed(&health, sample, 1);
    }
    CHECK(!is_healthy && count == proportion[0]);
}

static void health__fed_in_pieces__judges_the_same(void)
{
    uint8_t samples[64];
    struct corral_entropy_health whole = {0};
    struct corral_entropy_health pieces = {0};

    test_fill(samples, sizeof samples, 1);
    memset(samples + 40, 7, 3);
    CHECK(corral_entropy_is_healthy(&whole, samples, sizeof samples, 8));
    for (size_t i = 0; i < sizeof samples; i++) {
        CHECK(corral_entropy_is_healthy(&pieces, samples + i, 1, 8));
    }
    CHECK(whole.window_length == pieces.window_length);
    CHECK(whole.window_count == pieces.window_count);
    CHECK(whole.repetitions == pieces.repetitions);
    CHECK(corral_entropy_is_healthy(&whole, NULL, 0, 8));
}

static const struct test_case tests[] = {
    TEST(repetition__up_to_the_cutoff__is_healthy),
    TEST(repetition__of_zeros_from_the_start__is_counted),
    TEST(proportion__up_to_the_cutoff__is_healthy),
    TEST(proportion__of_one_bit__has_its_cutoff_too),
    TEST(health__fed_in_pieces__judges_the_same),
};

TEST_SUITE(entropy, tests);
