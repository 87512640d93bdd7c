/* SPDX-License-Identifier: Apache-2.0 */
/* Publishing measurements: PROTOCOL.md, 5. */
#include "conversation.h"

#define FULL_EVERY 32u /* numbers of which is sent in full (PROTOCOL.md, 3) */
#define NO_SUCCESS 2u  /* No-Response: of class 2 (RFC 7967, 2.1) */
#define TOPIC_SIZE (2u * FLEET_IDENTITY_SIZE)

/* What needs memory one after the other: the pack, until it is in the message, and the answer. */
union room {
    uint8_t pack[FLEET_PACK_SIZE];
    struct fleet_answer answer;
};

static psa_status_t sign_reading(struct fleet_device *device, const struct corral_cbor *pack,
                                 bool is_confirmable, struct fleet_coap_writer *writer)
{
    const uint64_t next = device->sequence.next;
    const bool is_full = is_confirmable || device->is_new_here || next % FULL_EVERY == 0;
    char text[TOPIC_SIZE + 1u];
    uint8_t topic[2 + TOPIC_SIZE];
    struct corral_cbor bound;

    fleet_identity_text(&device->identity, text);
    corral_cbor_begin(&bound, topic, sizeof topic);
    corral_cbor_text(&bound, text);
    struct fleet_object object = {"cf1-reading", topic, bound.length, pack->data,
                                  pack->length,  0,     true,         is_full};
    return fleet_sign_into(device, &object, writer);
}

static psa_status_t write_reading(struct fleet_device *device, const struct corral_cbor *pack,
                                  const struct fleet_manner *manner, uint8_t *message,
                                  size_t *length)
{
    struct fleet_coap_writer writer;
    struct fleet_coap_head head;

    psa_status_t status =
        fleet_link_head(&device->link, manner->is_confirmable ? FLEET_COAP_CON : FLEET_COAP_NON,
                        FLEET_COAP_PUT, &head);
    if (status != PSA_SUCCESS) {
        return status;
    }
    fleet_coap_begin(&writer, message, FLEET_MESSAGE_SIZE, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, device->path);
    fleet_coap_uint(&writer, FLEET_COAP_CONTENT_FORMAT, FLEET_CONTENT_COSE_SIGN1);
    if (manner->has_echo) {
        fleet_link_echo(&device->link, FLEET_BROKER, &writer);
    }
    if (!manner->is_confirmable) {
        fleet_coap_uint(&writer, FLEET_COAP_NO_RESPONSE, NO_SUCCESS);
    }
    status = sign_reading(device, pack, manner->is_confirmable, &writer);
    *length = fleet_coap_end(&writer);
    return status == PSA_SUCCESS && *length == 0 ? PSA_ERROR_BUFFER_TOO_SMALL : status;
}

/* The reading is out: count those since the latest confirmable one. */
static psa_status_t done(struct fleet_device *device, bool is_confirmable)
{
    device->is_new_here = false;
    device->since_confirmed = is_confirmable ? 0 : (uint8_t)(device->since_confirmed + 1);
    return PSA_SUCCESS;
}

/* Do what an answer asks for: nothing more, or to send the reading again in another manner. */
static psa_status_t take_answer(struct fleet_device *device, const struct fleet_answer *answer,
                                struct fleet_manner *manner)
{
    const uint8_t code = answer->message.head.code;

    if (FLEET_COAP_CLASS(code) == 2) {
        return done(device, manner->is_confirmable);
    }
    if (manner->tries == 0) {
        return fleet_refused(device, FLEET_BROKER, answer);
    }
    if (code == FLEET_COAP_UNAUTHORIZED) {
        manner->has_echo = true;
    } else if (code == FLEET_COAP_CONFLICT && !manner->is_confirmable) {
        manner->is_confirmable = true;
    } else if (code == FLEET_COAP_CONFLICT || code == FLEET_COAP_NOT_FOUND) {
        device->is_registered = false;
    } else {
        return fleet_refused(device, FLEET_BROKER, answer);
    }
    manner->is_wanted_again = true;
    return PSA_SUCCESS;
}

psa_status_t fleet_send_reading(struct fleet_device *device, const struct fleet_record *records,
                                uint8_t count, struct fleet_manner *manner)
{
    uint8_t message[FLEET_MESSAGE_SIZE];
    union room room;
    struct corral_cbor pack;
    size_t length = 0;

    manner->is_wanted_again = false;
    corral_cbor_begin(&pack, room.pack, sizeof room.pack);
    fleet_senml_write(&pack, records, count);
    const psa_status_t status = write_reading(device, &pack, manner, message, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    switch (fleet_exchange(&device->link, FLEET_BROKER, message, length, &room.answer)) {
    case FLEET_ANSWERED:
        return take_answer(device, &room.answer, manner);
    case FLEET_SILENT:
        if (!manner->is_confirmable) {
            return done(device, false);
        }
        break;
    default:
        break;
    }
    device->is_registered = false;
    return PSA_ERROR_COMMUNICATION_FAILURE;
}
