/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of PSA Crypto 1.5 for persistent keys: 9.6, 9.7 and 9.9. */
#include <string.h>

#include <psa/internal_trusted_storage.h>

#include "../harness/material.h"
#include "restarts.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PAIR_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)

/* The key with this number cannot be removed; only one test uses it. */
#define LAST 97u

static const struct corral_flash_geometry geometry = {2048, 4, 8, false};

static void created__key__survives_a_restart(void)
{
    psa_key_attributes_t attributes;

    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, device_import(PSA_KEY_ID_USER_MIN, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_SUCCESS, device_import(PSA_KEY_ID_USER_MAX, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    device_restart();
    CHECK(device_exports(PSA_KEY_ID_USER_MIN, aes_key, 16));
    CHECK(device_exports(PSA_KEY_ID_USER_MAX, hmac_key, 4));
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
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_ERROR_ALREADY_EXISTS, device_import(5, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    device_restart();
    EXPECT(PSA_ERROR_ALREADY_EXISTS, device_import(5, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    CHECK(device_exports(5, aes_key, 16));
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_EXPORT, hmac_key, 4));
    CHECK(device_exports(5, hmac_key, 4));
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
    EXPECT(PSA_SUCCESS, device_import(5, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_SUCCESS, psa_destroy_key(5));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(5, got, sizeof got, &length));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(5));
    device_restart();
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(5, got, sizeof got, &length));
    EXPECT(PSA_SUCCESS, psa_destroy_key(PSA_KEY_ID_NULL));
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

static void purge__volatile_key__leaves_it(void)
{
    device_fresh(&geometry);
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT, aes_key, 16);

    EXPECT(PSA_SUCCESS, psa_purge_key(key));
    CHECK(device_exports(key, aes_key, 16));
}

static void slots__full_of_cached_keys__make_room(void)
{
    uint8_t data[16];

    device_fresh(&geometry);
    for (psa_key_id_t id = 1; id <= 8; id++) {
        test_fill(data, sizeof data, (uint8_t)id);
        EXPECT(PSA_SUCCESS,
               device_import(id, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_CACHE, data, sizeof data));
    }
    for (psa_key_id_t id = 1; id <= 8; id++) {
        test_fill(data, sizeof data, (uint8_t)id);
        CHECK(device_exports(id, data, sizeof data));
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
    CHECK(device_exports(6, aes_key, 16) && device_exports(7, aes_key, 16));
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_VOLATILE);
    EXPECT(PSA_SUCCESS, psa_copy_key(7, &attributes, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_destroy_key(6));
    EXPECT(PSA_SUCCESS, psa_destroy_key(7));
    CHECK(device_exports(key, aes_key, 16));
}

static void its__same_number__is_another_entry(void)
{
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, device_import(LAST, PSA_KEY_USAGE_EXPORT, aes_key, 16));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(LAST));
    EXPECT(PSA_SUCCESS, psa_its_set(LAST, 3, hmac_key, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_SUCCESS, psa_destroy_key(LAST));
}

static const struct test_case tests[] = {
    TEST(created__key__survives_a_restart),
    TEST(pair__generated__signs_after_a_restart),
    TEST(identifier__in_use__already_exists),
    TEST(identifier__out_of_range__is_refused),
    TEST(unknown__identifier__is_an_invalid_handle),
    TEST(other_persistence__level__is_kept),
    TEST(purge__volatile_key__leaves_it),
    TEST(slots__full_of_cached_keys__make_room),
    TEST(multi_part__operation__outlives_eviction_and_not_destruction),
    TEST(copy__between_lifetimes__works_both_ways),
    TEST(its__same_number__is_another_entry),
};
TEST_SUITE(keys, tests);
