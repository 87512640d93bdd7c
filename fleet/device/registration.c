/* SPDX-License-Identifier: Apache-2.0 */
/* Registering at broker and directory: PROTOCOL.md, 4. */
#include <string.h>

#include "conversation.h"
#include "handover.h"

#define ENDPOINT "ep="
#define ENDPOINT_SIZE (sizeof ENDPOINT + 2u * FLEET_IDENTITY_SIZE)

/* Numbers of the statement's parts (PROTOCOL.md, 2). */
#define GROUP 4
#define LINKS 5

/* Write the statement: who this is, with what it wants in the directory. */
static psa_status_t write_statement(const struct fleet_device *device, bool has_links,
                                    struct corral_cbor *writer)
{
    const struct fleet_settings *settings = device->settings;
    const bool is_in_group = settings->group_size > 0;

    corral_cbor_head(writer, CORRAL_CBOR_MAP, 3u + (is_in_group ? 1u : 0u) + (has_links ? 1u : 0u));
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
 * Sign a registration that answers the challenge in the link.
 *   query  what the directory is asked, so that nobody else asks it something else; NULL: it is for
 *          the broker
 */
static psa_status_t sign_registration(struct fleet_device *device, const char *query,
                                      uint8_t statement[FLEET_STATEMENT_SIZE],
                                      struct fleet_coap_writer *writer)
{
    const struct fleet_link *link = &device->link;
    uint8_t challenge[1u + 2u + FLEET_COAP_MAX_ECHO + 2u + ENDPOINT_SIZE];
    struct corral_cbor stated;
    struct corral_cbor bound;

    corral_cbor_begin(&stated, statement, FLEET_STATEMENT_SIZE);
    const psa_status_t status =
        write_statement(device, query != NULL && device->settings->links != NULL, &stated);
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_cbor_begin(&bound, challenge, sizeof challenge);
    if (query != NULL) {
        corral_cbor_head(&bound, CORRAL_CBOR_ARRAY, 2);
    }
    corral_cbor_bytes(&bound, link->echo, link->echo_length);
    if (query != NULL) {
        corral_cbor_text(&bound, query);
    }
    struct fleet_object object = {query != NULL ? "cf1-directory" : "cf1-registration",
                                  challenge,
                                  bound.length,
                                  statement,
                                  stated.length,
                                  0,
                                  false,
                                  true};
    return fleet_sign_into(device, &object, writer);
}

/* What was said of this identity by the one before, as the payload of a message. */
static psa_status_t write_handover(const struct fleet_device *device,
                                   struct fleet_coap_writer *writer)
{
    size_t room;
    size_t length;

