/* SPDX-License-Identifier: Apache-2.0 */
/* Framing: count, body, CRC-16 (data sheet, "I/O Groups"). */
#include "chip.h"

#include <string.h>

uint16_t packet_crc(const uint8_t *data, size_t length)
{
    uint16_t crc = 0;

    for (size_t i = 0; i < length; i++) {
        for (unsigned int bit = 0; bit < 8; bit++) {
            unsigned int in = (data[i] >> bit) & 1u;
            unsigned int out = (unsigned int)crc >> 15;

            crc = (uint16_t)(crc << 1);
            if (in != out) {
                crc ^= 0x8005;
            }
        }
    }
    return crc;
}

void packet_respond(struct atecc608_sim_chip *chip, const uint8_t *data, size_t length)
{
    size_t count = length + 3;
    uint16_t crc;

    chip->response[0] = (uint8_t)count;
    memcpy(chip->response + 1, data, length);
    crc = packet_crc(chip->response, length + 1);
    chip->response[length + 1] = (uint8_t)crc;
    chip->response[length + 2] = (uint8_t)(crc >> 8);
    chip->response_length = count;
    chip->response_position = 0;
}

void packet_respond_status(struct atecc608_sim_chip *chip, uint8_t status)
{
    packet_respond(chip, &status, 1);
}

bool packet_parse(const struct atecc608_sim_chip *chip, struct command *command)
{
    const uint8_t *packet = chip->command;
    size_t count = packet[0];
    uint16_t crc;

    if (count < COMMAND_OVERHEAD || count != chip->command_length) {
        return false;
    }
    crc = (uint16_t)(packet[count - 2] | packet[count - 1] << 8);
    if (packet_crc(packet, count - 2) != crc) {
        return false;
    }
    command->opcode = packet[1];
    command->param1 = packet[2];
    command->param2 = (uint16_t)(packet[3] | packet[4] << 8);
    command->data = packet + 5;
    command->length = count - COMMAND_OVERHEAD;
    return true;
}
