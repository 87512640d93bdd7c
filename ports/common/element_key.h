/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key that a board without secrets of its own shares with its virtual elements. It is published
 * here, and protects nothing: a product keeps a random key of its own in one-time-programmable or
 * otherwise protected memory.
 */
#ifndef ELEMENT_KEY_H
#define ELEMENT_KEY_H

#include <stdint.h>

#include <corral/port.h>

/* Bytes that tell the locations apart, and count. */
static inline void element_key_of_nobody(uint32_t location, uint8_t key[CORRAL_ELEMENT_KEY_SIZE])
{
    for (unsigned i = 0; i < CORRAL_ELEMENT_KEY_SIZE; i++) {
        key[i] = (uint8_t)(location + 7 * i);
    }
}

#endif
