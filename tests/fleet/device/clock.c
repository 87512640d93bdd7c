/* SPDX-License-Identifier: Apache-2.0 */
/* A device's time: its sources, and its place in readings. */
#include <string.h>

#include "../../../fleet/device/device.h"
#include "../../../fleet/device/object.h"
#include "../../persistent/device.h"
#include "material.h"
#include "network.h"
#include "vectors.h"

#define TIME 1795000000u
#define TIME_ENCODED "\x1a\x6a\xfd\x86\xc0"

static const struct fleet_record records[] = {
    {"t", "Cel", 0, 235, -1, FLEET_NUMBER},
    {"t", "Cel", TIME - 60, 234, -1, FLEET_NUMBER},
};

static const struct corral_flash_geometry geometry = {4096, 3, 8, false};
static const struct fleet_settings settings = {
    {"thermometer", FLEET_P256, FLEET_NO_KEY, 0, 0}, 4, true, NULL, NULL, NULL, NULL, 0};
static struct fleet_device device;

/* The broker's answer to a question for the time. */
static const char *said;
static size_t said_length;
static uint8_t said_format;
static unsigned accepts; /* how many messages asked for it */

/* Challenges registrations, takes them after `delay`, and says what it was told to say. */
static void server(const struct network_message *sent)
{
    const struct fleet_coap_message message = network_read(sent);
    struct fleet_coap_option_value option;
    struct fleet_coap_writer writer;
    struct fleet_coap_head head = message.head;
    uint8_t bytes[128];
    size_t room;

    if (head.code != FLEET_COAP_POST) {
        return;
    }
    const bool wants_time = fleet_coap_find(&message, FLEET_COAP_ACCEPT, &option);
    accepts += wants_time;
    CHECK(!wants_time || (sent->peer == FLEET_BROKER && fleet_coap_number(&option) == 60));
    const bool is_answer = fleet_coap_find(&message, FLEET_COAP_ECHO, &option);
    head.type = FLEET_COAP_ACK;
    head.code = is_answer ? FLEET_COAP_CREATED : FLEET_COAP_UNAUTHORIZED;
    fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
    if (is_answer) {
        fleet_coap_text(&writer, FLEET_COAP_LOCATION_PATH, "data");
        fleet_coap_uint(&writer, FLEET_COAP_CONTENT_FORMAT, said_format);
    } else {
        fleet_coap_option(&writer, FLEET_COAP_ECHO, vector_registration_nonce,
                          sizeof vector_registration_nonce);
    }
    if (is_answer && said_length > 0) {
        memcpy(fleet_coap_payload(&writer, &room), said, said_length);
        fleet_coap_payload_is(&writer, said_length);
    }
    network_deliver(500, sent->peer, bytes, fleet_coap_end(&writer));
}

static void say(const char *what, size_t length, uint8_t format)
{
    said = what;
    said_length = length;
    said_format = format;
}

/* A device that runs since 20 seconds; its broker says TIME. */
static void install(bool follows_broker)
{
    device_fresh(&geometry);
    NEED(fleet_device_start(&device, &settings));
    fleet_clock_follow_broker(false);
    fleet_clock_follow_broker(follows_broker);
    network_reset(20000, server);
    accepts = 0;
    say(TIME_ENCODED, 5, 60);
}

static void check_pack(const struct fleet_moment *moment, const uint8_t *wanted, size_t length)
{
    struct corral_cbor writer;
    uint8_t *bytes = test_buffer(length);

    corral_cbor_begin(&writer, bytes, length);
    fleet_senml_write_at(&writer, records, 2, moment);
    CHECK(!writer.is_full);
    CHECK_BYTES(bytes, writer.length, wanted, length);
    corral_cbor_begin(&writer, NULL, 200);
    fleet_senml_write(&writer, records, 2);
    CHECK(writer.length + FLEET_MOMENT_SIZE >= length);
}

static void packs__of_each_source__are_as_published(void)
{
    check_pack(&(const struct fleet_moment){TIME, 3600, FLEET_CLOCK_SYNCHRONISED},
               vector_senml_synchronised, sizeof vector_senml_synchronised);
    check_pack(&(const struct fleet_moment){TIME, 40000, FLEET_CLOCK_SET}, vector_senml_set,
               sizeof vector_senml_set);
    check_pack(&(const struct fleet_moment){0, 20, FLEET_CLOCK_RUNS}, vector_senml_running,
               sizeof vector_senml_running);
}

static void check_moment(uint32_t time, uint32_t since, uint8_t source)
{
    struct fleet_moment moment;

    fleet_clock_read(&moment);
    test_context("time", moment.time);
    CHECK(moment.time == time);
    CHECK(moment.since == since);
    CHECK(moment.source == source);
    test_context(NULL, 0);
}

