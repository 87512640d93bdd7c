/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole messages in a build that lacks messages in parts of one direction. Keys are on the trusted
 * side of a wall where the board has one beside the application's core.
 */
#include <string.h>

#include <corral/locations.h>

#include "../../harness/harness.h"

#ifdef CORRAL_LOCATION_TRUSTED
#define LOCATION CORRAL_LOCATION_TRUSTED
#else
#define LOCATION PSA_KEY_LOCATION_LOCAL_STORAGE
#endif

/* NIST SP 800-38A, F.1.1: the first block. */
static const uint8_t key_bytes[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                      0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t plain[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                  0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t secret[16] = {0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60,
                                   0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66, 0xef, 0x97};
static const uint8_t nonce[13] = {1};

static psa_key_id_t import(psa_algorithm_t alg)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 0, alg, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, LOCATION));
    NEED(psa_import_key(&attributes, key_bytes, sizeof key_bytes, &key));
    return key;
}

static void cipher__whole_message__is_served_in_both_directions(void)
{
    const psa_key_id_t key = import(PSA_ALG_ECB_NO_PADDING);
    uint8_t output[sizeof plain];
    size_t length = 0;

    EXPECT(PSA_SUCCESS, psa_cipher_encrypt(key, PSA_ALG_ECB_NO_PADDING, plain, sizeof plain, output,
                                           sizeof output, &length));
    CHECK_BYTES(output, length, secret, sizeof secret);
    EXPECT(PSA_SUCCESS, psa_cipher_decrypt(key, PSA_ALG_ECB_NO_PADDING, secret, sizeof secret,
                                           output, sizeof output, &length));
    CHECK_BYTES(output, length, plain, sizeof plain);
    NEED(psa_destroy_key(key));
}

/* Neither in place nor apart, so that the core takes it in parts. */
static void aead__whole_message_that_overlaps__is_served_in_both_directions(void)
{
    const psa_key_id_t key = import(PSA_ALG_CCM);
    uint8_t message[1 + sizeof plain + 16];
    uint8_t *const behind = message + 1;
    size_t length = 0;

    memcpy(behind, plain, sizeof plain);
    EXPECT(PSA_SUCCESS, psa_aead_encrypt(key, PSA_ALG_CCM, nonce, sizeof nonce, NULL, 0, behind,
                                         sizeof plain, message, sizeof message, &length));
    memmove(behind, message, length);
    EXPECT(PSA_SUCCESS, psa_aead_decrypt(key, PSA_ALG_CCM, nonce, sizeof nonce, NULL, 0, behind,
                                         length, message, sizeof message, &length));
    CHECK_BYTES(message, length, plain, sizeof plain);
    NEED(psa_destroy_key(key));
}

static const struct test_case tests[] = {
    TEST(cipher__whole_message__is_served_in_both_directions),
    TEST(aead__whole_message_that_overlaps__is_served_in_both_directions),
};
static TEST_SUITE(whole_messages, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_whole_messages};

    return test_initialise_and_run(suites, 1);
}
