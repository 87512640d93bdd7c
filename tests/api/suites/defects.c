/* SPDX-License-Identifier: Apache-2.0 */
/* Defects that were reproduced in other implementations: each would be found here. */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/scan.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECC_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA_256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define BOTH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define ROUNDS 300u /* more than a hold counter of 8 bits can count */

static void sign_hash__signature_buffer_too_small__the_key_can_still_be_destroyed(void)
{
    const psa_key_id_t pair = test_import(ECC_PAIR, ECDSA_256, BOTH, p256_private, 32);
    uint8_t signature[63];
    size_t n;

    for (unsigned i = 0; i < ROUNDS; i++) {
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, sizeof signature, &n));
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_message(pair, ECDSA_256, abc, 3, signature, sizeof signature, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(pair));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(pair));
    CHECK(!test_memory_holds(p256_private, 32));
}

static void generate_key__symmetric_key_of_no_bytes__is_refused(void)
{
    const psa_key_type_t types[] = {PSA_KEY_TYPE_AES, PSA_KEY_TYPE_HMAC, PSA_KEY_TYPE_RAW_DATA,
                                    PSA_KEY_TYPE_DERIVE};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(types[i], 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
        psa_key_id_t key = 1;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_generate_key(&attributes, &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
}

static void import_key__pair_of_any_length__never_overruns_its_slot(void)
{
    const psa_key_attributes_t attributes = test_attributes(ECC_PAIR, 256, ECDSA_256, BOTH);
    /* The neighbour in the pool shows an overrun that no sanitizer sees. */
    const psa_key_id_t neighbour =
        test_import(ECC_PAIR, ECDSA_256, BOTH | PSA_KEY_USAGE_EXPORT, p256_private, 32);
    static uint8_t data[1024];
    uint8_t output[32];
    size_t n;

    memset(data, 0x11, sizeof data);
    for (size_t size = 33; size <= sizeof data; size += 31) {
        psa_key_id_t key = 1;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, size, &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
    EXPECT(PSA_SUCCESS, psa_export_key(neighbour, output, sizeof output, &n));
    CHECK_BYTES(output, n, p256_private, 32);
}

static void import_key__public_key_not_on_the_curve__is_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(ECC_PUBLIC, 256, ECDSA_256, PSA_KEY_USAGE_VERIFY_HASH);
    uint8_t point[65];
    psa_key_id_t key = 1;

    memcpy(point, p256_public, sizeof point);
    point[64] ^= 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, point, sizeof point, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void verify_hash__bad_signature__is_an_invalid_signature(void)
{
    const psa_key_id_t key =
        test_import(ECC_PUBLIC, ECDSA_256, PSA_KEY_USAGE_VERIFY_HASH, p256_public, 65);
    uint8_t signature[64];

    memcpy(signature, p256_signature, sizeof signature);
    signature[7] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_hash(key, ECDSA_256, p256_hash, 32, signature, sizeof signature));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message(key, ECDSA_256, p256_message, 6, signature, sizeof signature));
}

static void import_key__persistent__is_refused_rather_than_stored_in_clear(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t key = 1;

    psa_set_key_id(&attributes, 1);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_import_key(&attributes, aes_key, 16, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    CHECK(!test_memory_holds(aes_key, 16));
}

static void sign_hash__length__is_what_was_written_and_not_the_room(void)
{
    const psa_key_id_t pair = test_import(ECC_PAIR, ECDSA_256, BOTH, p256_private, 32);
    uint8_t signature[200];
    size_t n;

    EXPECT(PSA_SUCCESS,
           psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, sizeof signature, &n));
    CHECK(n == 64);
}

static const struct test_case tests[] = {
    TEST(sign_hash__signature_buffer_too_small__the_key_can_still_be_destroyed),
    TEST(generate_key__symmetric_key_of_no_bytes__is_refused),
    TEST(import_key__pair_of_any_length__never_overruns_its_slot),
    TEST(import_key__public_key_not_on_the_curve__is_refused),
    TEST(verify_hash__bad_signature__is_an_invalid_signature),
    TEST(import_key__persistent__is_refused_rather_than_stored_in_clear),
    TEST(sign_hash__length__is_what_was_written_and_not_the_room),
};

TEST_SUITE(defects, tests);
