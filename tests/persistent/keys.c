/* SPDX-License-Identifier: Apache-2.0 */
/* What PSA Crypto 1.5 says of persistent keys: 9.6, 9.7 and 9.9. */
#include <string.h>

#include <corral/rollback.h>
#include <psa/internal_trusted_storage.h>

#include "../../core/keys/pool.h"
#include "../../core/keys/record.h"
#include "../../storage/bytes.h"
#include "../../storage/store.h"
#include "../harness/material.h"
#include "../harness/scan.h"
#include "device.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PAIR_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)

static const struct corral_flash_geometry geometry = {2048, 4, 8, false};

static psa_status_t import_raw(psa_key_id_t id, psa_key_usage_t usage, const uint8_t *data,
                               size_t size)
{
    psa_key_attributes_t attributes =
        device_attributes(id, PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, usage);
    psa_key_id_t key = 99;

    psa_status_t status = psa_import_key(&attributes, data, size, &key);
    CHECK(key == (status == PSA_SUCCESS ? id : PSA_KEY_ID_NULL));
    return status;
}

static bool exports(psa_key_id_t id, const uint8_t *data, size_t size)
{
    uint8_t got[64];
    size_t length = 0;

    return psa_export_key(id, got, sizeof got, &length) == PSA_SUCCESS && length == size &&
           memcmp(got, data, size) == 0;
}

static void created__key__survives_a_restart(void)
{
    psa_key_attributes_t attributes;

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, import_raw(PSA_KEY_ID_USER_MIN, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_SUCCESS, import_raw(PSA_KEY_ID_USER_MAX, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    device_restart();
    CHECK(exports(PSA_KEY_ID_USER_MIN, aes_key, 16));
    CHECK(exports(PSA_KEY_ID_USER_MAX, hmac_key, 4));
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(PSA_KEY_ID_USER_MIN, &attributes));
    CHECK(psa_get_key_id(&attributes) == PSA_KEY_ID_USER_MIN);
    CHECK(psa_get_key_lifetime(&attributes) == PSA_KEY_LIFETIME_PERSISTENT);
    CHECK(psa_get_key_type(&attributes) == PSA_KEY_TYPE_RAW_DATA);
    CHECK(psa_get_key_bits(&attributes) == 128);
    CHECK(psa_get_key_usage_flags(&attributes) == PSA_KEY_USAGE_EXPORT);
}

static void pair__generated__signs_after_a_restart(void)
{
    psa_key_attributes_t attributes =
        device_attributes(7, PAIR, 256, ECDSA, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);
    uint8_t before[65];
    uint8_t after[65];
    uint8_t signature[64];
    psa_key_id_t key;
    size_t length;

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, psa_generate_key(&attributes, &key));
    CHECK(key == 7);
    EXPECT(PSA_SUCCESS, psa_export_public_key(7, before, sizeof before, &length));
    device_restart();
    EXPECT(PSA_SUCCESS, psa_export_public_key(7, after, sizeof after, &length));
    CHECK_BYTES(after, length, before, sizeof before);
    EXPECT(PSA_SUCCESS,
           psa_sign_hash(7, ECDSA, p256_hash, 32, signature, sizeof signature, &length));
    EXPECT(PSA_SUCCESS, psa_verify_hash(7, ECDSA, p256_hash, 32, signature, length));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_message(7, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH), p256_hash,
                                                     32, signature, sizeof signature, &length));
}

static void identifier__in_use__already_exists(void)
{
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_ERROR_ALREADY_EXISTS, import_raw(5, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    device_restart();
    EXPECT(PSA_ERROR_ALREADY_EXISTS, import_raw(5, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    CHECK(exports(5, aes_key, 16));
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    CHECK(exports(5, hmac_key, 4));
}

static void identifier__out_of_range__is_refused(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const psa_key_id_t ids[] = {0, PSA_KEY_ID_VENDOR_MIN, PSA_KEY_ID_VENDOR_MAX, 0x80000000u};
    psa_key_id_t key;

    device_fresh(&geometry);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        psa_set_key_id(&attributes, ids[i]);
        psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_PERSISTENT);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_generate_key(&attributes, &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
}

static void unknown__identifier__is_an_invalid_handle(void)
{
    psa_key_attributes_t attributes;
    uint8_t got[4];
    size_t length;

    device_fresh(&geometry);
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(5, &attributes));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(5, got, sizeof got, &length));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(5));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_purge_key(5));
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(5, got, sizeof got, &length));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(5));
    device_restart();
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(5, got, sizeof got, &length));
    EXPECT(PSA_SUCCESS, psa_destroy_key(PSA_KEY_ID_NULL));
}

