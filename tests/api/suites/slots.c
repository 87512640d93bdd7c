/* SPDX-License-Identifier: Apache-2.0 */
/* Identifiers, slots and their exhaustion (PSA Crypto 1.5, 9.7; docs/DESIGN.md, Keys). */
#include <string.h>

#include <corral/config.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA_SHA256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
/* More creations than the generation in an identifier can count. */
#define MANY 70000u
/* Creations after which an identifier may come back (docs/DESIGN.md). */
#define GENERATIONS 65536u

static psa_status_t import_raw(uint8_t value, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const uint8_t data[4] = {value, value, value, value};

    return psa_import_key(&attributes, data, sizeof data, key);
}

/* All that a key identifier can be given to answers INVALID_HANDLE. */
static void check_stale(psa_key_id_t key)
{
    psa_mac_operation_t mac = PSA_MAC_OPERATION_INIT;
    psa_cipher_operation_t cipher = PSA_CIPHER_OPERATION_INIT;
    const psa_key_attributes_t wanted =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_attributes_t attributes;
    uint8_t out[80];
    psa_key_id_t target = 1;
    size_t n;

    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(key, &attributes));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(key, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_public_key(key, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_copy_key(key, &wanted, &target));
    CHECK(target == PSA_KEY_ID_NULL);
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(key));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_purge_key(key));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_mac_compute(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_mac_verify(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), abc, 3, out, 32));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_mac_sign_setup(&mac, key, PSA_ALG_HMAC(PSA_ALG_SHA_256)));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_mac_verify_setup(&mac, key, PSA_ALG_HMAC(PSA_ALG_SHA_256)));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_cipher_encrypt(key, PSA_ALG_CTR, abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_cipher_decrypt(key, PSA_ALG_CTR, aes_text, 17, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_cipher_encrypt_setup(&cipher, key, PSA_ALG_CTR));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_cipher_decrypt_setup(&cipher, key, PSA_ALG_CTR));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_sign_hash(key, ECDSA_SHA256, p256_hash, 32, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_sign_message(key, ECDSA_SHA256, abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_verify_hash(key, ECDSA_SHA256, p256_hash, 32, p256_signature, 64));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_verify_message(key, ECDSA_SHA256, abc, 3, p256_signature, 64));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_raw_key_agreement(PSA_ALG_ECDH, key, p256_public, 65, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_key_agreement(key, p256_public, 65, PSA_ALG_ECDH, &wanted, &target));
    CHECK(target == PSA_KEY_ID_NULL);
}

static void stale_id__every_function__is_an_invalid_handle(void)
{
    psa_key_id_t key;
    psa_key_id_t next;

    NEED(import_raw(1, &key));
    NEED(psa_destroy_key(key));
    test_context("free slot", 0);
    check_stale(key);
    /* Another key uses the slot now. */
    NEED(import_raw(2, &next));
    test_keep(next);
    CHECK(next != key);
    test_context("slot in use again", 0);
    check_stale(key);
}

static void forged_id__neighbours_of_a_real_one__are_invalid_handles(void)
{
    psa_key_id_t key;

    NEED(import_raw(1, &key));
    test_keep(key);
    for (unsigned bit = 0; bit < 32; bit++) {
        uint8_t out[8];
        size_t n;
        test_context("bit", bit);
        EXPECT(PSA_ERROR_INVALID_HANDLE,
               psa_export_key(key ^ ((psa_key_id_t)1 << bit), out, sizeof out, &n));
    }
    test_context("null", 0);
    check_stale(0x40000000);
}

static void new_id__volatile_key__is_in_the_vendor_range(void)
{
    for (unsigned i = 0; i < 200; i++) {
        psa_key_id_t key;
        NEED(import_raw(1, &key));
        CHECK(key >= PSA_KEY_ID_VENDOR_MIN && key <= PSA_KEY_ID_VENDOR_MAX);
        NEED(psa_destroy_key(key));
    }
}

