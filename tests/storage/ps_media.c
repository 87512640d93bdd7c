/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protected storage: entries in parts, for which flash keeps room, and changed or damaged entries.
 */
#include <string.h>

#include <corral/config.h>
#include <psa/protected_storage.h>

#include "../harness/harness.h"
#include "media.h"

#define MAX_SIZE ((size_t)CORRAL_PROTECTED_STORAGE_MAX_SIZE)

static const uint8_t text[] = "a protected entry";

static void begin(void)
{
    const struct corral_flash_geometry geometry = {1024, 3, 4, true};

    media_fresh(&geometry);
}

/* The content of an entry, and its capacity. */
static void check_entry(const uint8_t *wanted, size_t size, size_t capacity)
{
    struct psa_storage_info_t info;
    uint8_t got[MAX_SIZE];
    size_t length = 0;

    EXPECT(PSA_SUCCESS, psa_ps_get(1, 0, sizeof got, got, &length));
    CHECK_BYTES(got, length, wanted, size);
    EXPECT(PSA_SUCCESS, psa_ps_get_info(1, &info));
    CHECK(info.size == size && info.capacity == capacity && info.flags == PSA_STORAGE_FLAG_NONE);
}

static void created__entry__is_filled_in_parts(void)
{
    uint8_t wanted[MAX_SIZE] = {0};

    begin();
    CHECK(psa_ps_get_support() == PSA_STORAGE_SUPPORT_SET_EXTENDED);
    EXPECT(PSA_SUCCESS, psa_ps_create(1, MAX_SIZE, PSA_STORAGE_FLAG_NONE));
    check_entry(wanted, 0, MAX_SIZE);
    for (size_t at = 0; at < MAX_SIZE; at += 10) {
        test_fill(wanted + at, 10, (uint8_t)at);
        EXPECT(PSA_SUCCESS, psa_ps_set_extended(1, at, 10, wanted + at));
        media_restart();
        check_entry(wanted, at + 10, MAX_SIZE);
    }
    memset(wanted + 33, 0x5a, 4);
    EXPECT(PSA_SUCCESS, psa_ps_set_extended(1, 33, 4, wanted + 33));
    check_entry(wanted, MAX_SIZE, MAX_SIZE);
    EXPECT(PSA_SUCCESS, psa_ps_set(1, 3, text, PSA_STORAGE_FLAG_NONE));
    check_entry(text, 3, 3);
    EXPECT(PSA_SUCCESS, psa_ps_set_extended(1, 0, 2, text + 1));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set_extended(1, 3, 1, text));
    EXPECT(PSA_SUCCESS, psa_ps_remove(1));
    EXPECT(PSA_SUCCESS, psa_ps_create(1, 0, PSA_STORAGE_FLAG_NONE));
    check_entry(text, 0, 0);
}

static void set_extended__beyond_what_there_is__is_refused(void)
{
    struct psa_storage_info_t info;

    begin();
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_create(0, 10, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_create(1, 10, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_create(1, 10, 8));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_ps_create(1, MAX_SIZE + 1, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_ps_set_extended(1, 0, 1, text));
    EXPECT(PSA_SUCCESS, psa_ps_create(1, 10, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_ALREADY_EXISTS, psa_ps_create(1, 10, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_ALREADY_EXISTS, psa_ps_create(1, MAX_SIZE + 1, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_ps_set_extended(1, 0, 4, text));
    for (size_t offset = 4; offset <= 11; offset++) { /* 4 of 10 bytes are written */
        uint8_t got[10];
        size_t length = 1;
        EXPECT(offset == 4 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
               psa_ps_get(1, offset, sizeof got, got, &length));
        CHECK(length == 0);
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set_extended(0, 0, 1, text));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set_extended(1, 0, 1, NULL));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set_extended(1, 5, 1, text));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set_extended(1, 4, 7, text));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set_extended(1, 4, SIZE_MAX, text));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set_extended(1, SIZE_MAX, 2, text));
    EXPECT(PSA_SUCCESS, psa_ps_set_extended(1, 4, 0, NULL));
    check_entry(text, 4, 10);
    EXPECT(PSA_SUCCESS, psa_ps_set(2, 4, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_set_extended(2, 0, 1, text));
    EXPECT(PSA_SUCCESS, psa_ps_get_info(2, &info));
    CHECK(info.flags == PSA_STORAGE_FLAG_WRITE_ONCE);
}

static void created__entry__finds_its_room_in_full_flash(void)
{
    uint8_t data[MAX_SIZE];
    uint64_t uid = 1;

    begin();
    EXPECT(PSA_SUCCESS, psa_ps_create(1, MAX_SIZE, PSA_STORAGE_FLAG_NONE));
    test_fill(data, sizeof data, 3);
    while (psa_ps_set(++uid, sizeof text, text, PSA_STORAGE_FLAG_NONE) == PSA_SUCCESS) {
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_ps_create(uid, 20, PSA_STORAGE_FLAG_NONE));
    for (size_t at = 0; at < MAX_SIZE; at++) {
        EXPECT(PSA_SUCCESS, psa_ps_set_extended(1, at, 1, data + at));
    }
    check_entry(data, sizeof data, MAX_SIZE);
}

