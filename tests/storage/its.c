/* SPDX-License-Identifier: Apache-2.0 */
/* Internal trusted storage: each status of PSA Secure Storage 1.0, section 5.3. */
#include <string.h>

#include <corral/config.h>
#include <psa/internal_trusted_storage.h>

#include "../harness/harness.h"
#include "media.h"

/* The entry with this number cannot be removed; only one test uses it. */
#define ONCE 98u
/* The greatest number. */
#define FAR (CORRAL_WALL ? UINT32_MAX : UINT64_MAX)

static const uint8_t text[] = "an entry";

static void begin(void)
{
    const struct corral_flash_geometry geometry = {512, 3, 4, true};

    media_fresh(&geometry);
}

static void set__then_get__returns_what_was_stored(void)
{
    uint8_t got[20];
    size_t length = 99;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_get(1, 0, sizeof got, got, &length));
    CHECK_BYTES(got, length, text, sizeof text);
    EXPECT(PSA_SUCCESS, psa_its_set(FAR, 3, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_get(FAR, 0, sizeof got, got, &length));
    CHECK_BYTES(got, length, text, 3);
}

static void set__again__replaces_data_and_flags(void)
{
    struct psa_storage_info_t info;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(1, 5, text, PSA_STORAGE_FLAG_NO_CONFIDENTIALITY));
    EXPECT(PSA_SUCCESS, psa_its_set(1, 2, text + 3, PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION));
    EXPECT(PSA_SUCCESS, psa_its_get_info(1, &info));
    CHECK(info.size == 2 && info.capacity == 2);
    CHECK(info.flags == PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION);
}

static void set__no_data__makes_an_empty_entry(void)
{
    struct psa_storage_info_t info;
    size_t length = 99;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(7, 0, NULL, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_get_info(7, &info));
    CHECK(info.size == 0 && info.capacity == 0 && info.flags == PSA_STORAGE_FLAG_NONE);
    EXPECT(PSA_SUCCESS, psa_its_get(7, 0, 0, NULL, &length));
    CHECK(length == 0);
}

static void set__unknown_flag__is_not_supported(void)
{
    struct psa_storage_info_t info;

    begin();
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_its_set(1, 1, text, 1u << 3));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_its_set(1, 1, text, 1u << 31));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_get_info(1, &info));
}

static void arguments__zero_uid_or_no_buffer__are_invalid(void)
{
    struct psa_storage_info_t info;
    uint8_t got[4];
    size_t length = 99;

    begin();
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_set(0, 1, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_set(1, 1, NULL, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(0, 0, 1, got, &length));
    CHECK(length == 0);
    EXPECT(PSA_SUCCESS, psa_its_set(1, 1, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(1, 0, 1, NULL, &length));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_get_info(0, &info));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_get_info(1, NULL));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_remove(0));
}

static void write_once__entry__is_neither_replaced_nor_removed(void)
{
    uint8_t got[20];
    size_t length;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(ONCE, sizeof text, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_its_set(ONCE, 1, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_its_set(ONCE, 1, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_its_remove(ONCE));
    media_restart();
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_its_remove(ONCE));
    EXPECT(PSA_SUCCESS, psa_its_get(ONCE, 0, sizeof got, got, &length));
    CHECK_BYTES(got, length, text, sizeof text);
}

static void get__part__is_what_lies_there(void)
{
    uint8_t got[20];
    size_t length;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    for (size_t offset = 0; offset <= sizeof text; offset++) {
        for (size_t size = 0; size <= sizeof text + 1; size++) {
            const size_t rest = sizeof text - offset;
            memset(got, 0xa5, sizeof got);
            EXPECT(PSA_SUCCESS, psa_its_get(1, offset, size, got, &length));
            CHECK_BYTES(got, length, text + offset, size < rest ? size : rest);
            CHECK(test_all(got + length, sizeof got - length, 0xa5));
        }
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(1, sizeof text + 1, 1, got, &length));
    CHECK(length == 0);
}

static void absent__entry__does_not_exist(void)
{
    struct psa_storage_info_t info;
    uint8_t got[4];
    size_t length = 99;

    begin();
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(1, 0, 4, got, &length));
    CHECK(length == 0);
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_get_info(1, &info));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(1));
    EXPECT(PSA_SUCCESS, psa_its_set(1, 4, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(1, 0, 4, got, &length));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(1));
}

static void restart__entries__are_all_there(void)
{
    uint8_t data[40];
    size_t length;

    begin();
    for (uint8_t i = 1; i <= 8; i++) {
        test_fill(data, sizeof data, i);
        EXPECT(PSA_SUCCESS, psa_its_set(i, i, data, PSA_STORAGE_FLAG_NONE));
    }
    media_restart();
    for (uint8_t i = 1; i <= 8; i++) {
        uint8_t wanted[40];
        test_fill(wanted, sizeof wanted, i);
        EXPECT(PSA_SUCCESS, psa_its_get(i, 0, sizeof data, data, &length));
        CHECK_BYTES(data, length, wanted, i);
    }
}

static const struct test_case tests[] = {
    TEST(set__then_get__returns_what_was_stored),
    TEST(set__again__replaces_data_and_flags),
    TEST(set__no_data__makes_an_empty_entry),
    TEST(set__unknown_flag__is_not_supported),
    TEST(arguments__zero_uid_or_no_buffer__are_invalid),
    TEST(write_once__entry__is_neither_replaced_nor_removed),
    TEST(get__part__is_what_lies_there),
    TEST(absent__entry__does_not_exist),
    TEST(restart__entries__are_all_there),
};
TEST_SUITE(its, tests);
