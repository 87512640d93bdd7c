/* SPDX-License-Identifier: Apache-2.0 */
/* Protected storage: each status of PSA Secure Storage 1.0, section 5.4. */
#include <string.h>

#include <corral/config.h>
#include <psa/internal_trusted_storage.h>
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

static void set__then_get__returns_what_was_stored(void)
{
    struct psa_storage_info_t info;
    uint8_t got[MAX_SIZE];
    uint8_t data[MAX_SIZE];
    size_t length;

    begin();
    test_fill(data, sizeof data, 9);
    EXPECT(PSA_SUCCESS, psa_ps_set(1, sizeof text, text, PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION));
    EXPECT(PSA_SUCCESS, psa_ps_set(2, sizeof data, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_ps_set(3, 0, NULL, PSA_STORAGE_FLAG_NONE));
    media_restart();
    EXPECT(PSA_SUCCESS, psa_ps_get(1, 0, sizeof got, got, &length));
    CHECK_BYTES(got, length, text, sizeof text);
    EXPECT(PSA_SUCCESS, psa_ps_get(2, 0, sizeof got, got, &length));
    CHECK_BYTES(got, length, data, sizeof data);
    EXPECT(PSA_SUCCESS, psa_ps_get(3, 0, 0, NULL, &length));
    CHECK(length == 0);
    EXPECT(PSA_SUCCESS, psa_ps_get_info(1, &info));
    CHECK(info.size == sizeof text && info.capacity == sizeof text &&
          info.flags == PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION);
    EXPECT(PSA_SUCCESS, psa_ps_remove(1));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_ps_remove(1));
}

static void get__part__is_what_lies_there(void)
{
    uint8_t got[20];
    size_t length;

    begin();
    EXPECT(PSA_SUCCESS, psa_ps_set(1, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    memset(got, 0xa5, sizeof got);
    EXPECT(PSA_SUCCESS, psa_ps_get(1, 2, 5, got, &length));
    CHECK_BYTES(got, length, text + 2, 5);
    CHECK(test_all(got + 5, sizeof got - 5, 0xa5));
    EXPECT(PSA_SUCCESS, psa_ps_get(1, sizeof text, 5, got, &length));
    CHECK(length == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_get(1, sizeof text + 1, 5, got, &length));
    CHECK(length == 0);
}

static void arguments__wrong__are_refused(void)
{
    struct psa_storage_info_t info;
    uint8_t got[4] = {0};
    size_t length;

    begin();
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set(0, 1, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_set(1, 1, NULL, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_set(1, 1, text, 8));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_get(0, 0, 1, got, &length));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_get(1, 0, 1, NULL, &length));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_get_info(0, &info));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_get_info(1, NULL));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_ps_remove(0));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_ps_get(1, 0, 4, got, &length));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_ps_get_info(1, &info));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           psa_ps_set(1, MAX_SIZE + 1, text, PSA_STORAGE_FLAG_NONE));
}

static void write_once__entry__is_neither_replaced_nor_removed(void)
{
    begin();
    EXPECT(PSA_SUCCESS, psa_ps_set(1, sizeof text, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_set(1, 1, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_remove(1));
}

static void optional__functions__are_not_supported(void)
{
    begin();
    CHECK(psa_ps_get_support() == 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_create(1, 10, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_set_extended(1, 0, 1, text));
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
        bytes[i] ^= 2;
    }
    NEED(corral_store_set(CORRAL_SPACE_PS, 2, 0, bytes, length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_ps_get(2, 0, sizeof got, got, &length));
    NEED(corral_store_set(CORRAL_SPACE_PS, 1, 2, bytes, sizeof text + 16));
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
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_set(2, 4, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_get(1, 0, 0, NULL, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_get_info(1, &info));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_remove(1));
    CHECK(media_restart());
}

static void spaces__of_its_and_ps__are_apart(void)
{
    begin();
    EXPECT(PSA_SUCCESS, psa_ps_set(1, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(1));
    EXPECT(PSA_SUCCESS, psa_its_set(1, 1, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_SUCCESS, psa_ps_remove(1));
}

static const struct test_case tests[] = {
    TEST(set__then_get__returns_what_was_stored),
    TEST(get__part__is_what_lies_there),
    TEST(arguments__wrong__are_refused),
    TEST(write_once__entry__is_neither_replaced_nor_removed),
    TEST(optional__functions__are_not_supported),
    TEST(entry__changed_or_moved__is_not_authentic),
    TEST(medium__damaged_or_failing__is_told_apart),
    TEST(spaces__of_its_and_ps__are_apart),
};
TEST_SUITE(ps, tests);
