/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include "collect.h"
#include "entry.h"
#include "index.h"
#include "live.h"
#include "walk.h"

/* Find the page of the highest number. PSA_ERROR_DOES_NOT_EXIST: there is none. */
static psa_status_t find_active(void)
{
    psa_status_t result = PSA_ERROR_DOES_NOT_EXIST;
    uint32_t sequence;

    for (uint16_t page = 0; page < corral_port_flash()->page_count; page++) {
        psa_status_t status = corral_page_read(page, &sequence);
        if (status == PSA_SUCCESS && (result != PSA_SUCCESS || sequence > corral_log.sequence)) {
            result = PSA_SUCCESS;
            corral_log.active = page;
            corral_log.sequence = sequence;
        } else if (status != PSA_SUCCESS && status != PSA_ERROR_DOES_NOT_EXIST) {
            return status; /* it may be the one */
        }
    }
    return result;
}

/* Find the end of the active page, and whether taking over the oldest one was completed. */
static psa_status_t read_active(bool *is_collected)
{
    struct corral_record record;
    psa_status_t status = PSA_SUCCESS;

    *is_collected = false;
    corral_log.end = corral_page_start(corral_log.active) + corral_page_header_size();
    while (corral_log.end < corral_page_end() && status == PSA_SUCCESS) {
        status = corral_record_read(corral_log.end, &record);
        if (status == PSA_SUCCESS) {
            *is_collected |= record.is_committed && record.kind == CORRAL_RECORD_COLLECTED;
            corral_log.end = record.next;
        }
    }
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        return PSA_SUCCESS;
    }
    corral_log.end = corral_page_end(); /* nothing more is written there */
    if (status == PSA_ERROR_DATA_CORRUPT && !*is_collected) {
        /* That may be what is damaged. Then the oldest page is not there any more. */
        status = corral_page_check(1);
        *is_collected = status == PSA_ERROR_DATA_CORRUPT || status == PSA_ERROR_DOES_NOT_EXIST;
    }
    return status == PSA_ERROR_STORAGE_FAILURE ? status : PSA_SUCCESS;
}

/*
 * Begin a log in flash that holds none: erased, but for the rest of a first beginning
 * that a power failure interrupted. Any other content belongs to another program.
 */
static psa_status_t format(void)
{
    const uint32_t size = corral_port_flash()->page_size;
    struct corral_record first = {.kind = CORRAL_RECORD_COLLECTED};
    bool is_erased;

    psa_status_t status = corral_is_erased(corral_page_header_size() + corral_record_size(0),
                                           size * corral_port_flash()->page_count, &is_erased);
    if (status == PSA_SUCCESS && !is_erased) {
        status = PSA_ERROR_STORAGE_FAILURE;
    }
    if (status == PSA_SUCCESS) {
        status = corral_erase_if_written(0);
    }
    if (status == PSA_SUCCESS) {
        status = corral_page_open(0, 1);
    }
    corral_log.active = 0;
    corral_log.sequence = 1;
    corral_log.end = corral_page_header_size();
    return status == PSA_SUCCESS ? corral_append(&first, NULL) : status;
}

/* Find and read the active page; begin a log where there is none. */
static psa_status_t open_active(bool *is_collected)
{
    psa_status_t status = find_active();

    if (status == PSA_SUCCESS) {
        return read_active(is_collected);
    }
    *is_collected = true;
    return status == PSA_ERROR_DOES_NOT_EXIST ? format() : status;
}

/*
 * The page after the active one is free: it is not begun, or erasing it was interrupted. Or else
 * it was active itself and has lost its header: it has records, and the page after it, which would
 * be the oldest otherwise, is not there any more.
 */
