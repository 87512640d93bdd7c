/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include <string.h>

#define ENTRIES ((size_t)CORRAL_STORAGE_INDEX_ENTRIES)

static struct {
    uint16_t places[CORRAL_STORAGE_INDEX_ENTRIES > 0 ? CORRAL_STORAGE_INDEX_ENTRIES : 1];
    uint16_t count;
    bool is_complete;
    bool is_begun; /* and not ended */
} names;

/* Places are counted in units, so that 16 bits go far. */
static uint32_t offset_of(size_t position)
{
    return (uint32_t)names.places[position] * corral_port_flash()->write_size;
}

/* Whether each place of the flash has a number of 16 bits. */
static bool has_short_places(const struct corral_flash_geometry *flash)
{
    return flash->page_size / flash->write_size * flash->page_count - 1u <= UINT16_MAX;
}

void corral_index_begin(void)
{
    names.count = 0;
    names.is_begun = true;
    names.is_complete = ENTRIES > 0 && has_short_places(corral_port_flash());
}

void corral_index_end(void)
{
    names.is_begun = false;
}

void corral_index_forget(void)
{
    names.is_complete = false;
}

bool corral_index_holds_all(void)
{
    return names.is_complete;
}

static uint16_t place_of(const struct corral_record *record)
{
    return (uint16_t)(record->at / corral_port_flash()->write_size);
}

static psa_status_t read_at(size_t position, struct corral_record *record)
{
    if (names.is_begun) {
        return corral_record_peek(offset_of(position), record);
    }
    psa_status_t status = corral_record_read(offset_of(position), record);

    return status == PSA_SUCCESS && record->is_committed ? status : PSA_ERROR_STORAGE_FAILURE;
}

static bool is_below(const struct corral_entry_name *a, const struct corral_entry_name *b)
{
    return a->space != b->space ? a->space < b->space : a->uid < b->uid;
}

/*
 * Find the position of a name, and read its record. PSA_ERROR_DOES_NOT_EXIST: it is not there, and
 * *position is where it would be.
 */
static psa_status_t seek(const struct corral_entry_name *name, size_t *position,
                         struct corral_record *record)
{
    size_t low = 0;
    size_t high = names.count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        psa_status_t status = read_at(middle, record);
        if (status != PSA_SUCCESS) {
            return status;
        }
        if (is_below(&record->name, name)) {
            low = middle + 1;
        } else if (is_below(name, &record->name)) {
            high = middle;
        } else {
            *position = middle;
            return PSA_SUCCESS;
        }
    }
    *position = low;
    return PSA_ERROR_DOES_NOT_EXIST;
}

psa_status_t corral_index_find(const struct corral_entry_name *name, struct corral_record *record)
{
    size_t position;

    return seek(name, &position, record);
}

psa_status_t corral_index_next(struct corral_entry_name *name)
{
    struct corral_record record;
    size_t position = names.count;

    psa_status_t status = seek(name, &position, &record);
    if (status == PSA_SUCCESS) {
        position++;
    } else if (status != PSA_ERROR_DOES_NOT_EXIST) {
        return status;
    }
    if (position == names.count) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    status = read_at(position, &record);
    if (status == PSA_SUCCESS && record.name.space != name->space) {
        status = PSA_ERROR_DOES_NOT_EXIST;
    }
    name->uid = status == PSA_SUCCESS ? record.name.uid : name->uid;
    return status;
}

/* Move the elements from a position on by one place, up or down. */
static void shift(size_t from, size_t to)
{
    memmove(names.places + to, names.places + from, (names.count - from) * sizeof names.places[0]);
}

/* Make a record's place one of the index, at a position where its name is not yet. */
static void insert(size_t position, const struct corral_record *record)
{
    if (names.count == ENTRIES) {
        corral_index_forget();
        return;
    }
    shift(position, position + 1);
    names.count++;
    names.places[position] = place_of(record);
}

psa_status_t corral_index_enter(const struct corral_record *record, uint32_t *replaced)
{
    const bool is_there = record->kind == CORRAL_RECORD_DATA;
    struct corral_record old;
    size_t position;

    *replaced = 0;
    if (!corral_index_is_complete()) {
        return PSA_SUCCESS;
    }
    psa_status_t status = seek(&record->name, &position, &old);
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        if (is_there) {
            insert(position, record);
        }
        return PSA_SUCCESS;
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    *replaced = old.next - old.at;
    if (is_there) {
        names.places[position] = place_of(record);
    } else {
        shift(position + 1, position);
        names.count--;
    }
    return PSA_SUCCESS;
}
