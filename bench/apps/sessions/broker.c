/* SPDX-License-Identifier: Apache-2.0 */
#include "broker.h"

#include <fleet/device/coap.h>

/* As long as the server's (fleet/server/src/coap/echo.rs). */
#define ECHO_LENGTH 12u

static const uint8_t echo[ECHO_LENGTH] = {1, 2, 3};

size_t broker_answer(const uint8_t *message, size_t length, uint8_t answer[BROKER_ANSWER_SIZE])
{
    struct fleet_coap_message asked;
    struct fleet_coap_writer writer;

    if (fleet_coap_read(message, length, &asked) != FLEET_COAP_READ ||
        asked.head.type != FLEET_COAP_CON) {
        return 0;
    }
    const bool registers = asked.head.code == FLEET_COAP_POST;
    const bool has_payload = asked.payload_length > 0;
    struct fleet_coap_head head = asked.head;
    head.type = FLEET_COAP_ACK;
    head.code = !registers    ? FLEET_COAP_CHANGED
                : has_payload ? FLEET_COAP_CREATED
                              : FLEET_COAP_UNAUTHORIZED;
    fleet_coap_begin(&writer, answer, BROKER_ANSWER_SIZE, &head);
    if (registers && has_payload) {
        fleet_coap_path(&writer, FLEET_COAP_LOCATION_PATH, BROKER_PATH);
    }
    if (registers) {
        fleet_coap_option(&writer, FLEET_COAP_ECHO, echo, sizeof echo);
    }
    return fleet_coap_end(&writer);
}