static psa_status_t free_next(void)
{
    const uint16_t next = corral_page_after(corral_log.active, 1);
    const uint32_t start = corral_page_start(next);
    const uint32_t behind = start + corral_port_flash()->page_size;
    bool is_blank;
    bool has_mark = false;

    psa_status_t status = corral_is_erased(start, behind, &is_blank);
    if (status != PSA_SUCCESS || is_blank) {
        return status;
    }
    status = corral_has_mark(start, behind, &has_mark);
    if (status == PSA_SUCCESS && has_mark) {
        status = corral_page_check(2);
    }
    if (status == PSA_ERROR_DATA_CORRUPT || status == PSA_ERROR_DOES_NOT_EXIST) {
        corral_log.sequence++;
        corral_log.active = next;
        corral_log.end = corral_page_end();
        return corral_erase_if_written(corral_page_after(next, 1));
    }
    return status == PSA_SUCCESS ? corral_port_flash_erase(next) : status;
}

/* Examine the flash, and undo or finish what a power cut has interrupted. */
static psa_status_t mount(void)
{
    bool is_collected = false;

    if (corral_log.is_mounted) {
        return PSA_SUCCESS;
    }
    corral_log.is_collecting = false;
    corral_log.largest = 0;
    psa_status_t status = open_active(&is_collected);
    if (status == PSA_SUCCESS && !is_collected) {
        /* It holds nothing but copies; the page before it has been complete for long. */
        status = corral_port_flash_erase(corral_log.active);
        if (status == PSA_SUCCESS) {
            status = open_active(&is_collected);
        }
        if (status == PSA_SUCCESS && !is_collected) {
            status = PSA_ERROR_STORAGE_FAILURE;
        }
    }
    if (status == PSA_SUCCESS) {
        status = free_next();
    }
    if (status == PSA_SUCCESS) {
        status = corral_survey_names();
    }
    corral_log.refused = UINT32_MAX;
    corral_log.is_mounted = status == PSA_SUCCESS;
    return status;
}

void corral_log_unmount(void)
{
    corral_log.is_mounted = false;
}

/* After a failure of the flash nothing that is known of it can be relied on. */
static psa_status_t ended(psa_status_t status)
{
    if (status == PSA_ERROR_STORAGE_FAILURE) {
        corral_log_unmount();
    }
    return status;
}

/* Overwrite the data of a record that does not count any more, where the flash can do that. */
static psa_status_t clear(const struct corral_record *record)
{
    const uint32_t start = corral_record_data_at(record);
    const uint32_t size = corral_units(record->length);
    static const uint8_t zeros[CORRAL_UNIT_MAX];
    psa_status_t status = PSA_SUCCESS;

    if (!corral_port_flash()->can_clear) {
        return PSA_SUCCESS;
    }
    for (uint32_t done = 0; done < size && status == PSA_SUCCESS; done += sizeof zeros) {
        const size_t rest = (size_t)(size - done);
        status =
            corral_port_flash_write(start + done, zeros, rest < sizeof zeros ? rest : sizeof zeros);
    }
    return status;
}

