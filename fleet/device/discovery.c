/* SPDX-License-Identifier: Apache-2.0 */
#include "discovery.h"

#include <string.h>

#include "conversation.h"
#include "links.h"

#if FLEET_FINDS

#define TYPE "core.rd"
#define CONTENT_LINKS 40u /* RFC 6690, 7.3 */

/* Milliseconds for which answers may come: DEFAULT_LEISURE (RFC 7252, 4.8.2), and their way. */
#define ANSWERS_WAIT 7000u

/* Seconds: the shortest pause, and the longest without the random part. */
#define PAUSE 60u
#define PAUSE_MAX 3600u

/* The largest number of skipped directories: a sender of endless answers is accepted in the end. */
#define PASSED_OVER_MAX 3u

static bool finds;
static char found[FLEET_PATH_SIZE];
static bool is_found;
static uint16_t pause;      /* the latest; 0: there was none */
static uint8_t passed_over; /* how many were of no use */

void fleet_look_for_directory(bool does)
{
    finds = does;
}

bool fleet_finds_directory(void)
{
    return finds;
}

/* Write the question. Returns its length; 0: there is no random number. */
static size_t write_question(struct fleet_device *device, struct fleet_coap_head *head,
                             uint8_t *message, size_t size)
{
    struct fleet_coap_writer writer;

    if (fleet_link_head(&device->link, FLEET_COAP_NON, FLEET_COAP_GET, head) != PSA_SUCCESS) {
        return 0;
    }
    fleet_coap_begin(&writer, message, size, head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, ".well-known/core");
    fleet_coap_text(&writer, FLEET_COAP_URI_QUERY, "rt=" TYPE);
    return fleet_coap_end(&writer);
}

/* Whether a message is links, all of them, in answer to the question. */
static bool has_links(const struct fleet_coap_message *message, const struct fleet_coap_head *asked)
{
    struct fleet_coap_option_value option = {0};
    bool is_links = false;

    if (message->head.type != FLEET_COAP_NON || message->head.code != FLEET_COAP_CONTENT ||
        message->head.token_length != asked->token_length ||
        memcmp(message->head.token, asked->token, asked->token_length) != 0) {
        return false;
    }
    while (fleet_coap_next(message, &option)) {
        if (fleet_coap_is_critical(option.number)) { /* a block of them, or what is not known */
            return false;
        }
        is_links |= option.number == FLEET_COAP_CONTENT_FORMAT &&
                    fleet_coap_number(&option) == CONTENT_LINKS;
    }
    return is_links;
}

/* Take the first directory that answers and is not passed over; else the last one. */
static void take_answers(const struct fleet_coap_head *asked)
{
    const uint32_t until = fleet_port_now() + ANSWERS_WAIT;
    uint8_t left = passed_over;
    struct fleet_answer answer;
    char path[sizeof found];

    do {
        const size_t length =
            fleet_port_receive(FLEET_GROUP, answer.bytes, sizeof answer.bytes, until);
        const struct fleet_coap_message *message = &answer.message;
        if (length == 0 ||
            fleet_coap_read(answer.bytes, length, &answer.message) != FLEET_COAP_READ ||
            !has_links(message, asked) ||
            !fleet_links_find(message->payload, message->payload_length, TYPE, path, sizeof path) ||
            !fleet_port_take_directory()) {
            continue;
        }
        memcpy(found, path, sizeof found);
        is_found = true;
        if (left-- == 0) {
            return;
        }
    } while ((int32_t)(until - fleet_port_now()) > 0);
}

bool fleet_find_directory(struct fleet_device *device)
{
    struct fleet_coap_head head;
    uint8_t message[48]; /* the question has 37 bytes */

    if (is_found) { /* and was of use, or it would be lost */
        pause = 0;
        passed_over = 0;
        return true;
    }
    const size_t length = write_question(device, &head, message, sizeof message);
    if (length > 0 && fleet_port_send(FLEET_GROUP, message, length)) {
        take_answers(&head);
    }
    if (!is_found) {
        passed_over = 0;
        fleet_lose_directory(device);
    }
    return is_found;
}

const char *fleet_found_path(void)
{
    return found;
}

void fleet_lose_directory(struct fleet_device *device)
{
    struct fleet_patience *patience = &device->patience[FLEET_DIRECTORY];
    const struct fleet_patience asked = *patience;
    uint16_t draw = 0;

    if (is_found) {
        passed_over = (uint8_t)((passed_over + 1u) % (PASSED_OVER_MAX + 1u));
    }
    is_found = false;
    if (device->link.echo_peer == FLEET_DIRECTORY) {
        device->link.echo_length = 0; /* the next one did not ask for that */
    }
    pause = pause == 0 ? PAUSE : (uint16_t)(pause * 2u < PAUSE_MAX ? pause * 2u : PAUSE_MAX);
    /* Drawn, so that not all devices of a place ask at once after its power failed. */
    (void)psa_generate_random((uint8_t *)&draw, sizeof draw);
    fleet_wait(device, FLEET_DIRECTORY, pause + (uint32_t)draw % pause);
    if (asked.duration > patience->duration) {
        *patience = asked;
    }
}

#endif
