/* SPDX-License-Identifier: Apache-2.0 */
/* Import, export, attributes and lifetimes (PSA Crypto 1.5, 9.1, 9.6, 9.9). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/scan.h"

#define USAGE_ALL_HASH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECC_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA_SHA256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
/* Defined by the specification, not in this configuration. */
#define ABSENT_TYPE PSA_KEY_TYPE_CAMELLIA

/* Import that must fail with `wanted` and give no identifier. */
static void refuse_import(psa_status_t wanted, const psa_key_attributes_t *attributes,
                          const uint8_t *data, size_t size)
{
    const uint8_t *exact = test_copy(data, size);
    psa_key_id_t key = 0x40001234;

    EXPECT(wanted, psa_import_key(attributes, exact, size, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void import_key__raw_data__is_exported_unchanged(void)
{
    uint8_t data[64];
    size_t length;

    test_fill(data, sizeof data, 3);
    for (size_t size = 1; size <= sizeof data; size++) {
        const psa_key_attributes_t attributes =
            test_attributes(PSA_KEY_TYPE_RAW_DATA, 8 * size, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
        const uint8_t *exact = test_copy(data, size);
        uint8_t *output = test_buffer(size);
        psa_key_id_t key;

        NEED(psa_import_key(&attributes, exact, size, &key));
        EXPECT(PSA_SUCCESS, psa_export_key(key, output, size, &length));
        CHECK_BYTES(output, length, data, size);
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    }
}

static void import_key__no_size_in_the_attributes__takes_that_of_the_data(void)
{
    psa_key_attributes_t found;
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_AES, PSA_ALG_CBC_NO_PADDING,
                                         PSA_KEY_USAGE_ENCRYPT, aes256_key, sizeof aes256_key);

    NEED(psa_get_key_attributes(key, &found));
    CHECK(psa_get_key_bits(&found) == 256);
}

static void import_key__zero_length__is_refused(void)
{
    const psa_key_type_t types[] = {PSA_KEY_TYPE_RAW_DATA, PSA_KEY_TYPE_HMAC, PSA_KEY_TYPE_AES,
                                    PSA_KEY_TYPE_DERIVE,   ECC_PAIR,          ECC_PUBLIC};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(types[i], 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
        psa_key_id_t key = 1;

        test_context("type", types[i]);
        refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, NULL, 0);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, NULL, 0, &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
}

static void import_key__size_unlike_the_attributes__is_refused(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t key = 1;

    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, aes256_key, sizeof aes256_key);
    attributes = test_attributes(PSA_KEY_TYPE_RAW_DATA, 9, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, aes_key, 2);
    /* The build has no curve of this size: it may say that first. */
    attributes = test_attributes(ECC_PAIR, 384, ECDSA_SHA256, USAGE_ALL_HASH);
    EXPECT_REFUSED(psa_import_key(&attributes, p256_private, sizeof p256_private, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    attributes = test_attributes(ECC_PUBLIC, 384, ECDSA_SHA256, PSA_KEY_USAGE_VERIFY_HASH);
    EXPECT_REFUSED(psa_import_key(&attributes, p256_public, sizeof p256_public, &key));
}

static void import_key__size_that_no_key_has__is_refused(void)
{
    const psa_key_attributes_t aes =
        test_attributes(PSA_KEY_TYPE_AES, 0, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);

    for (size_t size = 1; size <= 33; size++) {
        test_context("AES key of bytes", size);
        if (size != 16 && size != 24 && size != 32) {
            refuse_import(PSA_ERROR_INVALID_ARGUMENT, &aes, p256_public, size);
        }
    }
}

static void import_key__size_left_out_of_the_build__is_not_supported(void)
{
    const psa_key_attributes_t aes =
        test_attributes(PSA_KEY_TYPE_AES, 0, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);

    refuse_import(PSA_ERROR_NOT_SUPPORTED, &aes, aes192_key, sizeof aes192_key);
}

static void import_key__longer_than_any_slot__is_refused(void)
{
    static uint8_t data[8192];
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;

    refuse_import(PSA_ERROR_NOT_SUPPORTED, &attributes, data, 8191);
    /* 65536 bits: the attribute would wrap to 0. */
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, sizeof data, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void import_key__no_type__is_refused(void)
{
    const psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    refuse_import(PSA_ERROR_NOT_SUPPORTED, &attributes, aes_key, sizeof aes_key);
}

static void import_key__type_left_out_of_the_build__is_not_supported(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(ABSENT_TYPE, 0, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);

    refuse_import(PSA_ERROR_NOT_SUPPORTED, &attributes, aes_key, sizeof aes_key);
}

static void import_key__curve_left_out_of_the_build__is_not_supported(void)
{
    const psa_key_attributes_t attributes = test_attributes(
        PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_K1), 256, ECDSA_SHA256, USAGE_ALL_HASH);

    refuse_import(PSA_ERROR_NOT_SUPPORTED, &attributes, p256_private, sizeof p256_private);
}

static void import_key__usage_flag_that_does_not_exist__is_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, (psa_key_usage_t)0x80000000);

    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, aes_key, sizeof aes_key);
}

static void import_key__query_flag_as_usage__is_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE_PUBLIC);

    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, aes_key, sizeof aes_key);
}