/* Append a record, and clear the one that it replaces, if there is one. */
static psa_status_t replace(struct corral_record *record, const uint8_t *data)
{
    struct corral_record old;

    psa_status_t status = corral_log_find(&record->name, &old);
    const bool is_there = status == PSA_SUCCESS;
    if (status != PSA_ERROR_STORAGE_FAILURE) {
        status = corral_append(record, data);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (corral_log.live != CORRAL_LIVE_UNKNOWN) {
        corral_log.live += record->kind == CORRAL_RECORD_DATA ? record->next - record->at : 0;
        corral_log.live -= is_there ? old.next - old.at : 0;
    }
    corral_log_note(record);
    if (is_there) {
        corral_log.refused = UINT32_MAX;
        status = clear(&old);
    }
    return status;
}

/* Make room for an entry; if it is no larger than the one it replaces, also in a full log. */
static psa_status_t make_room(const struct corral_record *record, bool is_urgent)
{
    const uint32_t size = corral_record_size(record->length);
    const uint32_t room = size + corral_reserve(is_urgent);
    const uint32_t again = (record->flags & CORRAL_STORE_CAPACITY) != 0 ? size : 0;
    struct corral_record old;

    psa_status_t status =
        is_urgent ? corral_make_room(room) : corral_make_room_within_bounds(room, again);
    if (status == PSA_ERROR_INSUFFICIENT_STORAGE && !is_urgent &&
        corral_log_find(&record->name, &old) == PSA_SUCCESS && old.next - old.at >= size) {
        status = corral_make_room(room);
    }
    return status;
}

/* Describe the record of an entry, and make room for it. */
static psa_status_t begin(const struct corral_entry_name *name, uint8_t flags, size_t length,
                          bool is_urgent, struct corral_record *record)
{
    *record = (struct corral_record){
        .name = *name, .kind = CORRAL_RECORD_DATA, .flags = flags, .length = (uint16_t)length};
    if (length > corral_port_flash()->page_size || length > UINT16_MAX) {
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    psa_status_t status = mount();
    return status == PSA_SUCCESS ? make_room(record, is_urgent) : status;
}

psa_status_t corral_log_make_room(const struct corral_entry_name *name, uint8_t flags,
                                  size_t length, bool is_urgent)
{
    struct corral_record record;

    return ended(begin(name, flags, length, is_urgent, &record));
}

psa_status_t corral_log_write(const struct corral_entry_name *name, uint8_t flags,
                              const uint8_t *data, size_t length, bool is_urgent)
{
    struct corral_record record;

    psa_status_t status = begin(name, flags, length, is_urgent, &record);
    if (status == PSA_SUCCESS) {
        status = replace(&record, data);
    }
    return ended(status);
}

psa_status_t corral_log_read(const struct corral_entry_name *name, size_t offset, uint8_t *data,
                             size_t size, size_t *length, uint8_t *flags)
{
    struct corral_record record;

    psa_status_t status = mount();
    if (status == PSA_SUCCESS) {
        status = corral_log_find(name, &record);
    }
    if (status == PSA_SUCCESS) {
        *flags = record.flags; /* a header has a sum of its own */
        status = corral_record_check(&record);
    }
    if (status != PSA_SUCCESS) {
        return ended(status);
    }
    const size_t rest = offset < record.length ? record.length - offset : 0;
    *length = record.length;
    if (rest > 0 && size > 0) {
        status = corral_port_flash_read(corral_record_data_at(&record) + (uint32_t)offset, data,
                                        size < rest ? size : rest);
    }
    return ended(status);
}

psa_status_t corral_log_remove(const struct corral_entry_name *name)
{
    struct corral_record record;

    psa_status_t status = mount();
    if (status == PSA_SUCCESS) {
        status = corral_log_find(name, &record);
    }
    if (status == PSA_SUCCESS || status == PSA_ERROR_DATA_CORRUPT) {
        status = corral_make_room(corral_record_size(0));
    }
    if (status == PSA_SUCCESS) {
        record = (struct corral_record){.name = *name, .kind = CORRAL_RECORD_REMOVED};
        status = replace(&record, NULL);
    }
    return ended(status);
}

psa_status_t corral_log_next(struct corral_entry_name *name)
{
    psa_status_t status = mount();

    return ended(status == PSA_SUCCESS ? corral_log_find_next(name) : status);
}

psa_status_t corral_log_measure(struct corral_entry_name *name, size_t *length)
{
    struct corral_record record;

    psa_status_t status = mount();
    corral_log.is_salvaging = true;
    if (status == PSA_SUCCESS) {
        status = corral_log_find_next(name);
    }
    if (status == PSA_SUCCESS) {
        status = corral_log_find(name, &record);
    }
    corral_log.is_salvaging = false;
    *length = status == PSA_SUCCESS ? record.length : 0;
    return ended(status);
}

psa_status_t corral_log_salvage(void)
{
    corral_log_unmount(); /* the damaged part may be newer than the known one */
    psa_status_t status = mount();

    corral_log.is_salvaging = true;
    for (uint16_t i = 0; i < corral_port_flash()->page_count && status == PSA_SUCCESS; i++) {
        status = corral_log_advance();
    }
    corral_log.is_salvaging = false;
    corral_log_unmount();
    return status;
}
