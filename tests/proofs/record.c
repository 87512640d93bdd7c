/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in flash (storage/record.c). For any content, nothing outside the page of the
 * record is touched. The record that is found lies within its page behind the start of
 * the search. The statuses are those that record.h names.
 */
#include "../../storage/record.h"

#include "flash.h"

/* Room for the header of a page and an empty record when 32 bytes are written at once. */
#define PAGE_SIZE 96u
#define PAGES 3u

/* A place where a record may be looked for, in a page that no access may leave. */
static uint32_t any_place(void)
{
    any_geometry(PAGE_SIZE, PAGES);
    const uint32_t page = nondet_uint8();
    const uint32_t within = nondet_uint8();
    GIVEN(page < PAGES && within < PAGE_SIZE);
    GIVEN((within & (geometry.write_size - 1u)) == 0);
    lowest = page * PAGE_SIZE;
    beyond = lowest + PAGE_SIZE;
    return lowest + within;
}

static void claim_status(psa_status_t status)
{
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST ||
              status == PSA_ERROR_DATA_INVALID || status == PSA_ERROR_DATA_CORRUPT ||
              status == PSA_ERROR_STORAGE_FAILURE,
          "the statuses of record.h");
}

void prove_read(void)
{
    struct corral_record record;
    const uint32_t at = any_place();

    psa_status_t status = corral_record_read(at, &record);
    claim_status(status);
    if (status != PSA_SUCCESS) {
        return;
    }
    CLAIM(record.at == at && record.next > at && record.next <= beyond, "it lies in the page");
    CLAIM((record.next & (geometry.write_size - 1u)) == 0, "the next one begins with a unit");
    CLAIM(corral_record_data_at(&record) + record.length < record.next, "its data lie in it");
    CLAIM(record.name.space <= 15 && record.flags <= 15, "the parts of a byte are told apart");
}

/* Where a record was found, its name is read again in its header. */
void prove_peek(void)
{
    struct corral_record record;
    const uint32_t at = any_place();

    GIVEN(CORRAL_RECORD_HEADER <= beyond - at);
    beyond = at + CORRAL_RECORD_HEADER;
    if (corral_record_peek(at, &record) == PSA_SUCCESS) {
        CLAIM(record.at == at && record.next > at, "it is the record there");
        CLAIM(record.name.space <= 15 && record.flags <= 15, "the parts of a byte are told apart");
    }
}

void prove_check(void)
{
    struct corral_record record;

    record.at = any_place();
    record.length = nondet_uint16();
    record.crc = nondet_uint32();
    GIVEN(corral_record_size(record.length) <= beyond - record.at);
    lowest = corral_record_data_at(&record);
    beyond = lowest + record.length;
    psa_status_t status = corral_record_check(&record);
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_DATA_CORRUPT ||
              status == PSA_ERROR_STORAGE_FAILURE,
          "the statuses of record.h");
}

/* Each write stays in the record, whose parts begin with units. */
void prove_write(void)
{
    struct corral_record record;
    static uint8_t data[PAGE_SIZE];

    record.at = any_place();
    record.length = nondet_uint16();
    record.crc = nondet_uint32();
    record.kind = nondet_uint8();
    record.flags = nondet_uint8() & 15u;
    record.name.uid = nondet_uint64();
    record.name.space = nondet_uint8() & 7u;
    GIVEN(corral_record_size(record.length) <= beyond - record.at);
    lowest = record.at;
    beyond = record.at + corral_record_size(record.length);
    psa_status_t status = corral_record_begin(&record);
    CLAIM(record.next == beyond, "the record ends where it should");
    if (status == PSA_SUCCESS) {
        (void)corral_record_data(corral_record_data_at(&record), data, record.length);
        (void)corral_record_commit(&record);
    }
}

void prove_page(void)
{
    uint32_t sequence;

    any_geometry(PAGE_SIZE, PAGES);
    const uint16_t page = nondet_uint16();
    GIVEN(page < PAGES);
    lowest = page * PAGE_SIZE;
    beyond = lowest + corral_page_header_size();
    psa_status_t status = corral_page_read(page, &sequence);
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST ||
              status == PSA_ERROR_STORAGE_FAILURE,
          "the statuses of record.h");
    (void)corral_page_open(page, nondet_uint32());
}
