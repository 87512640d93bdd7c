/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware's unique key, as each caller has it. Only where CORRAL_HARDWARE_KEY is on. */
#ifndef CORRAL_CORE_KEYS_UNIQUE_H
#define CORRAL_CORE_KEYS_UNIQUE_H

#include <corral/port.h>
#include <psa/crypto.h>

/*
 * The device's key for the present caller, who cannot derive from it the keys of other callers:
 * HMAC-SHA-256 of the caller's number with it. On failure what `key` holds is undefined.
 *   others than PSA_SUCCESS          from the port, which has the key, or the driver of HMAC
 */
psa_status_t corral_unique_key_of_caller(uint8_t key[CORRAL_DEVICE_KEY_SIZE]);

#endif
