/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power fails during every single step of the flash, in every way of tearing: while entries are
 * written, replaced and removed, while the log is collected, begun, and recovered after another
 * cut. Afterwards the store opens, confirmed entries are as they were, and the entry at work is as
 * before or as wanted.
 */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>
#include <corral/config.h>
#include <psa/internal_trusted_storage.h>

#include "../harness/harness.h"
#include "media.h"

#define UIDS 6u
#define MAX_SIZE 90u
#ifndef OPERATIONS
#define OPERATIONS (CORRAL_THREADS ? 75u : 8u) /* an emulated processor takes long for each */
#endif

struct entry {
    bool exists;
    uint8_t seed;
    size_t size;
};

static struct entry entries[UIDS];
static uint32_t cuts;
static uint32_t refusals; /* because the flash was full */
static uint32_t random_state;

static uint32_t draw(uint32_t limit)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % limit;
}

static bool entry_is(size_t index, const struct entry *wanted)
{
    uint8_t got[MAX_SIZE + 1];
    uint8_t expected[MAX_SIZE];
    size_t length = 0;

    psa_status_t status = psa_its_get(index + 1, 0, sizeof got, got, &length);
    if (!wanted->exists) {
        return status == PSA_ERROR_DOES_NOT_EXIST;
    }
    test_fill(expected, wanted->size, wanted->seed);
    return status == PSA_SUCCESS && length == wanted->size && memcmp(got, expected, length) == 0;
}

static psa_status_t apply(size_t index, const struct entry *wanted)
{
    uint8_t data[MAX_SIZE];

    if (!wanted->exists) {
        psa_status_t status = psa_its_remove(index + 1);
        return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
    }
    test_fill(data, wanted->size, wanted->seed);
    return psa_its_set(index + 1, wanted->size, data, PSA_STORAGE_FLAG_NONE);
}

/* All entries but one are as confirmed, and that one is as before or as wanted. */
static void check_all(size_t at_work, const struct entry *wanted)
{
    for (size_t i = 0; i < UIDS; i++) {
        CHECK(entry_is(i, &entries[i]) || (i == at_work && entry_is(i, wanted)));
    }
}

/* Let power fail again at each step of the recovery from the state that media_save() kept. */
static void cut_recovery(size_t at_work, const struct entry *wanted, enum flash_model_tear tear)
{
    uint8_t byte;
    size_t length;

    for (uint32_t step = 1;; step++) {
        media_restore();
        flash_model_cut(step, tear);
        (void)psa_its_get(1, 0, 0, &byte, &length);
        if (!media_restart()) {
            return;
        }
        cuts++;
        check_all(at_work, wanted);
    }
}

/* Done, or refused because the flash is full: then the entry is as it was. */
static bool is_done(size_t index, const struct entry *wanted, psa_status_t status)
{
    if (status == PSA_ERROR_INSUFFICIENT_STORAGE && wanted->exists) {
        refusals++;
        return entry_is(index, &entries[index]);
    }
    return status == PSA_SUCCESS && entry_is(index, wanted);
}

/* After a cut everything can be read, and the operation can be done. */
static void check_after_cut(size_t index, const struct entry *wanted, enum flash_model_tear tear)
{
    static uint8_t before[FLASH_MODEL_MAX_SIZE];
    const size_t size =
        (size_t)flash_model_geometry()->page_size * flash_model_geometry()->page_count;

    media_save();
    memcpy(before, flash_model_content(), size);
    check_all(index, wanted);
    const psa_status_t status = apply(index, wanted);
    CHECK(is_done(index, wanted, status) || entry_is(index, wanted));
    memcpy(flash_model_content(), before, size);
    corral_store_unmount();
    cut_recovery(index, wanted, tear);
}

/* Do one operation, and let power fail at each of its steps in turn. */
static void operate(size_t index, const struct entry *wanted)
{
    static uint8_t before[FLASH_MODEL_MAX_SIZE];
    const size_t size =
        (size_t)flash_model_geometry()->page_size * flash_model_geometry()->page_count;

    memcpy(before, flash_model_content(), size);
    psa_status_t status = PSA_SUCCESS;
    for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
        for (uint32_t step = 1;; step++) {
            memcpy(flash_model_content(), before, size);
            corral_store_unmount();
            flash_model_cut(step, (enum flash_model_tear)tear);
            status = apply(index, wanted);
            if (!media_restart()) {
                REQUIRE(is_done(index, wanted, status));
                break;
            }
            cuts++;
            CHECK(status == PSA_ERROR_STORAGE_FAILURE);
            check_after_cut(index, wanted, (enum flash_model_tear)tear);
        }
    }
    if (status == PSA_SUCCESS) {
        entries[index] = *wanted;
    }
}

static void every_step__cut_and_torn__leaves_entries_whole(void)
{
    for (size_t g = 0; g < media_geometry_count; g++) {
        test_context("geometry", g);
        media_fresh(&media_geometries[g]);
        memset(entries, 0, sizeof entries);
        random_state = (uint32_t)g;
        for (unsigned i = 0; i < OPERATIONS; i++) {
            struct entry wanted = {draw(4) != 0, (uint8_t)i, 0};
            const size_t index = draw(UIDS);

            /* Together they have to fit in the smallest of the geometries. */
            wanted.size = wanted.exists ? draw(index == 0 ? 41 : 12) : 0;
            operate(index, &wanted);
        }
        CHECK(flash_model_violations() == 0);
    }
    test_context(NULL, 0);
    char text[80];
    (void)snprintf(text, sizeof text, "cuts of the storage: %lu; full: %lu\n", (unsigned long)cuts,
                   (unsigned long)refusals);
    corral_board_print(text);
    CHECK(!CORRAL_THREADS || (cuts > 30000 && refusals > 20));
}

static const struct test_case tests[] = {
    TEST(every_step__cut_and_torn__leaves_entries_whole),
};
TEST_SUITE(cuts, tests);
