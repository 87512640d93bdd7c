/* SPDX-License-Identifier: Apache-2.0 */
/* Wiping and comparing, and which regions overlap. */
#include <string.h>

#include <corral/driver.h>
#include <corral/stack.h>

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

CORRAL_STACK_LOCAL_WIPER(wipe_stack, 64)

/* Where a library may have left the last round key, when it has AES by instructions. */
static void wipe_stack__vector_registers__lose_what_they_held(void)
{
    uint8_t registers[3][16] = {{0}};

#if defined(__x86_64__)
    __asm__ volatile("pcmpeqd %%xmm0, %%xmm0\n\tpcmpeqd %%xmm1, %%xmm1\n\t"
                     "pcmpeqd %%xmm15, %%xmm15"
                     :
                     :
                     : "xmm0", "xmm1", "xmm15");
#endif
    wipe_stack();
#if defined(__x86_64__)
    __asm__ volatile("movdqu %%xmm0, (%0)\n\tmovdqu %%xmm1, 16(%0)\n\tmovdqu %%xmm15, 32(%0)"
                     :
                     : "r"(registers)
                     : "memory");
#endif
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        CHECK(!test_all(registers[i], sizeof registers[i], 0xff));
    }
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

/* A region of the address space that is never read. */
static const uint8_t *at(uintptr_t address)
{
    return (const uint8_t *)address; // NOLINT(performance-no-int-to-ptr)
}

/* Whether some byte lies in both, one byte after the other. */
static bool share(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size)
{
    bool is_shared = false;

    for (size_t i = 0; i < a_size * b_size; i++) {
        is_shared = is_shared || a + i / b_size == b + i % b_size;
    }
    return is_shared;
}

/* Near the start, in the middle, and up to the very end of the address space. */
static void overlap__every_pair_of_regions__is_told_by_a_common_byte(void)
{
    const uintptr_t bases[] = {1, UINTPTR_MAX / 2, UINTPTR_MAX - 9};

    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        for (unsigned row = 0; row < 10 * 10 * 5 * 5; row++) {
            const uintptr_t a = bases[i] + row / 250;
            const uintptr_t b = bases[i] + row / 25 % 10;
            /* No object goes on at the start of the address space. */
            const size_t a_left = UINTPTR_MAX - a < 4 ? (size_t)(UINTPTR_MAX - a) + 1 : 4;
            const size_t b_left = UINTPTR_MAX - b < 4 ? (size_t)(UINTPTR_MAX - b) + 1 : 4;
            const size_t a_size = row / 5 % 5 < a_left ? row / 5 % 5 : a_left;
            const size_t b_size = row % 5 < b_left ? row % 5 : b_left;

            test_context("row", row);
            CHECK(corral_overlap(at(a), a_size, at(b), b_size) == share(a, a_size, b, b_size));
        }
    }
}

static const struct test_case tests[] = {
    TEST(wipe__every_size__clears_exactly_that),
    TEST(wipe_stack__vector_registers__lose_what_they_held),
    TEST(equal__every_size_and_difference__is_told),
    TEST(random__through_the_drivers_door__fills),
    TEST(overlap__every_pair_of_regions__is_told_by_a_common_byte),
};

TEST_SUITE(memory, tests);
