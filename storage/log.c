/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include "crc.h"
#include "record.h"
#include "store.h"

/* What is known of the flash between two calls. */
static struct {
    uint32_t sequence; /* of the active page; the highest there is */
    uint32_t end;      /* offset in the flash where the next record goes */
    uint16_t active;   /* the page that is being filled */
    bool is_mounted;
    bool is_collecting; /* the page after the active one is still part of the log */
} log_state;

/* A walk over all records, oldest page first. */
struct walk {
    uint16_t step; /* pages begun */
    uint32_t at;   /* next record; 0: go to the next page */
};

static uint32_t page_start(uint16_t page)
{
    return page * corral_port_flash()->page_size;
}

static uint16_t page_after(uint16_t page, uint16_t steps)
{
    return (uint16_t)(((uint32_t)page + steps) % corral_port_flash()->page_count);
}

static uint32_t page_end(void)
{
    return page_start(log_state.active) + corral_port_flash()->page_size;
}

/* Go to the next page of the log, whose first record walk->at is. DOES_NOT_EXIST: none is left. */
static psa_status_t walk_to_page(struct walk *walk)
{
    const uint16_t pages = corral_port_flash()->page_count;
    uint32_t sequence;

    while (walk->step < pages) {
        const uint16_t page = page_after(log_state.active, ++walk->step);
        /* The free page counts only while its records are being copied. */
        const bool is_free = walk->step == 1 && !log_state.is_collecting;
        psa_status_t status =
            is_free ? PSA_ERROR_DOES_NOT_EXIST : corral_page_read(page, &sequence);
        if (status != PSA_ERROR_DOES_NOT_EXIST) {
            walk->at = page_start(page) + corral_page_header_size();
            return status;
        }
    }
    return PSA_ERROR_DOES_NOT_EXIST;
}

/* Where a walk goes on: after a page that is filled to the last byte, the next one follows. */
static uint32_t walk_behind(const struct corral_record *record)
{
    return record->next % corral_port_flash()->page_size == 0 ? 0 : record->next;
}

/*
 * The next record, committed or not.
 *   PSA_ERROR_DOES_NOT_EXIST   that was all
 *   PSA_ERROR_DATA_CORRUPT     the rest of a page cannot be read; the walk goes on after it
 *   PSA_ERROR_STORAGE_FAILURE  the flash cannot be read
 */
static psa_status_t walk_on(struct walk *walk, struct corral_record *record)
{
    for (;;) {
        psa_status_t status = walk->at == 0 ? walk_to_page(walk) : PSA_SUCCESS;
        if (status != PSA_SUCCESS) {
            return status;
        }
        status = corral_record_read(walk->at, record);
        walk->at = status == PSA_SUCCESS ? walk_behind(record) : 0;
        /* Behind the last record of a page, or behind one that power cut off. */
        if (status != PSA_ERROR_DOES_NOT_EXIST && status != PSA_ERROR_DATA_INVALID) {
            return status;
        }
    }
}

static bool is_of(const struct corral_record *record, const struct corral_entry_name *name)
{
    return record->is_committed && record->kind != CORRAL_RECORD_COLLECTED &&
           record->name.uid == name->uid && record->name.space == name->space;
}

/* The latest record of a name. PSA_ERROR_DOES_NOT_EXIST: none, or it says "removed". */
static psa_status_t find(const struct corral_entry_name *name, struct corral_record *found)
{
    psa_status_t result = PSA_ERROR_DOES_NOT_EXIST;
    struct corral_record record;
    struct walk walk = {0, 0};

    for (;;) {
        psa_status_t status = walk_on(&walk, &record);
        if (status == PSA_ERROR_DOES_NOT_EXIST) {
            return result;
        }
        if (status == PSA_ERROR_DATA_CORRUPT) {
            /* What is lost there might have been later than what was found so far. */
            result = PSA_ERROR_STORAGE_FAILURE;
        } else if (status != PSA_SUCCESS) {
            return status;
        } else if (is_of(&record, name)) {
            *found = record;
            result = record.kind == CORRAL_RECORD_DATA ? PSA_SUCCESS : PSA_ERROR_DOES_NOT_EXIST;
        }
    }
}

