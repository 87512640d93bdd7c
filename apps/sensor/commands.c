/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include <string.h>

#include <corral/board.h>
#include <fleet/device/command.h>
#include <fleet/device/pairing.h>
#include <fleet/device/transport.h>

#include "label.h"

#if FLEET_OBEYS

#define INTERVAL_MAX 3600000 /* an hour */

static struct fleet_commander commander;
static bool obeys; /* the option names who may command */

bool commands_start(void)
{
    const char *text = fleet_transport_option("commander");

    obeys = text != NULL;
    commander.is_known = obeys && strcmp(text, "first") != 0;
    return !commander.is_known || label_read(text, commander.id);
}

static uint8_t carry_out(const struct fleet_command *command, uint32_t *interval)
{
    if (strcmp(command->name, "interval") != 0) {
        return FLEET_UNKNOWN_COMMAND;
    }
    if (command->kind != FLEET_INTEGER || command->number < 1 || command->number > INTERVAL_MAX) {
        return FLEET_WRONG_ARGUMENT;
    }
    *interval = (uint32_t)command->number;
    return FLEET_DONE;
}

#if FLEET_PAIRING

/* Whether the command was one of pairing, which is done with then. */
static bool pair(struct fleet_device *device, const struct fleet_command *command)
{
    static struct fleet_pairing pairing;
    psa_status_t status;
    bool is_paired;

    if (!fleet_pairing_take(device, &pairing, command, &is_paired, &status)) {
        return false;
    }
    corral_board_print(is_paired               ? "sensor: paired\n"
                       : status == PSA_SUCCESS ? "sensor: is being paired\n"
                                               : "sensor: not paired\n");
    return true;
}

#else

static bool pair(struct fleet_device *device, const struct fleet_command *command)
{
    (void)device;
    (void)command;
    return false;
}

#endif

void obey(struct fleet_device *device, uint32_t *interval)
{
    struct fleet_command command;
    const int32_t before = (int32_t)*interval;

    if (!obeys) {
        return;
    }
    const psa_status_t status = fleet_device_take_command(device, &commander, &command);
    if (status != PSA_SUCCESS) {
        corral_board_print(status == PSA_ERROR_DOES_NOT_EXIST      ? ""
                           : status == PSA_ERROR_INVALID_SIGNATURE ? "sensor: no command of mine\n"
                                                                   : "sensor: cannot be told\n");
        return;
    }
    corral_board_print("sensor: commanded ");
    corral_board_print(command.name);
    corral_board_print("\n");
    if (pair(device, &command)) {
        return;
    }
    const uint8_t result = carry_out(&command, interval);
    (void)fleet_device_report(device, &command, result, result == FLEET_DONE ? &before : NULL);
}

#else

bool commands_start(void)
{
    return fleet_transport_option("commander") == NULL;
}

void obey(struct fleet_device *device, uint32_t *interval)
{
    (void)device;
    (void)interval;
}

#endif
