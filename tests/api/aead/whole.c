/* SPDX-License-Identifier: Apache-2.0 */
/* Whole messages: statuses, tags, nonces, policies (PSA Crypto 1.5, 10.6.2). */
#include "aead_test.h"

static void encrypt__room_as_the_macros_say__suffices_and_less_does_not(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        const size_t size = PSA_AEAD_ENCRYPT_OUTPUT_SIZE(a->type, a->alg, TEXT_SIZE);
        uint8_t *whole = test_buffer(size);
        uint8_t *back = test_buffer(TEXT_SIZE);
        size_t n;
        CHECK(size == WHOLE_SIZE && a->nonce_length == PSA_AEAD_NONCE_LENGTH(a->type, a->alg));
        CHECK(PSA_AEAD_DECRYPT_OUTPUT_SIZE(a->type, a->alg, size) == TEXT_SIZE);
        EXPECT(PSA_SUCCESS, seal(a, key, a->alg, whole, size, &n));
        CHECK(n == size);
        EXPECT(PSA_SUCCESS, unseal(a, key, a->alg, whole, size, back, TEXT_SIZE, &n));
        CHECK_BYTES(back, n, text, TEXT_SIZE);
        n = 1;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               unseal(a, key, a->alg, whole, size, back, TEXT_SIZE - 1, &n));
        CHECK(n == 0 && test_all(back, TEXT_SIZE - 1, 0));
        n = 1;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, seal(a, key, a->alg, whole, size - 1, &n));
        CHECK(n == 0 && test_all(whole, size - 1, 0));
    }
}

static void text__of_no_bytes__is_sealed_as_a_tag_alone(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        uint8_t tag[TAG_SIZE];
        size_t n = 1;

        for (size_t room = 0; room < TAG_SIZE; room++) {
            test_context("algorithm * 100 + room", i * 100 + room);
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                   psa_aead_encrypt(key, a->alg, nonce, a->nonce_length, NULL, 0, NULL, 0,
                                    test_buffer(room), room, &n));
            CHECK(n == 0);
        }
        test_context("algorithm", i);
        EXPECT(PSA_SUCCESS, psa_aead_encrypt(key, a->alg, nonce, a->nonce_length, NULL, 0, NULL, 0,
                                             tag, sizeof tag, &n));
        CHECK(n == sizeof tag);
        EXPECT(PSA_SUCCESS, psa_aead_decrypt(key, a->alg, nonce, a->nonce_length, NULL, 0, tag,
                                             sizeof tag, NULL, 0, &n));
        CHECK(n == 0);
        tag[TAG_SIZE - 1] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_aead_decrypt(key, a->alg, nonce, a->nonce_length, NULL, 0, tag, sizeof tag, NULL,
                                0, &n));
        test_free_buffers();
    }
}

/* Every length of tag that the six bits can say. */
static void tags__of_every_length__are_those_of_the_specification(void)
{
    static const bool is_ccm[17] = {
        [4] = 1, [6] = 1, [8] = 1, [10] = 1, [12] = 1, [14] = 1, [16] = 1};
    static const bool is_gcm[17] = {
        [4] = 1, [8] = 1, [12] = 1, [13] = 1, [14] = 1, [15] = 1, [16] = 1};

    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        for (size_t length = 0; length < 64; length++) {
            const psa_algorithm_t alg = PSA_ALG_AEAD_WITH_SHORTENED_TAG(a->alg, length);
            const bool is_right = length <= 16 && (a->alg == PSA_ALG_CCM   ? is_ccm[length]
                                                   : a->alg == PSA_ALG_GCM ? is_gcm[length]
                                                                           : length == 16);
            const psa_key_id_t key = key_with(a, alg, BOTH);
            uint8_t whole[TEXT_SIZE + 64];
            uint8_t back[TEXT_SIZE + 64];
            size_t n = 1;
            psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
            test_context("algorithm * 100 + tag", i * 100 + length);
            EXPECT(is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
                   seal(a, key, alg, whole, sizeof whole, &n));
            CHECK(n == (is_right ? TEXT_SIZE + length : 0));
            EXPECT(is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
                   psa_aead_encrypt_setup(&operation, key, alg));
            EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
            EXPECT(is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
                   unseal(a, key, alg, whole, TEXT_SIZE + length, back, sizeof back, &n));
            if (is_right) {
                CHECK_BYTES(back, n, text, TEXT_SIZE);
                whole[TEXT_SIZE + length - 1] ^= 0x80;
                EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                       unseal(a, key, alg, whole, TEXT_SIZE + length, back, sizeof back, &n));
                CHECK(n == 0 && test_all(back, sizeof back, 0));
                EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                       unseal(a, key, alg, whole, length - 1, back, sizeof back, &n));
            }
            test_destroy_keys();
        }
    }
}

