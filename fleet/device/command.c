/* SPDX-License-Identifier: Apache-2.0 */
/* Asking for commands, and telling what became of them: PROTOCOL.md, 6. */
#include "command.h"

#include <string.h>

#include "command_read.h"
#include "conversation.h"

#if FLEET_OBEYS

#define PATH "cmd"
#define TRIES 12u         /* of a call, most of them while the command is being signed */
#define SIGNING_WAIT 500u /* milliseconds between two of them */

/* Numbers of a result's parts (PROTOCOL.md, 2). */
#define STATUS 1
#define VALUE 2

/* What a request is for. */
enum step {
    ASK,   /* whether somebody wants to command */
    SIGN,  /* the challenge, so that the broker knows whose it is */
    FETCH, /* the command that answers it */
};

/* Begin a request; what the broker asked for last time comes with it, if has_echo. */
static psa_status_t begin(struct fleet_device *device, uint8_t code, bool has_payload,
                          bool has_echo, struct fleet_coap_writer *writer, uint8_t *message)
{
    char text[2u * FLEET_IDENTITY_SIZE + 1u];
    struct fleet_coap_head head;

    const psa_status_t status = fleet_link_head(&device->link, FLEET_COAP_CON, code, &head);
    if (status != PSA_SUCCESS) {
        return status;
    }
    fleet_identity_text(&device->identity, text);
    fleet_coap_begin(writer, message, FLEET_MESSAGE_SIZE, &head);
    fleet_coap_path(writer, FLEET_COAP_URI_PATH, PATH);
    fleet_coap_text(writer, FLEET_COAP_URI_PATH, text);
    if (has_payload) {
        fleet_coap_uint(writer, FLEET_COAP_CONTENT_FORMAT, FLEET_CONTENT_COSE_SIGN1);
    }
    if (has_echo) {
        fleet_link_echo(&device->link, FLEET_BROKER, writer);
    }
    return PSA_SUCCESS;
}

/* Sign the challenge of this device, as an answer to the broker's. */
static psa_status_t sign_challenge(struct fleet_device *device,
                                   const uint8_t nonce[FLEET_NONCE_SIZE],
                                   struct fleet_coap_writer *writer)
{
    uint8_t bound[2u + FLEET_COAP_MAX_ECHO];
    uint8_t payload[1u + FLEET_NONCE_SIZE];
    struct fleet_cbor answered;
    struct fleet_cbor challenge;

    fleet_cbor_begin(&answered, bound, sizeof bound);
    fleet_cbor_bytes(&answered, device->link.echo, device->link.echo_length);
    fleet_cbor_begin(&challenge, payload, sizeof payload);
    fleet_cbor_bytes(&challenge, nonce, FLEET_NONCE_SIZE);
    struct fleet_object object = {"cf1-ask",        bound, answered.length, payload,
                                  challenge.length, 0,     false,           true};
    return fleet_sign_into(device, &object, writer);
}

static psa_status_t write_request(struct fleet_device *device, enum step step,
                                  const uint8_t nonce[FLEET_NONCE_SIZE], uint8_t *message,
                                  size_t *length)
{
    struct fleet_coap_writer writer;

    psa_status_t status =
        begin(device, FLEET_COAP_POST, step == SIGN, step != ASK, &writer, message);
    if (status == PSA_SUCCESS && step == SIGN) {
        status = sign_challenge(device, nonce, &writer);
    }
    *length = status == PSA_SUCCESS ? fleet_coap_end(&writer) : 0;
    return status == PSA_SUCCESS && *length == 0 ? PSA_ERROR_BUFFER_TOO_SMALL : status;
}

/* Let time pass; what comes meanwhile is an answer to nothing that is asked. */
static void pause(uint8_t *message)
{
    const uint32_t end = fleet_port_now() + SIGNING_WAIT;

    while ((int32_t)(end - fleet_port_now()) > 0) {
        (void)fleet_port_receive(FLEET_BROKER, message, FLEET_MESSAGE_SIZE, end);
    }
}

/* Whether the broker has too much to do; what else it refuses is no reason to say nothing else. */
static bool is_to_be_left_alone(uint8_t code)
{
    return code == FLEET_COAP_TOO_MANY || FLEET_COAP_CLASS(code) == 5;
}

