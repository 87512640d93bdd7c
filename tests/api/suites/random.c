/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes, and an entropy source that fails (PSA Crypto 1.5, 10.14). */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"

static void generate_random__every_size__fills_the_buffer_and_no_more(void)
{
    for (size_t size = 0; size <= 300; size++) {
        uint8_t *output = test_buffer(size);
        EXPECT(PSA_SUCCESS, psa_generate_random(output, size));
        /* Twenty equal bytes in a row are no accident. */
        CHECK(size < 20 || !test_all(output, size, output[0]));
        test_free_buffers();
    }
    EXPECT(PSA_SUCCESS, psa_generate_random(NULL, 0));
}

static void generate_random__large_request__is_met(void)
{
    static uint8_t output[5000];

    memset(output, 0, sizeof output);
    EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
    for (size_t at = 0; at + 50 <= sizeof output; at += 50) {
        CHECK(!test_all(output + at, 50, 0));
    }
}

static void generate_random__two_requests__differ(void)
{
    uint8_t a[32];
    uint8_t b[32];

    EXPECT(PSA_SUCCESS, psa_generate_random(a, sizeof a));
    EXPECT(PSA_SUCCESS, psa_generate_random(b, sizeof b));
    CHECK(memcmp(a, b, sizeof a) != 0);
}

static void generate_random__bits__are_balanced(void)
{
    uint8_t output[2000];
    unsigned ones = 0;

    NEED(psa_generate_random(output, sizeof output));
    for (size_t i = 0; i < sizeof output; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            ones += (unsigned)(output[i] >> bit) & 1u;
        }
    }
    /* 16,000 draws: mean 8,000, standard deviation 63; ten of them. */
    CHECK(ones > 7370 && ones < 8630);
}

static void generate_random__source_fails__gives_nothing_until_it_recovers(void)
{
    const enum test_entropy failures[] = {TEST_ENTROPY_ABSENT, TEST_ENTROPY_STUCK,
                                          TEST_ENTROPY_POOR, TEST_ENTROPY_EXCESSIVE};

    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        uint8_t *output = test_buffer(40);
        test_context("failure", i);
        test_entropy_mode(failures[i]);
        for (unsigned again = 0; again < 3; again++) {
            memset(output, 0xa5, 40);
            EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output, 40));
            CHECK(test_all(output, 40, 0));
        }
        /* Initialisation has succeeded once: it goes on doing so. */
        EXPECT(PSA_SUCCESS, psa_crypto_init());
        test_entropy_mode(TEST_ENTROPY_GOOD);
        EXPECT(PSA_SUCCESS, psa_generate_random(output, 40));
        CHECK(!test_all(output, 40, output[0]));
    }
}

static void generate_random__interval_over__asks_the_source_again(void)
{
    uint8_t output[4];
    const unsigned before = test_entropy_calls();

    /* The configuration of this test reseeds with each request. */
    for (unsigned i = 0; i < 5; i++) {
        EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
    }
    CHECK(test_entropy_calls() >= before + 5);
}

/* One start-up test after a failure, however small what is asked for: 1,024 bytes of the source. */
static void generate_random__after_a_failure__tests_the_source_from_the_start(void)
{
    uint8_t output[4];

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output, sizeof output));
    test_entropy_mode(TEST_ENTROPY_LATE);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output, sizeof output));
    CHECK(test_all(output, sizeof output, 0));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
}

/* Five equal bytes are healthy: those that a source gave before it failed do not count. */
static void generate_random__after_a_failure__counts_repetitions_anew(void)
{
    uint8_t output[4];

    test_entropy_mode(TEST_ENTROPY_STUCK);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output, sizeof output));
    test_entropy_mode(TEST_ENTROPY_EARLY);
    EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
    test_entropy_mode(TEST_ENTROPY_GOOD);
}

/* The same entropy twice, as from a source that an attacker knows: the second time there is
 * more. */
static void generate_random__after_a_failure__depends_on_what_was_before(void)
{
    uint8_t output[2][32];

    for (size_t i = 0; i < 2; i++) {
        test_entropy_mode(TEST_ENTROPY_ABSENT);
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output[i], 32));
        test_entropy_mode(TEST_ENTROPY_GOOD);
        test_entropy_seed(7);
        EXPECT(PSA_SUCCESS, psa_generate_random(output[i], 32));
    }
    CHECK(memcmp(output[0], output[1], 32) != 0);
}

static const struct test_case tests[] = {
    TEST(generate_random__every_size__fills_the_buffer_and_no_more),
    TEST(generate_random__large_request__is_met),
    TEST(generate_random__two_requests__differ),
    TEST(generate_random__bits__are_balanced),
    TEST(generate_random__source_fails__gives_nothing_until_it_recovers),
    TEST(generate_random__interval_over__asks_the_source_again),
    TEST(generate_random__after_a_failure__tests_the_source_from_the_start),
    TEST(generate_random__after_a_failure__counts_repetitions_anew),
    TEST(generate_random__after_a_failure__depends_on_what_was_before),
};

TEST_SUITE(random, tests);
