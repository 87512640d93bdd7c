/* SPDX-License-Identifier: Apache-2.0 */
#include "conversation.h"

#include "clock.h"
#include "handover.h"
#include "jws.h"

#define SECOND 1000u
#define NO_SUCCESS 2u       /* No-Response: of class 2 (RFC 7967, 2.1) */
#define DEFAULT_MAX_AGE 60u /* RFC 7252, 5.10.5 */

/* Whether an object is a JWS, and no COSE_Sign1. */
static bool is_jws(const struct fleet_object *object)
{
    return FLEET_JWS && object != NULL && object->is_reading;
}

static psa_status_t sign(const struct fleet_identity *identity, const struct fleet_object *object,
                         uint8_t *output, size_t size, size_t *length)
{
    return is_jws(object) ? fleet_jws_sign(identity, object, output, size, length)
                          : fleet_object_sign(identity, object, output, size, length);
}

/* Write what a request carries. */
static psa_status_t write_payload(struct fleet_device *device, const struct fleet_request *request,
                                  struct fleet_coap_writer *writer)
{
    psa_status_t status = PSA_SUCCESS;
    size_t room;
    size_t length;

    uint8_t *payload = fleet_coap_payload(writer, &room);
    if (FLEET_HANDS_OVER && request->special == FLEET_OF_HANDOVER) {
        status = fleet_handover_read(&device->identity, payload, room, &length);
    } else {
        status = fleet_sequence_take(&device->sequence, &request->object->number);
        if (status == PSA_SUCCESS) {
            status = sign(&device->identity, request->object, payload, room, &length);
        }
    }
    if (status == PSA_SUCCESS) {
        fleet_coap_payload_is(writer, length);
    }
    return status;
}

psa_status_t fleet_ask(struct fleet_device *device, const struct fleet_request *request,
                       struct fleet_answer *answer)
{
    const enum fleet_peer peer = (enum fleet_peer)request->peer;
    uint8_t message[FLEET_MESSAGE_SIZE];
    struct fleet_coap_writer writer;
    struct fleet_coap_head head;

    psa_status_t status =
        fleet_link_head(&device->link, request->is_unconfirmed ? FLEET_COAP_NON : FLEET_COAP_CON,
                        request->code, &head);
    if (status != PSA_SUCCESS) {
        return status;
    }
    fleet_coap_begin(&writer, message, sizeof message, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, request->path);
    if (request->more != NULL) {
        fleet_coap_text(&writer, FLEET_COAP_URI_PATH, request->more);
    }
    if (request->has_format) {
        fleet_coap_uint(&writer, FLEET_COAP_CONTENT_FORMAT,
                        is_jws(request->object) ? FLEET_CONTENT_JWS : FLEET_CONTENT_COSE_SIGN1);
    }
    if (request->query != NULL) {
        fleet_coap_text(&writer, FLEET_COAP_URI_QUERY, request->query);
    }
    if (FLEET_HAS_CLOCK && request->special == FLEET_WANTS_TIME) {
        fleet_coap_uint(&writer, FLEET_COAP_ACCEPT, FLEET_CONTENT_CBOR);
    }
    if (request->echo != FLEET_NO_ECHO) {
        fleet_link_echo(&device->link, peer, &writer);
    }
    if (request->is_unconfirmed) {
        fleet_coap_uint(&writer, FLEET_COAP_NO_RESPONSE, NO_SUCCESS);
    }
    if (request->object != NULL || (FLEET_HANDS_OVER && request->special == FLEET_OF_HANDOVER)) {
        status = write_payload(device, request, &writer);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    const size_t length = fleet_coap_end(&writer);
    if (length == 0) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (request->echo == FLEET_ECHO_ONCE) {
        device->link.echo_length = 0;
    }
    const enum fleet_outcome outcome = fleet_exchange(&device->link, peer, message, length, answer);
    if (outcome == FLEET_SILENT && request->is_unconfirmed) {
        answer->message.head.code = FLEET_COAP_EMPTY;
        return PSA_SUCCESS;
    }
    if (outcome == FLEET_ANSWERED) {
        return PSA_SUCCESS;
    }
    if (request->object != NULL && request->object->is_reading) {
        device->is_registered = false;
    }
    return PSA_ERROR_COMMUNICATION_FAILURE;
}

static uint32_t shorter(uint32_t seconds)
{
    return seconds < FLEET_REFUSED_WAIT_MAX ? seconds : FLEET_REFUSED_WAIT_MAX;
}

bool fleet_has_to_wait(struct fleet_device *device, enum fleet_peer peer)
{
    struct fleet_patience *patience = &device->patience[peer];

    if (fleet_port_now() - patience->since < patience->duration) {
        return true;
    }
    patience->duration = 0;
    return false;
}

void fleet_wait(struct fleet_device *device, enum fleet_peer peer, uint32_t seconds)
{
    device->patience[peer] = (struct fleet_patience){fleet_port_now(), seconds * SECOND};
}

uint32_t fleet_backoff(struct fleet_device *device, enum fleet_peer peer)
{
    const uint32_t next = device->backoff[peer] * 2u;
    const uint32_t seconds = next == 0 ? FLEET_REFUSED_WAIT : shorter(next);

    device->backoff[peer] = (uint16_t)seconds;
    return seconds;
}

/* How long to leave a server alone that rejects requests, in seconds. */
static uint32_t time_to_wait(struct fleet_device *device, enum fleet_peer peer,
                             const struct fleet_coap_message *message)
{
    struct fleet_coap_option_value option;

    if (!fleet_is_busy(message->head.code)) {
        return fleet_backoff(device, peer);
    }
    if (!fleet_coap_find(message, FLEET_COAP_MAX_AGE, &option)) {
        return DEFAULT_MAX_AGE;
    }
    return shorter(fleet_coap_number(&option));
}

psa_status_t fleet_refused(struct fleet_device *device, enum fleet_peer peer,
                           const struct fleet_answer *answer)
{
    fleet_wait(device, peer, time_to_wait(device, peer, &answer->message));
    if (peer == FLEET_BROKER && answer->message.head.code != FLEET_COAP_TOO_MANY) {
        device->is_registered = false;
    }
    return PSA_ERROR_NOT_PERMITTED;
}
