/* SPDX-License-Identifier: Apache-2.0 */
/* The seal of stored keys. */
#include <string.h>

#include <corral/config.h>

#include "../../storage/seal.h"
#include "../harness/harness.h"

#if CORRAL_SEALED_STORAGE

/* RFC 5297, A.1: key, one header, plaintext, and the output: tag and ciphertext. */
static const uint8_t rfc_key[32] = {
    0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8, 0xf7, 0xf6, 0xf5, 0xf4, 0xf3, 0xf2, 0xf1, 0xf0,
    0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
static const uint8_t rfc_header[24] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
                                       0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f,
                                       0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27};
static const uint8_t rfc_text[14] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                     0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee};
static const uint8_t rfc_tag[16] = {0x85, 0x63, 0x2d, 0x07, 0xc6, 0xe8, 0xf3, 0x7f,
                                    0x95, 0x0a, 0xcd, 0x32, 0x0a, 0x2e, 0xcc, 0x93};
static const uint8_t rfc_ciphertext[14] = {0x40, 0xc0, 0x2b, 0x96, 0x90, 0xc4, 0xdc,
                                           0x04, 0xda, 0xef, 0x7f, 0x6a, 0xfe, 0x5c};

static void siv__example_of_rfc_5297__agrees(void)
{
    uint8_t data[14];
    uint8_t tag[16];

    memcpy(data, rfc_text, sizeof data);
    EXPECT(PSA_SUCCESS,
           corral_siv_tag(rfc_key, rfc_header, sizeof rfc_header, data, sizeof data, tag));
    CHECK_BYTES(tag, sizeof tag, rfc_tag, sizeof rfc_tag);
    CHECK_BYTES(data, sizeof data, rfc_text, sizeof rfc_text);
    EXPECT(PSA_SUCCESS, corral_siv_crypt(rfc_key + 16, tag, data, sizeof data));
    CHECK_BYTES(data, sizeof data, rfc_ciphertext, sizeof rfc_ciphertext);
}

/* RFC 5297, A.2: its tag has the bit of the counter's last word that A.1's has not. */
static void siv__bits_that_a_counter_might_carry_into__are_clear(void)
{
    static const uint8_t key[16] = {0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47,
                                    0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f};
    static const uint8_t tag[16] = {0x7b, 0xdb, 0x6e, 0x3b, 0x43, 0x26, 0x67, 0xeb,
                                    0x06, 0xf4, 0xd1, 0x4b, 0xff, 0x2f, 0xbd, 0x0f};
    static const uint8_t ciphertext[] = {0xcb, 0x90, 0x0f, 0x2f, 0xdd, 0xbe, 0x40, 0x43, 0x26, 0x60,
                                         0x19, 0x65, 0xc8, 0x89, 0xbf, 0x17, 0xdb, 0xa7, 0x7c, 0xeb,
                                         0x09, 0x4f, 0xa6, 0x63, 0xb7, 0xa3, 0xf7, 0x48, 0xba, 0x8a,
                                         0xf8, 0x29, 0xea, 0x64, 0xad, 0x54, 0x4a, 0x27, 0x2e, 0x9c,
                                         0x48, 0x5b, 0x62, 0xa3, 0xfd, 0x5c, 0x0d};
    uint8_t data[] = "this is some plaintext to encrypt using SIV-AES";

    EXPECT(PSA_SUCCESS, corral_siv_crypt(key, tag, data, sizeof data - 1));
    CHECK_BYTES(data, sizeof data - 1, ciphertext, sizeof ciphertext);
}

static void seal__every_size__is_undone(void)
{
    uint8_t header[10];
    uint8_t text[70];
    uint8_t tag[16];

    test_fill(header, sizeof header, 1);
    test_fill(text, sizeof text, 2);
    for (size_t size = 0; size <= sizeof text; size++) {
        uint8_t *data = test_copy(text, size);
        EXPECT(PSA_SUCCESS, corral_seal(header, sizeof header, data, size, tag));
        CHECK(size < 8 || memcmp(data, text, size) != 0);
        EXPECT(PSA_SUCCESS, corral_unseal(header, sizeof header, data, size, tag));
        CHECK_BYTES(data, size, text, size);
    }
}

static void unseal__any_changed_byte__is_corrupt_and_reveals_nothing(void)
{
    uint8_t whole[10 + 16 + 40];
    uint8_t sealed[sizeof whole];

    test_fill(whole, sizeof whole, 3);
    EXPECT(PSA_SUCCESS, corral_seal(whole, 10, whole + 26, 40, whole + 10));
    for (size_t i = 0; i < sizeof whole; i++) {
        memcpy(sealed, whole, sizeof whole);
        sealed[i] ^= 0x04;
        EXPECT(PSA_ERROR_DATA_CORRUPT, corral_unseal(sealed, 10, sealed + 26, 40, sealed + 10));
        CHECK(test_all(sealed + 26, 40, 0));
    }
}

static const struct test_case tests[] = {
    TEST(siv__example_of_rfc_5297__agrees),
    TEST(siv__bits_that_a_counter_might_carry_into__are_clear),
    TEST(seal__every_size__is_undone),
    TEST(unseal__any_changed_byte__is_corrupt_and_reveals_nothing),
};
TEST_SUITE(seal, tests);

#endif
