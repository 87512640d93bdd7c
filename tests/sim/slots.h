/* SPDX-License-Identifier: Apache-2.0 */
/* Chips whose slot 0 has a given configuration. */
#ifndef TESTS_SIM_SLOTS_H
#define TESTS_SIM_SLOTS_H

#include "host.h"

/* SlotConfig values: private keys, symmetric secrets, clear data. */
enum {
    PRIVATE_ALL = 0x2087,       /* signs both ways, ECDH in the clear, GenKey */
    PRIVATE_NO_GENKEY = 0x0087, /* the same, never changed */
    SECRET = 0x0080,            /* written in the clear, never read */
    CLEAR = 0x0000,
    KEY_PRIVATE = 0x0033, /* KeyConfig: private, PubInfo, P-256, lockable */
    KEY_OTHER = 0x001C,
    KEY_OTHER_LOCKABLE = 0x003C,
    KEY_AES = 0x0018,
    KEY_PUBLIC = 0x0030,
};

extern const uint8_t some[36]; /* something to write */

/* Configuration locked, data not. */
struct rig locked(uint16_t slot_config, uint16_t key_config);

/* Both zones locked; slot 0 holds a new key when it is private, else some. */
struct rig personalised(uint16_t slot_config, uint16_t key_config);

#endif
