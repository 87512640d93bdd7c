/* SPDX-License-Identifier: Apache-2.0 */
/* CoAP messages: the examples of RFC 7252, and malformed ones. */
#include <string.h>

#include "../../../fleet/device/coap.h"
#include "../../harness/harness.h"

/* RFC 7252, appendix A, figure 17: with a token, GET of /temperature. */
static const uint8_t request[] = "\x41\x01\x7d\x35\x20\xbbtemperature";
/* Figure 16: the answer with the acknowledgement. */
static const uint8_t answer[] = "\x60\x45\x7d\x34\xff"
                                "22.3 C";

static void request__of_figure_17__is_written(void)
{
    const struct fleet_coap_head head = {FLEET_COAP_CON, FLEET_COAP_GET, 0x7d35, 1, {0x20}};
    struct fleet_coap_writer writer;
    uint8_t *bytes = test_buffer(sizeof request - 1);

    fleet_coap_begin(&writer, bytes, sizeof request - 1, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, "temperature");
    CHECK_BYTES(bytes, fleet_coap_end(&writer), request, sizeof request - 1);
}

static void answer__of_figure_16__is_read(void)
{
    struct fleet_coap_message message;

    REQUIRE(fleet_coap_read(answer, sizeof answer - 1, &message) == FLEET_COAP_READ);
    CHECK(message.head.type == FLEET_COAP_ACK && message.head.code == FLEET_COAP_CONTENT);
    CHECK(message.head.id == 0x7d34 && message.head.token_length == 0);
    CHECK(message.options_length == 0);
    CHECK_BYTES(message.payload, message.payload_length, (const uint8_t *)"22.3 C", 6);
}

static void options__at_each_border_of_their_encoding__are_read_as_written(void)
{
    static const uint16_t numbers[] = {0, 12, 13, 268, 269, 270, 65535};
    static const size_t lengths[] = {0, 12, 13, 268, 269, 300};
    static uint8_t value[300];
    const struct fleet_coap_head head = {FLEET_COAP_NON, FLEET_COAP_PUT, 1, 2, {3, 4}};
    uint8_t bytes[320];

    test_fill(value, sizeof value, 7);
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            struct fleet_coap_writer writer;
            struct fleet_coap_message message;
            struct fleet_coap_option_value option;
            fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
            fleet_coap_option(&writer, numbers[n], value, lengths[l]);
            const size_t size = fleet_coap_end(&writer);
            uint8_t *copy = test_copy(bytes, size);
            REQUIRE(size > 0 && fleet_coap_read(copy, size, &message) == FLEET_COAP_READ);
            REQUIRE(fleet_coap_find(&message, numbers[n], &option));
            CHECK_BYTES(option.value, option.length, value, lengths[l]);
            CHECK(!fleet_coap_next(&message, &option));
            for (size_t cut = 4 + 2 + 1; cut < size; cut++) {
                uint8_t *part = test_copy(bytes, cut);
                CHECK(fleet_coap_read(part, cut, &message) == FLEET_COAP_MALFORMED);
            }
            test_free_buffers();
        }
    }
}

static void numbers_in_options__are_short_and_read_with_zeros_in_front(void)
{
    static const uint32_t values[] = {0, 1, 255, 256, 0x123456, UINT32_MAX};
    const struct fleet_coap_head head = {FLEET_COAP_NON, FLEET_COAP_PUT, 1, 0, {0}};
    uint8_t bytes[16];

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct fleet_coap_writer writer;
        struct fleet_coap_message message;
        struct fleet_coap_option_value option;
        fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
        fleet_coap_uint(&writer, FLEET_COAP_MAX_AGE, values[i]);
        REQUIRE(fleet_coap_read(bytes, writer.length, &message) == FLEET_COAP_READ);
        REQUIRE(fleet_coap_find(&message, FLEET_COAP_MAX_AGE, &option));
        CHECK(option.length == 0 || option.value[0] != 0);
        CHECK(fleet_coap_number(&option) == values[i]);
    }
    const struct fleet_coap_option_value padded = {14, 6, (const uint8_t *)"\0\0\0\0\x12\x34", 0};
    const struct fleet_coap_option_value large = {14, 5, (const uint8_t *)"\1\0\0\0\0", 0};
    CHECK(fleet_coap_number(&padded) == 0x1234);
    CHECK(fleet_coap_number(&large) == UINT32_MAX);
}

