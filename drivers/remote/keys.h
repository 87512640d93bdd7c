/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REMOTE_KEYS_H
#define REMOTE_KEYS_H

#include <psa/crypto_types.h>
#include <stdint.h>

/* The context of a key: the trusted side's identifier, lowest byte first; 0 before it has one. */
static inline psa_key_id_t remote_id(const uint8_t *key_buffer)
{
    return (psa_key_id_t)key_buffer[0] | (psa_key_id_t)key_buffer[1] << 8 |
           (psa_key_id_t)key_buffer[2] << 16 | (psa_key_id_t)key_buffer[3] << 24;
}

#endif
