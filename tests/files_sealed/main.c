/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealed storage in files: on a full disk, with many keys, and under the attacker of
 * tests/persistent/adversary.c.
 */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <psa/crypto.h>
#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>

#include "../harness/harness.h"
#include "../persistent/adversary.h"
#include "disk.h"

#define SIZE 512u

extern const struct test_suite suite_adversary;

static const uint8_t zeros[SIZE];

static psa_status_t import(psa_key_id_t id)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;

    psa_set_key_id(&attributes, id);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_PERSISTENT);
    return psa_import_key(&attributes, zeros, 16, &key);
}

static psa_status_t use(psa_key_id_t id)
{
    uint8_t data[16];
    size_t length;

    return psa_export_key(id, data, sizeof data, &length);
}

static psa_status_t get(psa_storage_uid_t uid)
{
    uint8_t data[SIZE];
    size_t length;

    return psa_ps_get(uid, 0, sizeof data, data, &length);
}

/* Store entries until one is refused: its number. */
static psa_storage_uid_t fill(void)
{
    psa_storage_uid_t uid = 1;
    psa_status_t status;

    while ((status = psa_ps_set(uid, SIZE, zeros, PSA_STORAGE_FLAG_NONE)) == PSA_SUCCESS) {
        uid++;
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, status);
    return uid;
}

/* Room runs out at each call of the system in turn. */
static void full_disk__refuses_an_entry_and_removes_others(void)
{
    for (unsigned room = 9; room < 16; room++) {
        test_context("blocks", room);
        disk_begin();
        disk_limit(room);
        NEED(psa_crypto_init());
        NEED(import(1));
        NEED(import(2));
        const psa_storage_uid_t refused = fill();
        EXPECT(PSA_ERROR_DOES_NOT_EXIST, get(refused));
        EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, import(3));
        EXPECT(PSA_ERROR_INVALID_HANDLE, use(3));
        for (psa_storage_uid_t uid = 1; uid < refused; uid++) {
            EXPECT(PSA_SUCCESS, get(uid));
        }
        disk_off();
        EXPECT(PSA_SUCCESS, psa_crypto_init());
        EXPECT(PSA_SUCCESS, psa_ps_remove(1));
        EXPECT(PSA_SUCCESS, psa_destroy_key(1));
        EXPECT(PSA_SUCCESS, use(2));
        EXPECT(PSA_SUCCESS, psa_ps_set(1, SIZE, zeros, PSA_STORAGE_FLAG_NONE));
        disk_off();
        EXPECT(PSA_SUCCESS, psa_crypto_init());
        EXPECT(PSA_SUCCESS, get(1));
        EXPECT(PSA_SUCCESS, psa_destroy_key(2));
    }
    test_context(NULL, 0);
}

/* Others took the room to the last block; the reserve is used as often as it is needed. */
static void disk_filled_by_others__lets_all_be_removed(void)
{
    disk_begin();
    NEED(psa_crypto_init());
    for (psa_key_id_t id = 1; id <= 5; id++) {
        NEED(import(id));
    }
    for (psa_key_id_t id = 1; id <= 5; id++) {
        disk_limit(disk_used());
        EXPECT(PSA_SUCCESS, psa_destroy_key(id));
        disk_limit(disk_used());
        disk_off();
        EXPECT(PSA_SUCCESS, psa_crypto_init());
        EXPECT(PSA_ERROR_INVALID_HANDLE, use(id));
    }
}

/*
 * The new manifest is in the reserve and does not get its name. An attacker can read it there, so
 * the status is not the one that promises that nothing has changed.
 */
static void reserve__that_keeps_its_name__is_a_failure_of_storage(void)
{
    static const int reasons[] = {ENOSPC, EDQUOT, EIO};

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        test_context("reason", i);
        disk_begin();
        NEED(psa_crypto_init());
        NEED(import(1));
        NEED(import(2));
        disk_limit(disk_used());
        disk_fail_reserve(reasons[i]);
        EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_destroy_key(1));
        CHECK(disk_has_failed_reserve());
        disk_off();
        EXPECT(PSA_SUCCESS, psa_crypto_init());
        EXPECT(PSA_SUCCESS, use(2));
        EXPECT(PSA_SUCCESS, psa_destroy_key(2));
        disk_off();
        EXPECT(PSA_SUCCESS, psa_crypto_init());
        EXPECT(PSA_ERROR_INVALID_HANDLE, use(2));
    }
    test_context(NULL, 0);
}

