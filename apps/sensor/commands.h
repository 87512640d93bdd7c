/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this device does when it is commanded, in builds in which it obeys (fleet/device/key.h).
 */
#ifndef SENSOR_COMMANDS_H
#define SENSOR_COMMANDS_H

#include <fleet/device/device.h>

/*
 * Ask for a command if the option `commander` names who may command, by 32 digits, or is `first`,
 * and carry it out: "interval" sets the time between readings, in milliseconds.
 */
void obey(struct fleet_device *device, uint32_t *interval);

#endif