static void nonces__of_every_length__are_those_of_the_specification(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t key = key_for(a);
        for (size_t length = 0; length <= 40; length++) {
            uint8_t long_nonce[40] = {1};
            uint8_t whole[WHOLE_SIZE];
            psa_status_t expected = PSA_ERROR_INVALID_ARGUMENT;
            size_t n;
            if (a->alg == PSA_ALG_CCM ? length >= 7 && length <= 13
                                      : (a->alg == PSA_ALG_GCM ? length > 0 : length == 12)) {
                expected = PSA_SUCCESS;
            } else if (a->alg == PSA_ALG_CHACHA20_POLY1305 && length == 8) {
                expected = PSA_ERROR_NOT_SUPPORTED;
            }
            test_context("algorithm * 100 + nonce", i * 100 + length);
            EXPECT(expected, psa_aead_encrypt(key, a->alg, test_copy(long_nonce, length), length,
                                              NULL, 0, text, TEXT_SIZE, whole, sizeof whole, &n));
            psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
            NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
            NEED(psa_aead_set_lengths(&operation, 0, TEXT_SIZE));
            EXPECT(expected, psa_aead_set_nonce(&operation, test_copy(long_nonce, length), length));
            EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
            test_free_buffers();
        }
    }
}

static void ccm__text_that_the_nonce_leaves_no_room_for__is_refused(void)
{
    const struct algorithm *const a = &algorithms[0];
    const psa_key_id_t key = key_for(a);
    static uint8_t large[0x10000 + TAG_SIZE];
    size_t n;

    /* 13 bytes of nonce leave two for the length. */
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_aead_encrypt(key, a->alg, nonce, 13, NULL, 0, large,
                                                        0x10000, large, sizeof large, &n));
    EXPECT(PSA_SUCCESS, psa_aead_encrypt(key, a->alg, nonce, 13, NULL, 0, large, 0xffff, large,
                                         sizeof large, &n));
    EXPECT(PSA_SUCCESS,
           psa_aead_decrypt(key, a->alg, nonce, 13, NULL, 0, large, n, large, sizeof large, &n));
    CHECK(n == 0xffff && test_all(large, n, 0));
    EXPECT(PSA_SUCCESS, psa_aead_encrypt(key, a->alg, nonce, 12, NULL, 0, large, 0x10000, large,
                                         sizeof large, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_aead_decrypt(key, a->alg, nonce, 13, NULL, 0, large,
                                                        sizeof large, large, sizeof large, &n));
}

static void wildcards_and_other_algorithms__are_refused(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_algorithm_t any = PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(a->alg, 4);
        const psa_algorithm_t none[] = {any, PSA_ALG_CBC_PKCS7, PSA_ALG_SHA_256,
                                        PSA_ALG_CCM_STAR_ANY_TAG};
        for (size_t j = 0; j < sizeof none / sizeof none[0]; j++) {
            const psa_key_id_t key = key_with(a, none[j], BOTH);
            psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
            uint8_t whole[WHOLE_SIZE];
            size_t n = 1;
            EXPECT(PSA_ERROR_INVALID_ARGUMENT, seal(a, key, none[j], whole, sizeof whole, &n));
            CHECK(n == 0);
            EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                   unseal(a, key, none[j], whole, sizeof whole, whole, sizeof whole, &n));
            EXPECT(PSA_ERROR_INVALID_ARGUMENT, unseal(a, key, none[j], whole, 3, whole, 3, &n));
            const psa_status_t wanted =
                PSA_ALG_IS_CIPHER(none[j]) ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
            EXPECT(wanted, psa_aead_encrypt_setup(&operation, key, none[j]));
            EXPECT(wanted, psa_aead_decrypt_setup(&operation, key, none[j]));
            CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
        }
        test_destroy_keys();
    }
}

