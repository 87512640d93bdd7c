/* SPDX-License-Identifier: Apache-2.0 */
/* The chip on its bus: packets, wake, idle, sleep, watchdog, time, several chips. */
#include "host.h"
#include "opcodes.h"

#include <string.h>

static void crc__known_packets__match(void)
{
    /* the wake answer and the Info command, as every data sheet prints them */
    static const uint8_t wake[4] = {0x04, 0x11, 0x33, 0x43};
    static const uint8_t info[8] = {0x07, 0x30, 0x00, 0x00, 0x00, 0x03, 0x5D};

    CHECK_EQUAL(wake[2] | wake[3] << 8, host_crc(wake, 2));
    CHECK_EQUAL(info[5] | info[6] << 8, host_crc(info, 5));
}

static void wake__asleep__answers_after_delay(void)
{
    struct rig rig = rig_new();
    uint8_t answer[4];

    CHECK(strcmp(atecc608_sim_state(rig.chip), "asleep") == 0);
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_read(rig.bus, rig.address, answer, 4));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_write(rig.bus, rig.address, NULL, 0));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_write(rig.bus, 0, NULL, 0));
    atecc608_sim_delay_us(rig.bus, 1300);
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_read(rig.bus, rig.address, answer, 4));
    atecc608_sim_delay_us(rig.bus, 200);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_read(rig.bus, rig.address, answer, 4));
    CHECK_BYTES((const uint8_t *)"\x04\x11\x33\x43", answer, 4);
    rig_free(&rig);
}

static void wake__fast_clock__does_not_wake(void)
{
    struct rig rig = rig_new();

    atecc608_sim_set_hz(rig.bus, 400000);
    CHECK(!host_wake(&rig));
    CHECK_EQUAL(0, atecc608_sim_transactions(rig.chip) - 1); /* only the read was seen */
    atecc608_sim_set_hz(rig.bus, 100000);
    CHECK(host_wake(&rig));
    rig_free(&rig);
}

static void read__in_parts__continues_and_ends_in_ff(void)
{
    struct rig rig = rig_new();
    uint8_t part[6];

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, INFO, 0, 0, NULL, 0));
    atecc608_sim_delay_us(rig.bus, 10000);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_read(rig.bus, rig.address, part, 1));
    CHECK_EQUAL(7, part[0]);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_read(rig.bus, rig.address, part, 2));
    CHECK_BYTES((const uint8_t *)"\x00\x00", part, 2);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_read(rig.bus, rig.address, part, 6));
    CHECK_EQUAL(0x60, part[0]);
    CHECK_BYTES((const uint8_t *)"\xFF\xFF", part + 4, 2);
    /* the reset word goes back to the start of the same answer */
    CHECK_EQUAL(ATECC608_SIM_ACK,
                atecc608_sim_write(rig.bus, rig.address, (const uint8_t *)"\x00", 1));
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_read(rig.bus, rig.address, part, 1));
    CHECK_EQUAL(7, part[0]);
    rig_free(&rig);
}

static void command__in_two_writes__is_executed(void)
{
    static const uint8_t first[4] = {0x03, 0x07, 0x30, 0x00};
    static const uint8_t second[5] = {0x03, 0x00, 0x00, 0x03, 0x5D};
    struct rig rig = rig_new();
    uint8_t byte;

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_write(rig.bus, rig.address, first, sizeof(first)));
    CHECK_EQUAL(ATECC608_SIM_NAK,
                atecc608_sim_read(rig.bus, rig.address, &byte, 1)); /* half a packet */
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_write(rig.bus, rig.address, second, sizeof(second)));
    CHECK_EQUAL(7, host_receive(&rig).length + 3);
    rig_free(&rig);
}

static void command__wrong_crc_or_count__answers_ff(void)
{
    static const uint8_t wrong_crc[8] = {0x03, 0x07, 0x30, 0x00, 0x00, 0x00, 0x03, 0x5C};
    static const uint8_t wrong_count[2] = {0x03, 0x06};
    struct rig rig = rig_new();

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_write(rig.bus, rig.address, wrong_crc, 8));
    CHECK_EQUAL(0xFF, host_receive(&rig).status);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_write(rig.bus, rig.address, wrong_count, 2));
    CHECK_EQUAL(0xFF, host_receive(&rig).status);
    rig_free(&rig);
}

static void command__bytes_after_packet__are_not_acknowledged(void)
{
    static const uint8_t long_info[9] = {0x03, 0x07, 0x30, 0x00, 0x00, 0x00, 0x03, 0x5D, 0x00};
    struct rig rig = rig_new();

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_write(rig.bus, rig.address, long_info, 9));
    CHECK_EQUAL(4, host_receive(&rig).length);
    rig_free(&rig);
}

