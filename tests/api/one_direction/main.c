/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in parts, in a build with one direction of these: the other one is refused. */
#include <corral/config.h>

#include "../../harness/harness.h"

/* NIST SP 800-38A, F.2.1 and F.2.2, CBC-AES128: the first block. */
static const uint8_t key_bytes[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                      0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t iv[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t plain[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                  0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t secret[16] = {0x76, 0x49, 0xab, 0xac, 0x81, 0x19, 0xb2, 0x46,
                                   0xce, 0xe9, 0x8e, 0x9b, 0x12, 0xe9, 0x19, 0x7d};

static psa_key_id_t import(psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    NEED(psa_import_key(&attributes, key_bytes, sizeof key_bytes, &key));
    return key;
}

static psa_status_t set_up(psa_cipher_operation_t *operation, psa_key_id_t key, bool is_encrypt)
{
    return is_encrypt ? psa_cipher_encrypt_setup(operation, key, PSA_ALG_CBC_NO_PADDING)
                      : psa_cipher_decrypt_setup(operation, key, PSA_ALG_CBC_NO_PADDING);
}

static void cipher__direction_that_is_there__gives_what_the_standard_says(void)
{
    const bool is_encrypt = CORRAL_ENCRYPT_IN_PARTS;
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    const psa_key_id_t key = import(PSA_ALG_CBC_NO_PADDING);
    uint8_t output[16];
    size_t length = 0;
    size_t rest = 0;

    EXPECT(PSA_SUCCESS, set_up(&operation, key, is_encrypt));
    EXPECT(PSA_SUCCESS, psa_cipher_set_iv(&operation, iv, sizeof iv));
    EXPECT(PSA_SUCCESS, psa_cipher_update(&operation, is_encrypt ? plain : secret, 16, output,
                                          sizeof output, &length));
    EXPECT(PSA_SUCCESS,
           psa_cipher_finish(&operation, output + length, sizeof output - length, &rest));
    CHECK_BYTES(output, length + rest, is_encrypt ? secret : plain, 16);
    NEED(psa_destroy_key(key));
}

static void cipher__direction_that_is_absent__is_refused_and_leaves_no_operation(void)
{
    const bool is_absent_encryption = !CORRAL_ENCRYPT_IN_PARTS;
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    const psa_key_id_t key = import(PSA_ALG_CBC_NO_PADDING);

    EXPECT(PSA_ERROR_NOT_SUPPORTED, set_up(&operation, key, is_absent_encryption));
    EXPECT(PSA_ERROR_BAD_STATE, psa_cipher_set_iv(&operation, iv, sizeof iv));
    /* The same operation can be used for supported algorithms. */
    EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    EXPECT(PSA_SUCCESS, set_up(&operation, key, !is_absent_encryption));
    EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    NEED(psa_destroy_key(key));
}

static void aead__direction_that_is_absent__is_refused_and_the_other_is_not(void)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    const psa_key_id_t key = import(PSA_ALG_CCM);

    EXPECT(CORRAL_ENCRYPT_IN_PARTS ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED,
           psa_aead_encrypt_setup(&operation, key, PSA_ALG_CCM));
    EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    EXPECT(CORRAL_DECRYPT_IN_PARTS ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED,
           psa_aead_decrypt_setup(&operation, key, PSA_ALG_CCM));
    EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    NEED(psa_destroy_key(key));
}

static const struct test_case tests[] = {
    TEST(cipher__direction_that_is_there__gives_what_the_standard_says),
    TEST(cipher__direction_that_is_absent__is_refused_and_leaves_no_operation),
    TEST(aead__direction_that_is_absent__is_refused_and_the_other_is_not),
};
static TEST_SUITE(one_direction, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_one_direction};

    return test_initialise_and_run(suites, 1);
}
