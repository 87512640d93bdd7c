/* SPDX-License-Identifier: Apache-2.0 */
/* The log in flash: full, worn, damaged. */
#include <string.h>

#include <psa/internal_trusted_storage.h>

#include "../../storage/record.h"
#include "../harness/harness.h"
#include "media.h"

static uint8_t data[512];

static void full_store__refuses__and_still_removes(void)
{
    for (size_t g = 0; g < media_geometry_count; g++) {
        psa_status_t status = PSA_SUCCESS;
        uint64_t count = 0;
        size_t length;

        test_context("geometry", g);
        media_fresh(&media_geometries[g]);
        while (status == PSA_SUCCESS && count < 200) {
            count++;
            memset(data, (int)count, 16);
            status = psa_its_set(count, 16, data, PSA_STORAGE_FLAG_NONE);
        }
        CHECK(status == PSA_ERROR_INSUFFICIENT_STORAGE && count > 3);
        for (uint64_t i = 1; i < count; i++) {
            EXPECT(PSA_SUCCESS, psa_its_get(i, 0, sizeof data, data, &length));
            CHECK(length == 16 && test_all(data, 16, (uint8_t)i));
        }
        for (uint64_t i = 1; i < count; i++) {
            EXPECT(PSA_SUCCESS, psa_its_remove(i));
        }
        EXPECT(PSA_SUCCESS, psa_its_set(count, 16, data, PSA_STORAGE_FLAG_NONE));
        CHECK(flash_model_violations() == 0);
    }
    test_context(NULL, 0);
}

static void full_store__refusing__does_not_wear_the_flash(void)
{
    media_fresh(&media_geometries[1]);
    for (uint64_t i = 1; psa_its_set(i, 16, data, PSA_STORAGE_FLAG_NONE) == PSA_SUCCESS; i++) {
    }
    flash_model_cut(0, FLASH_MODEL_NOTHING);
    for (unsigned i = 0; i < 50; i++) {
        EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(99, 100, data, PSA_STORAGE_FLAG_NONE));
    }
    CHECK(flash_model_steps() == 0);
}

static void full_store__replaces_what_it_has(void)
{
    const struct corral_flash_geometry geometry = {1024, 4, 4, true};
    uint64_t count = 0;

    media_fresh(&geometry);
    while (psa_its_set(count + 1, 60, data, PSA_STORAGE_FLAG_NONE) == PSA_SUCCESS) {
        count++;
    }
    for (uint64_t i = 0; i < 5 * count; i++) {
        EXPECT(PSA_SUCCESS, psa_its_set(1 + i % count, 60, data, PSA_STORAGE_FLAG_NONE));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(1, 64, data, PSA_STORAGE_FLAG_NONE));
}

