/* SPDX-License-Identifier: Apache-2.0 */
/* Older images of the storage, older entries in the place of newer ones, and the counter. */
#include <string.h>

#include <corral/config.h>
#include <corral/rollback.h>
#include <psa/protected_storage.h>

#include "../../core/keys/pool.h"
#include "../../storage/rollback.h"
#include "device.h"

#define KEY 3u
#define OTHER 4u
#define ENTRY 9u
#define STARTED 2u /* how far a start advances the counter */

static const struct corral_flash_geometry geometry = {1024, 4, 4, true};
static struct device_storage early;
static struct device_storage late;

static psa_status_t import(psa_key_id_t id, uint8_t seed)
{
    const psa_key_attributes_t attributes =
        device_attributes(id, PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    uint8_t data[16];
    psa_key_id_t key;

    test_fill(data, sizeof data, seed);
    psa_key_attributes_t persistent = attributes;
    psa_set_key_lifetime(&persistent, PSA_KEY_LIFETIME_PERSISTENT);
    return psa_import_key(&persistent, data, sizeof data, &key);
}

static psa_status_t export_key(psa_key_id_t id)
{
    uint8_t data[16];
    size_t length;

    return psa_export_key(id, data, sizeof data, &length);
}

static psa_status_t entry_is(uint8_t wanted)
{
    uint8_t value = 0;
    size_t length = 0;

    const psa_status_t status = psa_ps_get(ENTRY, 0, 1, &value, &length);
    CHECK(status != PSA_SUCCESS || (length == 1 && value == wanted));
    return status;
}

static psa_status_t set_entry(uint8_t value)
{
    return psa_ps_set(ENTRY, 1, &value, PSA_STORAGE_FLAG_NONE);
}

static uint32_t counter(void)
{
    uint32_t value = 0;

    NEED(counter_model_read(&value));
    return value;
}

/* Two keys and an entry, saved as `early`; then one key is destroyed: `late`. */
static void prepare(void)
{
    if (!CORRAL_ROLLBACK_DETECTION) {
        test_skip("a rollback is not detected");
    }
    device_fresh(&geometry);
    NEED(import(KEY, 1));
    NEED(import(OTHER, 2));
    NEED(set_entry(5));
    device_save(&early);
    NEED(psa_destroy_key(KEY));
    device_save(&late);
}

/* The storage as it was saved, but not the counter. */
static void put_back(const struct device_storage *saved)
{
    const uint32_t now = counter();

    device_restore(saved);
    counter_model_set(now);
    device_off();
}

/* And protected storage, whose entries need no psa_crypto_init(), fails as it may. */
static void expect_keys_to_be(psa_status_t status)
{
    EXPECT(status, export_key(OTHER));
    EXPECT(status, psa_destroy_key(OTHER));
    EXPECT(PSA_ERROR_DATA_CORRUPT, entry_is(5));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, set_entry(6));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_ps_remove(ENTRY));
    CHECK(corral_holds() == 0);
}

static void expect_refusal(void)
{
    device_off();
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_crypto_init());
    expect_keys_to_be(PSA_ERROR_BAD_STATE);
}

static void storage__as_it_was_left__starts(void)
{
    prepare();
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t before = counter();
        device_restart();
        CHECK(counter() == before + STARTED);
        EXPECT(PSA_SUCCESS, export_key(OTHER));
        EXPECT(PSA_ERROR_INVALID_HANDLE, export_key(KEY));
        EXPECT(PSA_SUCCESS, entry_is(5));
    }
}

static void storage__older_image__is_refused(void)
{
    prepare();
    put_back(&early);
    expect_refusal();
    put_back(&late);
    EXPECT(PSA_SUCCESS, psa_crypto_init());
    EXPECT(PSA_SUCCESS, export_key(OTHER));
}

static void storage__erased__is_refused(void)
{
    prepare();
    const uint32_t now = counter();
    flash_model_reset(&geometry);
    counter_model_set(now);
    expect_refusal();
}

static void storage__without_its_manifest__is_refused(void)
{
    prepare();
    NEED(corral_store_remove(CORRAL_SPACE_ROLLBACK, 1));
    expect_refusal();
}

/* As after a change that the medium has failed: it is examined again, without a start between. */
static void storage__examined_while_running__is_refused(void)
{
    prepare();
    NEED(corral_store_remove(CORRAL_SPACE_ROLLBACK, 1));
    if (CORRAL_ROLLBACK_DETECTION) {
        corral_rollback_forget();
    }
    expect_keys_to_be(PSA_ERROR_DATA_CORRUPT);
}

