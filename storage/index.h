/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the records that count are, in the order of their names: two bytes of RAM for each, and a
 * name is found by reading as many headers as a binary search looks at. Names are read from the
 * flash each time, so that the index cannot say what the flash does not.
 *
 * There is room for CORRAL_STORAGE_INDEX_ENTRIES. An index that has run over is not asked any more.
 */
#ifndef CORRAL_STORAGE_INDEX_H
#define CORRAL_STORAGE_INDEX_H

#include <corral/config.h>

#include "record.h"

/*
 * Empty it: nothing is entered, and nothing is missing. All records are read now, so that those
 * which were entered are not checked again each time, up to corral_index_end().
 */
void corral_index_begin(void);
void corral_index_end(void);
/* Empty it: it is not to be asked until it is begun anew. */
void corral_index_forget(void);

/* Whether every record that counts is in it. */
bool corral_index_holds_all(void);

/* The same; known when compiling in builds without an index. */
static inline bool corral_index_is_complete(void)
{
    return CORRAL_STORAGE_INDEX_ENTRIES > 0 && corral_index_holds_all();
}

/*
 * Read the record of a name.
 *   PSA_ERROR_DOES_NOT_EXIST   none is entered
 *   PSA_ERROR_STORAGE_FAILURE  a record that was entered can no longer be read
 */
psa_status_t corral_index_find(const struct corral_entry_name *name, struct corral_record *record);

/* Go to the lowest number above name->uid in name->space. Statuses as above; *name stays then. */
psa_status_t corral_index_next(struct corral_entry_name *name);

/*
 * Enter what a record says of its name: it takes the place of an earlier one, or takes that out.
 * Without room for it: forget all. *replaced: bytes of the record that was there, or 0.
 */
psa_status_t corral_index_enter(const struct corral_record *record, uint32_t *replaced);

#endif
