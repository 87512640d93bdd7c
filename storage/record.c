/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <string.h>

#include <corral/crc.h>

#include "bytes.h"

#define ERASED 0xff
#define SPACE_SHIFT 4
#define FLAGS_MASK 0x0fu
#define PAGE_HEADER 12u
#define NAME_SIZE 12u /* of a record's header, up to its number */
#define MARK_SIZE 4u

static const uint8_t page_magic[4] = {'C', 'R', 'L', '1'};
static const uint8_t mark[MARK_SIZE] = {0x5a, 0x93, 0x6c, 0x21};

uint32_t corral_units(uint32_t size)
{
    const uint32_t unit = corral_port_flash()->write_size;

    return (size + unit - 1) / unit * unit;
}

uint32_t corral_record_size(uint32_t length)
{
    return corral_units(CORRAL_RECORD_HEADER) + corral_units(length) + corral_units(MARK_SIZE);
}

uint32_t corral_page_header_size(void)
{
    return corral_units(PAGE_HEADER);
}

uint32_t corral_record_data_at(const struct corral_record *record)
{
    return record->at + corral_units(CORRAL_RECORD_HEADER);
}

psa_status_t corral_record_data(uint32_t at, const uint8_t *data, size_t size)
{
    const size_t unit = corral_port_flash()->write_size;
    const size_t whole = size - size % unit;
    uint8_t last[CORRAL_UNIT_MAX];
    psa_status_t status = PSA_SUCCESS;

    if (whole > 0) {
        status = corral_port_flash_write(at, data, whole);
    }
    if (status == PSA_SUCCESS && whole < size) {
        memset(last, ERASED, sizeof last);
        memcpy(last, data + whole, size - whole);
        status = corral_port_flash_write(at + (uint32_t)whole, last, unit);
    }
    return status;
}

psa_status_t corral_is_erased(uint32_t from, uint32_t to, bool *is_erased)
{
    uint8_t chunk[CORRAL_UNIT_MAX];

    uint8_t common = ERASED;

    *is_erased = false;
    while (from < to && common == ERASED) {
        const size_t size = to - from < sizeof chunk ? (size_t)(to - from) : sizeof chunk;
        psa_status_t status = corral_port_flash_read(from, chunk, size);
        if (status != PSA_SUCCESS) {
            return status;
        }
        for (size_t i = 0; i < size; i++) {
            common &= chunk[i];
        }
        from += (uint32_t)size;
    }
    *is_erased = common == ERASED;
    return PSA_SUCCESS;
}

psa_status_t corral_has_mark(uint32_t from, uint32_t to, bool *has_mark)
{
    uint8_t found[MARK_SIZE];

    *has_mark = false;
    while (to - from >= MARK_SIZE && !*has_mark) {
        psa_status_t status = corral_port_flash_read(from, found, sizeof found);
        if (status != PSA_SUCCESS) {
            return status;
        }
        *has_mark = memcmp(found, mark, sizeof mark) == 0;
        from += corral_units(1);
    }
    return PSA_SUCCESS;
}