static void path__with_empty_segments__has_an_option_for_each(void)
{
    static const uint8_t wanted[] = "\x40\x02\x00\x01\x83reg\x01"
                                    "1\x00";
    const struct fleet_coap_head head = {FLEET_COAP_CON, FLEET_COAP_POST, 1, 0, {0}};
    struct fleet_coap_writer writer;
    uint8_t bytes[20];

    fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
    fleet_coap_path(&writer, FLEET_COAP_LOCATION_PATH, "reg/1/");
    CHECK_BYTES(bytes, fleet_coap_end(&writer), wanted, sizeof wanted - 1);
    fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, "");
    CHECK(fleet_coap_end(&writer) == 4);
}

/* Bytes, and the result of reading them. */
static void malformed__is_told_from_what_is_to_be_ignored(void)
{
    static const struct {
        const char *bytes;
        size_t length;
        enum fleet_coap_reading wanted;
    } rows[] = {
        {"", 0, FLEET_COAP_UNKNOWN},
        {"\x40\x01\x00", 3, FLEET_COAP_UNKNOWN},
        {"\x80\x01\x00\x01", 4, FLEET_COAP_UNKNOWN},                          /* version 2 */
        {"\x49\x01\x00\x01\1\2\3\4\5\6\7\x08\x09", 13, FLEET_COAP_MALFORMED}, /* token of 9 */
        {"\x42\x01\x00\x01\x01", 5, FLEET_COAP_MALFORMED},                    /* token cut off */
        {"\x40\x01\x00\x01\xff", 5, FLEET_COAP_MALFORMED},             /* marker, no payload */
        {"\x40\x00\x00\x01\xff\x01", 6, FLEET_COAP_MALFORMED},         /* empty with content */
        {"\x41\x00\x00\x01\x01", 5, FLEET_COAP_MALFORMED},             /* empty with a token */
        {"\x40\x01\x00\x01\xf0", 5, FLEET_COAP_MALFORMED},             /* reserved delta */
        {"\x40\x01\x00\x01\x0f", 5, FLEET_COAP_MALFORMED},             /* reserved length */
        {"\x40\x01\x00\x01\xe0\xff\xff", 7, FLEET_COAP_MALFORMED},     /* number above 65535 */
        {"\x40\x01\x00\x01\xe0\xfe\xf2\x10", 8, FLEET_COAP_MALFORMED}, /* the same, in two */
        {"\x40\x00\x12\x34", 4, FLEET_COAP_READ},
        {"\x40\x01\x00\x01\xe0\xfe\xf2", 7, FLEET_COAP_READ}, /* option 65535 */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fleet_coap_message message;
        uint8_t *copy = test_copy((const uint8_t *)rows[i].bytes, rows[i].length);
        test_context("row", i);
        CHECK(fleet_coap_read(copy, rows[i].length, &message) == rows[i].wanted);
    }
    test_context(NULL, 0);
}

static void writer__without_room__gives_no_message(void)
{
    const struct fleet_coap_head head = {FLEET_COAP_CON, FLEET_COAP_POST, 1, 0, {0}};

    for (size_t size = 0; size < 12; size++) {
        struct fleet_coap_writer writer;
        uint8_t *bytes = test_buffer(size);
        size_t room;
        fleet_coap_begin(&writer, bytes, size, &head);
        fleet_coap_path(&writer, FLEET_COAP_URI_PATH, "a/bc");
        uint8_t *payload = fleet_coap_payload(&writer, &room);
        CHECK(room == (size > 10 ? size - 10 : 0)); /* head, two options and the marker */
        if (room > 0) {
            payload[0] = 'x';
        }
        fleet_coap_payload_is(&writer, room > 0 ? 1 : 0);
        CHECK(fleet_coap_end(&writer) == (size > 10 ? 11 : 0));
    }
}

static const struct test_case tests[] = {
    TEST(request__of_figure_17__is_written),
    TEST(answer__of_figure_16__is_read),
    TEST(options__at_each_border_of_their_encoding__are_read_as_written),
    TEST(numbers_in_options__are_short_and_read_with_zeros_in_front),
    TEST(path__with_empty_segments__has_an_option_for_each),
    TEST(malformed__is_told_from_what_is_to_be_ignored),
    TEST(writer__without_room__gives_no_message),
};
TEST_SUITE(messages, tests);