/* Whether a record in the page `step` is what its name stands for: no later one is of that name. */
static psa_status_t is_live(const struct corral_record *record, uint16_t step, bool *live)
{
    psa_status_t result = PSA_SUCCESS;
    struct corral_record later;
    struct walk walk = {step, walk_behind(record)};

    *live = record->is_committed && record->kind == CORRAL_RECORD_DATA;
    while (*live) {
        psa_status_t status = walk_on(&walk, &later);
        if (status == PSA_ERROR_DOES_NOT_EXIST) {
            return result;
        }
        if (status == PSA_ERROR_DATA_CORRUPT) {
            result = PSA_ERROR_STORAGE_FAILURE; /* unless one is found behind it */
        } else if (status != PSA_SUCCESS) {
            return status;
        } else if (is_of(&later, &record->name)) {
            *live = false;
        }
    }
    return PSA_SUCCESS;
}

/* Append a record at the end of the active page; `data` has record->length bytes. */
static psa_status_t append(struct corral_record *record, const uint8_t *data)
{
    record->at = log_state.end;
    record->crc = corral_crc(0, data, record->length);
    psa_status_t status = corral_record_begin(record);
    if (status == PSA_SUCCESS) {
        status = corral_record_data(corral_record_data_at(record), data, record->length);
    }
    if (status == PSA_SUCCESS) {
        status = corral_record_commit(record);
    }
    log_state.end = record->next;
    return status;
}

/* Append a copy of a record that is in the flash. */
static psa_status_t append_copy(const struct corral_record *source)
{
    struct corral_record copy = *source;
    uint8_t chunk[CORRAL_UNIT_MAX];
    uint32_t done = 0;

    copy.at = log_state.end;
    psa_status_t status = corral_record_begin(&copy);
    while (done < copy.length && status == PSA_SUCCESS) {
        const uint32_t rest = copy.length - done;
        const size_t size = rest < sizeof chunk ? (size_t)rest : sizeof chunk;

        status = corral_port_flash_read(corral_record_data_at(source) + done, chunk, size);
        if (status == PSA_SUCCESS) {
            status = corral_record_data(corral_record_data_at(&copy) + done, chunk, size);
        }
        done += (uint32_t)size;
    }
    if (status == PSA_SUCCESS) {
        status = corral_record_commit(&copy);
    }
    log_state.end = copy.next;
    return status;
}

/* Room that is kept, so that in a full log urgent entries can be written and one be removed. */
static uint32_t reserve(bool is_urgent)
{
    uint32_t size = corral_record_size(0);

    if (CORRAL_STORE_NOTE_SIZE > 0 && !is_urgent) {
        size += corral_record_size(CORRAL_STORE_NOTE_SIZE);
    }
    if (CORRAL_STORE_MANIFEST_SIZE > 0 && !is_urgent) {
        size += corral_record_size(CORRAL_STORE_MANIFEST_SIZE);
    }
    return size;
}

/*
 * Copy what is live in the page `steps` after the active one to the end of the log: all of it, or
 * what fits and leaves the reserve.
 */
