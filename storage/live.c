/* SPDX-License-Identifier: Apache-2.0 */
#include "live.h"

#include "index.h"

static uint16_t tag_of(const struct corral_entry_name *name)
{
    return (uint16_t)(name->uid ^ name->uid >> 16 ^ (uint16_t)(name->space << 8));
}

/* Whether the index knows no other record of the name; without it that is left to the walk. */
static psa_status_t is_latest(const struct corral_record *record, bool *latest)
{
    struct corral_record found;

    *latest = true;
    if (!corral_index_is_complete()) {
        return PSA_SUCCESS;
    }
    psa_status_t status = corral_index_find(&record->name, &found);
    *latest = status == PSA_SUCCESS && found.at == record->at;
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
}

static psa_status_t add(struct corral_batch *batch, const struct corral_record *record)
{
    bool is_candidate = record->is_committed && record->kind == CORRAL_RECORD_DATA;

    psa_status_t status = is_candidate ? is_latest(record, &is_candidate) : PSA_SUCCESS;
    if (status == PSA_SUCCESS && is_candidate) {
        batch->at[batch->count] = record->at;
        batch->tags[batch->count] = tag_of(&record->name);
        batch->live |= (uint32_t)1 << batch->count++;
    }
    return status;
}

/* Collect records of data, from *at to the end of the page or of the room for them. */
static psa_status_t fill(uint32_t *at, struct corral_batch *batch)
{
    struct corral_record record;

    while (*at != 0 && batch->count < CORRAL_BATCH) {
        psa_status_t status = corral_log_record(*at, &record);
        if (status == PSA_ERROR_DOES_NOT_EXIST || status == PSA_ERROR_DATA_INVALID) {
            *at = 0; /* behind the last one */
            return PSA_SUCCESS;
        }
        if (status == PSA_SUCCESS) {
            status = add(batch, &record);
        }
        if (status != PSA_SUCCESS) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
        *at = corral_walk_behind(&record);
    }
    return PSA_SUCCESS;
}

/* Strike out those of a batch that a record replaces; `is_later`: it is in a later page. */
static psa_status_t strike_out(struct corral_batch *batch, const struct corral_record *later,
                               bool is_later)
{
    const uint16_t tag = tag_of(&later->name);
    struct corral_record record;

    for (uint8_t i = 0; i < batch->count; i++) {
        if (batch->tags[i] != tag || (!is_later && batch->at[i] >= later->at)) {
            continue;
        }
        if (corral_record_read(batch->at[i], &record) != PSA_SUCCESS) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
        if (corral_record_says(later, &record.name)) {
            batch->live &= ~((uint32_t)1 << i);
        }
    }
    return PSA_SUCCESS;
}

static psa_status_t judge_by_walk(uint16_t steps, struct corral_batch *batch)
{
    struct corral_walk walk = {steps, batch->at[0]};
    psa_status_t result = PSA_SUCCESS;
    psa_status_t status = PSA_SUCCESS;
    struct corral_record later;

    while (status == PSA_SUCCESS && batch->live != 0) {
        status = corral_walk_on(&walk, &later);
        if (status == PSA_ERROR_DOES_NOT_EXIST) {
            return result;
        }
        if (status == PSA_SUCCESS) {
            status = strike_out(batch, &later, walk.step != steps);
        } else if (status == PSA_ERROR_DATA_CORRUPT) {
            result = PSA_ERROR_STORAGE_FAILURE; /* unless all are found behind it */
            status = PSA_SUCCESS;
        }
    }
    return status;
}

psa_status_t corral_batch_read(uint16_t steps, uint32_t *at, struct corral_batch *batch)
{
    if (*at == 0) {
        const uint16_t page = corral_page_after(corral_log.active, steps);
        *at = corral_page_start(page) + corral_page_header_size();
    }
    batch->count = 0;
    batch->live = 0;
    psa_status_t status = fill(at, batch);
    if (status != PSA_SUCCESS || batch->count == 0 || corral_index_is_complete()) {
        return status;
    }
    return judge_by_walk(steps, batch);
}

/* Enter what a record says; *live follows. */
static psa_status_t enter(const struct corral_record *record, uint32_t *live)
{
    uint32_t replaced;

    if (!record->is_committed || record->kind == CORRAL_RECORD_COLLECTED) {
        return PSA_SUCCESS;
    }
    psa_status_t status = corral_index_enter(record, &replaced);
    *live -= replaced;
    if (record->kind == CORRAL_RECORD_DATA) {
        *live += record->next - record->at;
        corral_log_note(record);
    }
    return status;
}

/* Read all records, as long as there is room for their names. */
static psa_status_t survey(uint32_t *live)
{
    struct corral_walk walk = {0, 0};
    psa_status_t status = PSA_SUCCESS;
    struct corral_record record;

    while (status == PSA_SUCCESS && corral_index_is_complete()) {
        status = corral_walk_on(&walk, &record);
        if (status == PSA_ERROR_DATA_CORRUPT) {
            corral_index_forget(); /* names were lost there, and each call has to say so */
            return PSA_SUCCESS;
        }
        if (status == PSA_SUCCESS) {
            status = enter(&record, live);
        }
    }
    return status;
}

psa_status_t corral_survey_names(void)
{
    uint32_t live = 0;

    corral_log.live = CORRAL_LIVE_UNKNOWN;
    corral_index_begin();
    psa_status_t status = survey(&live);
    corral_index_end();
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        corral_log.live = live; /* of all */
        status = PSA_SUCCESS;
    }
    return status;
}

static psa_status_t add_page(uint16_t steps, uint32_t *live)
{
    struct corral_batch batch;
    struct corral_record record;
    uint32_t at = 0;

    do {
        psa_status_t status = corral_batch_read(steps, &at, &batch);
        for (uint8_t i = 0; i < batch.count && status == PSA_SUCCESS; i++) {
            if ((batch.live >> i & 1u) != 0) {
                status = corral_record_read(batch.at[i], &record);
                *live += record.next - record.at;
                corral_log_note(&record);
            }
        }
        if (status != PSA_SUCCESS) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
    } while (at != 0);
    return PSA_SUCCESS;
}

psa_status_t corral_survey_live(void)
{
    struct corral_walk walk = {0, 0};
    psa_status_t status;
    uint32_t live = 0;

    if (corral_log.live != CORRAL_LIVE_UNKNOWN) {
        return PSA_SUCCESS;
    }
    while ((status = corral_walk_to_page(&walk)) == PSA_SUCCESS) {
        status = add_page(walk.step, &live);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        corral_log.live = live;
        return PSA_SUCCESS;
    }
    return PSA_ERROR_STORAGE_FAILURE;
}