/* An attacker's file must not be written, whose name has become that of the reserve. */
static void reserve__that_is_a_link__is_not_written_through(void)
{
    char reserve[DISK_PATH_SIZE + 16];
    char victim[DISK_PATH_SIZE + 16];
    char found[16] = {0};

    disk_begin();
    NEED(psa_crypto_init());
    NEED(import(1));
    (void)snprintf(reserve, sizeof reserve, "%s/reserve", disk_folder());
    (void)snprintf(victim, sizeof victim, "%s.victim", disk_folder());
    FILE *file = fopen(victim, "w");
    REQUIRE(file != NULL && fputs("theirs", file) >= 0 && fclose(file) == 0);
    REQUIRE(unlink(reserve) == 0 && link(victim, reserve) == 0);
    disk_limit(disk_used());
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_destroy_key(1));
    file = fopen(victim, "r");
    REQUIRE(file != NULL && fread(found, 1, sizeof found - 1, file) == 6 && fclose(file) == 0);
    CHECK(strcmp(found, "theirs") == 0);
    disk_limit(0);
    EXPECT(PSA_SUCCESS, psa_destroy_key(1));
}

/* Power fails at each step of a removal on a full disk. */
static void full_disk__cut__removes_or_keeps(void)
{
    for (uint32_t step = 1;; step++) {
        test_context("step", step);
        disk_begin();
        NEED(psa_crypto_init());
        NEED(import(1));
        NEED(import(2));
        disk_limit(disk_used());
        disk_cut(step, step % 2 == 0 ? FLASH_MODEL_NOTHING : FLASH_MODEL_HALF);
        const psa_status_t status = psa_destroy_key(1);
        const bool was_cut = disk_power_on();
        disk_off();
        NEED(psa_crypto_init());
        EXPECT(PSA_SUCCESS, use(2));
        EXPECT(PSA_SUCCESS, psa_destroy_key(2));
        if (!was_cut) {
            EXPECT(PSA_SUCCESS, status);
            break;
        }
    }
    test_context(NULL, 0);
}

static psa_status_t set(uint8_t value)
{
    return psa_ps_set(ADVERSARY_ID, 1, &value, PSA_STORAGE_FLAG_NONE);
}

/* Start with an image on a disk that is full behind that. */
static void start_full(unsigned image, uint32_t counter)
{
    disk_limit(0);
    world_set_counter(counter);
    world_load(image, 0, 0);
    NEED(psa_crypto_init());
    disk_limit(disk_used());
}

/*
 * A change to an older value is announced, finds no room and is refused. Its manifest, read at any
 * moment, must not bring the old entry back.
 */
static void refused_change__leaves_no_manifest_that_counts(void)
{
    bool was_cut = true;

    disk_begin();
    NEED(psa_crypto_init());
    NEED(set(1));
    world_save(0);
    NEED(set(2));
    world_save(1);
    const uint32_t counter = world_counter();
    for (uint32_t step = 1; was_cut; step++) {
        test_context("step", step);
        start_full(1, counter);
        disk_cut(step, FLASH_MODEL_NOTHING);
        (void)set(1);
        was_cut = disk_power_on();
        world_save(2);
        start_full(1, counter);
        EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, set(1));
        disk_limit(0);
        world_load(2, 0, ADVERSARY_ENTRY);
        EXPECT(PSA_ERROR_DATA_CORRUPT, psa_crypto_init());
    }
    test_context(NULL, 0);
}

static psa_status_t replace_entry(void)
{
    return psa_ps_set(1, SIZE, zeros, PSA_STORAGE_FLAG_NONE);
}

static psa_status_t remove_entry(void)
{
    return psa_ps_remove(1);
}

static psa_status_t import_key(void)
{
    return import(2);
}