static void import_key__unknown_location__is_refused(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, 0x00abcdef));
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, aes_key, sizeof aes_key);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_DEFAULT, 0x00abcdef));
    psa_set_key_id(&attributes, 1);
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, aes_key, sizeof aes_key);
}

static void import_key__persistent_without_storage__is_not_supported(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    psa_set_key_id(&attributes, PSA_KEY_ID_USER_MIN);
    CHECK(psa_get_key_lifetime(&attributes) == PSA_KEY_LIFETIME_PERSISTENT);
    refuse_import(PSA_ERROR_NOT_SUPPORTED, &attributes, aes_key, sizeof aes_key);
    psa_set_key_id(&attributes, PSA_KEY_ID_USER_MAX);
    refuse_import(PSA_ERROR_NOT_SUPPORTED, &attributes, aes_key, sizeof aes_key);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_READ_ONLY, 0));
    refuse_import(PSA_ERROR_NOT_SUPPORTED, &attributes, aes_key, sizeof aes_key);
}

static void import_key__persistent_with_an_identifier_not_the_users__is_refused(void)
{
    const psa_key_id_t ids[] = {PSA_KEY_ID_NULL, PSA_KEY_ID_VENDOR_MIN, PSA_KEY_ID_VENDOR_MAX,
                                (psa_key_id_t)0x80000000, (psa_key_id_t)0xffffffff};

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        psa_key_attributes_t attributes =
            test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

        psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_PERSISTENT);
        psa_set_key_id(&attributes, ids[i]);
        test_context("identifier", i);
        refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, aes_key, sizeof aes_key);
    }
}

static void import_key__pair_of_wrong_length__is_refused(void)
{
    const psa_key_attributes_t unsized = test_attributes(ECC_PAIR, 0, ECDSA_SHA256, USAGE_ALL_HASH);
    const psa_key_attributes_t sized = test_attributes(ECC_PAIR, 256, ECDSA_SHA256, USAGE_ALL_HASH);
    uint8_t data[160];

    test_fill(data, sizeof data, 1);
    for (size_t size = 1; size < sizeof data; size++) {
        psa_key_id_t key = 1;
        test_context("bytes", size);
        if (size == 32) {
            continue;
        }
        refuse_import(PSA_ERROR_INVALID_ARGUMENT, &sized, data, size);
        /* Without a size it may be a key of a curve that the build leaves out. */
        const psa_status_t status = psa_import_key(&unsized, test_copy(data, size), size, &key);
        CHECK(status == PSA_ERROR_INVALID_ARGUMENT || status == PSA_ERROR_NOT_SUPPORTED);
        CHECK(key == PSA_KEY_ID_NULL);
        test_free_buffers();
    }
}

