/* SPDX-License-Identifier: Apache-2.0 */
/* A pair for both directions: the policy of its key on the trusted side. */
#include <corral/locations.h>
#include <corral/remote.h>

#include "../../../harness/harness.h"
#include "../../../harness/rsa_keys.h"

#define OAEP PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256)

static psa_key_id_t there;

psa_status_t __real_corral_remote_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             psa_key_id_t *key);
psa_status_t __wrap_corral_remote_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             psa_key_id_t *key);

psa_status_t __wrap_corral_remote_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             psa_key_id_t *key)
{
    const psa_status_t status = __real_corral_remote_import_key(attributes, data, data_length, key);

    there = *key;
    return status;
}

/* Encryption here is done in memory, with the public key. */
static void pair__for_both_directions__only_decrypts_over_the_wall(void)
{
    const psa_key_usage_t both = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
    const uint8_t text[] = {1, 2, 3};
    uint8_t box[128];
    uint8_t output[128];
    size_t length;

    test_location = CORRAL_LOCATION_TRUSTED;
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_RSA_KEY_PAIR, OAEP, both, rsa1024_pair, sizeof rsa1024_pair);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           corral_remote_asymmetric_encrypt(there, OAEP, text, sizeof text, NULL, 0, box,
                                            sizeof box, &length));
    EXPECT(PSA_SUCCESS,
           psa_asymmetric_encrypt(key, OAEP, text, sizeof text, NULL, 0, box, sizeof box, &length));
    EXPECT(PSA_SUCCESS, corral_remote_asymmetric_decrypt(there, OAEP, box, length, NULL, 0, output,
                                                         sizeof output, &length));
    CHECK_BYTES(output, length, text, sizeof text);
}

static const struct test_case tests[] = {
    TEST(pair__for_both_directions__only_decrypts_over_the_wall),
};
static TEST_SUITE(pairs, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_pairs};

    return test_initialise_and_run(suites, 1);
}
