/* SPDX-License-Identifier: Apache-2.0 */
/* Asking for commands, and telling what became of them: PROTOCOL.md, 6. */
#include "command.h"

#include <string.h>

#include "conversation.h"
#include "registration.h"

#if FLEET_OBEYS

#define PATH "cmd"
#define TRIES 12u         /* of a call, most of them while the command is being signed */
#define SIGNING_WAIT 500u /* milliseconds between two of them */

/* Milliseconds for which a challenge is valid, including all repetitions: a relay of
 * commands must not choose when they are carried out. */
#define CHALLENGE_AGE 60000u

/* Numbers of a result's parts (PROTOCOL.md, 2). */
#define STATUS 1
#define VALUE 2

/* An integer or, in pairing, a confirmation. */
#define VALUE_MAX_SIZE (FLEET_PAIRING ? 2u + FLEET_CONFIRMATION_SIZE : 5u)

/* The purpose of a request. */
enum step {
    ASK,   /* whether a command is waiting */
    SIGN,  /* the challenge, so that the broker knows whose it is */
    FETCH, /* the command that answers it */
};

/* Ask for this device's commands. */
static psa_status_t request(struct fleet_device *device, uint8_t code, bool has_echo,
                            struct fleet_object *object, struct fleet_answer *answer)
{
    char text[2u * FLEET_IDENTITY_SIZE + 1u];
    const struct fleet_request asked = {.path = PATH,
                                        .more = text,
                                        .object = object,
                                        .peer = FLEET_BROKER,
                                        .code = code,
                                        .echo = has_echo ? FLEET_ECHO : FLEET_NO_ECHO,
                                        .has_format = object != NULL};

    fleet_identity_text(&device->identity, text);
    return fleet_ask(device, &asked, answer);
}

/* Say something of this device, signed, that is bound to some bytes. */
static psa_status_t say(struct fleet_device *device, uint8_t code, const char *purpose,
                        const uint8_t *bound_to, size_t bound_length,
                        const struct corral_cbor *payload, struct fleet_answer *answer)
{
    uint8_t bound[2u + FLEET_COAP_MAX_ECHO];
    struct corral_cbor writer;

    corral_cbor_begin(&writer, bound, sizeof bound);
    corral_cbor_bytes(&writer, bound_to, bound_length);
    struct fleet_object object = {.purpose = purpose,
                                  .bound = bound,
                                  .bound_length = writer.length,
                                  .payload = payload->data,
                                  .payload_length = payload->length};
    return request(device, code, code == FLEET_COAP_POST, &object, answer);
}

/* Ask what is next, with a challenge that this device signs as an answer to the broker's. */
static psa_status_t ask(struct fleet_device *device, enum step step,
                        const uint8_t nonce[FLEET_NONCE_SIZE], struct fleet_answer *answer)
{
    uint8_t payload[1u + FLEET_NONCE_SIZE];
    struct corral_cbor challenge;

    if (step != SIGN) {
        return request(device, FLEET_COAP_POST, step != ASK, NULL, answer);
    }
    corral_cbor_begin(&challenge, payload, sizeof payload);
    corral_cbor_bytes(&challenge, nonce, FLEET_NONCE_SIZE);
    return say(device, FLEET_COAP_POST, "cf1-ask", device->link.echo, device->link.echo_length,
               &challenge, answer);
}

/* Let time pass; messages that arrive meanwhile answer no open request. */
static void pause(struct fleet_answer *answer)
{
    const uint32_t end = fleet_port_now() + SIGNING_WAIT;

    while ((int32_t)(end - fleet_port_now()) > 0) {
        (void)fleet_port_receive(FLEET_BROKER, answer->bytes, sizeof answer->bytes, end);
    }
}

psa_status_t fleet_command_fetch(struct fleet_device *device,
                                 const struct fleet_commander *commander,
                                 struct fleet_command *command)
{
    uint8_t nonce[FLEET_NONCE_SIZE];
    struct fleet_answer answer;
    enum step step = ASK;

    const uint32_t begun = fleet_port_now();
    psa_status_t status = psa_generate_random(nonce, sizeof nonce);
    if (status != PSA_SUCCESS) {
        return status;
    }
    for (uint_fast8_t tries = TRIES; tries > 0; tries--) {
        status = ask(device, step, nonce, &answer);
        if (status != PSA_SUCCESS) {
            return status;
        }
        const uint8_t code = answer.message.head.code;
        if (fleet_port_now() - begun > CHALLENGE_AGE) {
            break;
        }
        if (code == FLEET_COAP_CONTENT && step != ASK) {
            return fleet_command_read(&device->identity, commander, nonce, &answer.message,
                                      command);
        }
        if (fleet_is_busy(code)) { /* another refusal is no reason to say nothing else */
            return fleet_refused(device, FLEET_BROKER, &answer);
        }
        if (code == FLEET_COAP_UNAUTHORIZED) {
            step = step == ASK ? SIGN : step;
            continue;
        }
        if (code != FLEET_COAP_CHANGED || step == ASK) {
            break;
        }
        if (step == FETCH) {
            pause(&answer);
        }
        step = FETCH;
    }
    return PSA_ERROR_DOES_NOT_EXIST;
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

/* Tell a result whose value is a confirmation, an integer, or null. */
static psa_status_t tell(struct fleet_device *device, const struct fleet_command *command,
                         uint8_t result, const uint8_t *confirmation, const int32_t *value)
{
    uint8_t payload[1u + 3u + 1u + VALUE_MAX_SIZE];
    struct fleet_answer answer;
    struct corral_cbor stated;

    corral_cbor_begin(&stated, payload, sizeof payload);
    corral_cbor_head(&stated, CORRAL_CBOR_MAP, 2);
    corral_cbor_int(&stated, STATUS);
    corral_cbor_int(&stated, result);
    corral_cbor_int(&stated, VALUE);
    if (FLEET_PAIRING && confirmation != NULL) {
        corral_cbor_bytes(&stated, confirmation, FLEET_CONFIRMATION_SIZE);
    } else if (value != NULL) {
        corral_cbor_int(&stated, *value);
    } else {
        corral_cbor_null(&stated);
    }
    const psa_status_t status = say(device, FLEET_COAP_PUT, "cf1-result", command->hash,
                                    sizeof command->hash, &stated, &answer);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const uint8_t code = answer.message.head.code;
    if (FLEET_COAP_CLASS(code) == 2) {
        return PSA_SUCCESS;
    }
    return fleet_is_busy(code) ? fleet_refused(device, FLEET_BROKER, &answer)
                               : PSA_ERROR_DOES_NOT_EXIST;
}

psa_status_t fleet_device_report(struct fleet_device *device, const struct fleet_command *command,
                                 uint8_t result, const int32_t *value)
{
    return tell(device, command, result, NULL, value);
}

#if FLEET_PAIRING

psa_status_t fleet_command_confirm(struct fleet_device *device, const struct fleet_command *command,
                                   const uint8_t confirmation[FLEET_CONFIRMATION_SIZE])
{
    return tell(device, command, FLEET_DONE, confirmation, NULL);
}

#endif

#endif
