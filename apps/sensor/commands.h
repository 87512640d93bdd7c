/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The action of this device for a command, in builds that obey commands (fleet/device/key.h).
 */
#ifndef SENSOR_COMMANDS_H
#define SENSOR_COMMANDS_H

#include <fleet/device/device.h>

/*
 * Take the option `commander`: the identity that may command, in any form of its label, or `first`.
 *   Returns false for any other text, and for any text if this build does not obey.
 */
bool commands_start(void);

/*
 * Ask for a command if the option names who may command, and carry it out: "interval" sets the time
 * between readings, in milliseconds.
 */
void obey(struct fleet_device *device, uint32_t *interval);

#endif
