/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flash with anything in it: raw bytes, or pages and records with right checksums and any content,
 * then changed in places. Whatever is asked of it, the storage breaks no rule of the flash, nothing
 * is read or written beyond a buffer, no key stays held, and an entry that was written, wholly or
 * in part, is read back.
 */
#include <corral/crc.h>
#include <corral/salvage.h>
#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>

#include "../../../ports/common/flash_model.h"
#include "../../../storage/record.h"
#include "../../../storage/store.h"
#include "../common/fuzz.h"

#define IDS 4u
#define ROOM 48u /* bytes of an entry that is written in part, or more */

static const struct corral_flash_geometry geometries[] = {
    {256, 2, 1, true}, {256, 3, 4, false}, {512, 4, 8, true}, {512, 2, 32, false}};

static void fill_raw(struct fuzz_input *input, size_t size)
{
    for (size_t i = 0; i < size && input->size > 8; i++) {
        flash_model_content()[i] = fuzz_byte(input);
    }
}

static void add_record(struct fuzz_input *input, uint32_t *at, uint32_t end)
{
    static const uint8_t kinds[] = {CORRAL_RECORD_DATA, CORRAL_RECORD_DATA, CORRAL_RECORD_REMOVED,
                                    CORRAL_RECORD_COLLECTED, 0};
    const uint8_t shape = fuzz_byte(input);
    uint8_t data[128] = {0};
    struct corral_record record = {
        .name = {fuzz_below(input, IDS + 1), shape & 3u},
        .at = *at,
        .crc = 0,
        .length = (uint16_t)fuzz_below(input, sizeof data),
        .kind = kinds[fuzz_below(input, sizeof kinds)],
        .flags = (uint8_t)(shape >> 5 | (shape & 0x04u) << 1),
    };

    for (size_t i = 0; i < record.length; i++) {
        data[i] = fuzz_byte(input);
    }
    if ((shape & 0x10u) == 0) {
        record.crc = corral_crc(0, data, record.length);
    }
    if (*at + corral_record_size(record.length) > end) {
        return;
    }
    FUZZ_CHECK(corral_record_begin(&record) == PSA_SUCCESS);
    FUZZ_CHECK(corral_record_data(corral_record_data_at(&record), data, record.length) ==
               PSA_SUCCESS);
    if ((shape & 0x08u) == 0) {
        FUZZ_CHECK(corral_record_commit(&record) == PSA_SUCCESS);
    }
    *at = record.next;
}

static void fill_pages(struct fuzz_input *input, const struct corral_flash_geometry *geometry)
{
    for (uint16_t page = 0; page < geometry->page_count; page++) {
        const uint32_t start = page * geometry->page_size;
        uint32_t at = start + corral_page_header_size();

        if (fuzz_below(input, 4) != 0) {
            FUZZ_CHECK(corral_page_open(page, fuzz_below(input, 6)) == PSA_SUCCESS);
        }
        for (unsigned records = fuzz_below(input, 6); records > 0; records--) {
            add_record(input, &at, start + geometry->page_size);
        }
    }
}

static void change(struct fuzz_input *input, size_t size)
{
    for (unsigned changes = fuzz_below(input, 3); changes > 0; changes--) {
        fuzz_change(input, flash_model_content(), size);
    }
}

static void use_entry(struct fuzz_input *input)
{
    const psa_storage_uid_t uid = fuzz_below(input, IDS + 1);
    struct psa_storage_info_t info;
    size_t size;
    size_t length;
    uint8_t *data = fuzz_bytes(input, 64, &size);
    uint8_t *got = fuzz_room(64);

    (void)psa_its_get_info(uid, &info);
    (void)psa_ps_get(uid, fuzz_below(input, 10), 64, got, &length);
    if (psa_its_set(uid, size, data, fuzz_below(input, 8)) == PSA_SUCCESS) {
        FUZZ_CHECK(psa_its_get(uid, 0, 64, got, &length) == PSA_SUCCESS);
        FUZZ_CHECK(length == size && memcmp(got, data, size) == 0);
    }
    if (fuzz_below(input, 2) != 0 && psa_its_remove(uid) == PSA_SUCCESS) {
        FUZZ_CHECK(psa_its_get(uid, 0, 64, got, &length) == PSA_ERROR_DOES_NOT_EXIST);
    }
    free(data);
    free(got);
}

