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

/* Milliseconds for which a challenge is good, however long answers to the tries take: who passes
 * commands on must not choose when they are carried out. */
#define CHALLENGE_AGE 60000u

/* Numbers of a result's parts (PROTOCOL.md, 2). */
#define STATUS 1
#define VALUE 2

/* What a request is for. */
enum step {
    ASK,   /* whether somebody wants to command */
    SIGN,  /* the challenge, so that the broker knows whose it is */
    FETCH, /* the command that answers it */
};

/*
 * Send a request and wait for its answer.
 *   object   is signed, and sent with it; NULL: nothing is
 *   message  FLEET_MESSAGE_SIZE bytes for the request
 */
static psa_status_t request(struct fleet_device *device, uint8_t code, bool has_echo,
                            struct fleet_object *object, uint8_t *message,
                            struct fleet_answer *answer)
{
    char text[2u * FLEET_IDENTITY_SIZE + 1u];
    struct fleet_coap_writer writer;
    struct fleet_coap_head head;

    psa_status_t status = fleet_link_head(&device->link, FLEET_COAP_CON, code, &head);
    if (status != PSA_SUCCESS) {
        return status;
    }
    fleet_identity_text(&device->identity, text);
    fleet_coap_begin(&writer, message, FLEET_MESSAGE_SIZE, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, PATH);
    fleet_coap_text(&writer, FLEET_COAP_URI_PATH, text);
    if (object != NULL) {
        fleet_coap_uint(&writer, FLEET_COAP_CONTENT_FORMAT, FLEET_CONTENT_COSE_SIGN1);
    }
    if (has_echo) {
        fleet_link_echo(&device->link, FLEET_BROKER, &writer);
    }
    if (object != NULL) {
        status = fleet_sign_into(device, object, &writer);
    }
    const size_t length = fleet_coap_end(&writer);
    if (status != PSA_SUCCESS || length == 0) {
        return status != PSA_SUCCESS ? status : PSA_ERROR_BUFFER_TOO_SMALL;
    }
    return fleet_exchange(&device->link, FLEET_BROKER, message, length, answer) == FLEET_ANSWERED
               ? PSA_SUCCESS
               : PSA_ERROR_COMMUNICATION_FAILURE;
}

/* Say something of this device, signed, that is bound to some bytes. */
static psa_status_t say(struct fleet_device *device, uint8_t code, const char *purpose,
                        const uint8_t *bound_to, size_t bound_length,
                        const struct corral_cbor *payload, uint8_t *message,
                        struct fleet_answer *answer)
{
    uint8_t bound[2u + FLEET_COAP_MAX_ECHO];
    struct corral_cbor writer;

    corral_cbor_begin(&writer, bound, sizeof bound);
    corral_cbor_bytes(&writer, bound_to, bound_length);
    struct fleet_object object = {purpose,         bound, writer.length, payload->data,
                                  payload->length, 0,     false,         true};
    return request(device, code, code == FLEET_COAP_POST, &object, message, answer);
}

/* Ask what is next, with a challenge that this device signs as an answer to the broker's. */
static psa_status_t ask(struct fleet_device *device, enum step step,
                        const uint8_t nonce[FLEET_NONCE_SIZE], uint8_t *message,
                        struct fleet_answer *answer)
{
    uint8_t payload[1u + FLEET_NONCE_SIZE];
    struct corral_cbor challenge;

    if (step != SIGN) {
        return request(device, FLEET_COAP_POST, step != ASK, NULL, message, answer);
    }
    corral_cbor_begin(&challenge, payload, sizeof payload);
    corral_cbor_bytes(&challenge, nonce, FLEET_NONCE_SIZE);
    return say(device, FLEET_COAP_POST, "cf1-ask", device->link.echo, device->link.echo_length,
               &challenge, message, answer);
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

    const uint32_t begun = fleet_port_now();
    psa_status_t status = psa_generate_random(nonce, sizeof nonce);
    for (uint8_t tries = TRIES; status == PSA_SUCCESS && tries > 0; tries--) {
        status = ask(device, step, nonce, message, &answer);
        if (status != PSA_SUCCESS) {
            return status;
        }
        if (fleet_port_now() - begun > CHALLENGE_AGE) {
            return PSA_ERROR_DOES_NOT_EXIST;
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

psa_status_t fleet_device_report(struct fleet_device *device, const struct fleet_command *command,
                                 uint8_t result, const int32_t *value)
{
    uint8_t message[FLEET_MESSAGE_SIZE];
    uint8_t payload[1u + 3u + 6u];
    struct fleet_answer answer;
    struct corral_cbor stated;

    corral_cbor_begin(&stated, payload, sizeof payload);
    corral_cbor_head(&stated, CORRAL_CBOR_MAP, 2);
    corral_cbor_int(&stated, STATUS);
    corral_cbor_int(&stated, result);
    corral_cbor_int(&stated, VALUE);
    if (value != NULL) {
        corral_cbor_int(&stated, *value);
    } else {
        corral_cbor_null(&stated);
    }
    const psa_status_t status = say(device, FLEET_COAP_PUT, "cf1-result", command->hash,
                                    sizeof command->hash, &stated, message, &answer);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const uint8_t code = answer.message.head.code;
    if (FLEET_COAP_CLASS(code) == 2) {
        return PSA_SUCCESS;
    }
    return is_to_be_left_alone(code) ? fleet_refused(device, FLEET_BROKER, &answer)
                                     : PSA_ERROR_DOES_NOT_EXIST;
}

#endif
