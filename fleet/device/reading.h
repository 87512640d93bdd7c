/* SPDX-License-Identifier: Apache-2.0 */
/* Sending a reading: PROTOCOL.md, 5. */
#ifndef FLEET_READING_H
#define FLEET_READING_H

#include "senml.h"
#include "state.h"

/* How a reading is sent, and whether it is to be sent again. */
struct fleet_manner {
    uint8_t tries; /* left after this one */
    bool is_confirmable;
    bool has_echo;        /* the broker asked for it */
    bool is_wanted_again; /* after a registration, if the device is not registered any more */
};

/*
 * Sign measurements that fit FLEET_PACK_SIZE, and send them once. The memory that this takes is
 * given back before a registration takes as much.
 *   manner  is changed to how they are to be sent again, if is_wanted_again
 *   as fleet_device_publish() has it
 */
psa_status_t fleet_send_reading(struct fleet_device *device, const struct fleet_record *records,
                                uint8_t count, struct fleet_manner *manner);

#endif
