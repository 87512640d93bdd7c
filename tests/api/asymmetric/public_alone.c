/* SPDX-License-Identifier: Apache-2.0 */
/* A curve with only public keys, beside one with pairs
 * (CORRAL_KEY_PAIRS_ECC_SECP_R1_384=n). */
#include "../../harness/harness.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define BITS 384u
#define BYTES 48u

/* RFC 6979, A.2.6: a public key on P-384, and the signature of "sample" with SHA-256. */
static const uint8_t public_key[1 + 2 * BYTES] = {
    0x04, 0xec, 0x3a, 0x4e, 0x41, 0x5b, 0x4e, 0x19, 0xa4, 0x56, 0x86, 0x18, 0x02, 0x9f,
    0x42, 0x7f, 0xa5, 0xda, 0x9a, 0x8b, 0xc4, 0xae, 0x92, 0xe0, 0x2e, 0x06, 0xaa, 0xe5,
    0x28, 0x6b, 0x30, 0x0c, 0x64, 0xde, 0xf8, 0xf0, 0xea, 0x90, 0x55, 0x86, 0x60, 0x64,
    0xa2, 0x54, 0x51, 0x54, 0x80, 0xbc, 0x13, 0x80, 0x15, 0xd9, 0xb7, 0x2d, 0x7d, 0x57,
    0x24, 0x4e, 0xa8, 0xef, 0x9a, 0xc0, 0xc6, 0x21, 0x89, 0x67, 0x08, 0xa5, 0x93, 0x67,
    0xf9, 0xdf, 0xb9, 0xf5, 0x4c, 0xa8, 0x4b, 0x3f, 0x1c, 0x9d, 0xb1, 0x28, 0x8b, 0x23,
    0x1c, 0x3a, 0xe0, 0xd4, 0xfe, 0x73, 0x44, 0xfd, 0x25, 0x33, 0x26, 0x47, 0x20,
};
static const uint8_t signature[2 * BYTES] = {
    0x21, 0xb1, 0x3d, 0x1e, 0x01, 0x3c, 0x7f, 0xa1, 0x39, 0x2d, 0x03, 0xc5, 0xf9, 0x9a, 0xf8, 0xb3,
    0x0c, 0x57, 0x0c, 0x6f, 0x98, 0xd4, 0xea, 0x8e, 0x35, 0x4b, 0x63, 0xa2, 0x1d, 0x3d, 0xaa, 0x33,
    0xbd, 0xe1, 0xe8, 0x88, 0xe6, 0x33, 0x55, 0xd9, 0x2f, 0xa2, 0xb3, 0xc3, 0x6d, 0x8f, 0xb2, 0xcd,
    0xf3, 0xaa, 0x44, 0x3f, 0xb1, 0x07, 0x74, 0x5b, 0xf4, 0xbd, 0x77, 0xcb, 0x38, 0x91, 0x67, 0x46,
    0x32, 0x06, 0x8a, 0x10, 0xca, 0x67, 0xe3, 0xd4, 0x5d, 0xb2, 0x26, 0x6f, 0xa7, 0xd1, 0xfe, 0xeb,
    0xef, 0xdc, 0x63, 0xec, 0xcd, 0x1a, 0xc4, 0x2e, 0xc0, 0xcb, 0x86, 0x68, 0xa4, 0xfa, 0x0a, 0xb0,
};
static const uint8_t message[] = {'s', 'a', 'm', 'p', 'l', 'e'};

static void public_alone__signature_of_others__is_judged(void)
{
    const psa_key_id_t key =
        test_import(PUBLIC, ECDSA, PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_EXPORT, public_key,
                    sizeof public_key);
    uint8_t *exported = test_buffer(sizeof public_key);
    uint8_t *forged = test_copy(signature, sizeof signature);
    size_t n;

    EXPECT(PSA_SUCCESS,
           psa_verify_message(key, ECDSA, message, sizeof message, signature, sizeof signature));
    forged[sizeof signature - 1] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message(key, ECDSA, message, sizeof message, forged, sizeof signature));
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, exported, sizeof public_key, &n));
    CHECK_BYTES(exported, n, public_key, sizeof public_key);
}

static void public_alone__pair__is_neither_imported_nor_generated(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PAIR, BITS, ECDSA, PSA_KEY_USAGE_SIGN_MESSAGE);
    uint8_t *secret = test_buffer(BYTES);
    psa_key_id_t key = 1;

    secret[0] = 1; /* less than the order of the curve */
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_import_key(&attributes, secret, BYTES, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    key = 1;
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void public_alone__size_that_follows_from_the_key__is_refused_as_well(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PAIR, 0, ECDSA, PSA_KEY_USAGE_SIGN_MESSAGE);
    uint8_t *secret = test_buffer(BYTES);
    psa_key_id_t key = 1;

    secret[0] = 1;
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_import_key(&attributes, secret, BYTES, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void public_alone__pairs_of_another_curve__sign_and_fill_every_slot(void)
{
    uint8_t *made = test_buffer(64);
    size_t n;

    for (unsigned i = 0; i < CORRAL_KEY_PAIR_SLOTS; i++) {
        const psa_key_id_t key = test_generate(PAIR, 256, ECDSA, PSA_KEY_USAGE_SIGN_MESSAGE);

        EXPECT(PSA_SUCCESS, psa_sign_message(key, ECDSA, message, sizeof message, made, 64, &n));
        CHECK(n == 64);
    }
}

static const struct test_case tests[] = {
    TEST(public_alone__signature_of_others__is_judged),
    TEST(public_alone__pair__is_neither_imported_nor_generated),
    TEST(public_alone__size_that_follows_from_the_key__is_refused_as_well),
    TEST(public_alone__pairs_of_another_curve__sign_and_fill_every_slot),
};

TEST_SUITE(public_alone, tests);