/* As many entries as there is room for, of this capacity and of others, and each written to. */
static void fill_and_write(size_t capacity, bool is_mixed)
{
    uint64_t count = 0;
    size_t size;

    do { /* in the smallest flash there is room for none of the largest */
        size = is_mixed ? (size_t)(count * 37 % (capacity + 1)) + 1 : capacity;
    } while (psa_ps_create(count + 1, size, PSA_STORAGE_FLAG_NONE) == PSA_SUCCESS && ++count != 0);
    while (psa_ps_set(count + 1000, 1, text, PSA_STORAGE_FLAG_NONE) == PSA_SUCCESS) {
        count++;
    }
    media_restart();
    for (uint64_t uid = 1; psa_ps_set_extended(uid, 0, 1, text) != PSA_ERROR_DOES_NOT_EXIST;
         uid++) {
        EXPECT(PSA_SUCCESS, psa_ps_set_extended(uid, 0, 1, text));
    }
}

static void created__entries_of_any_size__find_their_room(void)
{
    for (size_t i = 0; i < media_geometry_count; i++) {
        for (size_t capacity = 1; capacity < MAX_SIZE; capacity += 14) {
            media_fresh(&media_geometries[i]);
            fill_and_write(capacity, false);
            media_fresh(&media_geometries[i]);
            fill_and_write(capacity, true);
        }
    }
}

/* Power fails at each step of writing a part, in each way of tearing. */
static void set_extended__cut_and_torn__is_done_or_not(void)
{
    static const uint8_t wanted[] = "a part is written";
    uint8_t got[sizeof text];
    unsigned cuts = 0;
    size_t length;

    begin();
    EXPECT(PSA_SUCCESS, psa_ps_create(1, MAX_SIZE, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_ps_set_extended(1, 0, sizeof text, text));
    media_save();
    for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
        for (uint32_t step = 1;; step++, cuts++) {
            media_restore();
            flash_model_cut(step, (enum flash_model_tear)tear);
            const psa_status_t status = psa_ps_set_extended(1, 0, sizeof wanted - 1, wanted);
            if (!media_restart()) {
                EXPECT(PSA_SUCCESS, psa_ps_get(1, 0, sizeof wanted - 1, got, &length));
                CHECK_BYTES(got, length, wanted, sizeof wanted - 1);
                break;
            }
            CHECK(status == PSA_ERROR_STORAGE_FAILURE);
            EXPECT(PSA_SUCCESS, psa_ps_get(1, 0, sizeof got, got, &length));
            CHECK(length == sizeof text && (memcmp(got, text, sizeof wanted - 1) == 0 ||
                                            memcmp(got, wanted, sizeof wanted - 1) == 0));
        }
    }
    CHECK(cuts > 30);
}

static void entry__changed_or_moved__is_not_authentic(void)
{
    struct psa_storage_info_t info;
    uint8_t bytes[100];
    uint8_t got[20];
    size_t length;
    uint8_t flags;

    begin();
    EXPECT(PSA_SUCCESS, psa_ps_set(1, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    NEED(corral_store_get(CORRAL_SPACE_PS, 1, 0, bytes, sizeof bytes, &length, &flags));
    for (size_t i = 0; i < length; i++) {
        size_t n = 99;
        bytes[i] ^= 2;
        NEED(corral_store_set(CORRAL_SPACE_PS, 1, 0, bytes, length));
        memset(got, 0xa5, sizeof got);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_ps_get(1, 0, sizeof got, got, &n));
        CHECK(n == 0 && test_all(got, sizeof got, 0xa5));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_ps_get_info(1, &info));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_ps_set_extended(1, 0, 1, text));
        bytes[i] ^= 2;
    }
    NEED(corral_store_set(CORRAL_SPACE_PS, 2, 0, bytes, length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_ps_get(2, 0, sizeof got, got, &length));
    NEED(corral_store_set(CORRAL_SPACE_PS, 1, 2, bytes, sizeof text + 16));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_ps_get(1, 0, sizeof got, got, &length));
    NEED(corral_store_set(CORRAL_SPACE_PS, 1, CORRAL_STORE_CAPACITY, bytes, sizeof text + 16));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_ps_get(1, 0, sizeof got, got, &length));
    NEED(corral_store_set(CORRAL_SPACE_PS, 1, 0, bytes, 7));
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_ps_get(1, 0, sizeof got, got, &length));
    EXPECT(PSA_SUCCESS, psa_ps_remove(1));
}

static void medium__damaged_or_failing__is_told_apart(void)
{
    struct psa_storage_info_t info;
    size_t length;

    begin();
    EXPECT(PSA_SUCCESS, psa_ps_set(1, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    flash_model_content()[12 + 24 + 20 + 3] ^= 1; /* in the first record's data */
    media_restart();
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_ps_get(1, 0, 0, NULL, &length));
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_ps_get_info(1, &info));
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_ps_set_extended(1, 0, 1, text));
    EXPECT(PSA_ERROR_ALREADY_EXISTS, psa_ps_create(1, 1, PSA_STORAGE_FLAG_NONE));
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_set(2, 4, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_get(1, 0, 0, NULL, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_get_info(1, &info));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_remove(1));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_create(2, 4, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_set_extended(1, 0, 1, text));
    CHECK(media_restart());
}

static const struct test_case tests[] = {
    TEST(created__entry__is_filled_in_parts),
    TEST(set_extended__beyond_what_there_is__is_refused),
    TEST(created__entry__finds_its_room_in_full_flash),
    TEST(created__entries_of_any_size__find_their_room),
    TEST(set_extended__cut_and_torn__is_done_or_not),
    TEST(entry__changed_or_moved__is_not_authentic),
    TEST(medium__damaged_or_failing__is_told_apart),
};

TEST_SUITE(ps_media, tests);
