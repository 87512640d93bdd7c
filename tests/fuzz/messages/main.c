/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages for a device of a fleet from its network. Any bytes as a CoAP
 * message are read as they would be written, or rejected. Any bytes on a serial
 * line, and any bytes in place of an answer, end in time. Any bytes as links
 * contain a path, or none. Of any bytes as a command only the one valid
 * encoding is read.
 */
#include "../../../fleet/device/cbor_read.h"
#include "../../../fleet/device/exchange.h"
#include "../../../fleet/device/links.h"
#include "../../../fleet/device/slipmux.h"
#include "../common/fuzz.h"

#define MAX_MESSAGE 200u
#define MAX_SENT 200u
#define MAX_PATH 12u

static struct fuzz_input coming; /* the bytes from the network during an exchange */
static uint32_t now;
static unsigned sent;
static uint8_t head[8]; /* of the request: answers begin with it, or nearly */

static uint8_t line[4 * MAX_MESSAGE];
static size_t line_length;

uint32_t fleet_port_now(void)
{
    return now;
}

bool fleet_port_send(enum fleet_peer peer, const uint8_t *message, size_t length)
{
    struct fleet_coap_message read;

    (void)peer;
    FUZZ_CHECK(fleet_coap_read(message, length, &read) == FLEET_COAP_READ);
    FUZZ_CHECK(++sent < MAX_SENT);
    return true;
}

size_t fleet_port_receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t until)
{
    size_t length;

    (void)peer;
    FUZZ_CHECK((int32_t)(until - now) >= 0);
    if (coming.size == 0) {
        now = until;
        return 0;
    }
    const uint32_t delay = (uint32_t)fuzz_byte(&coming) << 6;
    if ((int32_t)(until - (now + delay)) < 0) {
        now = until;
        return 0;
    }
    now += delay;
    const uint8_t begins_with = fuzz_byte(&coming) % (sizeof head + 1);
    uint8_t *bytes = fuzz_bytes(&coming, MAX_MESSAGE - 1, &length);
    for (size_t i = 0; i < begins_with && i < length; i++) {
        bytes[i] ^= head[i];
    }
    length = length < size ? length : size;
    memcpy(message, bytes, length);
    free(bytes);
    return length;
}

void fleet_slipmux_put(uint8_t byte)
{
    FUZZ_CHECK(line_length < sizeof line);
    line[line_length++] = byte;
}

