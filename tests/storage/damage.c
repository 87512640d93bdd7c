/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damage at places all over the flash: a bit, a byte that is erased or cleared, a header that is
 * erased. An entry is as it was last written, or says that it is damaged: it is never as it was
 * earlier, and never absent. A damaged entry can be written again, and after salvaging all can.
 */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>
#include <corral/config.h>
#include <corral/salvage.h>
#include <psa/internal_trusted_storage.h>

#include "../../storage/record.h"
#include "../harness/harness.h"
#include "media.h"

#define UIDS 5u
#define MAX_SIZE 40u
/* Not every place in each run; an emulated processor takes long for one. With less of an index
 * entries are found otherwise, but the log is the same. */
#define STEP (!CORRAL_THREADS ? 97u : CORRAL_STORAGE_INDEX_ENTRIES < 512 ? 11u : 3u)

/* The content of number i + 1: nothing, or so many bytes of this seed. */
static struct {
    bool exists;
    uint8_t seed;
    size_t size;
} entries[UIDS];
static uint32_t random_state;
static uint32_t places;

static uint32_t draw(uint32_t limit)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % limit;
}

static uint32_t flash_size(void)
{
    return flash_model_geometry()->page_size * flash_model_geometry()->page_count;
}

static psa_status_t write_entry(size_t index, uint8_t seed, size_t size)
{
    uint8_t data[MAX_SIZE];

    test_fill(data, size, seed);
    return psa_its_set(index + 1, size, data, PSA_STORAGE_FLAG_NONE);
}

static bool holds(psa_status_t status, const uint8_t *got, size_t length, uint8_t seed, size_t size)
{
    uint8_t expected[MAX_SIZE];

    test_fill(expected, size, seed);
    return status == PSA_SUCCESS && length == size && memcmp(got, expected, size) == 0;
}

static bool entry_is(size_t index, uint8_t seed, size_t size)
{
    uint8_t got[MAX_SIZE + 1];
    size_t length = 0;

    const psa_status_t status = psa_its_get(index + 1, 0, sizeof got, got, &length);
    return holds(status, got, length, seed, size);
}

/* A history of so many changes, the last of them confirmed. */
static void write_history(const struct corral_flash_geometry *geometry, unsigned changes)
{
    media_fresh(geometry);
    memset(entries, 0, sizeof entries);
    random_state = changes;
    for (unsigned i = 0; i < changes; i++) {
        const size_t index = draw(UIDS);
        const size_t size = draw(index == 0 ? MAX_SIZE + 1 : 12);

        if (entries[index].exists && draw(4) == 0) {
            EXPECT(PSA_SUCCESS, psa_its_remove(index + 1));
            entries[index].exists = false;
        } else if (write_entry(index, (uint8_t)i, size) == PSA_SUCCESS) {
            entries[index].exists = true;
            entries[index].seed = (uint8_t)i;
            entries[index].size = size;
        }
    }
}

/* Each entry is as it was written, or in doubt. Returns how many are in doubt. */
static unsigned check_entries(void)
{
    unsigned doubts = 0;

    for (size_t i = 0; i < UIDS; i++) {
        uint8_t got[MAX_SIZE + 1];
        size_t length = 0;
        const psa_status_t status = psa_its_get(i + 1, 0, sizeof got, got, &length);

        if (status == PSA_ERROR_STORAGE_FAILURE) {
            doubts++;
        } else if (entries[i].exists) {
            CHECK(holds(status, got, length, entries[i].seed, entries[i].size));
        } else {
            CHECK(status == PSA_ERROR_DOES_NOT_EXIST);
        }
    }
    return doubts;
}

/* New entries stay, also after a restart; a refused call leaves all as it was. */
static void check_writes(void)
{
    for (size_t i = 0; i < UIDS; i++) {
        if (write_entry(i, 0xee, 7) == PSA_SUCCESS) {
            entries[i].exists = true;
            entries[i].seed = 0xee;
            entries[i].size = 7;
            CHECK(entry_is(i, 0xee, 7));
        }
        if (i % 2 == 0 && psa_its_remove(i + 1) == PSA_SUCCESS) {
            entries[i].exists = false;
        }
        (void)check_entries();
    }
    media_restart();
    (void)check_entries();
}

/* Everything can be written, read and removed once the log was salvaged, or erased. */
static void check_recovery(void)
{
    if (corral_storage_salvage() != PSA_SUCCESS) {
        uint32_t sequence;

        for (uint16_t page = 0; page < flash_model_geometry()->page_count; page++) {
            CHECK(corral_page_read(page, &sequence) == PSA_ERROR_DOES_NOT_EXIST);
            EXPECT(PSA_SUCCESS, flash_model_erase(page));
        }
    }
    for (size_t i = 0; i < UIDS; i++) {
        const psa_status_t status = psa_its_remove(i + 1);

        CHECK(status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST);
    }
    for (size_t i = 0; i < UIDS; i++) {
        CHECK(write_entry(i, 0xdd, 5) == PSA_SUCCESS && entry_is(i, 0xdd, 5));
    }
    for (size_t i = 0; i < UIDS; i++) {
        uint8_t byte;
        size_t length;

        EXPECT(PSA_SUCCESS, psa_its_remove(i + 1));
        EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(i + 1, 0, 1, &byte, &length));
    }
}

/* Damages a place in one of several ways. Returns true if that changes it. */
static bool damage(uint32_t at, unsigned kind)
{
    uint8_t *const byte = flash_model_content() + at;
    const uint8_t before = *byte;
    struct corral_record record;

    switch (kind) {
    case 0:
        *byte ^= (uint8_t)(1u << at % 8);
        return true;
    case 1:
        *byte = 0;
        return before != 0;
    case 2:
        *byte = 0xff;
        return before != 0xff;
    default:
        if (at % flash_model_geometry()->write_size != 0 ||
            corral_record_read(at, &record) != PSA_SUCCESS) {
            return false;
        }
        memset(byte, 0xff, CORRAL_RECORD_HEADER);
        return true;
    }
}

static void damage_everywhere(void)
{
    static uint8_t before[FLASH_MODEL_MAX_SIZE];
    const size_t size = flash_size();

    memcpy(before, flash_model_content(), size);
    for (uint32_t at = 0; at < size; at += STEP) {
        for (unsigned kind = 0; kind < 4; kind++) {
            struct {
                uint8_t bytes[sizeof entries];
            } kept;

            memcpy(&kept, entries, sizeof entries);
            test_context("place", at * 10 + kind);
            memcpy(flash_model_content(), before, size);
            corral_store_unmount();
            if (damage(at, kind)) {
                places++;
                (void)check_entries();
                check_writes();
                check_recovery();
            }
            memcpy(entries, &kept, sizeof entries);
        }
    }
    CHECK(flash_model_violations() == 0);
}

static void damage__anywhere__is_no_absence_and_no_older_value(void)
{
    static const unsigned histories[] = {3, 11, 24, 60};
    char text[60];

    for (size_t g = 0; g < media_geometry_count; g++) {
        for (size_t i = 0; i < sizeof histories / sizeof histories[0]; i++) {
            write_history(&media_geometries[g], histories[i]);
            CHECK(check_entries() == 0);
            damage_everywhere();
        }
    }
    test_context(NULL, 0);
    (void)snprintf(text, sizeof text, "damages of the storage: %lu\n", (unsigned long)places);
    corral_board_print(text);
}

static const struct test_case tests[] = {
    TEST(damage__anywhere__is_no_absence_and_no_older_value),
};
TEST_SUITE(damage, tests);
