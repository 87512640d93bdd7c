/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries in flash: a log that goes round the pages.
 *
 * Records are only appended. The latest record of a name counts: data, or "removed". When the page
 * is full, the next one is opened. Entries of the page after it (the oldest) that are still valid
 * are copied over, a record marks the copy as complete, and the oldest page is erased. So one page
 * is always free, every page is erased equally often, and whatever is interrupted is undone or done
 * again when the log is next mounted. docs/DESIGN.md has the layout and the argument.
 *
 * The functions are those of storage/store.h, without lock and without policy.
 */
#ifndef CORRAL_STORAGE_LOG_H
#define CORRAL_STORAGE_LOG_H

#include <corral/port.h>

/* `is_urgent`: may take the room kept for that, and the sixth that ordinary writes leave. */
psa_status_t corral_log_write(const struct corral_entry_name *name, uint8_t flags,
                              const uint8_t *data, size_t length, bool is_urgent);
/* Make the room that corral_log_write() would make, and write nothing else. */
psa_status_t corral_log_make_room(const struct corral_entry_name *name, uint8_t flags,
                                  size_t length, bool is_urgent);
psa_status_t corral_log_read(const struct corral_entry_name *name, size_t offset, uint8_t *data,
                             size_t size, size_t *length, uint8_t *flags);
psa_status_t corral_log_remove(const struct corral_entry_name *name);
psa_status_t corral_log_next(struct corral_entry_name *name);

/*
 * Go to the next entry, as corral_log_next() does, and return its length, only from
 * headers. Entries hidden by damage are skipped without an error.
 */
psa_status_t corral_log_measure(struct corral_entry_name *name, size_t *length);

/* corral_storage_salvage() */
psa_status_t corral_log_salvage(void);

/* Forget what is known of the flash. */
void corral_log_unmount(void);

#endif
