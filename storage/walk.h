/* SPDX-License-Identifier: Apache-2.0 */
/* State of the flash between two calls, and the records in the order of their writing. */
#ifndef CORRAL_STORAGE_WALK_H
#define CORRAL_STORAGE_WALK_H

#include "record.h"

#define CORRAL_LIVE_UNKNOWN UINT32_MAX

struct corral_log {
    uint32_t sequence; /* of the active page; the highest there is */
    uint32_t end;      /* offset in the flash where the next record goes */
    uint32_t live;     /* bytes of the records that count, or CORRAL_LIVE_UNKNOWN */
    uint32_t largest;  /* of the records of entries that have to find room again, in bytes */
    uint32_t refused;  /* so many bytes found no room, and nothing was given up since */
    uint16_t active;   /* the page that is being filled */
    bool is_mounted;
    bool is_collecting; /* the page after the active one is still part of the log */
    bool is_salvaging;  /* damaged records are given up, or skipped */
};

extern struct corral_log corral_log;

uint32_t corral_page_start(uint16_t page);
uint16_t corral_page_after(uint16_t page, uint16_t steps);
/* The end of the active page. */
uint32_t corral_page_end(void);

/*
 * Whether the page `steps` after the active one belongs to the log. Pages are numbered as they
 * follow each other, so the number that it must have is known.
 *   PSA_ERROR_DOES_NOT_EXIST   the log has not come to it yet
 *   PSA_ERROR_DATA_CORRUPT     it has, and the page has no such header
 *   PSA_ERROR_STORAGE_FAILURE  reading failed
 * While the log is salvaged, damage is PSA_ERROR_DOES_NOT_EXIST here, and nothing that follows in
 * its page below.
 */
psa_status_t corral_page_check(uint16_t steps);

/* Read a record of the log: as corral_record_read(), and without a look behind the log's end. */
psa_status_t corral_log_record(uint32_t at, struct corral_record *record);

/* A walk over all records, oldest page first. Begins with {0, 0}. */
struct corral_walk {
    uint16_t step; /* pages begun */
    uint32_t at;   /* next record; 0: go to the next page */
};

/*
 * Go to the next page that belongs to the log. PSA_ERROR_DOES_NOT_EXIST: none is left; other
 * statuses of corral_page_check(): the walk goes on after that page.
 */
psa_status_t corral_walk_to_page(struct corral_walk *walk);

/* Where a walk goes on behind a record. */
uint32_t corral_walk_behind(const struct corral_record *record);

/*
 * The next record, committed or not.
 *   PSA_ERROR_DOES_NOT_EXIST   that was all
 *   PSA_ERROR_DATA_CORRUPT     a page or its rest cannot be read; the walk goes on after it
 *   PSA_ERROR_STORAGE_FAILURE  the flash cannot be read
 */
psa_status_t corral_walk_on(struct corral_walk *walk, struct corral_record *record);

/* Whether a record concerns a name: it holds its data, or its removal. */
bool corral_record_says(const struct corral_record *record, const struct corral_entry_name *name);

/* Note that a record counts: an entry with a capacity has to find room again. */
void corral_log_note(const struct corral_record *record);

/*
 * The latest record of a name.
 *   PSA_ERROR_DOES_NOT_EXIST   none, or it says "removed"
 *   PSA_ERROR_DATA_CORRUPT     a later one may have been where damage is
 *   PSA_ERROR_STORAGE_FAILURE  reading failed
 */
psa_status_t corral_log_find(const struct corral_entry_name *name, struct corral_record *found);

/*
 * Go to the lowest number above name->uid in name->space that has an entry.
 *   PSA_ERROR_DOES_NOT_EXIST   none
 *   PSA_ERROR_STORAGE_FAILURE  reading failed, or a lower one may have been where damage is
 */
psa_status_t corral_log_find_next(struct corral_entry_name *name);

#endif