static psa_status_t copy_page(uint16_t steps, bool all)
{
    const uint16_t page = page_after(log_state.active, steps);
    uint32_t at = page_start(page) + corral_page_header_size();
    struct corral_record record;
    uint32_t sequence;
    bool live;

    psa_status_t status =
        page == log_state.active ? PSA_ERROR_DOES_NOT_EXIST : corral_page_read(page, &sequence);
    if (status != PSA_SUCCESS) {
        return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
    }
    for (;; at = record.next) {
        status = corral_record_read(at, &record);
        if (status == PSA_ERROR_DOES_NOT_EXIST || status == PSA_ERROR_DATA_INVALID) {
            return PSA_SUCCESS;
        }
        if (status == PSA_SUCCESS) {
            status = is_live(&record, steps, &live);
        }
        if (status != PSA_SUCCESS) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
        const bool fits = log_state.end + (record.next - record.at) + reserve(false) <= page_end();
        if (live && (all || fits)) {
            status = append_copy(&record);
        }
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
}

static psa_status_t erase_if_written(uint16_t page)
{
    bool is_erased;

    psa_status_t status = corral_is_erased(
        page_start(page), page_start(page) + corral_port_flash()->page_size, &is_erased);
    if (status == PSA_SUCCESS && !is_erased) {
        status = corral_port_flash_erase(page);
    }
    return status;
}

/* Open the free page, take over what the oldest page holds, and erase that one. */
static psa_status_t advance(void)
{
    const uint16_t next = page_after(log_state.active, 1);
    struct corral_record done = {.kind = CORRAL_RECORD_COLLECTED};

    psa_status_t status = erase_if_written(next);
    if (status == PSA_SUCCESS) {
        status = corral_page_open(next, log_state.sequence + 1);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    log_state.sequence++;
    log_state.active = next;
    log_state.end = page_start(next) + corral_page_header_size();
    log_state.is_collecting = true;
    status = copy_page(1, true);
    if (status == PSA_SUCCESS) {
        status = append(&done, NULL);
    }
    if (status == PSA_SUCCESS) {
        log_state.is_collecting = false;
        status = erase_if_written(page_after(next, 1));
    }
    return status;
}

/* Bytes that the live entries take together in the pages up to `steps` after the active one. */
static psa_status_t live_size(uint16_t steps, uint32_t *size)
{
    struct corral_record record;
    struct walk walk = {0, 0};
    bool live;

    *size = 0;
    for (;;) {
        psa_status_t status = walk_on(&walk, &record);
        if (status == PSA_ERROR_DOES_NOT_EXIST || walk.step > steps) {
            return PSA_SUCCESS;
        }
        if (status == PSA_SUCCESS) {
            status = is_live(&record, walk.step, &live);
        }
        if (status != PSA_SUCCESS) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
        *size += live ? record.next - record.at : 0;
    }
}

/* Room for records in one page. */
static uint32_t page_room(void)
{
    return corral_port_flash()->page_size - corral_page_header_size() - corral_record_size(0);
}

/* Whether a record of `size` bytes finds room once everything dead is dropped. */
static psa_status_t check_room(uint32_t size)
{
    const uint16_t pages = corral_port_flash()->page_count;
    uint32_t used;

    /* The page that is collected next is nearly always enough, and quickly asked. */
    psa_status_t status = live_size(2, &used);
    if (status != PSA_SUCCESS || used + size <= page_room()) {
        return status;
    }
    status = live_size(pages, &used);
    if (status == PSA_SUCCESS && used + size > (pages - 1u) * page_room()) {
        return PSA_ERROR_INSUFFICIENT_STORAGE; /* without wearing the flash by trying */
    }
    return status;
}

/* Make room for a record of `size` bytes at the end of the log. */
static psa_status_t make_room(uint32_t size)
{
    const uint16_t pages = corral_port_flash()->page_count;

    if (size > page_room()) {
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    if (log_state.end + size <= page_end()) {
        return PSA_SUCCESS;
    }
    psa_status_t status = check_room(size);
    /* Twice round: first to drop what is dead, then with the pages' rests filled. */
    for (uint16_t i = 0; i < 2 * pages && status == PSA_SUCCESS; i++) {
        status = advance();
        if (status == PSA_SUCCESS && log_state.end + size <= page_end()) {
            return PSA_SUCCESS;
        }
        if (status == PSA_SUCCESS) {
            status = copy_page(2, false);
        }
    }
    return status == PSA_SUCCESS ? PSA_ERROR_INSUFFICIENT_STORAGE : status;
}

/* Find the page of the highest number. PSA_ERROR_DOES_NOT_EXIST: there is none. */
static psa_status_t find_active(void)
{
    psa_status_t result = PSA_ERROR_DOES_NOT_EXIST;
    uint32_t sequence;

    for (uint16_t page = 0; page < corral_port_flash()->page_count; page++) {
        psa_status_t status = corral_page_read(page, &sequence);
        if (status == PSA_SUCCESS && (result != PSA_SUCCESS || sequence > log_state.sequence)) {
            result = PSA_SUCCESS;
            log_state.active = page;
            log_state.sequence = sequence;
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
    bool is_erased = false;

    *is_collected = false;
    log_state.end = page_start(log_state.active) + corral_page_header_size();
    while (log_state.end < page_end() && status == PSA_SUCCESS) {
        status = corral_record_read(log_state.end, &record);
        if (status == PSA_SUCCESS) {
            *is_collected |= record.is_committed && record.kind == CORRAL_RECORD_COLLECTED;
            log_state.end = record.next;
        }
    }
    const bool is_cut = status == PSA_ERROR_DATA_INVALID || status == PSA_ERROR_DATA_CORRUPT;
    if (is_cut || status == PSA_ERROR_DOES_NOT_EXIST) {
        status = PSA_SUCCESS;
    }
    if (status == PSA_SUCCESS && !is_cut) {
        status = corral_is_erased(log_state.end, page_end(), &is_erased);
    }
    if (!is_erased) {
        log_state.end = page_end(); /* nothing more is written there */
    }
    return status;
}

/*
 * Begin a log in flash that holds none: erased, but for what a first beginning may have left when
 * power failed. Anything else is somebody else's.
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
        status = erase_if_written(0);
    }
    if (status == PSA_SUCCESS) {
        status = corral_page_open(0, 1);
    }
    log_state.active = 0;
    log_state.sequence = 1;
    log_state.end = corral_page_header_size();
    return status == PSA_SUCCESS ? append(&first, NULL) : status;
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

/* Examine the flash, and undo or finish what a power cut has interrupted. */
static psa_status_t mount(void)
{
    bool is_collected = false;

    if (log_state.is_mounted) {
        return PSA_SUCCESS;
    }
    log_state.is_collecting = false;
    psa_status_t status = open_active(&is_collected);
    if (status == PSA_SUCCESS && !is_collected) {
        /* It holds nothing but copies; the page before it has been complete for long. */
        status = corral_port_flash_erase(log_state.active);
        if (status == PSA_SUCCESS) {
            status = open_active(&is_collected);
        }
        if (status == PSA_SUCCESS && !is_collected) {
            status = PSA_ERROR_STORAGE_FAILURE;
        }
    }
    if (status == PSA_SUCCESS) {
        status = erase_if_written(page_after(log_state.active, 1));
    }
    log_state.is_mounted = status == PSA_SUCCESS;
    return status;
}

void corral_log_unmount(void)
{
    log_state.is_mounted = false;
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

/* Append what replaces `old`, if there is one, and clear that. */
static psa_status_t replace(struct corral_record *record, const uint8_t *data, uint32_t room)
{
    struct corral_record old;

    psa_status_t status = make_room(room);
    if (status == PSA_SUCCESS) {
        status = find(&record->name, &old); /* after making room: it may have moved */
    }
    const bool is_there = status == PSA_SUCCESS;
    if (is_there || status == PSA_ERROR_DOES_NOT_EXIST) {
        status = append(record, data);
    }
    if (is_there && status == PSA_SUCCESS) {
        status = clear(&old);
    }
    return status;
}

psa_status_t corral_log_write(const struct corral_entry_name *name, uint8_t flags,
                              const uint8_t *data, size_t length, bool is_urgent)
{
    struct corral_record record = {
        .name = *name, .kind = CORRAL_RECORD_DATA, .flags = flags, .length = (uint16_t)length};

    if (length > corral_port_flash()->page_size || length > UINT16_MAX) {
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    psa_status_t status = mount();
    if (status == PSA_SUCCESS) {
        status = replace(&record, data, corral_record_size((uint32_t)length) + reserve(is_urgent));
    }
    return ended(status);
}

psa_status_t corral_log_read(const struct corral_entry_name *name, size_t offset, uint8_t *data,
                             size_t size, size_t *length, uint8_t *flags)
{
    struct corral_record record;

    psa_status_t status = mount();
    if (status == PSA_SUCCESS) {
        status = find(name, &record);
    }
    if (status == PSA_SUCCESS) {
        status = corral_record_check(&record);
    }
    if (status != PSA_SUCCESS) {
        return ended(status);
    }
    const size_t rest = offset < record.length ? record.length - offset : 0;
    *length = record.length;
    *flags = record.flags;
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
        status = find(name, &record);
    }
    if (status == PSA_SUCCESS) {
        record = (struct corral_record){.name = *name, .kind = CORRAL_RECORD_REMOVED};
        status = replace(&record, NULL, corral_record_size(0));
    }
    return ended(status);
}

psa_status_t corral_log_next(struct corral_entry_name *name)
{
    uint64_t lowest = UINT64_MAX;
    bool is_found = false;
    struct corral_record record;
    struct walk walk = {0, 0};
    bool live;

    psa_status_t status = mount();
    while (status == PSA_SUCCESS) {
        status = walk_on(&walk, &record);
        if (status == PSA_SUCCESS && record.name.space == name->space &&
            record.name.uid > name->uid && record.name.uid <= lowest) {
            status = is_live(&record, walk.step, &live);
            lowest = live ? record.name.uid : lowest;
            is_found = is_found || live;
        } else if (status == PSA_ERROR_DATA_CORRUPT) {
            status = PSA_ERROR_STORAGE_FAILURE;
        }
    }
    if (status == PSA_ERROR_DOES_NOT_EXIST && is_found) {
        name->uid = lowest;
        return PSA_SUCCESS;
    }
    return ended(status);
}