/* What is said to a request that neither brings a command nor is refused. */
static psa_status_t go_on(uint8_t code, enum step *step, uint8_t *message)
{
    if (code == FLEET_COAP_UNAUTHORIZED) {
        *step = *step == ASK ? SIGN : *step;
        return PSA_SUCCESS;
    }
    if (code != FLEET_COAP_CHANGED || *step == ASK) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    if (*step == FETCH) {
        pause(message);
    }
    *step = FETCH;
    return PSA_SUCCESS;
}

psa_status_t fleet_command_fetch(struct fleet_device *device,
                                 const struct fleet_commander *commander,
                                 struct fleet_command *command)
{
    uint8_t nonce[FLEET_NONCE_SIZE];
    uint8_t message[FLEET_MESSAGE_SIZE];
    struct fleet_answer answer;
    enum step step = ASK;
    size_t length;

    psa_status_t status = psa_generate_random(nonce, sizeof nonce);
    for (uint8_t tries = TRIES; status == PSA_SUCCESS && tries > 0; tries--) {
        status = write_request(device, step, nonce, message, &length);
        if (status != PSA_SUCCESS) {
            return status;
        }
        if (fleet_exchange(&device->link, FLEET_BROKER, message, length, &answer) !=
            FLEET_ANSWERED) {
            return PSA_ERROR_COMMUNICATION_FAILURE;
        }
        const uint8_t code = answer.message.head.code;
        if (code == FLEET_COAP_CONTENT && step != ASK) {
            return fleet_command_read(&device->identity, commander, nonce, &answer.message, message,
                                      command);
        }
        status = is_to_be_left_alone(code) ? fleet_refused(device, FLEET_BROKER, &answer)
                                           : go_on(code, &step, message);
    }
    return status == PSA_SUCCESS ? PSA_ERROR_DOES_NOT_EXIST : status;
}

psa_status_t fleet_device_take_command(struct fleet_device *device,
                                       const struct fleet_commander *commander,
                                       struct fleet_command *command)
{
    if (fleet_has_to_wait(device, FLEET_BROKER)) {
        return PSA_ERROR_BAD_STATE;
    }
    const psa_status_t status = device->is_registered ? PSA_SUCCESS : fleet_device_register(device);
    return status == PSA_SUCCESS ? fleet_command_fetch(device, commander, command) : status;
}

static psa_status_t write_result(struct fleet_device *device, const struct fleet_command *command,
                                 uint8_t result, const int32_t *value, uint8_t *message,
                                 size_t *length)
{
    uint8_t bound[2u + sizeof command->hash];
    uint8_t payload[1u + 3u + 6u];
    struct fleet_coap_writer writer;
    struct fleet_cbor hash;
    struct fleet_cbor stated;

    fleet_cbor_begin(&hash, bound, sizeof bound);
    fleet_cbor_bytes(&hash, command->hash, sizeof command->hash);
    fleet_cbor_begin(&stated, payload, sizeof payload);
    fleet_cbor_head(&stated, FLEET_CBOR_MAP, 2);
    fleet_cbor_int(&stated, STATUS);
    fleet_cbor_int(&stated, result);
    fleet_cbor_int(&stated, VALUE);
    if (value != NULL) {
        fleet_cbor_int(&stated, *value);
    } else {
        fleet_cbor_null(&stated);
    }
    struct fleet_object object = {"cf1-result",  bound, hash.length, payload,
                                  stated.length, 0,     false,       true};
    psa_status_t status = begin(device, FLEET_COAP_PUT, true, false, &writer, message);
    if (status == PSA_SUCCESS) {
        status = fleet_sign_into(device, &object, &writer);
    }
    *length = status == PSA_SUCCESS ? fleet_coap_end(&writer) : 0;
    return status == PSA_SUCCESS && *length == 0 ? PSA_ERROR_BUFFER_TOO_SMALL : status;
}

psa_status_t fleet_device_report(struct fleet_device *device, const struct fleet_command *command,
                                 uint8_t result, const int32_t *value)
{
    uint8_t message[FLEET_MESSAGE_SIZE];
    struct fleet_answer answer;
    size_t length;

    const psa_status_t status = write_result(device, command, result, value, message, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (fleet_exchange(&device->link, FLEET_BROKER, message, length, &answer) != FLEET_ANSWERED) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const uint8_t code = answer.message.head.code;
    if (FLEET_COAP_CLASS(code) == 2) {
        return PSA_SUCCESS;
    }
    return is_to_be_left_alone(code) ? fleet_refused(device, FLEET_BROKER, &answer)
                                     : PSA_ERROR_DOES_NOT_EXIST;
}

#endif
