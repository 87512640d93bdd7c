/* SPDX-License-Identifier: Apache-2.0 */
/* The Ethernet chip of ports/lwip, whose registers are memory here: each access is counted, and
 * finds what the test has written there. */
#include <string.h>

#include "../../harness/harness.h"

static struct lan9118 *registers(void);

#define LAN9118 registers()

#include "../../../fleet/device/ports/lwip/lan9118.c"

#define MANY 5000u /* the longest frame that a status can describe, and the accesses before it */

static struct lan9118 chip;
static unsigned accesses;

static struct lan9118 *registers(void)
{
    REQUIRE(++accesses < MANY);
    return &chip;
}

/* A chip in which one frame waits behind the other, all with this status. */
static void fill(uint32_t status)
{
    memset(&chip, 0, sizeof chip);
    chip.received_room = 1u << 16;
    chip.received_status = status;
    accesses = 0;
}

static void frames__with_a_fault_and_without_end__are_dropped_one_a_call(void)
{
    const struct {
        uint32_t status;
        unsigned words; /* the pad of 2 bytes, and the length in the status */
    } rows[] = {
        {1u << 15 | 1u << 16, 1},
        {1u << 15 | 2u << 16, 1},
        {1u << 15 | 3u << 16, 2},
        {1u << 15 | 64u << 16, 17},
        {1u << 15 | 1519u << 16, 381},
        {UINT32_MAX, 4097},
        {2u << 16, 1},
        {4u << 16, 2}, /* not longer than its checksum */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row", i);
        fill(rows[i].status);
        CHECK(lan9118_next() == 0);
        CHECK(accesses == 2 + rows[i].words);
    }
    test_context(NULL, 0);
}

static void frame__without_a_fault__is_taken_whole_and_written_to_its_last_word(void)
{
    for (size_t length = 1; length < 70; length++) {
        const size_t size = (LAN9118_PAD + length + 3) / 4 * 4;
        uint32_t *words = (uint32_t *)(void *)test_buffer(size);
        fill((uint32_t)(length + 4) << 16);
        REQUIRE(lan9118_next() == length);
        accesses = 0;
        lan9118_take(words, length);
        CHECK(accesses == size / 4 + 1);
        CHECK(test_all((const uint8_t *)words, size, 0));
        accesses = 0;
        lan9118_take(NULL, length);
        CHECK(accesses == size / 4 + 1);
        test_free_buffers();
    }
}

static void chip__that_is_gone__ends_every_call(void)
{
    static const uint32_t frame[16];
    uint8_t address[LAN9118_ADDRESS_SIZE] = {0};

    memset(&chip, 0xff, sizeof chip); /* as a bus without a device reads */
    accesses = 0;
    CHECK(!lan9118_start(address) && test_all(address, sizeof address, 0));
    CHECK(lan9118_next() == 0);
    accesses = 0;
    (void)lan9118_send(frame, 60);
    CHECK(accesses == 1 + 255 + 1 + 2 + 16); /* how many statuses there are is asked once */
}

static const struct test_case tests[] = {
    TEST(frames__with_a_fault_and_without_end__are_dropped_one_a_call),
    TEST(frame__without_a_fault__is_taken_whole_and_written_to_its_last_word),
    TEST(chip__that_is_gone__ends_every_call),
};
TEST_SUITE(chip, tests);
