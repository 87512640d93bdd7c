/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent keys as they are in slots and in the storage. */
#include <string.h>

#include <corral/rollback.h>
#include <corral/slots.h>

#include "../../core/keys/pool.h"
#include "../../core/keys/record.h"
#include "../../storage/bytes.h"
#include "../../storage/store.h"
#include "../harness/material.h"
#include "../harness/scan.h"
#include "device.h"

#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)

static const struct corral_flash_geometry geometry = {2048, 4, 8, false};

static void read_only__persistence__is_not_the_applications(void)
{
    psa_key_attributes_t attributes =
        device_attributes(5, PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    struct corral_slots slots;
    struct corral_key *slot;
    psa_key_id_t key;

    device_fresh(&geometry);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_READ_ONLY, 0));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_generate_key(&attributes, &key));
    /* As manufacturing would: the record is written directly. */
    NEED(corral_key_reserve(&attributes, &slot));
    slot->attributes.id = 5;
    slot->length = 16;
    slot->holds = 1;
    corral_slots_count(&slots);
    CHECK(slots.single.busy == 1 && slots.single.held == 1 && slots.single.persistent_keys == 0);
    slot->holds = 0;
    memcpy(corral_key_data(slot), aes_key, 16);
    NEED(device_record_write(slot));
    corral_key_free(slot);
    CHECK(device_exports(5, aes_key, 16));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_destroy_key(5));
    EXPECT(PSA_SUCCESS, psa_purge_key(5));
    CHECK(device_exports(5, aes_key, 16));
}

static void material__without_cache__leaves_memory_after_use(void)
{
    uint8_t secret[32];

    device_fresh(&geometry);
    for (size_t i = 0; i < sizeof secret; i++) {
        secret[i] = (uint8_t)(151 * i + 89);
    }
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_EXPORT, secret, sizeof secret));
    CHECK(device_slots() == 0);
    CHECK(device_exports(5, secret, sizeof secret));
    CHECK(device_slots() == 0);
}

static void material__with_cache__stays_until_purged(void)
{
    struct corral_slots slots;

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_CACHE, aes_key, 16));
    CHECK(device_slots() == 1);
    corral_slots_count(&slots);
    CHECK(slots.single.persistent_keys == 1 && slots.single.volatile_keys == 0);
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    CHECK(device_exports(5, aes_key, 16));
    (void)flash_model_power_on();
    EXPECT(PSA_SUCCESS, psa_purge_key(5));
    CHECK(device_slots() == 0);
    EXPECT(PSA_SUCCESS, psa_purge_key(5));
    CHECK(device_exports(5, aes_key, 16));
    CHECK(device_slots() == 1);
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    CHECK(device_slots() == 0);
}

static psa_mac_operation_t mac_with(psa_key_id_t key)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    NEED(psa_mac_sign_setup(&operation, key, HMAC));
    NEED(psa_mac_update(&operation, hmac_message, 10));
    return operation;
}

