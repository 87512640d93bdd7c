/* SPDX-License-Identifier: Apache-2.0 */
/* Writing at the end of the log, and making room there. */
#ifndef CORRAL_STORAGE_COLLECT_H
#define CORRAL_STORAGE_COLLECT_H

#include "walk.h"

/*
 * Append a record at the end of the active page, where there is room for it; `data` has
 * record->length bytes. What lives is not counted here: the caller knows what the record replaces.
 */
psa_status_t corral_append(struct corral_record *record, const uint8_t *data);

/* Erase a page, unless it is erased. */
psa_status_t corral_erase_if_written(uint16_t page);

/* Room that a write leaves, so that in a full log urgent entries can be written, and one removed.
 */
uint32_t corral_reserve(bool is_urgent);

/*
 * Make room for `size` bytes at the end of the log. Pages are taken over one after the other, each
 * giving back what does not live in it. So what a write costs grows as one over the part of the
 * room that does not live: a sixth of it is kept from ordinary writes, and with that the last one
 * takes no more than four times what it takes when half of the room that is left is used.
 *   is_bounded  keep that sixth
 *   PSA_ERROR_INSUFFICIENT_STORAGE  too much lives; nothing was written, but in rare cases where
 *                                   large entries leave unused what each page has at its end
 */
psa_status_t corral_make_room(uint32_t size, bool is_bounded);

#endif