static void read_only__persistence__is_not_the_applications(void)
{
    psa_key_attributes_t attributes =
        device_attributes(5, PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
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
    memcpy(corral_key_data(slot), aes_key, 16);
    NEED(device_record_write(slot));
    corral_key_free(slot);
    CHECK(exports(5, aes_key, 16));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_destroy_key(5));
    EXPECT(PSA_SUCCESS, psa_purge_key(5));
    CHECK(exports(5, aes_key, 16));
}

static void other_persistence__level__is_kept(void)
{
    psa_key_attributes_t attributes =
        device_attributes(5, PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;

    device_fresh(&geometry);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(0x81, 0));
    EXPECT(PSA_SUCCESS, psa_generate_key(&attributes, &key));
    device_restart();
    psa_reset_key_attributes(&attributes);
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(5, &attributes));
    CHECK(psa_get_key_lifetime(&attributes) == 0x81);
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
}

static void material__without_cache__leaves_memory_after_use(void)
{
    uint8_t secret[32];

    device_fresh(&geometry);
    for (size_t i = 0; i < sizeof secret; i++) {
        secret[i] = (uint8_t)(151 * i + 89);
    }
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_EXPORT, secret, sizeof secret));
    CHECK(device_slots() == 0);
    CHECK(exports(5, secret, sizeof secret));
    CHECK(device_slots() == 0);
}

static void material__with_cache__stays_until_purged(void)
{
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_CACHE, aes_key, 16));
    CHECK(device_slots() == 1);
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    CHECK(exports(5, aes_key, 16));
    (void)flash_model_power_on();
    EXPECT(PSA_SUCCESS, psa_purge_key(5));
    CHECK(device_slots() == 0);
    EXPECT(PSA_SUCCESS, psa_purge_key(5));
    CHECK(exports(5, aes_key, 16));
    CHECK(device_slots() == 1);
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    CHECK(device_slots() == 0);
}

static void purge__volatile_key__leaves_it(void)
{
    device_fresh(&geometry);
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT, aes_key, 16);

    EXPECT(PSA_SUCCESS, psa_purge_key(key));
    CHECK(exports(key, aes_key, 16));
}

static void slots__full_of_cached_keys__make_room(void)
{
    uint8_t data[16];

    device_fresh(&geometry);
    for (psa_key_id_t id = 1; id <= 8; id++) {
        test_fill(data, sizeof data, (uint8_t)id);
        EXPECT(PSA_SUCCESS,
               import_raw(id, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_CACHE, data, sizeof data));
    }
    for (psa_key_id_t id = 1; id <= 8; id++) {
        test_fill(data, sizeof data, (uint8_t)id);
        CHECK(exports(id, data, sizeof data));
    }
    /* Volatile keys go first; then there is no room any more. */
    for (unsigned i = 0; i < CORRAL_SINGLE_KEY_SLOTS; i++) {
        test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT, aes_key, 16);
    }
    size_t length;
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_export_key(1, data, sizeof data, &length));
}

static void multi_part__operation__outlives_eviction_and_not_destruction(void)
{
    psa_key_attributes_t attributes = device_attributes(
        5, PSA_KEY_TYPE_HMAC, 0, HMAC, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t mac[32];
    psa_key_id_t key;
    size_t length;

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, hmac_key, sizeof hmac_key, &key));
    EXPECT(PSA_SUCCESS, psa_mac_sign_setup(&operation, 5, HMAC));
    EXPECT(PSA_SUCCESS, psa_mac_update(&operation, hmac_message, 10));
    EXPECT(PSA_SUCCESS, psa_purge_key(5));
    EXPECT(PSA_SUCCESS, psa_mac_update(&operation, hmac_message + 10, 18));
    EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, mac, sizeof mac, &length));
    CHECK_BYTES(mac, length, hmac_tag, sizeof hmac_tag);
    EXPECT(PSA_SUCCESS, psa_mac_sign_setup(&operation, 5, HMAC));
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    EXPECT(PSA_ERROR_BAD_STATE, psa_mac_update(&operation, hmac_message, 10));
    EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
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

