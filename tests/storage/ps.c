/* SPDX-License-Identifier: Apache-2.0 */
/* Protected storage: each status of PSA Secure Storage 1.0, section 5.4. */
#include <string.h>

#include <corral/config.h>
#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>

#include "../harness/harness.h"
#include "media.h"

#define MAX_SIZE ((size_t)CORRAL_PROTECTED_STORAGE_MAX_SIZE)

/* The entries with these numbers cannot be removed; one test uses each. */
#define ONCE 98u
#define OF_BOTH 99u

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
    EXPECT(PSA_SUCCESS, psa_ps_set(ONCE, sizeof text, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_set(ONCE, 1, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_remove(ONCE));
}

static void spaces__of_its_and_ps__are_apart(void)
{
    begin();
    EXPECT(PSA_SUCCESS, psa_ps_set(OF_BOTH, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(OF_BOTH));
    EXPECT(PSA_SUCCESS, psa_its_set(OF_BOTH, 1, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_SUCCESS, psa_ps_remove(OF_BOTH));
}

static const struct test_case tests[] = {
    TEST(set__then_get__returns_what_was_stored),
    TEST(get__part__is_what_lies_there),
    TEST(arguments__wrong__are_refused),
    TEST(write_once__entry__is_neither_replaced_nor_removed),
    TEST(spaces__of_its_and_ps__are_apart),
};
TEST_SUITE(ps, tests);