static void pool__full__is_insufficient_memory_until_a_key_is_destroyed(void)
{
    psa_key_id_t keys[TEST_SHARE(CORRAL_SINGLE_KEY_SLOTS)];
    psa_key_id_t extra = 1;

    for (size_t i = 0; i < TEST_SHARE(CORRAL_SINGLE_KEY_SLOTS); i++) {
        NEED(import_raw((uint8_t)i, &keys[i]));
        test_keep(keys[i]);
        for (size_t j = 0; j < i; j++) {
            CHECK(keys[i] != keys[j]);
        }
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, import_raw(99, &extra));
    CHECK(extra == PSA_KEY_ID_NULL);
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_generate_key(&attributes, &extra));
    CHECK(extra == PSA_KEY_ID_NULL);
    NEED(psa_destroy_key(keys[0]));
    NEED(import_raw(99, &extra));
    test_keep(extra);
    for (size_t i = 1; i < TEST_SHARE(CORRAL_SINGLE_KEY_SLOTS); i++) {
        uint8_t data[4];
        size_t length;
        EXPECT(PSA_SUCCESS, psa_export_key(keys[i], data, sizeof data, &length));
        CHECK(length == sizeof data && test_all(data, sizeof data, (uint8_t)i));
    }
}

static void pool__full__leaves_room_in_the_others(void)
{
    psa_key_id_t key;

    for (size_t i = 0; i < TEST_SHARE(CORRAL_SINGLE_KEY_SLOTS); i++) {
        NEED(import_raw((uint8_t)i, &key));
        test_keep(key);
    }
    (void)test_import(ECC_PAIR, ECDSA_SHA256, PSA_KEY_USAGE_SIGN_HASH, p256_private, 32);
}

static void pool__of_pairs_full__is_insufficient_memory_for_every_creation(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(ECC_PAIR, 256, ECDSA_SHA256, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_COPY);
    psa_key_id_t key = 0;
    psa_key_id_t extra = 1;

    for (size_t i = 0; i < TEST_SHARE(CORRAL_KEY_PAIR_SLOTS); i++) {
        key = test_import(ECC_PAIR, ECDSA_SHA256, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_COPY,
                          p256_private, 32);
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_generate_key(&attributes, &extra));
    CHECK(extra == PSA_KEY_ID_NULL);
    extra = 1;
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_copy_key(key, &attributes, &extra));
    CHECK(extra == PSA_KEY_ID_NULL);
}

static void pool__full__key_agreement_is_insufficient_memory(void)
{
    const psa_key_id_t pair =
        test_import(ECC_PAIR, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, p256_private, 32);
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;

    for (size_t i = 0; i < TEST_SHARE(CORRAL_SINGLE_KEY_SLOTS); i++) {
        NEED(import_raw((uint8_t)i, &key));
        test_keep(key);
    }
    key = 1;
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY,
           psa_key_agreement(pair, p256_public, 65, PSA_ALG_ECDH, &attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

/*
 * Seventy thousand keys come and go beside one that stays. No new identifier is that of a living
 * key, the last one destroyed stays dead, and the first one stays dead for as long as promised.
 */
static void ids__seventy_thousand_cycles__never_alias(void)
{
    psa_key_id_t steady;
    psa_key_id_t first = PSA_KEY_ID_NULL;
    psa_key_id_t previous = PSA_KEY_ID_NULL;
    psa_key_attributes_t attributes;
    uint8_t data[4];
    size_t length;

    NEED(import_raw(0x77, &steady));
    test_keep(steady);
    for (uint32_t i = 0; i < MANY; i++) {
        psa_key_id_t key;
        NEED(import_raw((uint8_t)i, &key));
        REQUIRE(key != steady && key != previous);
        REQUIRE(psa_get_key_attributes(previous, &attributes) == PSA_ERROR_INVALID_HANDLE);
        REQUIRE(i == 0 || i >= GENERATIONS || key != first);
        first = i == 0 ? key : first;
        NEED(psa_destroy_key(key));
        previous = key;
    }
    EXPECT(PSA_SUCCESS, psa_export_key(steady, data, sizeof data, &length));
    CHECK(length == sizeof data && test_all(data, sizeof data, 0x77));
}

static const struct test_case tests[] = {
    TEST(stale_id__every_function__is_an_invalid_handle),
    TEST(forged_id__neighbours_of_a_real_one__are_invalid_handles),
    TEST(new_id__volatile_key__is_in_the_vendor_range),
    TEST(pool__full__is_insufficient_memory_until_a_key_is_destroyed),
    TEST(pool__full__leaves_room_in_the_others),
    TEST(pool__of_pairs_full__is_insufficient_memory_for_every_creation),
    TEST(pool__full__key_agreement_is_insufficient_memory),
    TEST(ids__seventy_thousand_cycles__never_alias),
};

TEST_SUITE(slots, tests);