static void import_key__scalar_out_of_range__is_refused(void)
{
    /* Order of P-256 (SEC 2, 2.4.2), and neighbours. */
    uint8_t scalar[32] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
                          0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
                          0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    const psa_key_attributes_t attributes =
        test_attributes(ECC_PAIR, 256, ECDSA_SHA256, USAGE_ALL_HASH);
    psa_key_id_t key;

    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, scalar, sizeof scalar);
    scalar[31]++;
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, scalar, sizeof scalar);
    memset(scalar, 0xff, sizeof scalar);
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, scalar, sizeof scalar);
    memset(scalar, 0, sizeof scalar);
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, scalar, sizeof scalar);
    scalar[31] = 1;
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, scalar, sizeof scalar, &key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void import_key__public_key_off_the_curve__is_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(ECC_PUBLIC, 256, ECDSA_SHA256, PSA_KEY_USAGE_VERIFY_HASH);
    uint8_t point[65];

    for (size_t i = 0; i < sizeof point; i++) {
        memcpy(point, p256_public, sizeof point);
        point[i] ^= 0x01;
        test_context("byte", i);
        refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, point, sizeof point);
    }
    test_context("all zero", 0);
    memset(point, 0, sizeof point);
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, point, sizeof point);
    point[0] = 4;
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, point, sizeof point);
    memset(point + 1, 0xff, sizeof point - 1);
    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, point, sizeof point);
}

static void import_key__public_key_of_wrong_length__is_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(ECC_PUBLIC, 256, ECDSA_SHA256, PSA_KEY_USAGE_VERIFY_HASH);
    uint8_t data[100];

    memset(data, 4, sizeof data);
    memcpy(data, p256_public, sizeof p256_public);
    for (size_t size = 1; size < sizeof data; size++) {
        test_context("bytes", size);
        if (size != sizeof p256_public) {
            refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, data, size);
        }
    }
}

static void import_key__after_refusals__leaves_every_slot_free(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(ECC_PUBLIC, 256, ECDSA_SHA256, PSA_KEY_USAGE_VERIFY_HASH);

    for (size_t i = 0; i < 20; i++) {
        refuse_import(PSA_ERROR_INVALID_ARGUMENT, &attributes, p256_hash, sizeof p256_hash);
    }
    (void)test_import(ECC_PUBLIC, ECDSA_SHA256, PSA_KEY_USAGE_VERIFY_HASH, p256_public,
                      sizeof p256_public);
}

static void export_key__short_buffer__writes_nothing_and_leaves_no_hold(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT, aes_key, sizeof aes_key);
    size_t length;

    for (size_t size = 0; size < sizeof aes_key; size++) {
        uint8_t *output = test_buffer(size);
        length = 99;
        test_context("bytes", size);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_key(key, output, size, &length));
        CHECK(length == 0);
        CHECK(test_all(output, size, 0xa5) || test_all(output, size, 0));
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void export_key__large_buffer__writes_the_key_and_no_more(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT, aes_key, sizeof aes_key);
    uint8_t *output = test_buffer(100);
    size_t length;

    EXPECT(PSA_SUCCESS, psa_export_key(key, output, 100, &length));
    CHECK_BYTES(output, length, aes_key, sizeof aes_key);
    CHECK(test_all(output + length, 100 - length, 0xa5));
}

static void export_key__without_the_flag__is_not_permitted(void)
{
    uint8_t output[64];
    size_t length = 1;
    psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_COPY,
                    aes_key, sizeof aes_key);

    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_export_key(key, output, sizeof output, &length));
    CHECK(length == 0);
    key = test_import(ECC_PAIR, ECDSA_SHA256, USAGE_ALL_HASH, p256_private, sizeof p256_private);
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_export_key(key, output, sizeof output, &length));
    CHECK(length == 0);
}