static void algorithms__of_another_type_of_key__are_not_supported(void)
{
    const psa_algorithm_t others[] = {PSA_ALG_CHACHA20_POLY1305, PSA_ALG_GCM, PSA_ALG_CCM};

    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_algorithm_t alg = others[a->type == PSA_KEY_TYPE_AES ? 0 : i % 2 + 1];
        const psa_key_id_t key = key_with(a, alg, BOTH);
        uint8_t whole[WHOLE_SIZE];
        size_t n;
        EXPECT(PSA_ERROR_NOT_SUPPORTED, seal(a, key, alg, whole, sizeof whole, &n));
        EXPECT(PSA_ERROR_NOT_SUPPORTED,
               unseal(a, key, alg, whole, sizeof whole, whole, sizeof whole, &n));
        EXPECT(PSA_ERROR_NOT_SUPPORTED, unseal(a, key, alg, whole, 2, whole, sizeof whole, &n));
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_aead_encrypt_setup(&operation, key, alg));
        EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_aead_decrypt_setup(&operation, key, alg));
    }
}

/* From 0xff00 bytes on their length is written otherwise (RFC 3610, 2.2); with 14 and 0xff0a bytes
 * it ends a block. Tags of libcrypto. */
static void ccm__additional_data_around_the_longer_length__has_the_tag_of_another_library(void)
{
    const struct {
        size_t length;
        uint8_t tag[TAG_SIZE];
    } rows[] = {
        {0xe,
         {0xbe, 0x39, 0xfa, 0x1e, 0x9c, 0x9f, 0xcf, 0xc8, 0xe2, 0xdb, 0xa4, 0xde, 0xf7, 0xd9, 0xac,
          0x2f}},
        {0xfeff,
         {0xc0, 0x35, 0x58, 0x57, 0x3b, 0xdf, 0x65, 0x81, 0xc7, 0x1d, 0x04, 0x3c, 0xce, 0xd3, 0xae,
          0x2c}},
        {0xff00,
         {0x6f, 0x3a, 0xff, 0x00, 0x55, 0xdd, 0xae, 0x5c, 0xd3, 0x08, 0x19, 0xa6, 0xc5, 0x9d, 0xb0,
          0x27}},
        {0xff01,
         {0x38, 0x8c, 0xbd, 0x6c, 0x46, 0x3d, 0xe5, 0x46, 0x8d, 0xf4, 0xb3, 0x32, 0x5f, 0x54, 0xa0,
          0x5d}},
        {0xff0a,
         {0x2f, 0x28, 0x72, 0xfb, 0x97, 0x2d, 0xc4, 0x93, 0xcb, 0xd3, 0x17, 0x91, 0x6d, 0x9a, 0x37,
          0x0b}},
    };
    const struct algorithm *const a = &algorithms[0];
    uint8_t bytes[256];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)i;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_id_t key = key_for(a);
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        uint8_t tag[TAG_SIZE];
        size_t n = 1;
        size_t m = 1;

        test_context("length", rows[i].length);
        NEED(psa_aead_encrypt_setup(&operation, key, a->alg));
        NEED(psa_aead_set_lengths(&operation, rows[i].length, 0));
        const psa_status_t status = psa_aead_set_nonce(&operation, nonce, a->nonce_length);
        if (status == PSA_ERROR_NOT_SUPPORTED && rows[i].length >= 0xff00) {
            continue; /* a library that knows only the short form */
        }
        NEED(status);
        for (size_t done = 0; done < rows[i].length; done += sizeof bytes) {
            const size_t rest = rows[i].length - done;
            NEED(psa_aead_update_ad(&operation, bytes, rest < sizeof bytes ? rest : sizeof bytes));
        }
        EXPECT(PSA_SUCCESS, psa_aead_finish(&operation, NULL, 0, &n, tag, sizeof tag, &m));
        CHECK(n == 0);
        CHECK_BYTES(tag, m, rows[i].tag, TAG_SIZE);
    }
}

