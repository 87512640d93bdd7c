/* SPDX-License-Identifier: Apache-2.0 */
#include "registration.h"

#include <string.h>

#include "clock.h"
#include "conversation.h"
#include "discovery.h"
#include "handover.h"

#define ENDPOINT "ep="
#define ENDPOINT_SIZE (sizeof ENDPOINT + 2u * FLEET_IDENTITY_SIZE)

/* Space for the context of a registration: a challenge, in an array with the query. */
#define CHALLENGE_SIZE (1u + 2u + FLEET_COAP_MAX_ECHO + 2u + ENDPOINT_SIZE)

/* Numbers of the statement's parts (PROTOCOL.md, 2). */
#define GROUP 4
#define LINKS 5

/* Write the statement: identity, and its entry in the directory. */
static psa_status_t write_statement(const struct fleet_device *device, bool has_links,
                                    struct corral_cbor *writer)
{
    const struct fleet_settings *settings = device->settings;
    const bool is_in_group = settings->group_size > 0;

    corral_cbor_head(writer, CORRAL_CBOR_MAP, 3u + is_in_group + has_links);
    const psa_status_t status = fleet_identity_write(&device->identity, true, writer);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (is_in_group) {
        corral_cbor_int(writer, GROUP);
        corral_cbor_head(writer, CORRAL_CBOR_ARRAY, settings->group_size);
        for (uint8_t i = 0; i < settings->group_size; i++) {
            corral_cbor_bytes(writer, settings->group + (size_t)i * FLEET_IDENTITY_SIZE,
                              FLEET_IDENTITY_SIZE);
        }
    }
    if (has_links) {
        corral_cbor_int(writer, LINKS);
        corral_cbor_text(writer, settings->links);
    }
    return writer->is_full ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS;
}

/*
 * The statement of a registration that answers the challenge in the link.
 *   query  the query to the directory, which is signed, too; NULL: it is for
 *          the broker
 */
static psa_status_t state(struct fleet_device *device, const char *query,
                          uint8_t statement[FLEET_STATEMENT_SIZE],
                          uint8_t challenge[CHALLENGE_SIZE], struct fleet_object *object)
{
    const struct fleet_link *link = &device->link;
    struct corral_cbor stated;
    struct corral_cbor bound;

    corral_cbor_begin(&stated, statement, FLEET_STATEMENT_SIZE);
    const psa_status_t status =
        write_statement(device, query != NULL && device->settings->links != NULL, &stated);
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_cbor_begin(&bound, challenge, CHALLENGE_SIZE);
    if (query != NULL) {
        corral_cbor_head(&bound, CORRAL_CBOR_ARRAY, 2);
    }
    corral_cbor_bytes(&bound, link->echo, link->echo_length);
    if (query != NULL) {
        corral_cbor_text(&bound, query);
    }
    *object = (struct fleet_object){.purpose = query != NULL ? "cf1-directory" : "cf1-registration",
                                    .bound = challenge,
                                    .bound_length = bound.length,
                                    .payload = statement,
                                    .payload_length = stated.length};
    return PSA_SUCCESS;
}