static void import_hmac_key(void)
{
    const psa_key_attributes_t attributes = device_attributes(
        5, PSA_KEY_TYPE_HMAC, 0, HMAC, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_key_id_t key;

    NEED(psa_import_key(&attributes, hmac_key, sizeof hmac_key, &key));
}

/* The number that the next key would have had, as a run before this one may have given it. */
static void number__stored_by_an_earlier_run__is_not_given_again(void)
{
    struct corral_key_record record;

    device_fresh(&geometry);
    import_hmac_key();
    NEED(device_record_read(5, &record));
    record.number.words[0]++;
    NEED(device_record_mark(&record));
    psa_mac_operation_t operation = mac_with(5);
    EXPECT(PSA_SUCCESS, psa_mac_update(&operation, hmac_message, 10));
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    import_hmac_key();
    EXPECT(PSA_ERROR_BAD_STATE, psa_mac_update(&operation, hmac_message, 10));
    EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
}

/* With the same number, as a run before this one may have given it; sealed by this device. */
static void record__put_in_the_place_of_another__is_not_taken_for_it(void)
{
    struct corral_key_record record;

    if (!CORRAL_SEALED_STORAGE) {
        test_skip("records are not sealed");
    }
    for (unsigned change = 0; change < 2; change++) {
        device_fresh(&geometry);
        import_hmac_key();
        psa_mac_operation_t operation = mac_with(5);
        NEED(device_record_read(5, &record));
        if (change == 0) {
            record.data[0] ^= 1;
        } else {
            record.attributes.usage |= PSA_KEY_USAGE_EXPORT;
        }
        NEED(device_record_mark(&record));
        EXPECT(PSA_ERROR_BAD_STATE, psa_mac_update(&operation, hmac_message, 10));
        EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
    }
}

static void storage__full__refuses_and_changes_nothing(void)
{
    const struct corral_flash_geometry small = {512, 2, 4, true};
    psa_status_t status = PSA_SUCCESS;
    psa_key_id_t id = 0;

    device_fresh(&small);
    while (status == PSA_SUCCESS && id < 30) {
        status = device_import(++id, PSA_KEY_USAGE_EXPORT, aes_key, 16);
    }
    CHECK(status == PSA_ERROR_INSUFFICIENT_STORAGE && id > 2);
    CHECK(device_slots() == 0);
    for (psa_key_id_t i = 1; i < id; i++) {
        CHECK(device_exports(i, aes_key, 16));
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(1));
    EXPECT(PSA_SUCCESS, device_import(id, PSA_KEY_USAGE_EXPORT, aes_key, 16));
}

static void storage__failing__is_said_and_leaves_nothing(void)
{
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, device_import(1, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, device_import(2, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_destroy_key(1));
    CHECK(device_slots() == 0);
    device_restart();
    CHECK(device_exports(1, aes_key, 16));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(2));
}

/* Read, change and write the stored bytes of key 5. */
static void tamper(size_t at, uint8_t change)
{
    uint8_t bytes[200];
    size_t length;
    uint8_t flags;

    NEED(corral_store_get(CORRAL_SPACE_KEYS, 5, 0, bytes, sizeof bytes, &length, &flags));
    bytes[at] ^= change;
    NEED(corral_store_set(CORRAL_SPACE_KEYS, 5, 0, bytes, length));
}

static void record__changed__is_refused_and_can_be_destroyed(void)
{
    psa_key_attributes_t attributes;

    if (!CORRAL_SEALED_STORAGE) {
        test_skip("records are not sealed");
    }
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_COPY, aes_key, 16));
    for (size_t at = 3; at < CORRAL_STORE_KEY_TAG_AT + 16 + 16; at++) {
        tamper(at, 1);
        psa_status_t status = psa_get_key_attributes(5, &attributes);
        CHECK(status == PSA_ERROR_DATA_CORRUPT);
        CHECK(psa_get_key_type(&attributes) == PSA_KEY_TYPE_NONE);
        tamper(at, 1);
    }
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(5, &attributes));
    tamper(30, 1);
    EXPECT(PSA_ERROR_ALREADY_EXISTS, device_import(5, PSA_KEY_USAGE_COPY, aes_key, 16));
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_destroy_key(5));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(5));
}

static void record__of_another_version__is_invalid(void)
{
    psa_key_attributes_t attributes;
    const uint8_t odd[3] = {2, 1, 1};

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_COPY, aes_key, 16));
    tamper(0, 2);
    EXPECT(PSA_ERROR_DATA_INVALID, psa_get_key_attributes(5, &attributes));
    tamper(0, 2);
    tamper(2, 1); /* sealed or not, as this build does not do it */
    EXPECT(PSA_ERROR_DATA_INVALID, psa_get_key_attributes(5, &attributes));
    NEED(corral_store_set(CORRAL_SPACE_KEYS, 5, 0, odd, sizeof odd));
    EXPECT(PSA_ERROR_DATA_INVALID, psa_get_key_attributes(5, &attributes));
    if (CORRAL_ROLLBACK_DETECTION) {
        device_off();
        NEED(corral_rollback_accept());
    }
    device_restart();
    EXPECT(PSA_ERROR_DATA_INVALID, psa_destroy_key(5));
}

static void record__moved_to_another_identifier__is_refused(void)
{
    psa_key_attributes_t attributes;
    uint8_t bytes[200];
    size_t length;
    uint8_t flags;

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_COPY, aes_key, 16));
    NEED(corral_store_get(CORRAL_SPACE_KEYS, 5, 0, bytes, sizeof bytes, &length, &flags));
    NEED(corral_store_set(CORRAL_SPACE_KEYS, 6, 0, bytes, length));
    EXPECT(PSA_ERROR_DATA_INVALID, psa_get_key_attributes(6, &attributes));
}

static void sealed__key__is_not_in_the_flash(void)
{
    const uint8_t *content;

    if (!CORRAL_SEALED_STORAGE) {
        test_skip("records are not sealed");
    }
    device_fresh(&geometry);
    content = flash_model_content();
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    for (size_t i = 0; i + 8 <= 4 * 2048; i++) {
        CHECK(memcmp(content + i, aes_key, 8) != 0);
    }
}

static const struct test_case tests[] = {
    TEST(read_only__persistence__is_not_the_applications),
    TEST(material__without_cache__leaves_memory_after_use),
    TEST(material__with_cache__stays_until_purged),
    TEST(number__stored_by_an_earlier_run__is_not_given_again),
    TEST(record__put_in_the_place_of_another__is_not_taken_for_it),
    TEST(storage__full__refuses_and_changes_nothing),
    TEST(storage__failing__is_said_and_leaves_nothing),
    TEST(record__changed__is_refused_and_can_be_destroyed),
    TEST(record__of_another_version__is_invalid),
    TEST(record__moved_to_another_identifier__is_refused),
    TEST(sealed__key__is_not_in_the_flash),
};

TEST_SUITE(stored, tests);