static void keys__without_permission_or_unknown__are_refused(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_key_id_t seals = key_with(a, a->alg, PSA_KEY_USAGE_ENCRYPT);
        const psa_key_id_t opens = key_with(a, a->alg, PSA_KEY_USAGE_DECRYPT);
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        uint8_t whole[WHOLE_SIZE];
        uint8_t back[TEXT_SIZE];
        size_t n;
        EXPECT(PSA_ERROR_NOT_PERMITTED, seal(a, opens, a->alg, whole, sizeof whole, &n));
        EXPECT(PSA_SUCCESS, seal(a, seals, a->alg, whole, sizeof whole, &n));
        EXPECT(PSA_ERROR_NOT_PERMITTED, unseal(a, seals, a->alg, whole, n, back, sizeof back, &n));
        EXPECT(PSA_SUCCESS, unseal(a, opens, a->alg, whole, WHOLE_SIZE, back, sizeof back, &n));
        EXPECT(PSA_ERROR_NOT_PERMITTED, psa_aead_encrypt_setup(&operation, opens, a->alg));
        EXPECT(PSA_ERROR_NOT_PERMITTED, psa_aead_decrypt_setup(&operation, seals, a->alg));
        EXPECT(PSA_ERROR_INVALID_HANDLE, seal(a, 0, a->alg, whole, sizeof whole, &n));
        EXPECT(PSA_ERROR_INVALID_HANDLE, psa_aead_encrypt_setup(&operation, 77, a->alg));
        EXPECT(PSA_SUCCESS, psa_destroy_key(seals));
        EXPECT(PSA_ERROR_INVALID_HANDLE, seal(a, seals, a->alg, whole, sizeof whole, &n));
        test_destroy_keys();
    }
}

static psa_status_t status_of(const struct algorithm *a, psa_algorithm_t policy,
                              psa_algorithm_t alg)
{
    const psa_key_id_t key = key_with(a, policy, BOTH);
    uint8_t whole[WHOLE_SIZE];
    size_t n;

    const psa_status_t status = seal(a, key, alg, whole, sizeof whole, &n);
    test_destroy_keys();
    return status;
}

static void policy__at_least_this_tag__permits_it_and_longer_ones(void)
{
    const struct algorithm *const ccm = &algorithms[0];
    const struct algorithm *const gcm = &algorithms[1];

    for (size_t least = 1; least <= 16; least++) {
        const psa_algorithm_t policy =
            PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, least);
        for (size_t length = 4; length <= 16; length += 2) {
            EXPECT(length >= least ? PSA_SUCCESS : PSA_ERROR_NOT_PERMITTED,
                   status_of(ccm, policy, PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, length)));
        }
        EXPECT(PSA_ERROR_NOT_PERMITTED, status_of(gcm, policy, PSA_ALG_GCM));
    }
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           status_of(ccm, PSA_ALG_CCM, PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 8)));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           status_of(ccm, PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 8), PSA_ALG_CCM));
}

static void policy__any_ccm_star__permits_every_tag_of_ccm_alone(void)
{
    const struct algorithm *const ccm = &algorithms[0];
    const struct algorithm *const gcm = &algorithms[1];

    for (size_t length = 4; length <= 16; length += 2) {
        EXPECT(PSA_SUCCESS, status_of(ccm, PSA_ALG_CCM_STAR_ANY_TAG,
                                      PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, length)));
    }
    EXPECT(PSA_ERROR_NOT_PERMITTED, status_of(gcm, PSA_ALG_CCM_STAR_ANY_TAG, PSA_ALG_GCM));
}

static psa_algorithm_t copied(psa_algorithm_t a, psa_algorithm_t b)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t copy = 0;

    const psa_key_id_t key = key_with(&algorithms[0], a, BOTH | PSA_KEY_USAGE_COPY);
    psa_set_key_algorithm(&attributes, b);
    psa_set_key_usage_flags(&attributes, BOTH);
    if (psa_copy_key(key, &attributes, &copy) == PSA_SUCCESS) {
        NEED(psa_get_key_attributes(copy, &attributes));
    } else {
        psa_set_key_algorithm(&attributes, PSA_ALG_NONE);
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(copy));
    test_destroy_keys();
    return psa_get_key_algorithm(&attributes);
}

static void copy__two_policies__leaves_what_both_permit(void)
{
    const psa_algorithm_t eight = PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 8);
    const psa_algorithm_t twelve = PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 12);
    const psa_algorithm_t exactly_ten = PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 10);
    const psa_algorithm_t any = PSA_ALG_CCM_STAR_ANY_TAG;
    const struct {
        psa_algorithm_t a, b, both;
    } cases[] = {
        {eight, twelve, twelve},
        {eight, exactly_ten, exactly_ten},
        {twelve, exactly_ten, 0},
        {any, eight, eight},
        {any, PSA_ALG_CCM, PSA_ALG_CCM},
        {any, PSA_ALG_GCM, 0},
        {eight, PSA_ALG_GCM, 0},
        {PSA_ALG_CCM, exactly_ten, 0},
        {any, any, any},
        {any, PSA_ALG_CCM_STAR_NO_TAG, PSA_ALG_CCM_STAR_NO_TAG},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_context("case", i);
        CHECK(copied(cases[i].a, cases[i].b) == cases[i].both);
        CHECK(copied(cases[i].b, cases[i].a) == cases[i].both);
    }
}