static void entry__larger_than_a_page__is_refused(void)
{
    media_fresh(&media_geometries[1]);
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(1, 256, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(1, 500, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           psa_its_set(1, (size_t)70000, data, PSA_STORAGE_FLAG_NONE));
    /* The length that a record has is 16 bits wide, and those of this one are 100. */
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           psa_its_set(1, (size_t)0x10000 + 100, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_set(1, 100, data, PSA_STORAGE_FLAG_NONE));
}

static void pages__after_many_writes__are_worn_alike(void)
{
    for (size_t g = 0; g < media_geometry_count - 1; g++) {
        uint32_t least = UINT32_MAX;
        uint32_t most = 0;

        test_context("geometry", g);
        media_fresh(&media_geometries[g]);
        EXPECT(PSA_SUCCESS, psa_its_set(1000, 30, data, PSA_STORAGE_FLAG_NONE)); /* never moves */
        for (unsigned i = 0; i < 2000; i++) {
            EXPECT(PSA_SUCCESS, psa_its_set(1 + i % 3, 20, data, PSA_STORAGE_FLAG_NONE));
        }
        for (uint16_t page = 0; page < media_geometries[g].page_count; page++) {
            const uint32_t wear = flash_model_wear(page);
            least = wear < least ? wear : least;
            most = wear > most ? wear : most;
        }
        CHECK(least > 10 && most - least <= 1);
    }
    test_context(NULL, 0);
}

static void cleared__flash_that_can__forgets_removed_data(void)
{
    const struct corral_flash_geometry geometry = {512, 3, 4, true};
    const uint8_t *content = flash_model_content();
    unsigned found = 0;

    media_fresh(&geometry);
    content = flash_model_content();
    memset(data, 0x77, 40);
    EXPECT(PSA_SUCCESS, psa_its_set(1, 40, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_set(1, 40, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
    for (size_t i = 0; i < 3 * 512; i++) {
        found += content[i] == 0x77;
    }
    CHECK(found < 3);
}

static void damage__in_data__is_found(void)
{
    const struct corral_flash_geometry geometry = {512, 3, 4, true};
    size_t length = 0;

    media_fresh(&geometry);
    memset(data, 0x77, 40);
    EXPECT(PSA_SUCCESS, psa_its_set(1, 40, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_set(2, 4, data + 60, PSA_STORAGE_FLAG_NONE));
    uint8_t *at = memchr(flash_model_content(), 0x77, 512);
    REQUIRE(at != NULL);
    at[9] ^= 0x10;
    media_restart();
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 40, data, &length));
    CHECK(length == 0);
    EXPECT(PSA_SUCCESS, psa_its_get(2, 0, 4, data, &length));
    EXPECT(PSA_SUCCESS, psa_its_set(1, 4, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_get(1, 0, 4, data, &length));
}

static void damage__in_a_record_header__is_no_absence(void)
{
    const struct corral_flash_geometry geometry = {512, 3, 4, true};
    size_t length;

    media_fresh(&geometry);
    memset(data, 0x77, 40);
    EXPECT(PSA_SUCCESS, psa_its_set(1, 40, data, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_set(2, 4, data, PSA_STORAGE_FLAG_NONE));
    uint8_t *at = memchr(flash_model_content(), 0x77, 512);
    REQUIRE(at != NULL);
    at[-5] ^= 0x10;
    media_restart();
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 40, data, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(2, 0, 4, data, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(3, 0, 4, data, &length));
}

static void power__lost_while_reading__is_no_absence(void)
{
    const struct corral_flash_geometry geometry = {512, 3, 4, true};
    struct psa_storage_info_t info;
    size_t length;

    media_fresh(&geometry);
    EXPECT(PSA_SUCCESS, psa_its_set(1, 4, data, PSA_STORAGE_FLAG_NONE));
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, flash_model_erase(0));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 4, data, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get_info(1, &info));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(2, 0, 4, data, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_remove(1));
    (void)flash_model_power_on();
    EXPECT(PSA_SUCCESS, psa_its_get(1, 0, 4, data, &length));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(2, 0, 4, data, &length));
}

/*
 * The flash fails once at every step, and works again in the same run. The position at which the
 * next record goes is then found anew, because the last one may be there in part.
 */
static void flash__that_failed__is_read_again_without_a_restart(void)
{
    for (size_t g = 0; g < media_geometry_count; g++) {
        bool is_over = false;

        test_context("geometry", g);
        for (uint32_t step = 1; !is_over; step++) {
            size_t length = 0;

            media_fresh(&media_geometries[g]);
            memset(data, 0x11, 20);
            EXPECT(PSA_SUCCESS, psa_its_set(1, 20, data, PSA_STORAGE_FLAG_NONE));
            memset(data, 0x22, 20);
            flash_model_cut(step, FLASH_MODEL_HALF);
            const psa_status_t status = psa_its_set(1, 20, data, PSA_STORAGE_FLAG_NONE);
            is_over = !flash_model_power_on();
            EXPECT(is_over ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE, status);
            for (uint8_t i = 0; i < 10; i++) {
                memset(data, i, 10);
                EXPECT(PSA_SUCCESS, psa_its_set(2, 10, data, PSA_STORAGE_FLAG_NONE));
            }
            EXPECT(PSA_SUCCESS, psa_its_get(1, 0, 20, data, &length));
            CHECK(length == 20 && (data[0] == 0x22 || (!is_over && data[0] == 0x11)));
            media_restart();
            EXPECT(PSA_SUCCESS, psa_its_get(2, 0, 10, data, &length));
            CHECK(length == 10 && test_all(data, 10, 9));
            CHECK(flash_model_violations() == 0);
        }
    }
    test_context(NULL, 0);
}

static void flash__of_somebody_else__is_left_alone(void)
{
    const struct corral_flash_geometry geometry = {512, 3, 4, true};

    media_fresh(&geometry);
    memset(flash_model_content() + 600, 0x12, 100);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_set(1, 4, data, PSA_STORAGE_FLAG_NONE));
    CHECK(flash_model_steps() == 0);
}

/* Write a record without data at *at, and go behind it. */
static void put(uint32_t *at, struct corral_record record)
{
    record.at = *at;
    EXPECT(PSA_SUCCESS, corral_record_begin(&record));
    EXPECT(PSA_SUCCESS, corral_record_commit(&record));
    *at = record.next;
}

/* Two pages of a log, the second one active, with a record of number 1 in the first. */
static void put_pages(uint32_t first, uint32_t second, uint8_t kind, uint8_t flags)
{
    const struct corral_flash_geometry geometry = {256, 4, 4, false};
    const struct corral_record collected = {.kind = CORRAL_RECORD_COLLECTED};
    uint32_t at = corral_page_header_size();

    media_fresh(&geometry);
    EXPECT(PSA_SUCCESS, corral_page_open(0, first));
    put(&at, collected);
    put(&at, (struct corral_record){.name = {1, 0}, .kind = kind, .flags = flags});
    at = geometry.page_size + corral_page_header_size();
    EXPECT(PSA_SUCCESS, corral_page_open(1, second));
    put(&at, collected);
    put(&at, (struct corral_record){.name = {2, 0}, .kind = CORRAL_RECORD_DATA});
}

/* Number 1 is in doubt, number 2 is not, and no write takes the doubt away. */
static void check_doubt(void)
{
    struct psa_storage_info_t info;
    size_t length;

    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 4, data, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get_info(1, &info));
    EXPECT(PSA_SUCCESS, psa_its_get(2, 0, 4, data, &length));
    for (unsigned i = 0; i < 40; i++) {
        (void)psa_its_set(2, 4, data, PSA_STORAGE_FLAG_NONE);
    }
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 4, data, &length));
    EXPECT(PSA_SUCCESS, psa_its_get(2, 0, 4, data, &length));
    CHECK(flash_model_violations() == 0);
}

