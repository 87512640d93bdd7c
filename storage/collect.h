/* SPDX-License-Identifier: Apache-2.0 */
/* Writing at the end of the log, and making room there. */
#ifndef CORRAL_STORAGE_COLLECT_H
#define CORRAL_STORAGE_COLLECT_H

#include "walk.h"

/*
 * Append a record at the end of the active page, where there is room for it; `data` has
 * record->length bytes. Live entries are not counted here: the caller knows the replaced one.
 */
psa_status_t corral_append(struct corral_record *record, const uint8_t *data);

/* Erase a page, unless it is erased. */
psa_status_t corral_erase_if_written(uint16_t page);

/*
 * Open the free page, take over what the oldest page holds, and erase that one.
 *   PSA_ERROR_STORAGE_FAILURE  damage makes it uncertain what lives; or the flash failed. The log
 *                              has to be mounted again
 */
psa_status_t corral_log_advance(void);

/* Room that a write leaves, so that in a full log urgent entries can be written, and one removed.
 */
uint32_t corral_reserve(bool is_urgent);

/*
 * Make room for `size` bytes at the end of the log. Pages are taken over one after the other, each
 * giving back what does not live in it.
 *   PSA_ERROR_INSUFFICIENT_STORAGE  too much lives; nothing was written, but in rare cases where
 *                                   large entries leave unused what each page has at its end
 */
psa_status_t corral_make_room(uint32_t size);

/*
 * The same for an ordinary write, which leaves more than that. The cost of a write
 * grows as one over the part of the space that is not live. A sixth of it is reserved.
 * The last write then costs at most four times as much as a write when half of the
 * remaining space is used. The reserve also lets each entry with a capacity find space
 * again, whatever pages leave unused at their ends: space for the largest of these, in
 * each page. `again`: the record's size if it is of such an entry, otherwise 0.
 */
psa_status_t corral_make_room_within_bounds(uint32_t size, uint32_t again);

#endif
