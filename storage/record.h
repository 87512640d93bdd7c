/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page of the log: a page header, records, and erased flash behind them.
 *
 *     page header   "CRL1", sequence number (4), CRC of both (4)
 *     record        header (20), data, mark (4): each begins at a unit that is written at once,
 *                   and is filled up with 0xff.
 *     Its header    kind (1), space and flags (1), length (2), uid (8), CRC of the data (4), CRC of
 *                   the header (4)
 *
 * The mark is written last: a record without any byte of it does not count. It is not
 * compared with anything, so that damage to it takes no record away. A wrong CRC before
 * a mark is therefore damage and no power cut.
 */
#ifndef CORRAL_STORAGE_RECORD_H
#define CORRAL_STORAGE_RECORD_H

#include <corral/port.h>

enum corral_record_kind {
    CORRAL_RECORD_DATA = 0xd1,
    CORRAL_RECORD_REMOVED = 0xc2,
    CORRAL_RECORD_COLLECTED = 0xb3, /* the content of the oldest page is before this */
};

#define CORRAL_UNIT_MAX 32u
#define CORRAL_RECORD_HEADER 20u

struct corral_record {
    struct corral_entry_name name;
    uint32_t at;   /* offset of its header in the flash */
    uint32_t next; /* offset behind it */
    uint32_t crc;  /* of the data */
    uint16_t length;
    uint8_t kind; /* enum corral_record_kind */
    uint8_t flags;
    bool is_committed;
};

/* Bytes of flash that so many bytes take when they begin and end with a unit. */
uint32_t corral_units(uint32_t size);

/* Bytes of flash of a record with so much data, and of a page header. */
uint32_t corral_record_size(uint32_t length);
uint32_t corral_page_header_size(void);

/*
 * Read the record at offset `at` of the flash.
 *   PSA_ERROR_DOES_NOT_EXIST  erased flash: no record follows in this page
 *   PSA_ERROR_DATA_INVALID    no record: its header was being written when power failed, or a few
 *                             bits of erased flash are none any more; nothing follows
 *   PSA_ERROR_DATA_CORRUPT    no record, but something follows that cannot be found any more
 *   PSA_ERROR_STORAGE_FAILURE reading failed
 */
psa_status_t corral_record_read(uint32_t at, struct corral_record *record);

/*
 * Read position, length and name of a record that has been read before: not its sum,
 * and nothing is checked again. PSA_ERROR_STORAGE_FAILURE: reading failed.
 */
psa_status_t corral_record_peek(uint32_t at, struct corral_record *record);

/* Write a record's header at record->at; sets record->next. */
psa_status_t corral_record_begin(struct corral_record *record);
/* Write `size` bytes of data, filled up to a whole unit, at `at`. */
psa_status_t corral_record_data(uint32_t at, const uint8_t *data, size_t size);
/* Write the mark: the record counts from here on. */
psa_status_t corral_record_commit(const struct corral_record *record);

/* Where the record's data begins. */
uint32_t corral_record_data_at(const struct corral_record *record);

/* Compare the data with its CRC. PSA_ERROR_DATA_CORRUPT: it differs. */
psa_status_t corral_record_check(const struct corral_record *record);

/*
 * Read the number of a page that belongs to the log.
 *   PSA_ERROR_DOES_NOT_EXIST   it does not: it has no header
 *   PSA_ERROR_STORAGE_FAILURE  reading failed
 */
psa_status_t corral_page_read(uint16_t page, uint32_t *sequence);
psa_status_t corral_page_open(uint16_t page, uint32_t sequence);

/* Whether everything from `from` to before `to` is erased. */
psa_status_t corral_is_erased(uint32_t from, uint32_t to, bool *is_erased);

/* Whether a record was completed there: a unit begins with a mark. */
psa_status_t corral_has_mark(uint32_t from, uint32_t to, bool *has_mark);

#endif