static void manifest__changed__is_refused(void)
{
    uint8_t bytes[CORRAL_STORE_MANIFEST_SIZE + 1];
    size_t length = 0;
    uint8_t flags;

    prepare();
    NEED(corral_store_get(CORRAL_SPACE_ROLLBACK, 1, 0, bytes, sizeof bytes, &length, &flags));
    REQUIRE(length == CORRAL_STORE_MANIFEST_SIZE);
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 4;
        NEED(corral_store_set(CORRAL_SPACE_ROLLBACK, 1, 0, bytes, length));
        expect_refusal();
        bytes[i] ^= 4;
    }
    NEED(corral_store_set(CORRAL_SPACE_ROLLBACK, 1, 0, bytes, length - 1));
    expect_refusal();
    NEED(corral_store_set(CORRAL_SPACE_ROLLBACK, 1, 0, bytes, length));
    device_restart();
}

static void entry__older_one_under_its_name__is_refused(void)
{
    uint8_t key[100];
    uint8_t value[100];
    size_t key_size = 0;
    size_t value_size = 0;
    uint8_t flags;

    prepare();
    device_restore(&early);
    device_restart();
    NEED(corral_store_get(CORRAL_SPACE_KEYS, KEY, 0, key, sizeof key, &key_size, &flags));
    NEED(corral_store_get(CORRAL_SPACE_PS, ENTRY, 0, value, sizeof value, &value_size, &flags));
    NEED(set_entry(6));
    NEED(psa_destroy_key(KEY));
    device_save(&late);

    NEED(corral_store_set(CORRAL_SPACE_KEYS, KEY, 0, key, key_size));
    expect_refusal();
    device_restore(&late);
    NEED(corral_store_set(CORRAL_SPACE_PS, ENTRY, 0, value, value_size));
    expect_refusal();
    device_restore(&late);
    NEED(corral_store_remove(CORRAL_SPACE_KEYS, OTHER));
    expect_refusal();
    device_restore(&late);
    device_restart();
    EXPECT(PSA_SUCCESS, entry_is(6));
}

static void accept__older_image__is_used_from_then_on(void)
{
    prepare();
    put_back(&early);
    expect_refusal();
    EXPECT(PSA_SUCCESS, corral_rollback_accept());
    EXPECT(PSA_SUCCESS, psa_crypto_init());
    EXPECT(PSA_SUCCESS, export_key(KEY));
    EXPECT(PSA_SUCCESS, psa_destroy_key(KEY));
    device_restart();
    EXPECT(PSA_SUCCESS, export_key(OTHER));
    put_back(&late);
    expect_refusal();
}

static void accept__damaged_entry__leaves_the_others_usable(void)
{
    const uint8_t rubbish[3] = {1, 2, 3};

    prepare();
    NEED(corral_store_set(CORRAL_SPACE_KEYS, OTHER, 0, rubbish, sizeof rubbish));
    expect_refusal();
    EXPECT(PSA_SUCCESS, corral_rollback_accept());
    device_restart();
    EXPECT(PSA_ERROR_DATA_INVALID, export_key(OTHER));
    EXPECT(PSA_SUCCESS, entry_is(5));
    EXPECT(PSA_ERROR_DATA_INVALID, psa_destroy_key(OTHER));
    device_restart();
    EXPECT(PSA_SUCCESS, import(OTHER, 3));
    device_restart();
    EXPECT(PSA_SUCCESS, export_key(OTHER));
}

/* As left by a build without detection. */
static void storage__of_a_new_device_without_manifest__is_taken_over(void)
{
    prepare();
    NEED(corral_store_remove(CORRAL_SPACE_ROLLBACK, 1));
    counter_model_set(0);
    device_restart();
    EXPECT(PSA_SUCCESS, export_key(OTHER));
    CHECK(counter() == STARTED);
    device_save(&early);
    NEED(psa_destroy_key(OTHER));
    put_back(&early);
    expect_refusal();
}

static void counter__far_from_the_manifest__is_refused(void)
{
    prepare();
    const uint32_t now = counter();
    const uint32_t others[] = {0, now - 2, now + 1, now + 2, UINT32_MAX};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        counter_model_set(others[i]);
        expect_refusal();
    }
    counter_model_set(now);
    device_restart();
    EXPECT(PSA_SUCCESS, export_key(OTHER));
}