static void export_key__public_key__needs_no_flag(void)
{
    const psa_key_id_t key = test_import(ECC_PUBLIC, ECDSA_SHA256, 0, p256_public, 65);
    uint8_t *output = test_buffer(65);
    size_t length;

    EXPECT(PSA_SUCCESS, psa_export_key(key, output, 65, &length));
    CHECK_BYTES(output, length, p256_public, sizeof p256_public);
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, output, 65, &length));
    CHECK_BYTES(output, length, p256_public, sizeof p256_public);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(key, test_buffer(64), 64, &length));
    CHECK(length == 0);
}

static void export_key__pair__gives_the_private_key(void)
{
    const psa_key_id_t key =
        test_import(ECC_PAIR, ECDSA_SHA256, PSA_KEY_USAGE_EXPORT, p256_private, 32);
    uint8_t *output = test_buffer(32);
    size_t length;

    EXPECT(PSA_SUCCESS, psa_export_key(key, output, 32, &length));
    CHECK_BYTES(output, length, p256_private, sizeof p256_private);
}

static void export_public_key__pair__gives_the_public_key(void)
{
    const psa_key_id_t key = test_import(ECC_PAIR, ECDSA_SHA256, 0, p256_private, 32);
    uint8_t *output = test_buffer(65);
    size_t length;

    EXPECT(PSA_SUCCESS, psa_export_public_key(key, output, 65, &length));
    CHECK_BYTES(output, length, p256_public, sizeof p256_public);
    for (size_t size = 0; size < 65; size++) {
        output = test_buffer(size);
        length = 99;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(key, output, size, &length));
        CHECK(length == 0);
    }
}

static void export_public_key__symmetric_key__is_refused(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT, aes_key, sizeof aes_key);
    uint8_t output[65];
    size_t length = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_export_public_key(key, output, sizeof output, &length));
    CHECK(length == 0);
}

static void attributes__set__read_back(void)
{
    psa_key_attributes_t a = psa_key_attributes_init();

    CHECK(psa_get_key_type(&a) == PSA_KEY_TYPE_NONE && psa_get_key_bits(&a) == 0);
    CHECK(psa_get_key_usage_flags(&a) == 0 && psa_get_key_algorithm(&a) == PSA_ALG_NONE);
    CHECK(psa_get_key_id(&a) == PSA_KEY_ID_NULL);
    CHECK(psa_get_key_lifetime(&a) == PSA_KEY_LIFETIME_VOLATILE);
    psa_set_key_type(&a, ECC_PAIR);
    psa_set_key_bits(&a, 521);
    psa_set_key_algorithm(&a, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    psa_set_key_usage_flags(&a, PSA_KEY_USAGE_CACHE | PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_lifetime(&a, 0x80000101);
    psa_set_key_id(&a, 77);
    CHECK(psa_get_key_type(&a) == ECC_PAIR && psa_get_key_bits(&a) == 521);
    CHECK(psa_get_key_algorithm(&a) == PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    CHECK(psa_get_key_usage_flags(&a) ==
          (PSA_KEY_USAGE_CACHE | PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE));
    CHECK(psa_get_key_lifetime(&a) == 0x80000101 && psa_get_key_id(&a) == 77);
    psa_set_key_usage_flags(&a, PSA_KEY_USAGE_VERIFY_HASH);
    CHECK(psa_get_key_usage_flags(&a) ==
          (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE));
    psa_reset_key_attributes(&a);
    CHECK(psa_get_key_type(&a) == PSA_KEY_TYPE_NONE && psa_get_key_id(&a) == PSA_KEY_ID_NULL);
}

static void attributes__identifier_on_a_volatile_key__makes_it_persistent_where_it_is(void)
{
    psa_key_attributes_t a = psa_key_attributes_init();

    psa_set_key_lifetime(
        &a, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE, 0x800001));
    psa_set_key_id(&a, 5);
    CHECK(psa_get_key_lifetime(&a) ==
          PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_DEFAULT, 0x800001));
    psa_set_key_lifetime(&a, PSA_KEY_LIFETIME_VOLATILE);
    CHECK(psa_get_key_id(&a) == PSA_KEY_ID_NULL);
}

static void attributes__size_beyond_any_key__is_refused_later_and_not_cut(void)
{
    psa_key_attributes_t a =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 65536 + 8, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    refuse_import(PSA_ERROR_INVALID_ARGUMENT, &a, aes_key, 1);
}

static void get_key_attributes__key__shows_what_it_was_made_with(void)
{
    const psa_key_id_t key =
        test_import(ECC_PAIR, ECDSA_SHA256,
                    USAGE_ALL_HASH | PSA_KEY_USAGE_CACHE | PSA_KEY_USAGE_COPY, p256_private, 32);
    psa_key_attributes_t found;

    NEED(psa_get_key_attributes(key, &found));
    CHECK(psa_get_key_type(&found) == ECC_PAIR && psa_get_key_bits(&found) == 256);
    CHECK(psa_get_key_algorithm(&found) == ECDSA_SHA256 && psa_get_key_id(&found) == key);
    CHECK(psa_get_key_lifetime(&found) == PSA_KEY_LIFETIME_VOLATILE);
    CHECK(psa_get_key_usage_flags(&found) ==
          (USAGE_ALL_HASH | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE |
           PSA_KEY_USAGE_CACHE | PSA_KEY_USAGE_COPY));
}

static void get_key_attributes__no_key__resets_the_attributes(void)
{
    psa_key_attributes_t found =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT);

    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(0x40000001, &found));
    CHECK(psa_get_key_type(&found) == PSA_KEY_TYPE_NONE && psa_get_key_bits(&found) == 0);
}

