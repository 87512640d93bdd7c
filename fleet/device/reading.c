/* SPDX-License-Identifier: Apache-2.0 */
/* Publishing measurements: PROTOCOL.md, 5. */
#include "conversation.h"

#define FULL_EVERY 32u /* numbers of which is sent in full (PROTOCOL.md, 3) */
#define NO_SUCCESS 2u  /* No-Response: of class 2 (RFC 7967, 2.1) */
#define TOPIC_SIZE (2u * FLEET_IDENTITY_SIZE)

/* How a reading is to be sent. */
struct manner {
    bool is_confirmable;
    bool has_echo; /* the broker asked for it */
};

static psa_status_t sign_reading(struct fleet_device *device, const struct fleet_cbor *pack,
                                 bool is_confirmable, struct fleet_coap_writer *writer)
{
    const uint64_t next = device->sequence.next;
    const bool is_full = is_confirmable || device->is_new_here || next % FULL_EVERY == 0;
    char text[TOPIC_SIZE + 1u];
    uint8_t topic[2 + TOPIC_SIZE];
    struct fleet_cbor bound;

    fleet_identity_text(&device->identity, text);
    fleet_cbor_begin(&bound, topic, sizeof topic);
    fleet_cbor_text(&bound, text);
    struct fleet_object object = {"cf1-reading", topic, bound.length, pack->data,
                                  pack->length,  0,     true,         is_full};
    return fleet_sign_into(device, &object, writer);
}

static psa_status_t write_reading(struct fleet_device *device, const struct fleet_cbor *pack,
                                  const struct manner *manner, uint8_t *message, size_t *length)
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

/* Send a pack once. *code: of the answer, 0 if nobody objected to what nobody had to answer. */
static psa_status_t send(struct fleet_device *device, const struct fleet_cbor *pack,
                         const struct manner *manner, struct fleet_answer *answer, uint8_t *code)
{
    uint8_t message[FLEET_MESSAGE_SIZE];
    size_t length;

    *code = 0;
    const psa_status_t status = write_reading(device, pack, manner, message, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    switch (fleet_exchange(&device->link, FLEET_BROKER, message, length, answer)) {
    case FLEET_ANSWERED:
        *code = answer->message.head.code;
        return PSA_SUCCESS;
    case FLEET_SILENT:
        return manner->is_confirmable ? PSA_ERROR_COMMUNICATION_FAILURE : PSA_SUCCESS;
    default:
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
}

/* The reading is out: count those since the latest confirmable one. */
static psa_status_t done(struct fleet_device *device, bool is_confirmable)
{
    device->is_new_here = false;
    device->since_confirmed = is_confirmable ? 0 : (uint8_t)(device->since_confirmed + 1);
    return PSA_SUCCESS;
}

/*
 * Do what an answer asks for before the pack is sent again.
 *   PSA_ERROR_NOT_PERMITTED  it is not to be sent again
 */
static psa_status_t prepare_again(struct fleet_device *device, const struct fleet_answer *answer,
                                  uint8_t code, struct manner *manner)
{
    if (code == FLEET_COAP_UNAUTHORIZED) {
        manner->has_echo = true;
        return PSA_SUCCESS;
    }
    if (code == FLEET_COAP_CONFLICT && !manner->is_confirmable) {
        manner->is_confirmable = true;
        return PSA_SUCCESS;
    }
    if (code == FLEET_COAP_CONFLICT || code == FLEET_COAP_NOT_FOUND) {
        return fleet_device_register(device);
    }
    return fleet_refused(device, answer);
}

static psa_status_t publish(struct fleet_device *device, const struct fleet_cbor *pack)
{
    struct manner manner = {device->since_confirmed + 1u >= device->settings->confirm_every, false};
    struct fleet_answer answer;
    psa_status_t status = PSA_ERROR_NOT_PERMITTED;
    uint8_t code;

    for (uint8_t tries = FLEET_TRIES; tries > 0; tries--) {
        status = send(device, pack, &manner, &answer, &code);
        if (status != PSA_SUCCESS) {
            device->is_registered = false;
            return status;
        }
        if (code == 0 || FLEET_COAP_CLASS(code) == 2) {
            return done(device, manner.is_confirmable);
        }
        status = prepare_again(device, &answer, code, &manner);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    return fleet_refused(device, &answer);
}

psa_status_t fleet_device_publish(struct fleet_device *device, const struct fleet_record *records,
                                  uint8_t count)
{
    uint8_t data[FLEET_PACK_SIZE];
    struct fleet_cbor pack;

    if (count == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    fleet_cbor_begin(&pack, data, sizeof data);
    fleet_senml_write(&pack, records, count);
    if (pack.is_full) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (fleet_has_to_wait(device)) {
        return PSA_ERROR_BAD_STATE;
    }
    const psa_status_t status = device->is_registered ? PSA_SUCCESS : fleet_device_register(device);
    return status == PSA_SUCCESS ? publish(device, &pack) : status;
}