static void copy__between_lifetimes__works_both_ways(void)
{
    const psa_key_usage_t usage = PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY;
    psa_key_attributes_t attributes =
        device_attributes(6, PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, usage);
    psa_key_id_t key;

    device_fresh(&geometry);
    const psa_key_id_t volatile_key =
        test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, usage, aes_key, 16);
    EXPECT(PSA_SUCCESS, psa_copy_key(volatile_key, &attributes, &key));
    CHECK(key == 6);
    EXPECT(PSA_ERROR_ALREADY_EXISTS, psa_copy_key(volatile_key, &attributes, &key));
    psa_set_key_id(&attributes, 7);
    EXPECT(PSA_SUCCESS, psa_copy_key(6, &attributes, &key));
    device_restart();
    CHECK(exports(6, aes_key, 16) && exports(7, aes_key, 16));
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_VOLATILE);
    EXPECT(PSA_SUCCESS, psa_copy_key(7, &attributes, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_destroy_key(6));
    EXPECT(PSA_SUCCESS, psa_destroy_key(7));
    CHECK(exports(key, aes_key, 16));
}

static void storage__full__refuses_and_changes_nothing(void)
{
    const struct corral_flash_geometry small = {512, 2, 4, true};
    psa_status_t status = PSA_SUCCESS;
    psa_key_id_t id = 0;

    device_fresh(&small);
    while (status == PSA_SUCCESS && id < 30) {
        status = import_raw(++id, PSA_KEY_USAGE_EXPORT, aes_key, 16);
    }
    CHECK(status == PSA_ERROR_INSUFFICIENT_STORAGE && id > 2);
    CHECK(device_slots() == 0);
    for (psa_key_id_t i = 1; i < id; i++) {
        CHECK(exports(i, aes_key, 16));
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(1));
    EXPECT(PSA_SUCCESS, import_raw(id, PSA_KEY_USAGE_EXPORT, aes_key, 16));
}

static void storage__failing__is_said_and_leaves_nothing(void)
{
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, import_raw(1, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, import_raw(2, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_destroy_key(1));
    CHECK(device_slots() == 0);
    device_restart();
    CHECK(exports(1, aes_key, 16));
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
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_COPY, aes_key, 16));
    for (size_t at = 3; at < CORRAL_STORE_KEY_TAG_AT + 16 + 16; at++) {
        tamper(at, 1);
        psa_status_t status = psa_get_key_attributes(5, &attributes);
        CHECK(status == PSA_ERROR_DATA_CORRUPT);
        CHECK(psa_get_key_type(&attributes) == PSA_KEY_TYPE_NONE);
        tamper(at, 1);
    }
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(5, &attributes));
    tamper(30, 1);
    EXPECT(PSA_ERROR_ALREADY_EXISTS, import_raw(5, PSA_KEY_USAGE_COPY, aes_key, 16));
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_destroy_key(5));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(5));
}

static void record__of_another_version__is_invalid(void)
{
    psa_key_attributes_t attributes;
    const uint8_t odd[3] = {2, 1, 1};

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_COPY, aes_key, 16));
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
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_COPY, aes_key, 16));
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
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    for (size_t i = 0; i + 8 <= 4 * 2048; i++) {
        CHECK(memcmp(content + i, aes_key, 8) != 0);
    }
}

static void its__same_number__is_another_entry(void)
{
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, import_raw(5, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(5));
    EXPECT(PSA_SUCCESS, psa_its_set(5, 3, hmac_key, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
}

static const struct test_case tests[] = {
    TEST(created__key__survives_a_restart),
    TEST(pair__generated__signs_after_a_restart),
    TEST(identifier__in_use__already_exists),
    TEST(identifier__out_of_range__is_refused),
    TEST(unknown__identifier__is_an_invalid_handle),
    TEST(read_only__persistence__is_not_the_applications),
    TEST(other_persistence__level__is_kept),
    TEST(material__without_cache__leaves_memory_after_use),
    TEST(material__with_cache__stays_until_purged),
    TEST(purge__volatile_key__leaves_it),
    TEST(slots__full_of_cached_keys__make_room),
    TEST(multi_part__operation__outlives_eviction_and_not_destruction),
    TEST(number__stored_by_an_earlier_run__is_not_given_again),
    TEST(record__put_in_the_place_of_another__is_not_taken_for_it),
    TEST(copy__between_lifetimes__works_both_ways),
    TEST(storage__full__refuses_and_changes_nothing),
    TEST(storage__failing__is_said_and_leaves_nothing),
    TEST(record__changed__is_refused_and_can_be_destroyed),
    TEST(record__of_another_version__is_invalid),
    TEST(record__moved_to_another_identifier__is_refused),
    TEST(sealed__key__is_not_in_the_flash),
    TEST(its__same_number__is_another_entry),
};
TEST_SUITE(keys, tests);