static void destroy_key__null__succeeds(void)
{
    EXPECT(PSA_SUCCESS, psa_destroy_key(PSA_KEY_ID_NULL));
}

static void destroy_key__no_such_key__is_an_invalid_handle(void)
{
    const psa_key_id_t ids[] = {1,
                                PSA_KEY_ID_USER_MAX,
                                PSA_KEY_ID_VENDOR_MIN,
                                PSA_KEY_ID_VENDOR_MAX,
                                (psa_key_id_t)0x80000000,
                                (psa_key_id_t)0xffffffff};

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        test_context("identifier", i);
        EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(ids[i]));
        EXPECT(PSA_ERROR_INVALID_HANDLE, psa_purge_key(ids[i]));
    }
}

static void destroy_key__local_key__leaves_no_byte_of_it(void)
{
    uint8_t *secret = test_buffer(48);
    psa_key_id_t key;

    NEED(psa_generate_random(secret, 48));
    key = test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT, secret, 48);
    /* Or the scan would be blind. */
    CHECK(test_memory_holds(secret, 48) == TEST_KEYS_ARE_HERE);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, 48));
}

static void destroy_key__generated_pair__leaves_no_byte_of_it(void)
{
    const psa_key_id_t key =
        test_generate(ECC_PAIR, 256, ECDSA_SHA256, USAGE_ALL_HASH | PSA_KEY_USAGE_EXPORT);
    uint8_t *secret = test_buffer(32);
    uint8_t *signature = test_buffer(64);
    size_t length;

    NEED(psa_export_key(key, secret, 32, &length));
    EXPECT(PSA_SUCCESS, psa_sign_hash(key, ECDSA_SHA256, p256_hash, 32, signature, 64, &length));
    CHECK(test_memory_holds(secret, 32) == TEST_KEYS_ARE_HERE);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, 32));
}

