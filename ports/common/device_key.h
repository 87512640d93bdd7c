/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device key of boards that have none. It is published here, and protects nothing:
 * a product derives the key from a secret of its hardware.
 */
#ifndef DEVICE_KEY_H
#define DEVICE_KEY_H

#include <corral/port.h>

static inline void device_key_of_nobody(uint8_t key[CORRAL_DEVICE_KEY_SIZE])
{
    for (unsigned i = 0; i < CORRAL_DEVICE_KEY_SIZE; i++) {
        key[i] = (uint8_t)(0x3b + 11 * i);
    }
}

#endif