static psa_status_t destroy_key(void)
{
    return psa_destroy_key(1);
}

/*
 * Carry out a change whose n-th fsync() of the folder fails: the file has its new name, or is gone.
 * False: the change has fewer of them.
 */
static bool change_without_sync(psa_status_t (*change)(void), unsigned at, int reason)
{
    disk_begin();
    NEED(psa_crypto_init());
    NEED(import(1));
    NEED(replace_entry());
    disk_off();
    NEED(psa_crypto_init()); /* which lists the entries */
    disk_fail_sync(at, reason);
    const psa_status_t status = change();
    const bool is_failed = disk_has_failed_sync();
    disk_fail_sync(0, 0);
    if (is_failed) {
        CHECK(status != PSA_ERROR_INSUFFICIENT_STORAGE);
    } else {
        EXPECT(PSA_SUCCESS, status);
    }
    EXPECT(PSA_SUCCESS, psa_ps_set(2, SIZE, zeros, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, import(3));
    disk_off();
    EXPECT(PSA_SUCCESS, psa_crypto_init());
    EXPECT(PSA_SUCCESS, get(2));
    EXPECT(PSA_SUCCESS, use(3));
    return is_failed;
}

/* The disk refuses to record a folder that has changed already. */
static void folder_that_is_not_synchronised__leaves_good_storage(void)
{
    static psa_status_t (*const changes[])(void) = {replace_entry, remove_entry, import_key,
                                                    destroy_key};
    static const int reasons[] = {EIO, ENOSPC};

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for (size_t j = 0; j < sizeof reasons / sizeof reasons[0]; j++) {
            unsigned at = 1;
            test_context("change", (unsigned)(10 * i + j));
            while (change_without_sync(changes[i], at, reasons[j])) {
                at++;
            }
            CHECK(at > 1);
        }
    }
    test_context(NULL, 0);
}

/* Calls of a start with so many keys. */
static unsigned calls_with(unsigned keys)
{
    disk_begin();
    NEED(psa_crypto_init());
    for (psa_key_id_t id = 1; id <= keys; id++) {
        NEED(import(id));
    }
    disk_off();
    disk_cut(0, FLASH_MODEL_NOTHING);
    NEED(psa_crypto_init());
    return disk_calls();
}

static void start__takes_calls_in_proportion_to_keys(void)
{
    const unsigned few = calls_with(50);
    const unsigned many = calls_with(200);

    CHECK(many <= 4 * few);
}

static void list_of_entries__follows_changes(void)
{
    struct corral_entry_name name = {0, 2};

    disk_begin();
    NEED(psa_crypto_init());
    for (psa_key_id_t id = 2; id <= 20; id += 2) {
        NEED(import(id));
        EXPECT(PSA_SUCCESS, corral_port_entry_next(&name));
        CHECK(name.uid == id);
    }
    NEED(import(5));
    NEED(psa_destroy_key(6));
    NEED(psa_destroy_key(8));
    NEED(import(8));
    static const uint8_t wanted[] = {2, 4, 5, 8, 10, 12, 14, 16, 18, 20};
    name.uid = 0;
    for (size_t i = 0; i < sizeof wanted; i++) {
        EXPECT(PSA_SUCCESS, corral_port_entry_next(&name));
        CHECK(name.uid == wanted[i]);
    }
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, corral_port_entry_next(&name));
}

static const struct test_case tests[] = {
    TEST(full_disk__refuses_an_entry_and_removes_others),
    TEST(disk_filled_by_others__lets_all_be_removed),
    TEST(reserve__that_keeps_its_name__is_a_failure_of_storage),
    TEST(reserve__that_is_a_link__is_not_written_through),
    TEST(full_disk__cut__removes_or_keeps),
    TEST(refused_change__leaves_no_manifest_that_counts),
    TEST(folder_that_is_not_synchronised__leaves_good_storage),
    TEST(start__takes_calls_in_proportion_to_keys),
    TEST(list_of_entries__follows_changes),
};
static TEST_SUITE(files_sealed, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_files_sealed, &suite_adversary};

    return test_run(suites, sizeof suites / sizeof suites[0]);
}
