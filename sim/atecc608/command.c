/* SPDX-License-Identifier: Apache-2.0 */
/* From a packet to its command. */
#include "chip.h"

#include <string.h>

struct command_entry {
    uint8_t opcode;
    command_function *function;
};

/* SecureBoot and the commands of older chips (HMAC, Pause) are absent: README.md says so. */
static const struct command_entry commands[] = {
    {OP_AES, cmd_aes},
    {OP_CHECK_MAC, cmd_check_mac},
    {OP_COUNTER, cmd_counter},
    {OP_DERIVE_KEY, cmd_derive_key},
    {OP_ECDH, cmd_ecdh},
    {OP_GENDIG, cmd_gendig},
    {OP_GENKEY, cmd_genkey},
    {OP_INFO, cmd_info},
    {OP_KDF, cmd_kdf},
    {OP_LOCK, cmd_lock},
    {OP_MAC, cmd_mac},
    {OP_NONCE, cmd_nonce},
    {OP_PRIV_WRITE, cmd_priv_write},
    {OP_RANDOM, cmd_random},
    {OP_READ, cmd_read},
    {OP_SELF_TEST, cmd_self_test},
    {OP_SHA, cmd_sha},
    {OP_SIGN, cmd_sign},
    {OP_UPDATE_EXTRA, cmd_update_extra},
    {OP_VERIFY, cmd_verify},
    {OP_WRITE, cmd_write},
};

static command_function *find(uint8_t opcode)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (commands[i].opcode == opcode) {
            return commands[i].function;
        }
    }
    return NULL;
}

uint32_t command_execute(struct atecc608_sim_chip *chip)
{
    struct command command;
    command_function *function;
    uint8_t output[RESPONSE_MAX_SIZE];
    size_t output_length = 0;
    uint8_t status;

    if (!packet_parse(chip, &command)) {
        packet_respond_status(chip, STATUS_COMMUNICATION);
        return time_of(chip, 0);
    }
    function = find(command.opcode);
    if (function == NULL) {
        packet_respond_status(chip, STATUS_PARSE);
        return time_of(chip, 0);
    }
    status = function(chip, &command, output, &output_length);
    if (status == STATUS_OK && output_length > 0) {
        packet_respond(chip, output, output_length);
    } else {
        packet_respond_status(chip, status);
    }
    if (status != STATUS_OK) {
        /* a refused command changes no memory, whatever it had begun; LimitedUse counts nonetheless
         */
        uint32_t uses = chip->nvm.counter[0];

        chip->nvm = chip->before;
        chip->nvm.counter[0] = uses;
    }
    memset(output, 0, sizeof(output));
    return status == STATUS_PARSE ? time_of(chip, 0) : time_of(chip, command.opcode);
}
