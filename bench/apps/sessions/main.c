/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device of a fleet sends the same readings to its broker in one of four ways. It signs by ES256
 * or Ed25519, or sends plain readings in a session of DTLS with a shared key or with certificates
 * (RFC 8387, 8.4). Options: way (es256, ed25519, psk, ecdhe); readings; pack, how many are in one
 * message; anew=1, for a session that begins anew for each message. Prints what it took, in a line
 *   took SENT DATAGRAMS RECEIVED DATAGRAMS TICKS
 * of what the device sent and received, in bytes and datagrams, and what it worked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fleet/device/device.h>
#include <ports/semihosting/options.h>

#include "../steps/steps.h"
#include "air.h"
#include "broker.h"
#include "session.h"

#define MAX_PACK 10u
#define CONFIRM_EVERY 4u /* as apps/sensor has it */
#define CONTENT_SENML_CBOR 112u
#define NO_SUCCESS 2u
#define BEGAN 1764000000u /* Unix time of the first reading */

static struct fleet_settings settings = {
    .profile = {.kind = "thermometer", .signing = FLEET_P256, .agreement = FLEET_NO_KEY},
    .confirm_every = CONFIRM_EVERY,
};
static struct fleet_device device;
static bool has_session;
static bool is_anew;
static uint32_t now;

uint32_t fleet_port_now(void)
{
    return now;
}

/* The server's turn comes at once. */
bool fleet_port_send(enum fleet_peer peer, const uint8_t *message, size_t length)
{
    uint8_t received[FLEET_MESSAGE_SIZE];
    uint8_t answer[BROKER_ANSWER_SIZE];

    (void)peer;
    if (has_session) {
        const bool is_sent = session_write(message, length) == 0;
        air_turn(false);
        const bool is_served = is_sent && session_serve() == 0;
        air_turn(true);
        return is_served;
    }
    if (!air_put(DEVICE, message, length)) {
        return false;
    }
    air_turn(false);
    const size_t answered =
        broker_answer(received, air_take(SERVER, received, sizeof received), answer);
    const bool is_good = answered == 0 || air_put(SERVER, answer, answered);
    air_turn(true);
    return is_good;
}

/* No waiting: a message that is not there at once never comes. */
size_t fleet_port_receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t until)
{
    (void)peer;
    const size_t length =
        has_session ? session_read(message, size) : air_take(DEVICE, message, size);
    if (length == 0) {
        now = until;
    }
    return length;
}

static uint32_t number_option(const char *name, uint32_t otherwise)
{
    const char *const value = option_value(name);

    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

static bool is_way(const char *name)
{
    const char *const way = option_value("way");

    return way != NULL && strcmp(way, name) == 0;
}

/* The message that a device would sign, in a session instead. */
static psa_status_t say(const struct fleet_record *records, uint8_t count, bool is_confirmable)
{
    uint8_t message[FLEET_MESSAGE_SIZE];
    struct fleet_coap_writer writer;
    struct fleet_coap_head head;
    struct corral_cbor pack;
    struct fleet_answer answer;
    size_t room;

    const psa_status_t status = fleet_link_head(
        &device.link, is_confirmable ? FLEET_COAP_CON : FLEET_COAP_NON, FLEET_COAP_PUT, &head);
    if (status != PSA_SUCCESS) {
        return status;
    }
    fleet_coap_begin(&writer, message, sizeof message, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, BROKER_PATH);
    fleet_coap_uint(&writer, FLEET_COAP_CONTENT_FORMAT, CONTENT_SENML_CBOR);
    if (!is_confirmable) {
        fleet_coap_uint(&writer, FLEET_COAP_NO_RESPONSE, NO_SUCCESS);
    }
    uint8_t *const payload = fleet_coap_payload(&writer, &room);
    corral_cbor_begin(&pack, payload, room);
    fleet_senml_write(&pack, records, count);
    fleet_coap_payload_is(&writer, pack.is_full ? 0 : pack.length);
    const size_t length = fleet_coap_end(&writer);
    if (length == 0) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const enum fleet_outcome outcome =
        fleet_exchange(&device.link, FLEET_BROKER, message, length, &answer);
    return outcome == (is_confirmable ? FLEET_ANSWERED : FLEET_SILENT)
               ? PSA_SUCCESS
               : PSA_ERROR_COMMUNICATION_FAILURE;
}

/* Publish one message, in a session of its own if it is to be. */
static psa_status_t publish(const struct fleet_record *records, uint8_t count, uint32_t number)
{
    if (!has_session) {
        air_turn(true);
        const psa_status_t published = fleet_device_publish(&device, records, count);
        air_turn(false);
        return published;
    }
    if (is_anew && session_open() != 0) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    air_turn(true);
    const psa_status_t status = say(records, count, number % CONFIRM_EVERY == CONFIRM_EVERY - 1u);
    air_turn(false);
    return is_anew && session_close() != 0 ? PSA_ERROR_COMMUNICATION_FAILURE : status;
}

static psa_status_t publish_all(uint32_t readings, uint8_t in_pack)
{
    struct fleet_record records[MAX_PACK];
    psa_status_t status = PSA_SUCCESS;
    uint8_t count = 0;
    uint32_t packs = 0;

    for (uint32_t i = 0; i < readings && status == PSA_SUCCESS; i++) {
        const int32_t value = 215 + (int32_t)(i % 20u);
        records[count++] = (struct fleet_record){"t", "Cel", BEGAN + i, value, -1, FLEET_NUMBER};
        if (count == in_pack || i + 1u == readings) {
            status = publish(records, count, packs++);
            count = 0;
        }
    }
    return status;
}

/* The state before the first reading: an identity, or both ends of a session. */
static psa_status_t prepare(void)
{
    if (has_session) {
        const psa_status_t status = fleet_link_begin(&device.link);
        return status == PSA_SUCCESS && session_prepare(is_way("psk")) != 0
                   ? PSA_ERROR_GENERIC_ERROR
                   : status;
    }
    settings.profile.signing = is_way("ed25519") ? FLEET_ED25519 : FLEET_P256;
    return fleet_device_start(&device, &settings);
}

/* Work that a device does once: register, or begin a session. */
static psa_status_t begin(void)
{
    if (has_session) {
        return is_anew || session_open() == 0 ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
    }
    air_turn(true);
    const psa_status_t status = fleet_device_register(&device);
    air_turn(false);
    return status;
}

int main(void)
{
    const uint32_t readings = number_option("readings", 1);
    const uint32_t in_pack = number_option("pack", 1);
    char line[80];

    has_session = is_way("psk") || is_way("ecdhe");
    is_anew = number_option("anew", 0) != 0;
    psa_status_t status =
        in_pack == 0 || in_pack > MAX_PACK ? PSA_ERROR_INVALID_ARGUMENT : psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status = prepare();
    }
    air_begin();
    if (status == PSA_SUCCESS) {
        status = begin();
    }
    if (status == PSA_SUCCESS) {
        status = publish_all(readings, (uint8_t)in_pack);
    }
    const struct sent sent = air_sent(DEVICE);
    const struct sent received = air_sent(SERVER);
    snprintf(line, sizeof line, "took %lu %lu %lu %lu %lu\n", (unsigned long)sent.bytes,
             (unsigned long)sent.datagrams, (unsigned long)received.bytes,
             (unsigned long)received.datagrams, (unsigned long)air_ticks());
    corral_board_print(line);
    return bench_end(status);
}
