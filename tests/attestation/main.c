/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of a program that has the keys itself. */
#include <string.h>

#include <corral/port.h>
#include <psa/initial_attestation.h>

#include "suite.h"

static void token__before_initialisation__is_service_failure(void)
{
    uint8_t challenge[32] = {1};
    uint8_t token[PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE];
    size_t length = 9;

    EXPECT(PSA_ERROR_SERVICE_FAILURE,
           psa_initial_attest_get_token(challenge, 32, token, sizeof token, &length));
    CHECK(length == 0);
    EXPECT(PSA_ERROR_SERVICE_FAILURE, psa_initial_attest_get_token_size(32, &length));
    NEED(psa_crypto_init());
}

/* The port of a board that has more to say than there is room for, or does not know the device. */
static bool is_talkative;
static bool is_ignorant;

psa_status_t __real_corral_port_attested(struct corral_attested *attested);
psa_status_t __wrap_corral_port_attested(struct corral_attested *attested);
psa_status_t __wrap_corral_port_attested(struct corral_attested *attested)
{
    static char version[PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE];
    const psa_status_t status = __real_corral_port_attested(attested);

    if (is_talkative) {
        memset(version, '1', sizeof version - 1);
        attested->parts[0].version = version;
    }
    return is_ignorant ? PSA_ERROR_GENERIC_ERROR : status;
}

static void token__longer_than_any__is_none(void)
{
    uint8_t challenge[32] = {1};
    uint8_t *const token = test_buffer(2 * PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE);
    size_t length = 9;

    is_talkative = true;
    EXPECT(PSA_ERROR_GENERIC_ERROR,
           psa_initial_attest_get_token(challenge, 32, token, 2 * PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE,
                                        &length));
    CHECK(length == 0);
    EXPECT(PSA_ERROR_GENERIC_ERROR, psa_initial_attest_get_token_size(32, &length));
    is_talkative = false;
}

static void token__of_an_unknown_device__is_none(void)
{
    uint8_t challenge[32] = {1};
    uint8_t *const token = test_buffer(PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE);
    size_t length = 9;

    is_ignorant = true;
    memset(token, 0x77, PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE);
    EXPECT(PSA_ERROR_GENERIC_ERROR,
           psa_initial_attest_get_token(challenge, 32, token, PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE,
                                        &length));
    CHECK(length == 0 && test_all(token, PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE, 0x77));
    EXPECT(PSA_ERROR_GENERIC_ERROR, psa_initial_attest_get_token_size(32, &length));
    is_ignorant = false;
}

static const struct test_case tests[] = {
    TEST(token__before_initialisation__is_service_failure),
    TEST(token__longer_than_any__is_none),
    TEST(token__of_an_unknown_device__is_none),
};

TEST_SUITE(before, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_before, &suite_attestation};

    return test_run(suites, 2);
}