static void word_address__unknown__is_not_acknowledged(void)
{
    struct rig rig = rig_new();

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_NAK,
                atecc608_sim_write(rig.bus, rig.address, (const uint8_t *)"\x04", 1));
    rig_free(&rig);
}

static void opcode__unknown__is_a_parse_error(void)
{
    static const uint8_t unknown[] = {0x00, 0x01, 0x11, 0x80, 0xFE};
    struct rig rig = rig_new();

    for (size_t i = 0; i < sizeof(unknown); i++) {
        EXPECT(&rig, 0x03, unknown[i], 0, 0, NULL, 0);
    }
    rig_free(&rig);
}

static void busy__chip__acknowledges_nothing_until_time_has_passed(void)
{
    struct rig rig = rig_new();
    uint8_t byte;
    uint64_t start;

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, RANDOM, 0, 0, NULL, 0));
    start = atecc608_sim_time_us(rig.bus);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "busy") == 0);
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_read(rig.bus, rig.address, &byte, 1));
    CHECK_EQUAL(ATECC608_SIM_NAK,
                atecc608_sim_write(rig.bus, rig.address, (const uint8_t *)"\x02", 1));
    atecc608_sim_delay_us(rig.bus, 22000 - (uint32_t)(atecc608_sim_time_us(rig.bus) - start));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_read(rig.bus, rig.address, &byte, 1));
    atecc608_sim_delay_us(rig.bus, 1000);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_read(rig.bus, rig.address, &byte, 1));
    CHECK_EQUAL(35, byte);
    rig_free(&rig);
}

static void time_percent__of_options__scales_execution(void)
{
    struct atecc608_sim_options options = {.time_percent = 10};
    struct atecc608_sim_bus *bus = atecc608_sim_bus_new();
    struct rig rig = {
        .bus = bus, .chip = atecc608_sim_attach(bus, &options, NULL, 0), .address = 0x60};
    uint8_t byte;

    CHECK(rig.chip != NULL && host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, RANDOM, 0, 0, NULL, 0));
    atecc608_sim_delay_us(rig.bus, 2400);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_read(rig.bus, rig.address, &byte, 1));
    rig_free(&rig);
}

/* TempKey is valid when Info(State) shows it. */
static bool tempkey_valid(const struct rig *rig)
{
    struct reply reply = EXPECT(rig, 0, INFO, 2, 0, NULL, 0);

    return (reply.data[1] & 0x80) != 0;
}

static void idle__keeps_tempkey__sleep_loses_it(void)
{
    static const uint8_t value[32] = {1};
    struct rig rig = rig_new();

    CHECK(!tempkey_valid(&rig));
    host_load_tempkey(&rig, value); /* each exchange ends in idle */
    CHECK(strcmp(atecc608_sim_state(rig.chip), "idle") == 0);
    CHECK(tempkey_valid(&rig));
    CHECK(host_wake(&rig));
    host_sleep(&rig);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "asleep") == 0);
    CHECK(!tempkey_valid(&rig));
    rig_free(&rig);
}

static void watchdog__expires__chip_sleeps(void)
{
    static const uint8_t value[32] = {1};
    struct rig rig = rig_new();

    host_load_tempkey(&rig, value);
    CHECK(host_wake(&rig));
    atecc608_sim_delay_us(rig.bus, 1290000);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "awake") == 0);
    atecc608_sim_delay_us(rig.bus, 20000);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "asleep") == 0);
    CHECK(!tempkey_valid(&rig));
    rig_free(&rig);
}

static void watchdog__too_little_time__answers_ee(void)
{
    struct rig rig = rig_new();

    CHECK(host_wake(&rig));
    atecc608_sim_delay_us(rig.bus, 1290000);
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, RANDOM, 0, 0, NULL, 0));
    CHECK_EQUAL(0xEE, host_receive(&rig).status);
    host_idle(&rig); /* idle restarts the watchdog */
    EXPECT(&rig, 0, RANDOM, 0, 0, NULL, 0);
    rig_free(&rig);
}

static void watchdog__long_mode__lasts_13_seconds(void)
{
    static const uint8_t word[4] = {0xC0, 0x00, 0x00, 0x04};
    struct rig rig = rig_new();

    host_write_config(&rig, 16, word);
    CHECK(host_wake(&rig));
    atecc608_sim_delay_us(rig.bus, 12900000);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "awake") == 0);
    atecc608_sim_delay_us(rig.bus, 200000);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "asleep") == 0);
    rig_free(&rig);
}