/* Why no record begins here, `end` being the page's. */
static psa_status_t explain(uint32_t at, uint32_t end)
{
    const uint32_t behind = at + corral_units(CORRAL_RECORD_HEADER);
    bool is_blank = false; /* the header */
    bool is_last = false;  /* nothing follows it */
    bool is_followed = true;

    psa_status_t status = corral_is_erased(at, behind, &is_blank);
    if (status == PSA_SUCCESS) {
        status = corral_is_erased(behind, end, &is_last);
    }
    if (status == PSA_SUCCESS && is_blank && !is_last) {
        status = corral_has_mark(behind, end, &is_followed);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (is_last) {
        return is_blank ? PSA_ERROR_DOES_NOT_EXIST : PSA_ERROR_DATA_INVALID;
    }
    return is_followed ? PSA_ERROR_DATA_CORRUPT : PSA_ERROR_DATA_INVALID;
}

/* A kind that is never written could count for one part of the log and not for another. */
static bool is_known(uint8_t kind)
{
    return kind == CORRAL_RECORD_DATA || kind == CORRAL_RECORD_REMOVED ||
           kind == CORRAL_RECORD_COLLECTED;
}

/* Take apart what a header begins with. */
static void take_name(const uint8_t header[NAME_SIZE], uint32_t at, struct corral_record *record)
{
    record->at = at;
    record->kind = header[0];
    record->name.space = header[1] >> SPACE_SHIFT;
    record->flags = header[1] & FLAGS_MASK;
    record->length = (uint16_t)corral_take(header + 2, 2);
    record->name.uid = corral_take(header + 4, 8);
    record->next = at + corral_record_size(record->length);
}

psa_status_t corral_record_peek(uint32_t at, struct corral_record *record)
{
    uint8_t header[NAME_SIZE];

    psa_status_t status = corral_port_flash_read(at, header, sizeof header);
    if (status == PSA_SUCCESS) {
        take_name(header, at, record);
    }
    return status;
}

static psa_status_t parse(const uint8_t header[CORRAL_RECORD_HEADER], uint32_t at, uint32_t end,
                          struct corral_record *record)
{
    const uint32_t crc = (uint32_t)corral_take(header + 16, 4);

    take_name(header, at, record);
    record->crc = (uint32_t)corral_take(header + 12, 4);
    if (crc != corral_crc(0, header, CORRAL_RECORD_HEADER - 4) || !is_known(record->kind) ||
        record->next > end) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    return PSA_SUCCESS;
}

psa_status_t corral_record_read(uint32_t at, struct corral_record *record)
{
    const uint32_t page_size = corral_port_flash()->page_size;
    const uint32_t end = at - at % page_size + page_size;
    uint8_t header[CORRAL_RECORD_HEADER];
    bool is_open = false;

    if (at % page_size == 0 || end - at < corral_record_size(0)) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    psa_status_t status = corral_port_flash_read(at, header, sizeof header);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (parse(header, at, end, record) != PSA_SUCCESS) {
        return explain(at, end);
    }
    const uint32_t mark_at = record->next - corral_units(MARK_SIZE);
    status = corral_is_erased(mark_at, mark_at + MARK_SIZE, &is_open);
    record->is_committed = status == PSA_SUCCESS && !is_open;
    return status;
}

psa_status_t corral_record_begin(struct corral_record *record)
{
    uint8_t header[CORRAL_RECORD_HEADER];

    header[0] = record->kind;
    header[1] = (uint8_t)(record->name.space << SPACE_SHIFT | record->flags);
    corral_put(header + 2, record->length, 2);
    corral_put(header + 4, record->name.uid, 8);
    corral_put(header + 12, record->crc, 4);
    corral_put(header + 16, corral_crc(0, header, CORRAL_RECORD_HEADER - 4), 4);
    record->next = record->at + corral_record_size(record->length);
    return corral_record_data(record->at, header, sizeof header);
}

psa_status_t corral_record_commit(const struct corral_record *record)
{
    return corral_record_data(record->next - corral_units(MARK_SIZE), mark, sizeof mark);
}

psa_status_t corral_record_check(const struct corral_record *record)
{
    const uint32_t from = corral_record_data_at(record);
    uint8_t chunk[CORRAL_UNIT_MAX];
    psa_status_t status = PSA_SUCCESS;
    uint32_t crc = 0;
    uint32_t done = 0;

    while (done < record->length && status == PSA_SUCCESS) {
        const uint32_t rest = record->length - done;
        const size_t size = rest < sizeof chunk ? (size_t)rest : sizeof chunk;

        status = corral_port_flash_read(from + done, chunk, size);
        crc = corral_crc(crc, chunk, size);
        done += (uint32_t)size;
    }
    return status == PSA_SUCCESS && crc != record->crc ? PSA_ERROR_DATA_CORRUPT : status;
}

psa_status_t corral_page_read(uint16_t page, uint32_t *sequence)
{
    uint8_t header[PAGE_HEADER];

    psa_status_t status =
        corral_port_flash_read(page * corral_port_flash()->page_size, header, sizeof header);
    if (status != PSA_SUCCESS) {
        return status;
    }
    *sequence = (uint32_t)corral_take(header + 4, 4);
    return memcmp(header, page_magic, sizeof page_magic) == 0 &&
                   corral_take(header + 8, 4) == corral_crc(0, header, 8)
               ? PSA_SUCCESS
               : PSA_ERROR_DOES_NOT_EXIST;
}

psa_status_t corral_page_open(uint16_t page, uint32_t sequence)
{
    uint8_t header[PAGE_HEADER];

    memcpy(header, page_magic, sizeof page_magic);
    corral_put(header + 4, sequence, 4);
    corral_put(header + 8, corral_crc(0, header, 8), 4);
    return corral_record_data(page * corral_port_flash()->page_size, header, sizeof header);
}
