/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <string.h>

#include <corral/crc.h>
#include <psa/update.h>

#include "../storage/bytes.h"
#include "erased.h"

#define RECORD_SIZE 32u
#define STATE_PAGES 2u
#define MAGIC 0x55664331u

enum { AT_MAGIC = 0, AT_NUMBER = 4, AT_STATE = 8, AT_ACTIVE = 9, AT_ERROR = 12, AT_CRC = 28 };

/* Where the latest record is, and how many places of its page are used. */
struct place {
    uint16_t page;
    uint32_t used;
};

static void pack(const struct corral_update_record *record, uint8_t bytes[RECORD_SIZE])
{
    memset(bytes, 0, RECORD_SIZE);
    corral_put(bytes + AT_MAGIC, MAGIC, 4);
    corral_put(bytes + AT_NUMBER, record->number, 4);
    bytes[AT_STATE] = record->state;
    bytes[AT_ACTIVE] = record->active;
    corral_put(bytes + AT_ERROR, (uint32_t)record->error, 4);
    corral_put(bytes + AT_CRC, corral_crc(0, bytes, AT_CRC), 4);
}

/* Take over a record that is whole and later than this one; says whether it was. */
static bool take(const uint8_t bytes[RECORD_SIZE], struct corral_update_record *record)
{
    const uint32_t number = (uint32_t)corral_take(bytes + AT_NUMBER, 4);

    if (corral_take(bytes + AT_MAGIC, 4) != MAGIC || number <= record->number ||
        corral_take(bytes + AT_CRC, 4) != corral_crc(0, bytes, AT_CRC)) {
        return false;
    }
    record->number = number;
    record->state = bytes[AT_STATE] & 7u;
    record->active = bytes[AT_ACTIVE] & 1u;
    record->error = (psa_status_t)(uint32_t)corral_take(bytes + AT_ERROR, 4);
    return true;
}

/* Look at the records of a page up to the first erased place. */
static psa_status_t scan_page(uint16_t page, struct corral_update_record *record,
                              struct place *place)
{
    const uint32_t size = corral_port_update_flash()->page_size;
    uint8_t bytes[RECORD_SIZE];
    bool has_latest = false;
    uint32_t used = 0;

    for (; used < size / RECORD_SIZE; used++) {
        const psa_status_t status =
            corral_port_update_read(page * size + used * RECORD_SIZE, bytes, RECORD_SIZE);
        if (status != PSA_SUCCESS) {
            return status;
        }
        if (corral_are_erased(bytes, RECORD_SIZE)) {
            break;
        }
        has_latest = take(bytes, record) || has_latest;
    }
    if (has_latest) {
        place->page = page;
        place->used = used;
    }
    return PSA_SUCCESS;
}

static psa_status_t scan(struct corral_update_record *record, struct place *place)
{
    const struct corral_update_record none = {0, PSA_FWU_WRITING, 0, PSA_SUCCESS};

    /* Without a record the next one goes to page 0, after that is erased. */
    place->page = 1;
    place->used = corral_port_update_flash()->page_size / RECORD_SIZE;
    *record = none;
    psa_status_t status = scan_page(0, record, place);
    return status == PSA_SUCCESS ? scan_page(1, record, place) : status;
}

psa_status_t corral_update_load(struct corral_update_record *record)
{
    struct place place;

    return scan(record, &place);
}

psa_status_t corral_update_store(struct corral_update_record *record)
{
    const uint32_t size = corral_port_update_flash()->page_size;
    struct corral_update_record latest;
    struct place place;
    uint8_t bytes[RECORD_SIZE];

    psa_status_t status = scan(&latest, &place);
    if (status == PSA_SUCCESS && place.used == size / RECORD_SIZE) {
        place.page ^= 1u;
        place.used = 0;
        status = corral_port_update_erase(place.page);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    record->number = latest.number + 1u;
    pack(record, bytes);
    return corral_port_update_write(place.page * size + place.used * RECORD_SIZE, bytes,
                                    RECORD_SIZE);
}

static uint16_t slot_pages(void)
{
    return (uint16_t)((corral_port_update_flash()->page_count - STATE_PAGES) / 2u);
}

uint32_t corral_update_slot_size(void)
{
    return corral_port_update_flash()->page_size * slot_pages();
}

uint32_t corral_update_slot(unsigned slot)
{
    return corral_port_update_flash()->page_size * STATE_PAGES + slot * corral_update_slot_size();
}

psa_status_t corral_update_erase_slot(unsigned slot)
{
    const unsigned first = STATE_PAGES + slot * slot_pages();
    psa_status_t status = PSA_SUCCESS;

    for (unsigned i = 0; i < slot_pages() && status == PSA_SUCCESS; i++) {
        status = corral_port_update_erase((uint16_t)(first + i));
    }
    return status;
}
