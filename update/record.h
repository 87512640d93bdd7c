/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the update, and where things are in the flash.
 *
 * A state is a record of 32 bytes. Records are appended to a page; when it is full, the other page
 * is erased and is next. The highest number counts. A record that power failed to write has a
 * wrong checksum, and the one before it still counts.
 */
#ifndef CORRAL_UPDATE_RECORD_H
#define CORRAL_UPDATE_RECORD_H

#include <corral/port.h>

struct corral_update_record {
    uint32_t number; /* 0: the flash has no record */
    uint8_t state;   /* PSA_FWU_ */
    uint8_t active;  /* slot of the active image */
    psa_status_t error;
};

/*
 * Read the state. A flash without records is WRITING in slot 1: its content is unknown.
 *   any failure is the port's
 */
psa_status_t corral_update_load(struct corral_update_record *record);

/* Write the next state; its number is counted. After a failure the old state or this one counts. */
psa_status_t corral_update_store(struct corral_update_record *record);

/* Bytes of a slot, and the offset at which it begins. */
uint32_t corral_update_slot_size(void);
uint32_t corral_update_slot(unsigned slot);

/* Erase a slot. */
psa_status_t corral_update_erase_slot(unsigned slot);

#endif