static void purge_key__volatile_key__stays_usable(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT, aes_key, sizeof aes_key);
    uint8_t output[16];
    size_t length;

    EXPECT(PSA_SUCCESS, psa_purge_key(key));
    EXPECT(PSA_SUCCESS, psa_export_key(key, output, sizeof output, &length));
    CHECK_BYTES(output, length, aes_key, sizeof aes_key);
}

/* No client behind a wall attaches keys. */
#define LABEL_STATUS(status) (CORRAL_WALL ? PSA_ERROR_NOT_PERMITTED : (status))

static void attach_key__local__does_not_exist(void)
{
    psa_key_attributes_t attributes = test_attributes(ECC_PAIR, 256, ECDSA_SHA256, USAGE_ALL_HASH);
    const uint8_t label[] = {0};
    psa_key_id_t key = 1;

    EXPECT(LABEL_STATUS(PSA_ERROR_DOES_NOT_EXIST),
           psa_attach_key(&attributes, label, sizeof label, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_NONE);
    EXPECT(LABEL_STATUS(PSA_ERROR_INVALID_ARGUMENT),
           psa_attach_key(&attributes, label, sizeof label, &key));
    psa_set_key_type(&attributes, ECC_PAIR);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, 0x00abcdef));
    EXPECT(LABEL_STATUS(PSA_ERROR_INVALID_ARGUMENT),
           psa_attach_key(&attributes, label, sizeof label, &key));
}

static const struct test_case tests[] = {
    TEST(import_key__raw_data__is_exported_unchanged),
    TEST(import_key__no_size_in_the_attributes__takes_that_of_the_data),
    TEST(import_key__zero_length__is_refused),
    TEST(import_key__size_unlike_the_attributes__is_refused),
    TEST(import_key__size_that_no_key_has__is_refused),
    TEST(import_key__size_left_out_of_the_build__is_not_supported),
    TEST(import_key__longer_than_any_slot__is_refused),
    TEST(import_key__no_type__is_refused),
    TEST(import_key__type_left_out_of_the_build__is_not_supported),
    TEST(import_key__curve_left_out_of_the_build__is_not_supported),
    TEST(import_key__usage_flag_that_does_not_exist__is_refused),
    TEST(import_key__query_flag_as_usage__is_refused),
    TEST(import_key__unknown_location__is_refused),
    TEST(import_key__persistent_without_storage__is_not_supported),
    TEST(import_key__persistent_with_an_identifier_not_the_users__is_refused),
    TEST(import_key__pair_of_wrong_length__is_refused),
    TEST(import_key__scalar_out_of_range__is_refused),
    TEST(import_key__public_key_off_the_curve__is_refused),
    TEST(import_key__public_key_of_wrong_length__is_refused),
    TEST(import_key__after_refusals__leaves_every_slot_free),
    TEST(export_key__short_buffer__writes_nothing_and_leaves_no_hold),
    TEST(export_key__large_buffer__writes_the_key_and_no_more),
    TEST(export_key__without_the_flag__is_not_permitted),
    TEST(export_key__public_key__needs_no_flag),
    TEST(export_key__pair__gives_the_private_key),
    TEST(export_public_key__pair__gives_the_public_key),
    TEST(export_public_key__symmetric_key__is_refused),
    TEST(attributes__set__read_back),
    TEST(attributes__identifier_on_a_volatile_key__makes_it_persistent_where_it_is),
    TEST(attributes__size_beyond_any_key__is_refused_later_and_not_cut),
    TEST(get_key_attributes__key__shows_what_it_was_made_with),
    TEST(get_key_attributes__no_key__resets_the_attributes),
    TEST(destroy_key__null__succeeds),
    TEST(destroy_key__no_such_key__is_an_invalid_handle),
    TEST(destroy_key__local_key__leaves_no_byte_of_it),
    TEST(destroy_key__generated_pair__leaves_no_byte_of_it),
    TEST(purge_key__volatile_key__stays_usable),
    TEST(attach_key__local__does_not_exist),
};

TEST_SUITE(keys, tests);
