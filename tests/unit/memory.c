/* SPDX-License-Identifier: Apache-2.0 */
/* Wiping and comparing. */
#include <string.h>

#include <corral/driver.h>

#include "../harness/harness.h"

static void wipe__every_size__clears_exactly_that(void)
{
    for (size_t size = 0; size <= 70; size++) {
        for (size_t at = 0; at < 8; at++) {
            uint8_t *buffer = test_buffer(at + size + 3);
            corral_wipe(buffer + at, size);
            CHECK(test_all(buffer, at, 0xa5) && test_all(buffer + at, size, 0));
            CHECK(test_all(buffer + at + size, 3, 0xa5));
            test_free_buffers();
        }
    }
    corral_wipe(NULL, 0);
}

static void equal__every_size_and_difference__is_told(void)
{
    for (size_t size = 0; size <= 40; size++) {
        uint8_t *a = test_buffer(size);
        uint8_t *b = test_buffer(size);
        CHECK(corral_equal(a, b, size));
        for (size_t at = 0; at < size; at++) {
            for (unsigned bit = 0; bit < 8; bit++) {
                b[at] ^= (uint8_t)(1u << bit);
                CHECK(!corral_equal(a, b, size));
                b[at] ^= (uint8_t)(1u << bit);
            }
        }
        test_free_buffers();
    }
}

static void random__through_the_drivers_door__fills(void)
{
    uint8_t *a = test_buffer(40);
    uint8_t *b = test_buffer(40);

    EXPECT(PSA_SUCCESS, corral_random(a, 40));
    EXPECT(PSA_SUCCESS, corral_random(b, 40));
    CHECK(memcmp(a, b, 40) != 0);
}

static const struct test_case tests[] = {
    TEST(wipe__every_size__clears_exactly_that),
    TEST(equal__every_size_and_difference__is_told),
    TEST(random__through_the_drivers_door__fills),
};

TEST_SUITE(memory, tests);
