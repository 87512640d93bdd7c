/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in clear that others have written: where one cannot be a key, every function says the
 * same of it, nothing is created in its place, and destroying it removes it.
 */
#include "../../storage/bytes.h"
#include "../../storage/store.h"
#include "../harness/material.h"
#include "device.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PAIR_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)

static const struct corral_flash_geometry geometry = {2048, 4, 8, false};

/* Store a record of key 5 at a stage that says `type`, `bits` and lengths of this. */
static psa_status_t read_at_stage(uint8_t stage, psa_key_type_t type, size_t bits, size_t length,
                                  size_t public_length)
{
    const psa_key_attributes_t other =
        device_attributes(5, PSA_KEY_TYPE_AES, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_attributes_t attributes;
    psa_key_id_t key;
    uint8_t bytes[CORRAL_STORE_KEY_TAG_AT + 140] = {2, stage, 0};
    psa_key_attributes_t wanted =
        device_attributes(5, type, bits, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    bytes[3] = (uint8_t)public_length;
    corral_put(bytes + 4, psa_get_key_type(&wanted), 2);
    corral_put(bytes + 6, psa_get_key_bits(&wanted), 2);
    corral_put(bytes + 8, psa_get_key_usage_flags(&wanted), 4);
    corral_put(bytes + 16, psa_get_key_lifetime(&wanted), 4);
    corral_put(bytes + 20, (uint32_t)length, 2);
    corral_put(bytes + 22, 5, 4);
    NEED(corral_store_set(CORRAL_SPACE_KEYS, 5, 0, bytes,
                          CORRAL_STORE_KEY_TAG_AT + length + public_length));
    device_restart();
    const psa_status_t status = psa_get_key_attributes(5, &attributes);
    EXPECT(PSA_ERROR_ALREADY_EXISTS, psa_import_key(&other, aes_key, 16, &key));
    if (status != PSA_SUCCESS) {
        psa_set_key_id(&wanted, 6);
        EXPECT(status, psa_copy_key(5, &wanted, &key));
    }
    EXPECT(status, psa_purge_key(5));
    EXPECT(status, psa_destroy_key(5));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(5));
    return status;
}

static psa_status_t read_made_up(psa_key_type_t type, size_t bits, size_t length,
                                 size_t public_length)
{
    return read_at_stage(1, type, bits, length, public_length);
}

static void record__lengths_that_do_not_fit_type_and_size__are_invalid(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
        size_t length;
    } rows[] = {{PSA_KEY_TYPE_AES, 128, 16},
                {PSA_KEY_TYPE_RAW_DATA, 24, 3},
                {PSA_KEY_TYPE_HMAC, 256, 32},
                {PSA_KEY_TYPE_DERIVE, 8, 1},
                {PSA_KEY_TYPE_PASSWORD_HASH, 256, 32},
                {PAIR, 256, 32},
                {PAIR_PUBLIC, 256, 65}};

    if (CORRAL_SEALED_STORAGE) {
        test_skip("nobody else can write a record");
    }
    device_fresh(&geometry);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_type_t type = rows[i].type;
        const size_t bits = rows[i].bits;
        const size_t length = rows[i].length;
        test_context("row", i);
        EXPECT(PSA_SUCCESS, read_made_up(type, bits, length, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, bits, length + 1, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, bits, length - 1, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, bits, 2 * length, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, bits + 1, length, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, bits - 1, length, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, 0, length, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, 65535, length, 0));
        EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(type, bits, length, 1));
    }
    EXPECT(PSA_SUCCESS, read_made_up(PAIR, 256, 32, 65));
    EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(PAIR, 256, 32, 64));
    EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(PAIR, 256, 31, 66));
    EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(PAIR_PUBLIC, 256, 32, 33));
}

static void record__of_a_key_that_this_build_has_not__is_invalid(void)
{
    if (CORRAL_SEALED_STORAGE) {
        test_skip("nobody else can write a record");
    }
    device_fresh(&geometry);
    EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(PSA_KEY_TYPE_AES, 256, 32, 0));
    EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(PSA_KEY_TYPE_CHACHA20, 256, 32, 0));
    EXPECT(PSA_ERROR_DATA_INVALID,
           read_made_up(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_K1), 256, 32, 0));
    EXPECT(PSA_ERROR_DATA_INVALID, read_made_up(PSA_KEY_TYPE_RSA_PUBLIC_KEY, 256, 32, 0));
}

/* Only a key in an element is stored before it exists, and until it is gone. */
static void record__of_a_local_key_at_another_stage__is_invalid(void)
{
    if (CORRAL_SEALED_STORAGE) {
        test_skip("nobody else can write a record");
    }
    device_fresh(&geometry);
    EXPECT(PSA_SUCCESS, read_at_stage(1, PSA_KEY_TYPE_AES, 128, 16, 0));
    for (unsigned stage = 0; stage < 256; stage += stage == 0 ? 2 : 1) {
        test_context("stage", stage);
        EXPECT(PSA_ERROR_DATA_INVALID, read_at_stage((uint8_t)stage, PSA_KEY_TYPE_AES, 128, 16, 0));
    }
}

static const struct test_case tests[] = {
    TEST(record__lengths_that_do_not_fit_type_and_size__are_invalid),
    TEST(record__of_a_key_that_this_build_has_not__is_invalid),
    TEST(record__of_a_local_key_at_another_stage__is_invalid),
};
TEST_SUITE(records, tests);