static void check_key_usage__says_what_the_operations_would(void)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const struct algorithm *const a = &algorithms[i];
        const psa_algorithm_t any = PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(a->alg, 4);
        const psa_key_id_t key = key_with(a, any, PSA_KEY_USAGE_ENCRYPT);
        EXPECT(PSA_SUCCESS, psa_check_key_usage(key, a->alg, PSA_KEY_USAGE_ENCRYPT));
        EXPECT(PSA_ERROR_NOT_PERMITTED, psa_check_key_usage(key, a->alg, PSA_KEY_USAGE_DECRYPT));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_check_key_usage(key, any, PSA_KEY_USAGE_ENCRYPT));
        EXPECT(a->type == PSA_KEY_TYPE_AES ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
               psa_check_key_usage(key, PSA_ALG_AEAD_WITH_SHORTENED_TAG(a->alg, 8),
                                   PSA_KEY_USAGE_ENCRYPT));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_check_key_usage(key, PSA_ALG_AEAD_WITH_SHORTENED_TAG(a->alg, 5),
                                   PSA_KEY_USAGE_ENCRYPT));
        test_destroy_keys();
    }
}

/* A driver that finds at the end of a message that it does not do this. */
static bool gives_up;

psa_status_t __real_mbedtls_driver_chachapoly_finish(void *operation, uint8_t *tag, size_t tag_size,
                                                     size_t *tag_length);
psa_status_t __wrap_mbedtls_driver_chachapoly_finish(void *operation, uint8_t *tag, size_t tag_size,
                                                     size_t *tag_length);

psa_status_t __wrap_mbedtls_driver_chachapoly_finish(void *operation, uint8_t *tag, size_t tag_size,
                                                     size_t *tag_length)
{
    return gives_up ? PSA_ERROR_NOT_SUPPORTED
                    : __real_mbedtls_driver_chachapoly_finish(operation, tag, tag_size, tag_length);
}

static void decrypt__driver_that_gives_up_in_the_middle__leaves_no_text(void)
{
    const struct algorithm *const a = &algorithms[ALGORITHM_COUNT - 1];
    const psa_key_id_t key = key_for(a);
    uint8_t whole[WHOLE_SIZE];
    uint8_t room[TEXT_SIZE]; /* with the additional data in it, so that it is done in parts */
    size_t n;

    NEED(seal(a, key, a->alg, whole, sizeof whole, &n));
    for (unsigned i = 0; i < 2; i++) {
        memcpy(room, ad, AD_SIZE);
        gives_up = i == 1;
        const psa_status_t status =
            psa_aead_decrypt(key, a->alg, nonce, a->nonce_length, room, AD_SIZE, whole,
                             sizeof whole, room, sizeof room, &n);
        gives_up = false;
        EXPECT(i == 1 ? PSA_ERROR_NOT_SUPPORTED : PSA_SUCCESS, status);
        CHECK(n == (i == 1 ? 0 : TEXT_SIZE));
        CHECK(i == 1 ? test_all(room, TEXT_SIZE, 0) : memcmp(room, text, TEXT_SIZE) == 0);
    }
}

static const struct test_case tests[] = {
    TEST(encrypt__room_as_the_macros_say__suffices_and_less_does_not),
    TEST(text__of_no_bytes__is_sealed_as_a_tag_alone),
    TEST(tags__of_every_length__are_those_of_the_specification),
    TEST(nonces__of_every_length__are_those_of_the_specification),
    TEST(ccm__text_that_the_nonce_leaves_no_room_for__is_refused),
    TEST(wildcards_and_other_algorithms__are_refused),
    TEST(algorithms__of_another_type_of_key__are_not_supported),
    TEST(ccm__additional_data_around_the_longer_length__has_the_tag_of_another_library),
    TEST(keys__without_permission_or_unknown__are_refused),
    TEST(policy__at_least_this_tag__permits_it_and_longer_ones),
    TEST(policy__any_ccm_star__permits_every_tag_of_ccm_alone),
    TEST(copy__two_policies__leaves_what_both_permit),
    TEST(check_key_usage__says_what_the_operations_would),
    TEST(decrypt__driver_that_gives_up_in_the_middle__leaves_no_text),
};

TEST_SUITE(aead_whole, tests);
