/* SPDX-License-Identifier: Apache-2.0 */
/* For provisioning a vault, beside its entry points. */
#ifndef VAULT_H
#define VAULT_H

#include <psa/crypto_families.h>

#include "vault_device.h"

#define VAULT_SERIAL_SIZE 8u

/* The data of a chip about itself: 1 when it is locked, and its serial number. */
psa_status_t vault_info(const struct vault_device *device, uint8_t info[1 + VAULT_SERIAL_SIZE]);

/* Lock the chip of this serial number for good. */
psa_status_t vault_lock(const struct vault_device *device, const uint8_t serial[VAULT_SERIAL_SIZE]);

#endif
