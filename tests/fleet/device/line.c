/* SPDX-License-Identifier: Apache-2.0 */
/* CoAP over a serial line. */
#include <string.h>

#include "../../../fleet/device/serial.h"
#include "../../../fleet/device/slipmux.h"
#include "../../harness/harness.h"
#include "network.h"

static uint8_t sent[1200];
static size_t sent_length;

void fleet_slipmux_put(uint8_t byte)
{
    REQUIRE(sent_length < sizeof sent);
    sent[sent_length++] = byte;
}

#define FLOOD 1000u

static unsigned flooded; /* bytes that came without end; a millisecond each */

/* Damaged frames, one after the other, then nothing. */
bool fleet_serial_take(uint8_t *byte)
{
    static const uint8_t frame[] = {FLEET_SLIPMUX_END, FLEET_SLIPMUX_COAP, 0x40, 0x01};

    if (flooded == FLOOD) {
        return false;
    }
    *byte = frame[flooded++ % sizeof frame];
    network_reset(fleet_port_now() + 1u, NULL);
    return true;
}

static uint16_t fcs_of(const char *bytes, size_t length)
{
    uint16_t fcs = FLEET_SLIPMUX_FCS_INITIAL;

    for (size_t i = 0; i < length; i++) {
        fcs = fleet_slipmux_fcs(fcs, (uint8_t)bytes[i]);
    }
    return (uint16_t)~fcs;
}

static void check_sequences__of_two_implementations__are_ours(void)
{
    CHECK(fcs_of("coap is cool!", 13) == 0x2624); /* low byte first: 24 26 */
    CHECK(fcs_of("\xa9\x40\x00\x12\x34", 5) == 0xb3e6);
    CHECK(fcs_of("123456789", 9) == 0x906e); /* the check value of CRC-16/X-25 */
}

static void frame__of_an_empty_message__is_as_published(void)
{
    static const uint8_t wanted[] = {0xc0, 0xa9, 0x40, 0x00, 0x12, 0x34, 0xe6, 0xb3, 0xc0};

    sent_length = 0;
    fleet_slipmux_send((const uint8_t *)"\x40\x00\x12\x34", 4);
    CHECK_BYTES(sent, sent_length, wanted, sizeof wanted);
}

/* Feed what was sent; returns the length of the one message in it. */
static size_t feed(struct fleet_slipmux *frame, const uint8_t *bytes, size_t length)
{
    size_t found = 0;

    for (size_t i = 0; i < length; i++) {
        const size_t now = fleet_slipmux_take(frame, bytes[i]);
        CHECK(now == 0 || found == 0);
        found += now;
    }
    return found;
}

static void every_byte__sent__is_received(void)
{
    struct fleet_slipmux frame;
    uint8_t message[256];
    uint8_t *memory = test_buffer(sizeof message + 2);

    for (size_t i = 0; i < sizeof message; i++) {
        message[i] = (uint8_t)i;
    }
    fleet_slipmux_begin(&frame, memory, sizeof message + 2);
    for (size_t length = 1; length <= sizeof message; length++) {
        sent_length = 0;
        fleet_slipmux_send(message + sizeof message - length, length);
        CHECK(memchr(sent + 1, FLEET_SLIPMUX_END, sent_length - 2) == NULL);
        REQUIRE(feed(&frame, sent, sent_length) == length);
        CHECK(memcmp(memory, message + sizeof message - length, length) == 0);
    }
    sent_length = 0;
    memset(message, FLEET_SLIPMUX_END, sizeof message);
    fleet_slipmux_send(message, sizeof message);
    CHECK(feed(&frame, sent, sent_length) == sizeof message);
}

static void damage__anywhere__loses_the_frame_alone(void)
{
    static const uint8_t message[] = "\x40\x01\xc0\xdbok";
    uint8_t memory[32];
    struct fleet_slipmux frame;

    fleet_slipmux_begin(&frame, memory, sizeof memory);
    sent_length = 0;
    fleet_slipmux_send(message, sizeof message);
    const size_t length = sent_length;
    for (size_t at = 1; at + 1 < length; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            uint8_t damaged[32];
            memcpy(damaged, sent, length);
            damaged[at] ^= (uint8_t)(1u << bit);
            CHECK(feed(&frame, damaged, length) == 0);
            CHECK(feed(&frame, sent, length) == sizeof message);
        }
    }
}

static void other_frames__and_long_ones__are_passed_over(void)
{
    static const uint8_t message[] = {0x40, 0x01, 0x00, 0x01};
    uint8_t *memory = test_buffer(sizeof message + 2);
    struct fleet_slipmux frame;

    fleet_slipmux_begin(&frame, memory, sizeof message + 2);
    CHECK(feed(&frame, (const uint8_t *)"\x0ahello\xc0\x45IP\xc0\xc0\xc0", 12) == 0);
    CHECK(feed(&frame, (const uint8_t *)"\xa9\xe6\xc0\xa9\xc0", 5) == 0);
    sent_length = 0;
    fleet_slipmux_send((const uint8_t *)"too long for it", 15);
    CHECK(feed(&frame, sent, sent_length) == 0);
    CHECK(feed(&frame, (const uint8_t *)"\xa9\xdb\x01\xc0", 4) == 0); /* no such escape */
    sent_length = 0;
    fleet_slipmux_send(message, sizeof message);
    CHECK(feed(&frame, sent, sent_length) == sizeof message);
}

/* Whose check sequence is right, although a part of it was passed over. */
static void frame__that_is_one_byte_too_long_or_ends_in_an_escape__is_none(void)
{
    static const uint8_t message[] = {0x40, 0x01, 0x00, 0x01};
    uint8_t *memory = test_buffer(sizeof message + 2);
    struct fleet_slipmux frame;

    sent_length = 0;
    fleet_slipmux_send(message, sizeof message);
    fleet_slipmux_begin(&frame, memory, sizeof message + 1);
    CHECK(feed(&frame, sent, sent_length) == 0);
    fleet_slipmux_begin(&frame, memory, sizeof message + 2);
    CHECK(feed(&frame, sent, sent_length) == sizeof message);
    sent[sent_length - 1] = FLEET_SLIPMUX_ESCAPE;
    sent[sent_length++] = FLEET_SLIPMUX_END;
    CHECK(feed(&frame, sent, sent_length) == 0);
}

static void flood__of_what_is_passed_over__keeps_nobody_waiting(void)
{
    uint8_t message[16];

    flooded = 0;
    network_reset(0, NULL);
    CHECK(fleet_serial_receive(message, sizeof message, 100) == 0);
    CHECK(flooded >= 100 && flooded <= 104);
}

static const struct test_case tests[] = {
    TEST(check_sequences__of_two_implementations__are_ours),
    TEST(frame__of_an_empty_message__is_as_published),
    TEST(every_byte__sent__is_received),
    TEST(damage__anywhere__loses_the_frame_alone),
    TEST(other_frames__and_long_ones__are_passed_over),
    TEST(frame__that_is_one_byte_too_long_or_ends_in_an_escape__is_none),
    TEST(flood__of_what_is_passed_over__keeps_nobody_waiting),
};
TEST_SUITE(line, tests);