static void clock_divider__m2__takes_longer(void)
{
    static const uint8_t word[4] = {0xC0, 0x00, 0x00, 0x68};
    struct rig rig = rig_new();

    host_write_config(&rig, 16, word);
    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, SHA, 0, 0, NULL, 0));
    atecc608_sim_delay_us(rig.bus, 70000);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "busy") == 0);
    atecc608_sim_delay_us(rig.bus, 6000);
    CHECK(strcmp(atecc608_sim_state(rig.chip), "awake") == 0);
    rig_free(&rig);
}

static void address__written__counts_from_the_next_wake(void)
{
    static const uint8_t word[4] = {0x6A << 1, 0x00, 0x00, 0x00};
    struct rig rig = rig_new();

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, 0x12, 0, 4, word, 4));
    CHECK_EQUAL(0, host_receive(&rig).status);
    CHECK_EQUAL(0x60, atecc608_sim_address(rig.chip));
    host_sleep(&rig);
    CHECK_EQUAL(0x6A, atecc608_sim_address(rig.chip));
    CHECK(!host_wake(&rig));
    rig.address = 0x6A;
    host_sleep(&rig);
    CHECK(host_wake(&rig));
    host_idle(&rig);
    EXPECT(&rig, 0, INFO, 0, 0, NULL, 0);
    rig_free(&rig);
}

static void two_chips__one_bus__do_not_disturb_each_other(void)
{
    struct rig first = rig_new();
    struct atecc608_sim_options options = {.address = 0x61};
    struct rig second = {.bus = first.bus, .address = 0x61};
    uint8_t zone_1[128];
    uint8_t zone_2[128];

    second.chip = atecc608_sim_attach(first.bus, &options, NULL, 0);
    CHECK(second.chip != NULL);
    EXPECT(&first, 0, INFO, 0, 0, NULL, 0);
    EXPECT(&second, 0, INFO, 0, 0, NULL, 0);
    host_lock_config(&first);
    EXPECT(&second, 0, 0x12, 0x00, 5, (const uint8_t *)"\x83\x20\x87\x20", 4); /* still unlocked */
    CHECK(atecc608_sim_fault(first.chip, "silence"));
    CHECK(!host_wake(&first));
    EXPECT(&second, 0, INFO, 0, 0, NULL, 0);
    CHECK_EQUAL(128, atecc608_sim_peek(first.chip, 0, zone_1, 128));
    CHECK_EQUAL(128, atecc608_sim_peek(second.chip, 0, zone_2, 128));
    CHECK(memcmp(zone_1, zone_2, 16) != 0); /* serial numbers are unique */
    rig_free(&first);
}

/* Any packet, well-formed or not, in any lock state, gets an answer with a right CRC. */
static void command__any_bytes__gets_an_answer(void)
{
    uint32_t state = 1;

    for (int locks = 0; locks < 3; locks++) {
        struct rig rig = rig_new();

        if (locks > 0) {
            host_lock_config(&rig);
        }
        if (locks > 1) {
            host_lock_data(&rig);
        }
        for (int round = 0; round < 3000; round++) {
            static const uint8_t lengths[] = {0, 3, 4, 16, 20, 32, 36, 64, 68, 77, 83, 128, 148};
            static const uint8_t opcodes[] = {
                READ, MAC,    WRITE, GENDIG, NONCE,  RANDOM,     DERIVE_KEY, COUNTER, CHECK_MAC,
                INFO, GENKEY, SIGN,  ECDH,   VERIFY, PRIV_WRITE, SHA,        AES,     KDF};
            uint8_t data[148];
            uint8_t random[4];

            for (size_t i = 0; i < sizeof(random) + sizeof(data); i++) {
                state = state * 1664525 + 1013904223;
                *(i < sizeof(random) ? &random[i] : &data[i - sizeof(random)]) =
                    (uint8_t)(state >> 24);
            }
            CHECK(host_command(&rig, opcodes[random[0] % sizeof(opcodes)], random[1],
                               random[2] % 20, data, lengths[random[3] % sizeof(lengths)])
                      .status >= 0);
        }
        rig_free(&rig);
    }
}

static void bus__impossible_request__is_an_error(void)
{
    struct rig rig = rig_new();
    uint8_t byte;

    CHECK_EQUAL(ATECC608_SIM_BUS_ERROR, atecc608_sim_write(NULL, 0x60, NULL, 0));
    CHECK_EQUAL(ATECC608_SIM_BUS_ERROR, atecc608_sim_read(rig.bus, 0x80, &byte, 1));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_read(rig.bus, 0x61, &byte, 1));
    CHECK_EQUAL(0xFF, byte);
    rig_free(&rig);
}