/* Remember where the topic's data are. */
static psa_status_t take_location(struct fleet_device *device,
                                  const struct fleet_coap_message *message)
{
    struct fleet_coap_option_value option = {0};
    size_t length = 0;

    while (fleet_coap_next(message, &option)) {
        if (option.number != FLEET_COAP_LOCATION_PATH) {
            continue;
        }
        if (length + option.length + 2 > sizeof device->path) {
            return PSA_ERROR_BUFFER_TOO_SMALL;
        }
        if (length > 0) {
            device->path[length++] = '/';
        }
        for (size_t i = 0; i < option.length; i++) {
            const char next = (char)option.value[i];
            if (next == '/' || next == '\0') {
                return PSA_ERROR_BUFFER_TOO_SMALL;
            }
            device->path[length++] = next;
        }
    }
    device->path[length] = '\0';
    return length > 0 ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

/* Whether a server has decided about a hand-over, also if it rejects it: the
 * registration will show the result. */
static bool is_decided(uint8_t code)
{
    return FLEET_COAP_CLASS(code) == 4 && code != FLEET_COAP_TOO_MANY &&
           code != FLEET_COAP_UNAUTHORIZED;
}

/* Register, or with `hands_over` hand over; without a challenge to answer, ask for one. */
static psa_status_t register_at(struct fleet_device *device, enum fleet_peer peer, bool hands_over)
{
    const struct fleet_settings *settings = device->settings;
    const bool is_directory = peer == FLEET_DIRECTORY;
    const char *const path = is_directory ? settings->directory : settings->registration;
    const char *const usual = is_directory ? "rd" : "reg";
    /* The statement, until it is in the message, and then the answer. */
    union {
        uint8_t statement[FLEET_STATEMENT_SIZE];
        struct fleet_answer answer;
    } room;
    char query[ENDPOINT_SIZE]; /* the name by which the directory knows it */
    uint8_t challenge[CHALLENGE_SIZE];
    struct fleet_object object;
    struct fleet_request request = {.path = path != NULL ? path : usual,
                                    .peer = (uint8_t)peer,
                                    .code = FLEET_COAP_POST,
                                    .echo = FLEET_ECHO_ONCE,
                                    .has_format = true};

    if (is_directory && path == NULL && FLEET_FINDS && fleet_finds_directory()) {
        request.path = fleet_found_path();
    }
    if (is_directory) {
        memcpy(query, ENDPOINT, sizeof ENDPOINT);
        fleet_identity_text(&device->identity, query + sizeof ENDPOINT - 1);
        request.query = query;
    }
    for (uint_fast8_t tries = FLEET_TRIES; tries > 0; tries--) {
        const bool has_challenge = device->link.echo_length > 0 && device->link.echo_peer == peer;
        psa_status_t status = PSA_SUCCESS;
        const bool sends_handover = FLEET_HANDS_OVER && hands_over && has_challenge;
        request.special = sends_handover ? FLEET_OF_HANDOVER : FLEET_ORDINARY;
        request.object = NULL;
        if (FLEET_HAS_CLOCK && !is_directory && !hands_over && fleet_clock_follows_broker()) {
            request.special = FLEET_WANTS_TIME;
        }
        if (has_challenge && !sends_handover) {
            request.object = &object;
            status = state(device, request.query, room.statement, challenge, &object);
        }
        if (status == PSA_SUCCESS) {
            status = fleet_ask(device, &request, &room.answer);
        }
        if (status != PSA_SUCCESS) {
            return status;
        }
        const uint8_t code = room.answer.message.head.code;
        if (FLEET_HANDS_OVER && hands_over && (FLEET_COAP_CLASS(code) == 2 || is_decided(code))) {
            return PSA_SUCCESS;
        }
        if (FLEET_COAP_CLASS(code) == 2) {
            if (FLEET_HAS_CLOCK && !is_directory) {
                fleet_clock_take(&room.answer.message);
            }
            return is_directory ? PSA_SUCCESS : take_location(device, &room.answer.message);
        }
        if (code != FLEET_COAP_UNAUTHORIZED && code != FLEET_COAP_CONFLICT) {
            break;
        }
    }
    if (is_directory && FLEET_FINDS && fleet_finds_directory() &&
        !fleet_is_busy(room.answer.message.head.code)) {
        return PSA_ERROR_NOT_PERMITTED; /* how soon another one is looked for is not up to it */
    }
    return fleet_refused(device, peer, &room.answer);
}

void fleet_enter_directory(struct fleet_device *device)
{
    if (!device->settings->has_directory || fleet_has_to_wait(device, FLEET_DIRECTORY)) {
        return;
    }
    if (FLEET_FINDS && fleet_finds_directory() && !fleet_find_directory(device)) {
        return;
    }
    const psa_status_t status = register_at(device, FLEET_DIRECTORY, false);
    device->is_in_directory = status == PSA_SUCCESS;
    if (FLEET_FINDS && fleet_finds_directory() && !device->is_in_directory) {
        fleet_lose_directory(device);
    } else if (device->is_in_directory) {
        device->backoff[FLEET_DIRECTORY] = 0;
        fleet_wait(device, FLEET_DIRECTORY, FLEET_RENEWAL);
    } else if (status != PSA_ERROR_NOT_PERMITTED) {
        fleet_wait(device, FLEET_DIRECTORY, fleet_backoff(device, FLEET_DIRECTORY));
    }
}

/*
 * Send the stored statement of a hand-over before any request to admit the successor.
 *   is_done  set if it was sent and answered, or never can be, because no message holds it
 *   as fleet_device_register() has it, but for PSA_ERROR_BUFFER_TOO_SMALL, which would be for ever
 */
static psa_status_t hand_over(struct fleet_device *device, bool *is_done)
{
    if (fleet_handover_find(&device->identity) != PSA_SUCCESS) {
        return PSA_SUCCESS; /* nothing; or it cannot be read, and does not keep the device away */
    }
    const psa_status_t status = register_at(device, FLEET_BROKER, true);
    *is_done = status == PSA_SUCCESS || status == PSA_ERROR_BUFFER_TOO_SMALL;
    return *is_done ? PSA_SUCCESS : status;
}

psa_status_t fleet_device_register(struct fleet_device *device)
{
    bool is_done = false;

    if (fleet_has_to_wait(device, FLEET_BROKER)) {
        return PSA_ERROR_BAD_STATE;
    }
    if (device->is_in_directory) {
        fleet_wait(device, FLEET_DIRECTORY, 0); /* it was only to be renewed later */
    }
    device->is_registered = false;
    device->is_in_directory = false;
    if (FLEET_HANDS_OVER) {
        const psa_status_t status = hand_over(device, &is_done);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    fleet_enter_directory(device);
    const psa_status_t status = register_at(device, FLEET_BROKER, false);
    device->is_registered = status == PSA_SUCCESS;
    device->is_new_here = true;
    if (FLEET_HANDS_OVER && is_done && device->is_registered) {
        (void)fleet_handover_forget(&device->identity); /* it stays: then it is sent again */
    }
    return status;
}