static void record__of_a_kind_that_is_never_written__is_damage(void)
{
    put_pages(1, 2, 0, 0);
    check_doubt();
}

static void record__with_flags_that_are_never_written__is_damage(void)
{
    put_pages(1, 2, CORRAL_RECORD_DATA, CORRAL_STORE_CAPACITY);
    check_doubt();
}

static void page__with_another_number_than_its_turn__is_damage(void)
{
    for (uint32_t number = 0; number < 3; number++) {
        test_context("number", number);
        put_pages(number, 4, CORRAL_RECORD_DATA, 0);
        check_doubt();
    }
    test_context(NULL, 0);
}

static void page__whose_header_is_damaged__is_no_absence(void)
{
    put_pages(1, 2, CORRAL_RECORD_DATA, 0);
    flash_model_content()[5] ^= 0x10;
    check_doubt();
}

/* The number of the page after the last one would be 0: older than all others. */
static void page__of_the_last_number__gets_no_next_one(void)
{
    const struct corral_flash_geometry geometry = {256, 4, 4, false};
    const struct corral_record collected = {.kind = CORRAL_RECORD_COLLECTED};
    psa_status_t status = PSA_SUCCESS;
    uint8_t count = 0;
    size_t length;

    media_fresh(&geometry);
    for (uint16_t page = 1; page < 4; page++) {
        uint32_t at = page * geometry.page_size + corral_page_header_size();
        EXPECT(PSA_SUCCESS, corral_page_open(page, UINT32_MAX - 3 + page));
        put(&at, collected);
    }
    while (status == PSA_SUCCESS && count < 40) {
        count++;
        status = psa_its_set(2, 1, &count, PSA_STORAGE_FLAG_NONE);
    }
    CHECK(count > 2 && status == PSA_ERROR_STORAGE_FAILURE);
    CHECK(test_all(flash_model_content(), geometry.page_size, 0xff));
    media_restart();
    EXPECT(PSA_SUCCESS, psa_its_get(2, 0, 1, data, &length));
    CHECK(length == 1 && data[0] == count - 1);
}

static const struct test_case tests[] = {
    TEST(page__of_the_last_number__gets_no_next_one),
    TEST(record__of_a_kind_that_is_never_written__is_damage),
    TEST(record__with_flags_that_are_never_written__is_damage),
    TEST(page__with_another_number_than_its_turn__is_damage),
    TEST(page__whose_header_is_damaged__is_no_absence),
    TEST(full_store__refuses__and_still_removes),
    TEST(full_store__refusing__does_not_wear_the_flash),
    TEST(full_store__replaces_what_it_has),
    TEST(entry__larger_than_a_page__is_refused),
    TEST(pages__after_many_writes__are_worn_alike),
    TEST(cleared__flash_that_can__forgets_removed_data),
    TEST(damage__in_data__is_found),
    TEST(damage__in_a_record_header__is_no_absence),
    TEST(power__lost_while_reading__is_no_absence),
    TEST(flash__that_failed__is_read_again_without_a_restart),
    TEST(flash__of_somebody_else__is_left_alone),
};
TEST_SUITE(log, tests);
