/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "entry.h"
#include "index.h"

struct corral_log corral_log;

uint32_t corral_page_start(uint16_t page)
{
    return page * corral_port_flash()->page_size;
}

uint16_t corral_page_after(uint16_t page, uint16_t steps)
{
    return (uint16_t)(((uint32_t)page + steps) % corral_port_flash()->page_count);
}

uint32_t corral_page_end(void)
{
    return corral_page_start(corral_log.active) + corral_port_flash()->page_size;
}

psa_status_t corral_page_check(uint16_t steps)
{
    const uint32_t back = (uint32_t)corral_port_flash()->page_count - steps;
    const bool is_begun = back < corral_log.sequence;
    uint32_t sequence;

    psa_status_t status = corral_page_read(corral_page_after(corral_log.active, steps), &sequence);
    if ((status == PSA_ERROR_DOES_NOT_EXIST && is_begun) ||
        (status == PSA_SUCCESS && sequence != corral_log.sequence - back)) {
        return corral_log.is_salvaging ? PSA_ERROR_DOES_NOT_EXIST : PSA_ERROR_DATA_CORRUPT;
    }
    return status;
}

psa_status_t corral_log_record(uint32_t at, struct corral_record *record)
{
    psa_status_t status =
        at == corral_log.end ? PSA_ERROR_DOES_NOT_EXIST : corral_record_read(at, record);

    return status == PSA_ERROR_DATA_CORRUPT && corral_log.is_salvaging ? PSA_ERROR_DATA_INVALID
                                                                       : status;
}

psa_status_t corral_walk_to_page(struct corral_walk *walk)
{
    const uint16_t pages = corral_port_flash()->page_count;

    while (walk->step < pages) {
        const uint16_t page = corral_page_after(corral_log.active, ++walk->step);
        /* The free page counts only while its records are being copied. */
        const bool is_free = walk->step == 1 && !corral_log.is_collecting;
        psa_status_t status = is_free ? PSA_ERROR_DOES_NOT_EXIST : corral_page_check(walk->step);
        if (status == PSA_SUCCESS) {
            walk->at = corral_page_start(page) + corral_page_header_size();
        }
        if (status != PSA_ERROR_DOES_NOT_EXIST) {
            return status;
        }
    }
    return PSA_ERROR_DOES_NOT_EXIST;
}

/* After a page that is filled to the last byte, the next one follows. */
uint32_t corral_walk_behind(const struct corral_record *record)
{
    return record->next % corral_port_flash()->page_size == 0 ? 0 : record->next;
}

psa_status_t corral_walk_on(struct corral_walk *walk, struct corral_record *record)
{
    for (;;) {
        psa_status_t status = walk->at == 0 ? corral_walk_to_page(walk) : PSA_SUCCESS;
        if (status != PSA_SUCCESS) {
            return status;
        }
        status = corral_log_record(walk->at, record);
        walk->at = status == PSA_SUCCESS ? corral_walk_behind(record) : 0;
        /* Behind the last record of a page, or behind one that power cut off. */
        if (status != PSA_ERROR_DOES_NOT_EXIST && status != PSA_ERROR_DATA_INVALID) {
            return status;
        }
    }
}

bool corral_record_says(const struct corral_record *record, const struct corral_entry_name *name)
{
    return record->is_committed && record->kind != CORRAL_RECORD_COLLECTED &&
           record->name.uid == name->uid && record->name.space == name->space;
}

void corral_log_note(const struct corral_record *record)
{
    const uint32_t size = record->next - record->at;

    if ((record->flags & CORRAL_STORE_CAPACITY) != 0 && size > corral_log.largest) {
        corral_log.largest = size;
    }
}

/* Find the latest record of a name by reading all headers. */
static psa_status_t scan(const struct corral_entry_name *name, struct corral_record *found)
{
    psa_status_t result = PSA_ERROR_DOES_NOT_EXIST;
    struct corral_record record;
    struct corral_walk walk = {0, 0};

    for (;;) {
        psa_status_t status = corral_walk_on(&walk, &record);
        if (status == PSA_ERROR_DOES_NOT_EXIST) {
            return result;
        }
        if (status == PSA_ERROR_DATA_CORRUPT) {
            /* The lost record may be later than those found so far. */
            result = status;
        } else if (status != PSA_SUCCESS) {
            return status;
        } else if (corral_record_says(&record, name)) {
            *found = record;
            result = record.kind == CORRAL_RECORD_DATA ? PSA_SUCCESS : PSA_ERROR_DOES_NOT_EXIST;
        }
    }
}

psa_status_t corral_log_find(const struct corral_entry_name *name, struct corral_record *found)
{
    return corral_index_is_complete() ? corral_index_find(name, found) : scan(name, found);
}

/* Numbers that one reading of all headers judges. */
#define LOWEST 16u

/* The lowest numbers of which any record says something, in their order, and whether they live. */
struct lowest {
    uint64_t uids[LOWEST];
    bool are_live[LOWEST];
    uint8_t count;
};

/* Enter what a later record says of a number, unless there are lower ones in its place. */
static void note_number(struct lowest *lowest, uint64_t uid, bool is_live)
{
    size_t at = 0;

    while (at < lowest->count && lowest->uids[at] < uid) {
        at++;
    }
    if (at == LOWEST) {
        return;
    }
    if (at == lowest->count || lowest->uids[at] != uid) {
        lowest->count = (uint8_t)(lowest->count < LOWEST ? lowest->count + 1u : LOWEST);
        for (size_t i = lowest->count - 1u; i > at; i--) {
            lowest->uids[i] = lowest->uids[i - 1];
            lowest->are_live[i] = lowest->are_live[i - 1];
        }
        lowest->uids[at] = uid;
    }
    lowest->are_live[at] = is_live;
}

/* Find the lowest numbers above name->uid by reading all headers. */
static psa_status_t scan_above(const struct corral_entry_name *name, struct lowest *lowest)
{
    struct corral_record record;
    struct corral_walk walk = {0, 0};
    psa_status_t status;

    lowest->count = 0;
    while ((status = corral_walk_on(&walk, &record)) == PSA_SUCCESS) {
        const struct corral_entry_name said = {record.name.uid, name->space};

        if (said.uid > name->uid && corral_record_says(&record, &said)) {
            note_number(lowest, said.uid, record.kind == CORRAL_RECORD_DATA);
        }
    }
    /* An unreadable record may have a lower number. */
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

static psa_status_t scan_next(struct corral_entry_name *name)
{
    struct corral_entry_name above = *name;
    struct lowest lowest;

    do {
        psa_status_t status = scan_above(&above, &lowest);
        if (status != PSA_SUCCESS) {
            return status;
        }
        for (size_t i = 0; i < lowest.count; i++) {
            above.uid = lowest.uids[i];
            if (lowest.are_live[i]) {
                name->uid = above.uid;
                return PSA_SUCCESS;
            }
        }
    } while (lowest.count == LOWEST);
    return PSA_ERROR_DOES_NOT_EXIST;
}

psa_status_t corral_log_find_next(struct corral_entry_name *name)
{
    return corral_index_is_complete() ? corral_index_next(name) : scan_next(name);
}