/* The entry's data are damaged in flash: a bit behind the header that has its number. */
static void damage(uint8_t number)
{
    const uint8_t name[8] = {number};
    uint8_t *const content = flash_model_content();

    for (size_t i = 0; i < (size_t)geometry.page_size * geometry.page_count - 20; i++) {
        content[i + 20] ^= content[i] == 0xd1 && memcmp(content + i + 4, name, 8) == 0 ? 1 : 0;
    }
}

static void refused_changes__leave_counter_and_storage_alone(void)
{
    const uint8_t value = 1;
    size_t length;

    prepare();
    NEED(psa_ps_set(ENTRY + 1, 1, &value, PSA_STORAGE_FLAG_WRITE_ONCE));
    const uint32_t now = counter();
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_set(ENTRY + 1, 1, &value, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_remove(ENTRY + 1));
    damage(ENTRY + 1);
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_ps_get(ENTRY + 1, 0, 0, NULL, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_set(ENTRY + 1, 1, &value, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_ps_remove(ENTRY + 1));
    damage(ENTRY + 1); /* as it was */
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_ps_remove(ENTRY + 2));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(KEY));
    EXPECT(PSA_ERROR_ALREADY_EXISTS, import(OTHER, 1));
    CHECK(counter() == now);
    device_restart();
    CHECK(counter() == now + STARTED);
}

/* Fill the flash with entries, up to the first that is refused: the number of that one. */
static uint8_t fill(void)
{
    static const uint8_t data[16] = {0};
    uint8_t uid = ENTRY;
    psa_status_t status;

    do {
        uid++;
        status = psa_ps_set(uid, sizeof data, data, PSA_STORAGE_FLAG_NONE);
    } while (status == PSA_SUCCESS && uid < UINT8_MAX);
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, status);
    return uid;
}

/* A client that tries again and again must not use up the counter. */
static void changes_without_room__leave_counter_and_storage_alone(void)
{
    static const uint8_t data[16] = {0};
    size_t length;

    prepare();
    const uint8_t uid = fill();
    const uint32_t now = counter();
    for (unsigned i = 0; i < 3; i++) {
        EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
               psa_ps_set(uid, sizeof data, data, PSA_STORAGE_FLAG_NONE));
        EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_ps_get(uid, 0, 0, NULL, &length));
    }
    CHECK(counter() == now);
    EXPECT(PSA_SUCCESS, psa_ps_remove(ENTRY + 1));
    CHECK(counter() == now + 1);
    device_restart();
    EXPECT(PSA_SUCCESS, entry_is(5));
}

/*
 * The flash fails once, and works again in the same run: the next change finds out how far the last
 * one came. A change on the wrong sum would be found at the next start.
 */
static void change__after_the_medium_failed__examines_the_storage_again(void)
{
    prepare();
    for (uint32_t step = 1;; step++) {
        test_context("step", step);
        device_restore(&early);
        device_restart();
        flash_model_cut(step, FLASH_MODEL_HALF);
        const psa_status_t status = set_entry(6);
        if (!flash_model_power_on()) {
            break;
        }
        EXPECT(PSA_ERROR_STORAGE_FAILURE, status);
        EXPECT(PSA_SUCCESS, psa_destroy_key(KEY));
        EXPECT(PSA_SUCCESS, export_key(OTHER));
        device_restart();
        EXPECT(PSA_ERROR_INVALID_HANDLE, export_key(KEY));
        EXPECT(PSA_SUCCESS, export_key(OTHER));
        EXPECT(PSA_SUCCESS, set_entry(7));
    }
    test_context(NULL, 0);
}

static const struct test_case tests[] = {
    TEST(storage__as_it_was_left__starts),
    TEST(storage__older_image__is_refused),
    TEST(storage__erased__is_refused),
    TEST(storage__without_its_manifest__is_refused),
    TEST(storage__examined_while_running__is_refused),
    TEST(manifest__changed__is_refused),
    TEST(entry__older_one_under_its_name__is_refused),
    TEST(accept__older_image__is_used_from_then_on),
    TEST(accept__damaged_entry__leaves_the_others_usable),
    TEST(storage__of_a_new_device_without_manifest__is_taken_over),
    TEST(counter__far_from_the_manifest__is_refused),
    TEST(refused_changes__leave_counter_and_storage_alone),
    TEST(changes_without_room__leave_counter_and_storage_alone),
    TEST(change__after_the_medium_failed__examines_the_storage_again),
};
TEST_SUITE(rollback, tests);