    uint8_t *payload = fleet_coap_payload(writer, &room);
    const psa_status_t status = fleet_handover_read(&device->identity, payload, room, &length);
    if (status == PSA_SUCCESS) {
        fleet_coap_payload_is(writer, length);
    }
    return status;
}

/*
 * Write a registration, or with `hands_over` a hand-over; without a challenge to answer, the
 * question for one.
 */
static psa_status_t write_registration(struct fleet_device *device, enum fleet_peer peer,
                                       bool hands_over, uint8_t statement[FLEET_STATEMENT_SIZE],
                                       uint8_t *message, size_t *length)
{
    const struct fleet_settings *settings = device->settings;
    const bool is_directory = peer == FLEET_DIRECTORY;
    const bool has_challenge = device->link.echo_length > 0 && device->link.echo_peer == peer;
    const char *path = is_directory ? settings->directory : settings->registration;
    char query[ENDPOINT_SIZE] = ENDPOINT; /* the name by which the directory knows it */
    struct fleet_coap_writer writer;
    struct fleet_coap_head head;

    psa_status_t status = fleet_link_head(&device->link, FLEET_COAP_CON, FLEET_COAP_POST, &head);
    if (status != PSA_SUCCESS) {
        return status;
    }
    fleet_coap_begin(&writer, message, FLEET_MESSAGE_SIZE, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH,
                    path != NULL   ? path
                    : is_directory ? "rd"
                                   : "reg");
    fleet_coap_uint(&writer, FLEET_COAP_CONTENT_FORMAT, FLEET_CONTENT_COSE_SIGN1);
    if (is_directory) {
        fleet_identity_text(&device->identity, query + sizeof ENDPOINT - 1);
        fleet_coap_text(&writer, FLEET_COAP_URI_QUERY, query);
    }
    if (has_challenge) {
        fleet_link_echo(&device->link, peer, &writer);
        status = FLEET_HANDS_OVER && hands_over
                     ? write_handover(device, &writer)
                     : sign_registration(device, is_directory ? query : NULL, statement, &writer);
    }
    *length = fleet_coap_end(&writer);
    return status == PSA_SUCCESS && *length == 0 ? PSA_ERROR_BUFFER_TOO_SMALL : status;
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
        if (length + option.length + 2 > sizeof device->path ||
            memchr(option.value, '/', option.length) != NULL ||
            memchr(option.value, '\0', option.length) != NULL) {
            return PSA_ERROR_BUFFER_TOO_SMALL;
        }
        if (length > 0) {
            device->path[length++] = '/';
        }
        memcpy(device->path + length, option.value, option.length);
        length += option.length;
    }
    device->path[length] = '\0';
    return length > 0 ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

/* Whether a server has decided about a hand-over, if only that it is none: what comes of it, the
 * registration will show. */
static bool is_decided(uint8_t code)
{
    return FLEET_COAP_CLASS(code) == 4 && code != FLEET_COAP_TOO_MANY &&
           code != FLEET_COAP_UNAUTHORIZED;
}

static psa_status_t register_at(struct fleet_device *device, enum fleet_peer peer, bool hands_over)
{
    /* The statement, until it is in the message, and then the answer. */
    union {
        uint8_t statement[FLEET_STATEMENT_SIZE];
        struct fleet_answer answer;
    } room;
    uint8_t message[FLEET_MESSAGE_SIZE];
    size_t length = 0;

    for (uint8_t tries = FLEET_TRIES; tries > 0; tries--) {
        const psa_status_t status =
            write_registration(device, peer, hands_over, room.statement, message, &length);
        if (status != PSA_SUCCESS) {
            return status;
        }
        device->link.echo_length = 0; /* a challenge is good for one answer */
        if (fleet_exchange(&device->link, peer, message, length, &room.answer) != FLEET_ANSWERED) {
            return PSA_ERROR_COMMUNICATION_FAILURE;
        }
        const uint8_t code = room.answer.message.head.code;
        if (FLEET_HANDS_OVER && hands_over && (FLEET_COAP_CLASS(code) == 2 || is_decided(code))) {
            return PSA_SUCCESS;
        }
        if (FLEET_COAP_CLASS(code) == 2) {
            return peer == FLEET_BROKER ? take_location(device, &room.answer.message) : PSA_SUCCESS;
        }
        if (code != FLEET_COAP_UNAUTHORIZED && code != FLEET_COAP_CONFLICT) {
            break;
        }
    }
    return fleet_refused(device, peer, &room.answer);
}

void fleet_enter_directory(struct fleet_device *device)
{
    if (!device->settings->has_directory || fleet_has_to_wait(device, FLEET_DIRECTORY)) {
        return;
    }
    const psa_status_t status = register_at(device, FLEET_DIRECTORY, false);
    device->is_in_directory = status == PSA_SUCCESS;
    if (status != PSA_ERROR_NOT_PERMITTED) {
        fleet_wait(device, FLEET_DIRECTORY,
                   device->is_in_directory ? FLEET_RENEWAL : FLEET_REFUSED_WAIT);
    }
}

/*
 * Send what is stored of a hand-over before anybody is asked to let in the successor.
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
