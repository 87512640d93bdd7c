/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#include "opcodes.h"

const uint8_t some[36] = {0x10, 0x20, 0x30, 0x40, 0x50};

struct rig locked(uint16_t slot_config, uint16_t key_config)
{
    struct rig rig = rig_new();

    host_configure_slot(&rig, 0, slot_config, key_config);
    host_lock_config(&rig);
    return rig;
}

struct rig personalised(uint16_t slot_config, uint16_t key_config)
{
    struct rig rig = locked(slot_config, key_config);

    if ((key_config & 1) != 0) {
        EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    } else {
        host_write_slot(&rig, 0, some);
    }
    host_lock_data(&rig);
    return rig;
}
