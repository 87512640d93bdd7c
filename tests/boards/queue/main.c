/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The virtio entropy device, of which each request fails in turn, beside a second source. Requests
 * go through here on their way to the port (by the linker, --wrap), and so does the other source.
 */
#include <string.h>

#include <corral/entropy.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/virtio.h"

psa_status_t __wrap_corral_port_entropy_host(uint8_t *output, size_t size, size_t *estimate_bits);

#define DEVICE 1u /* of corral_entropy_failed() */
#define OTHER 2u

/*
 * How a request fails: no answer; the device reports no written bytes, or more than fit; or it
 * writes little at a time, which is no failure.
 */
enum way { UNANSWERED, UNWRITTEN, TOO_MUCH, LITTLE };

static unsigned asked;
static unsigned failing; /* which request fails; 0: none */
static enum way way;
static bool is_other_bad;

bool __wrap_corral_port_virtio_ask(struct corral_virtio *device, uint16_t queue,
                                   const struct corral_virtio_part *parts, size_t to_read,
                                   size_t to_write)
{
    const bool has_answered =
        __real_corral_port_virtio_ask(device, queue, parts, to_read, to_write);

    asked++;
    if (way == LITTLE) {
        device->written = 5;
    } else if (asked == failing) {
        device->written = way == UNWRITTEN ? 0 : parts[0].length + 1;
        return has_answered && way != UNANSWERED;
    }
    return has_answered;
}

psa_status_t __wrap_corral_port_entropy_host(uint8_t *output, size_t size, size_t *estimate_bits)
{
    static uint32_t state = 1;

    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        output[i] = is_other_bad ? 0x42 : (uint8_t)(state >> 24);
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}

/* Have both sources fail, so that the next draw begins with the start-up tests. */
static void end_generator(void)
{
    uint8_t output[8];

    is_other_bad = true;
    way = UNANSWERED;
    failing = 1;
    asked = 0;
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output, sizeof output));
    is_other_bad = false;
    failing = 0;
    asked = 0;
}

/* Requests of a draw that begins with the start-up test. */
static unsigned requests_of_a_start(void)
{
    uint8_t output[8];

    end_generator();
    NEED(psa_generate_random(output, sizeof output));
    CHECK(corral_entropy_failed() == 0);
    return asked;
}

static void request__that_fails__leaves_what_the_other_source_gives(void)
{
    test_entropy_mode(TEST_ENTROPY_BOARD);
    const unsigned clean = requests_of_a_start();
    CHECK(clean > 20);
    for (unsigned nth = 1; nth <= clean; nth++) {
        for (enum way each = UNANSWERED; each <= TOO_MUCH; each++) {
            uint8_t output[24] = {0};
            test_context("request", nth);
            end_generator();
            failing = nth;
            way = each;
            EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
            CHECK(corral_entropy_failed() == DEVICE && asked == nth);
            CHECK(!test_all(output, sizeof output, 0));
            /* It is not asked again. */
            EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
            CHECK(asked == nth);
        }
    }
}

static void request__that_fails_when_no_other_is_left__gives_nothing(void)
{
    test_entropy_mode(TEST_ENTROPY_BOARD);
    const unsigned clean = requests_of_a_start();
    for (unsigned nth = 1; nth <= clean; nth++) {
        uint8_t output[24];
        test_context("request", nth);
        memset(output, 0xa5, sizeof output);
        end_generator();
        is_other_bad = true;
        failing = nth;
        way = (enum way)(nth % LITTLE);
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output, sizeof output));
        CHECK(corral_entropy_failed() == (DEVICE | OTHER) && asked == nth);
        CHECK(test_all(output, sizeof output, 0));
    }
}

static void device__that_writes_little__is_asked_more_often(void)
{
    uint8_t output[24];

    test_entropy_mode(TEST_ENTROPY_BOARD);
    const unsigned clean = requests_of_a_start();
    end_generator();
    way = LITTLE;
    EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
    way = UNANSWERED;
    CHECK(corral_entropy_failed() == 0 && asked > 5 * clean);
}

static const struct test_case tests[] = {
    TEST(request__that_fails__leaves_what_the_other_source_gives),
    TEST(request__that_fails_when_no_other_is_left__gives_nothing),
    TEST(device__that_writes_little__is_asked_more_often),
};

static TEST_SUITE(queue, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_queue};

    return test_initialise_and_run(suites, 1);
}
