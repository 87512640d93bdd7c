/* SPDX-License-Identifier: Apache-2.0 */
#include "collect.h"

#include <corral/crc.h>

#include "entry.h"
#include "index.h"
#include "live.h"

#define SLACK 6u /* one part in so many does not live */

/* Make a record count, and enter what it says. */
static psa_status_t conclude(const struct corral_record *record)
{
    psa_status_t status = corral_record_commit(record);
    uint32_t replaced;

    if (status == PSA_SUCCESS && record->kind != CORRAL_RECORD_COLLECTED) {
        status = corral_index_enter(record, &replaced);
    }
    corral_log.end = record->next;
    return status;
}

psa_status_t corral_append(struct corral_record *record, const uint8_t *data)
{
    record->at = corral_log.end;
    record->crc = corral_crc(0, data, record->length);
    psa_status_t status = corral_record_begin(record);
    if (status == PSA_SUCCESS) {
        status = corral_record_data(corral_record_data_at(record), data, record->length);
    }
    return status == PSA_SUCCESS ? conclude(record) : status;
}

/* Append a copy of a record that is in the flash. */
static psa_status_t append_copy(const struct corral_record *source)
{
    struct corral_record copy = *source;
    uint8_t chunk[CORRAL_UNIT_MAX];
    uint32_t done = 0;

    copy.at = corral_log.end;
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
    return status == PSA_SUCCESS ? conclude(&copy) : status;
}

uint32_t corral_reserve(bool is_urgent)
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

static bool is_room(uint32_t size)
{
    return corral_log.end + size <= corral_page_end();
}

/* Copy those of a batch that live: all, or what fits and leaves the reserve. */
static psa_status_t copy_batch(const struct corral_batch *batch, bool all)
{
    struct corral_record record;

    for (uint8_t i = 0; i < batch->count; i++) {
        if ((batch->live >> i & 1u) == 0) {
            continue;
        }
        if (corral_record_read(batch->at[i], &record) != PSA_SUCCESS) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
        const uint32_t rest = all ? corral_record_size(0) : corral_reserve(false);
        psa_status_t status = all ? PSA_ERROR_STORAGE_FAILURE : PSA_SUCCESS; /* no page of ours */
        if (is_room(record.next - record.at + rest)) {
            status = append_copy(&record);
        }
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    return PSA_SUCCESS;
}

/* Copy what lives in the page `steps` after the active one to the end of the log. */
static psa_status_t copy_page(uint16_t steps, bool all)
{
    const uint16_t page = corral_page_after(corral_log.active, steps);
    struct corral_batch batch;
    uint32_t at = 0;

    psa_status_t status =
        page == corral_log.active ? PSA_ERROR_DOES_NOT_EXIST : corral_page_check(steps);
    if (status != PSA_SUCCESS) {
        return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
    }
    do {
        status = corral_batch_read(steps, &at, &batch);
        if (status == PSA_SUCCESS) {
            status = copy_batch(&batch, all);
        }
    } while (status == PSA_SUCCESS && at != 0);
    return status;
}

psa_status_t corral_erase_if_written(uint16_t page)
{
    const uint32_t start = corral_page_start(page);
    bool is_erased;

    psa_status_t status =
        corral_is_erased(start, start + corral_port_flash()->page_size, &is_erased);
    if (status == PSA_SUCCESS && !is_erased) {
        status = corral_port_flash_erase(page);
    }
    return status;
}

psa_status_t corral_log_advance(void)
{
    const uint16_t next = corral_page_after(corral_log.active, 1);
    struct corral_record done = {.kind = CORRAL_RECORD_COLLECTED};

    if (corral_log.sequence == UINT32_MAX) {
        return PSA_ERROR_STORAGE_FAILURE; /* no flash is erased so often: the value is forged */
    }
    psa_status_t status = corral_page_open(next, corral_log.sequence + 1);
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_log.sequence++;
    corral_log.active = next;
    corral_log.end = corral_page_start(next) + corral_page_header_size();
    corral_log.is_collecting = true;
    status = copy_page(1, true);
    if (status == PSA_SUCCESS) {
        status = corral_append(&done, NULL);
    }
    if (status == PSA_SUCCESS) {
        corral_log.is_collecting = false;
        status = corral_erase_if_written(corral_page_after(next, 1));
    }
    return status;
}

/* Room for records in one page. */
static uint32_t page_room(void)
{
    return corral_port_flash()->page_size - corral_page_header_size() - corral_record_size(0);
}

static uint32_t all_room(void)
{
    return (corral_port_flash()->page_count - 1u) * page_room();
}

/* Whether so much more may live below a limit, without wearing the flash by trying. */
static psa_status_t check_room(uint32_t size, uint32_t limit)
{
    psa_status_t status = corral_survey_live();
    if (status != PSA_SUCCESS) {
        return status;
    }
    return corral_log.live + size > limit || size >= corral_log.refused
               ? PSA_ERROR_INSUFFICIENT_STORAGE
               : PSA_SUCCESS;
}

/* How much may live so that a record of this size finds room, however the pages are filled. */
static uint32_t limit_for(uint32_t largest)
{
    const uint32_t room = page_room();
    const uint32_t kept = largest + corral_reserve(false);

    return kept < room ? (corral_port_flash()->page_count - 1u) * (room - kept) : 0;
}

/* Go round the pages: first to drop what is dead, then with the pages' rests filled. */
static psa_status_t go_round(uint32_t size)
{
    const uint16_t pages = corral_port_flash()->page_count;
    psa_status_t status = PSA_SUCCESS;

    for (uint32_t i = 0; i < 2u * pages && status == PSA_SUCCESS; i++) {
        status = corral_log_advance();
        if (status == PSA_SUCCESS && is_room(size)) {
            return PSA_SUCCESS;
        }
        if (status == PSA_SUCCESS) {
            status = copy_page(2, false);
        }
    }
    if (status == PSA_SUCCESS) {
        corral_log.refused = size;
        status = PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    return status;
}

psa_status_t corral_make_room(uint32_t size)
{
    if (size > page_room()) {
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    if (is_room(size)) {
        return PSA_SUCCESS;
    }
    const psa_status_t status = check_room(size, all_room());
    return status == PSA_SUCCESS ? go_round(size) : status;
}

psa_status_t corral_make_room_within_bounds(uint32_t size, uint32_t again)
{
    uint32_t limit = all_room() - all_room() / SLACK;

    psa_status_t status = corral_survey_live();
    if (status != PSA_SUCCESS) {
        return is_room(size) ? PSA_SUCCESS : status; /* no page can be taken over */
    }
    again = again > corral_log.largest ? again : corral_log.largest;
    if (again > 0 && limit_for(again) < limit) {
        limit = limit_for(again);
    }
    status = check_room(size, limit);
    return status == PSA_SUCCESS ? corral_make_room(size) : status;
}
