/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of identities, as people give them to a device (docs/fleet/PROTOCOL.md, 1). */
#ifndef SENSOR_LABEL_H
#define SENSOR_LABEL_H

#include <fleet/device/identity.h>

/*
 * Read an identity: 32 digits, the label for people with or without its check digit, or the text of
 * the QR code, in capital or small letters.
 *   Returns false for any other text, and for a wrong check digit. Then `id` has any bytes.
 */
bool label_read(const char *text, uint8_t id[FLEET_IDENTITY_SIZE]);

#endif