static void time__that_nobody_says__is_that_since_the_start(void)
{
    install(false);
    NEED(fleet_device_register(&device));
    CHECK(accepts == 0);
    fleet_clock_mark();
    check_moment(0, 22, FLEET_CLOCK_RUNS); /* four exchanges of half a second */
}

static void time__of_the_broker__is_taken_at_a_registration(void)
{
    install(true);
    NEED(fleet_device_register(&device));
    CHECK(accepts == 2); /* also of the message without a challenge; never at the directory */
    fleet_clock_mark();
    check_moment(TIME, 0, FLEET_CLOCK_SET);
    network_reset(90000, server);
    check_moment(TIME, 68, FLEET_CLOCK_SET); /* as it was when it was marked */
    fleet_clock_mark();
    check_moment(TIME + 68, 68, FLEET_CLOCK_SET);
    fleet_clock_follow_broker(false);
    check_moment(0, 90, FLEET_CLOCK_RUNS);
}

static void time__of_a_clock_that_is_kept_right__counts_before_the_broker_s(void)
{
    install(true);
    NEED(fleet_device_register(&device));
    fleet_clock_mark();
    network_reset(25000, server);
    network_time = TIME + 1000;
    network_time_since = 7;
    check_moment(TIME + 997, 7, FLEET_CLOCK_SYNCHRONISED);
    network_time = 86400; /* a clock that begins in 1970 was never set */
    check_moment(TIME, 3, FLEET_CLOCK_SET);
}

static void answers__that_say_no_time__set_none(void)
{
    static const struct {
        const char *payload;
        size_t length;
        uint8_t format;
    } rows[] = {
        {TIME_ENCODED, 0, 60},           {TIME_ENCODED, 4, 60},
        {TIME_ENCODED "\x00", 6, 60},    {TIME_ENCODED, 5, 40},
        {"\x3a\x6a\xfd\x86\xc0", 5, 60}, {"\x1a\x0f\xff\xff\xff", 5, 60},
        {"\x1a\x90\x00\x00\x00", 5, 60}, {"\x1a\xff\xff\xff\xf0", 5, 60},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row", i);
        install(true);
        say(rows[i].payload, rows[i].length, rows[i].format);
        NEED(fleet_device_register(&device));
        fleet_clock_mark();
        check_moment(0, 22, FLEET_CLOCK_RUNS);
    }
}

/* The pack in a message, which is the third part of the object: behind a head of 2 bytes. */
static bool has_pack(const struct network_message *sent, const uint8_t *end, size_t length)
{
    const struct fleet_coap_message message = network_read(sent);
    const size_t behind = 2 + FLEET_SIGNATURE_SIZE;

    REQUIRE(message.payload_length > behind + length);
    return memcmp(message.payload + message.payload_length - behind - length, end, length) == 0;
}

static void reading__that_waited_for_a_registration__has_the_time_that_came_with_it(void)
{
    /* It was measured two seconds before the answer, by half seconds that are counted as whole. */
    static const uint8_t wanted[] = "\x22\x1a\x6a\xfd\x86\xbe\x65"
                                    "btset\x00";

    install(true);
    NEED(fleet_device_publish(&device, records, 1));
    REQUIRE(network_sent_count == 5);
    CHECK(has_pack(&network_sent[4], wanted, sizeof wanted - 1));
}

static void pack__with_all_that_time_may_take__fits_or_is_refused(void)
{
    struct fleet_record many[8];
    struct corral_cbor counter;
    uint8_t count = 0;

    for (; count < 8; count++) {
        many[count] = records[1];
    }
    many[7].name = "temperature";
    for (;; count--) {
        corral_cbor_begin(&counter, NULL, FLEET_PACK_SIZE);
        fleet_senml_write(&counter, many, count);
        if (counter.length + FLEET_MOMENT_SIZE <= FLEET_PACK_SIZE && !counter.is_full) {
            break;
        }
        install(true);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, fleet_device_publish(&device, many, count));
        CHECK(network_sent_count == 0);
    }
    REQUIRE(count > 2 && count < 8);
    NEED(fleet_device_publish(&device, many, count));
}

static const struct test_case tests[] = {
    TEST(packs__of_each_source__are_as_published),
    TEST(time__that_nobody_says__is_that_since_the_start),
    TEST(time__of_the_broker__is_taken_at_a_registration),
    TEST(time__of_a_clock_that_is_kept_right__counts_before_the_broker_s),
    TEST(answers__that_say_no_time__set_none),
    TEST(reading__that_waited_for_a_registration__has_the_time_that_came_with_it),
    TEST(pack__with_all_that_time_may_take__fits_or_is_refused),
};
TEST_SUITE(clock, tests);