/* Write an Info command byte by byte. */
static void put_info(const struct rig *rig)
{
    static const uint8_t info[] = {0x03, 0x07, 0x30, 0x00, 0x00, 0x00, 0x03, 0x5D};

    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_begin(rig->bus, rig->address, false));
    for (size_t i = 0; i < sizeof(info); i++) {
        CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_put(rig->bus, info[i]));
    }
    atecc608_sim_end(rig->bus);
}

static void bytes__one_by_one__are_the_same_transfer(void)
{
    struct rig rig = rig_new();
    uint8_t whole[7];
    uint64_t start;

    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_begin(rig.bus, rig.address, false)); /* asleep */
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_begin(rig.bus, 0, false));
    atecc608_sim_end(rig.bus);
    atecc608_sim_delay_us(rig.bus, 1500);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_begin(rig.bus, rig.address, true));
    CHECK_EQUAL(0x04, atecc608_sim_get(rig.bus));
    CHECK_EQUAL(0x11, atecc608_sim_get(rig.bus));
    atecc608_sim_end(rig.bus);
    atecc608_sim_reset_transactions(rig.chip);
    start = atecc608_sim_time_us(rig.bus);
    put_info(&rig);
    CHECK_EQUAL(9 * 90, atecc608_sim_time_us(rig.bus) - start); /* the address and eight bytes */
    CHECK_EQUAL(1, atecc608_sim_transactions(rig.chip));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_begin(rig.bus, rig.address, true)); /* busy */
    CHECK_EQUAL(0xFF, atecc608_sim_get(rig.bus));
    atecc608_sim_delay_us(rig.bus, 10000);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_begin(rig.bus, rig.address, true));
    for (size_t i = 0; i < sizeof(whole); i++) {
        whole[i] = atecc608_sim_get(rig.bus);
    }
    CHECK_EQUAL(0xFF, atecc608_sim_get(rig.bus));
    CHECK_BYTES((const uint8_t *)"\x07\x00\x00\x60", whole, 4);
    CHECK_EQUAL(whole[5] | whole[6] << 8, host_crc(whole, 5));
    rig_free(&rig);
}

static void bytes__one_by_one__meet_the_same_faults(void)
{
    struct rig rig = rig_new();
    uint8_t whole[7];

    CHECK(host_wake(&rig));
    CHECK(atecc608_sim_fault(rig.chip, "nak@1"));
    CHECK(atecc608_sim_fault(rig.chip, "crc@3"));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_begin(rig.bus, rig.address, false));
    atecc608_sim_end(rig.bus);
    put_info(&rig);
    atecc608_sim_delay_us(rig.bus, 10000);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_begin(rig.bus, rig.address, true));
    for (size_t i = 0; i < sizeof(whole); i++) {
        whole[i] = atecc608_sim_get(rig.bus);
    }
    CHECK(host_crc(whole, 5) != (whole[5] | whole[6] << 8));
    atecc608_sim_end(rig.bus);
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_begin(rig.bus, rig.address, false));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_put(rig.bus, 0x04)); /* no such word address */
    atecc608_sim_end(rig.bus);
    rig_free(&rig);
}

int main(void)
{
    RUN(crc__known_packets__match);
    RUN(wake__asleep__answers_after_delay);
    RUN(wake__fast_clock__does_not_wake);
    RUN(read__in_parts__continues_and_ends_in_ff);
    RUN(command__in_two_writes__is_executed);
    RUN(command__wrong_crc_or_count__answers_ff);
    RUN(command__bytes_after_packet__are_not_acknowledged);
    RUN(word_address__unknown__is_not_acknowledged);
    RUN(opcode__unknown__is_a_parse_error);
    RUN(busy__chip__acknowledges_nothing_until_time_has_passed);
    RUN(time_percent__of_options__scales_execution);
    RUN(idle__keeps_tempkey__sleep_loses_it);
    RUN(watchdog__expires__chip_sleeps);
    RUN(watchdog__too_little_time__answers_ee);
    RUN(watchdog__long_mode__lasts_13_seconds);
    RUN(clock_divider__m2__takes_longer);
    RUN(address__written__counts_from_the_next_wake);
    RUN(two_chips__one_bus__do_not_disturb_each_other);
    RUN(command__any_bytes__gets_an_answer);
    RUN(bus__impossible_request__is_an_error);
    RUN(bytes__one_by_one__are_the_same_transfer);
    RUN(bytes__one_by_one__meet_the_same_faults);
    return 0;
}