/* Whether a text is among the bytes. */
static bool is_in(const char *text, const uint8_t *data, size_t size)
{
    const size_t length = strlen(text);

    for (size_t at = 0; length <= size && at <= size - length; at++) {
        if (memcmp(data + at, text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* A path that is found is there as a target, of a link of that type. */
static void find_link(const uint8_t *data, size_t size)
{
    char *path = (char *)fuzz_room(MAX_PATH);
    char target[MAX_PATH + 3];

    if (fleet_links_find(data, size, "core.rd", path, MAX_PATH)) {
        FUZZ_CHECK(memchr(path, '\0', MAX_PATH) != NULL);
        FUZZ_CHECK(path[0] != '/' && strpbrk(path, "%?# ") == NULL);
        (void)snprintf(target, sizeof target, "</%s>", path);
        FUZZ_CHECK(is_in(target, data, size));
        FUZZ_CHECK(is_in("rt", data, size) && is_in("core.rd", data, size));
    }
    free(path);
}

/* A message that can be read is written again, from its parts, unchanged. */
static void read_and_write(const uint8_t *data, size_t size)
{
    struct fleet_coap_message message;
    struct fleet_coap_writer writer;
    struct fleet_coap_option_value option = {0};

    if (fleet_coap_read(data, size, &message) != FLEET_COAP_READ) {
        return;
    }
    uint8_t *again = fuzz_room(size);
    fleet_coap_begin(&writer, again, size, &message.head);
    while (fleet_coap_next(&message, &option)) {
        fleet_coap_option(&writer, option.number, option.value, option.length);
        (void)fleet_coap_number(&option);
    }
    if (message.payload_length > 0) {
        size_t room;
        uint8_t *payload = fleet_coap_payload(&writer, &room);
        FUZZ_CHECK(room == message.payload_length);
        memcpy(payload, message.payload, room);
        fleet_coap_payload_is(&writer, room);
    }
    FUZZ_CHECK(fleet_coap_end(&writer) == size && memcmp(again, data, size) == 0);
    free(again);
}

/* A message from a line is delivered again when it is sent. */
static void take_line(const uint8_t *data, size_t size)
{
    struct fleet_slipmux frame;
    struct fleet_slipmux second;
    uint8_t *memory = fuzz_room(MAX_MESSAGE);
    uint8_t *other = fuzz_room(MAX_MESSAGE);

    fleet_slipmux_begin(&frame, memory, MAX_MESSAGE);
    for (size_t i = 0; i < size; i++) {
        const size_t length = fleet_slipmux_take(&frame, data[i]);
        FUZZ_CHECK(length <= MAX_MESSAGE - 2);
        if (length > 0) {
            size_t got = 0;
            line_length = 0;
            fleet_slipmux_send(memory, length);
            fleet_slipmux_begin(&second, other, MAX_MESSAGE);
            for (size_t at = 0; at < line_length; at++) {
                got += fleet_slipmux_take(&second, line[at]);
            }
            FUZZ_CHECK(got == length && memcmp(other, memory, length) == 0);
        }
    }
    free(memory);
    free(other);
}

/* An exchange whose answers are the input. */
static void exchange(struct fuzz_input *input)
{
    struct fleet_answer *answer = (struct fleet_answer *)fuzz_room(sizeof(struct fleet_answer));
    const bool is_confirmable = fuzz_below(input, 2) == 0;
    struct fleet_coap_writer writer;
    struct fleet_coap_head made = {is_confirmable ? FLEET_COAP_CON : FLEET_COAP_NON,
                                   FLEET_COAP_PUT,
                                   0x1234,
                                   FLEET_TOKEN_SIZE,
                                   {1, 2, 3, 4}};
    struct fleet_link link = {0};
    uint8_t request[16];

    now = UINT32_MAX - 5000u;
    sent = 0;
    coming = *input;
    fleet_coap_begin(&writer, request, sizeof request, &made);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, "a");
    memcpy(head, request, sizeof head);
    const enum fleet_outcome outcome =
        fleet_exchange(&link, FLEET_BROKER, request, fleet_coap_end(&writer), answer);
    FUZZ_CHECK(outcome != FLEET_UNSENT);
    FUZZ_CHECK(link.echo_length <= FLEET_COAP_MAX_ECHO);
    if (outcome == FLEET_ANSWERED) {
        struct fleet_coap_option_value option = {0};
        FUZZ_CHECK(memcmp(answer->message.head.token, made.token, FLEET_TOKEN_SIZE) == 0);
        while (fleet_coap_next(&answer->message, &option)) {
            FUZZ_CHECK(option.value + option.length <= answer->bytes + sizeof answer->bytes);
        }
    }
    /* At most five waits of up to 48 s, and one for an answer apart. */
    FUZZ_CHECK(now - (UINT32_MAX - 5000u) <= 31u * 3000u + FLEET_SEPARATE_WAIT);
    free(answer);
}

/* Each item is read as it would be written; whole ones are where they were said to be. */
static void take_items(const uint8_t *data, size_t size)
{
    struct fleet_cbor_source source = {data, size};
    struct fleet_cbor_source skipped;
    struct fleet_cbor_item item;

    for (;;) {
        const struct fleet_cbor_source before = source;
        struct fleet_cbor_source whole = source;
        struct corral_cbor again;
        uint8_t written[9];
        if (fleet_cbor_skip(&whole, &skipped)) {
            FUZZ_CHECK(skipped.data == before.data && skipped.length > 0);
            FUZZ_CHECK(skipped.data + skipped.length == whole.data);
            FUZZ_CHECK(skipped.length + whole.length == before.length);
        }
        if (!fleet_cbor_take(&source, &item)) {
            return;
        }
        FUZZ_CHECK(source.length < before.length && source.data + source.length == data + size);
        if (item.is_long) {
            FUZZ_CHECK(item.kind <= CORRAL_CBOR_NEGATIVE && before.length - source.length == 9);
            continue;
        }
        corral_cbor_begin(&again, written, sizeof written);
        corral_cbor_head(&again, item.kind, item.argument);
        FUZZ_CHECK(memcmp(written, before.data, again.length) == 0);
        FUZZ_CHECK(before.data + again.length + (item.content != NULL ? item.argument : 0) ==
                   source.data);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    const unsigned choice = fuzz_below(&input, 4);

    if (choice == 0) {
        read_and_write(input.data, input.size);
        find_link(input.data, input.size);
    } else if (choice == 1) {
        take_line(input.data, input.size);
    } else if (choice == 2) {
        exchange(&input);
    } else {
        take_items(input.data, input.size);
    }
    return 0;
}
