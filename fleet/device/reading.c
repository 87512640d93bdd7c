/* SPDX-License-Identifier: Apache-2.0 */
#include "reading.h"

#include "clock.h"
#include "conversation.h"
#include "senml_json.h"

#define FULL_EVERY 32u /* numbers of which is sent in full (PROTOCOL.md, 3) */
#define TOPIC_SIZE (2u * FLEET_IDENTITY_SIZE)

/* Uses of memory, one after the other: the pack, until it is in the message, and the answer. */
union room {
    uint8_t pack[FLEET_PACK_SIZE];
    struct fleet_answer answer;
};

/* Write a pack; it fits (fleet_device_publish()). */
static void write_pack(struct corral_cbor *writer, const struct fleet_record *records,
                       uint8_t count)
{
    struct fleet_moment moment;

    if (FLEET_HAS_CLOCK) {
        fleet_clock_read(&moment);
    }
    if (FLEET_JWS) {
        fleet_senml_json_write(writer, records, count, FLEET_HAS_CLOCK ? &moment : NULL);
    } else if (FLEET_HAS_CLOCK) {
        fleet_senml_write_at(writer, records, count, &moment);
    } else {
        fleet_senml_write(writer, records, count);
    }
}

/* The reading is out: count those since the latest confirmable one. */
static psa_status_t done(struct fleet_device *device, bool is_confirmable)
{
    device->is_new_here = false;
    device->backoff[FLEET_BROKER] = 0;
    device->since_confirmed = is_confirmable ? 0 : (uint8_t)(device->since_confirmed + 1);
    return PSA_SUCCESS;
}

/* Do what an answer asks for: nothing more, or to send the reading again in another manner. */
static psa_status_t take_answer(struct fleet_device *device, const struct fleet_answer *answer,
                                struct fleet_manner *manner)
{
    const uint8_t code = answer->message.head.code;

    if (FLEET_COAP_CLASS(code) == 2 || code == FLEET_COAP_EMPTY) {
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

static bool is_sent_in_full(const struct fleet_number *number)
{
    return number->bytes[FLEET_NUMBER_SIZE - 1] % FULL_EVERY == 0;
}

psa_status_t fleet_send_reading(struct fleet_device *device, const struct fleet_record *records,
                                uint8_t count, struct fleet_manner *manner)
{
    const bool is_full =
        manner->is_confirmable || device->is_new_here || is_sent_in_full(&device->sequence.next);
    uint8_t topic[2u + TOPIC_SIZE + 1u];
    union room room;
    struct corral_cbor pack;

    manner->is_wanted_again = false;
    corral_cbor_begin(&pack, room.pack, sizeof room.pack);
    write_pack(&pack, records, count);
    topic[0] = 0x78; /* a text of that length */
    topic[1] = TOPIC_SIZE;
    fleet_identity_text(&device->identity, (char *)topic + 2);
    struct fleet_object object = {.purpose = "cf1-reading",
                                  .bound = topic,
                                  .bound_length = 2u + TOPIC_SIZE,
                                  .payload = pack.data,
                                  .payload_length = pack.length,
                                  .is_reading = true,
                                  .is_short = !is_full};
    const struct fleet_request request = {.path = device->path,
                                          .object = &object,
                                          .peer = FLEET_BROKER,
                                          .code = FLEET_COAP_PUT,
                                          .echo = manner->has_echo ? FLEET_ECHO : FLEET_NO_ECHO,
                                          .has_format = true,
                                          .is_unconfirmed = !manner->is_confirmable};
    const psa_status_t status = fleet_ask(device, &request, &room.answer);
    return status == PSA_SUCCESS ? take_answer(device, &room.answer, manner) : status;
}