/* An entry found or created under a number is written in part: the rest of it stays. */
static void use_protected(struct fuzz_input *input)
{
    const psa_storage_uid_t uid = fuzz_below(input, IDS + 1);
    const size_t capacity = fuzz_below(input, 2 * ROOM);
    const size_t offset = fuzz_below(input, ROOM);
    struct psa_storage_info_t before;
    struct psa_storage_info_t info;
    size_t size;
    size_t length;
    uint8_t *data = fuzz_bytes(input, ROOM, &size);
    uint8_t *old = fuzz_room(CORRAL_PROTECTED_STORAGE_MAX_SIZE);
    uint8_t *got = fuzz_room(CORRAL_PROTECTED_STORAGE_MAX_SIZE);

    if (psa_ps_create(uid, capacity, fuzz_below(input, 8)) == PSA_SUCCESS) {
        FUZZ_CHECK(psa_ps_get_info(uid, &before) == PSA_SUCCESS);
        FUZZ_CHECK(before.size == 0 && before.capacity == capacity);
    }
    if (psa_ps_get_info(uid, &before) == PSA_SUCCESS) {
        FUZZ_CHECK(psa_ps_get(uid, 0, before.size, old, &length) == PSA_SUCCESS);
        const psa_status_t status = psa_ps_set_extended(uid, offset, size, data);
        size_t end = before.size;
        if (status == PSA_SUCCESS) {
            FUZZ_CHECK(offset <= before.size && offset + size <= before.capacity);
            memcpy(old + offset, data, size);
            end = offset + size > end ? offset + size : end;
        }
        const psa_status_t found = psa_ps_get_info(uid, &info);
        FUZZ_CHECK(found == PSA_SUCCESS || found == PSA_ERROR_STORAGE_FAILURE ||
                   found == PSA_ERROR_DATA_CORRUPT);
        FUZZ_CHECK(found == PSA_SUCCESS || status != PSA_SUCCESS);
        if (found == PSA_SUCCESS) {
            FUZZ_CHECK(info.size == end && info.capacity == before.capacity);
            FUZZ_CHECK(psa_ps_get(uid, 0, end, got, &length) == PSA_SUCCESS);
            FUZZ_CHECK(length == end && memcmp(got, old, end) == 0);
        }
    }
    free(data);
    free(old);
    free(got);
}

static void use_key(struct fuzz_input *input)
{
    const psa_key_id_t id = fuzz_below(input, IDS + 1);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t *got = fuzz_room(32);
    size_t length;
    psa_key_id_t key;

    (void)psa_get_key_attributes(id, &attributes);
    (void)psa_export_key(id, got, 32, &length);
    (void)psa_export_public_key(id, got, 32, &length);
    (void)psa_purge_key(id);
    if (fuzz_below(input, 2) != 0) {
        (void)psa_destroy_key(id);
    }
    psa_reset_key_attributes(&attributes);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    psa_set_key_id(&attributes, id);
    memset(got, 1, 32);
    if (id != 0 && psa_import_key(&attributes, got, 9, &key) == PSA_SUCCESS) {
        FUZZ_CHECK(psa_export_key(id, got, 32, &length) == PSA_SUCCESS && length == 9);
        FUZZ_CHECK(psa_destroy_key(id) == PSA_SUCCESS);
    }
    free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    const struct corral_flash_geometry *geometry = &geometries[fuzz_below(&input, 4)];
    const size_t flash_size = (size_t)geometry->page_size * geometry->page_count;

    flash_model_reset(geometry);
    corral_store_unmount();
    if (fuzz_below(&input, 4) == 0) {
        fill_raw(&input, flash_size);
    } else {
        fill_pages(&input, geometry);
    }
    change(&input, flash_size);
    if (fuzz_below(&input, 4) == 0) {
        (void)corral_storage_salvage();
    }
    for (unsigned i = 0; i < 6; i++) {
        const uint8_t choice = fuzz_byte(&input);

        if (choice % 2 != 0) {
            use_key(&input);
        } else if (choice % 4 == 0) {
            use_entry(&input);
        } else {
            use_protected(&input);
        }
    }
    for (psa_key_id_t id = 1; id <= IDS; id++) {
        (void)psa_purge_key(id);
    }
    FUZZ_CHECK(flash_model_violations() == 0);
    FUZZ_CHECK(corral_holds() == 0);
    return 0;
}
