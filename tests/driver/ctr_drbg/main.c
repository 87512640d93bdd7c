/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generator over AES and the one of OpenSSL (CTR-DRBG with AES-256 and a derivation function)
 * get the same entropy, and have to give the same bytes: after it, after more of it, and from one
 * request to the next. Blocks go through here on their way to the cipher (by the linker, --wrap),
 * and each fails in turn.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <corral/config.h>
#include <corral/drivers/ctr_drbg/entry_points.h>

#include "../../harness/harness.h"

#define ENTROPY_SIZE 32u
#define NONCE_SIZE 16u
#define REQUESTS 40u
#define OUTPUT_MAX 200u
#define REQUEST_MAX 0x8000u

#if CORRAL_ECB_NO_PADDING_AES_256_BY_BEARSSL
#include <corral/drivers/bearssl/entry_points.h>
typedef bearssl_driver_aes_cbc_operation_t operation_t;
#define REAL_UPDATE __real_bearssl_driver_aes_ecb_update
#define WRAP_UPDATE __wrap_bearssl_driver_aes_ecb_update
#else
#include <corral/drivers/mbedtls/entry_points.h>
typedef mbedtls_driver_aes_ecb_operation_t operation_t;
#define REAL_UPDATE __real_mbedtls_driver_aes_ecb_update
#define WRAP_UPDATE __wrap_mbedtls_driver_aes_ecb_update
#endif

psa_status_t REAL_UPDATE(operation_t *operation, const uint8_t *input, size_t input_length,
                         uint8_t *output, size_t output_size, size_t *output_length);
psa_status_t WRAP_UPDATE(operation_t *operation, const uint8_t *input, size_t input_length,
                         uint8_t *output, size_t output_size, size_t *output_length);

static EVP_RAND_CTX *source;
static EVP_RAND_CTX *reference;
static ctr_drbg_context_t generator;
static unsigned blocks;
static unsigned failing; /* which block fails; 0: none */

psa_status_t WRAP_UPDATE(operation_t *operation, const uint8_t *input, size_t input_length,
                         uint8_t *output, size_t output_size, size_t *output_length)
{
    blocks++;
    return blocks == failing
               ? PSA_ERROR_HARDWARE_FAILURE
               : REAL_UPDATE(operation, input, input_length, output, output_size, output_length);
}

static EVP_RAND_CTX *make(const char *name, EVP_RAND_CTX *parent)
{
    EVP_RAND *kind = EVP_RAND_fetch(NULL, name, NULL);

    REQUIRE(kind != NULL);
    EVP_RAND_CTX *made = EVP_RAND_CTX_new(kind, parent);
    EVP_RAND_free(kind);
    REQUIRE(made != NULL);
    return made;
}

/* The output of the reference's source at the next request. */
static void give(uint8_t *entropy, uint8_t *nonce)
{
    unsigned strength = 256;
    OSSL_PARAM of[] = {
        OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, entropy, ENTROPY_SIZE),
        OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_NONCE, nonce, NONCE_SIZE),
        OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &strength),
        OSSL_PARAM_construct_end(),
    };

    REQUIRE(EVP_RAND_CTX_set_params(source, of) == 1);
}

/* Both instantiated with the same numbers: entropy, and a nonce behind it. */
static void begin(uint8_t seed)
{
    char cipher[] = "AES-256-CTR";
    int derives = 1;
    OSSL_PARAM of[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_CIPHER, cipher, 0),
        OSSL_PARAM_construct_int(OSSL_DRBG_PARAM_USE_DF, &derives),
        OSSL_PARAM_construct_end(),
    };
    uint8_t entropy[ENTROPY_SIZE + NONCE_SIZE];

    test_fill(entropy, sizeof entropy, seed);
    source = make("TEST-RAND", NULL);
    give(entropy, entropy + ENTROPY_SIZE);
    reference = make("CTR-DRBG", source);
    /* For no personalisation OpenSSL has one of its own; this one has no bytes. */
    static const uint8_t none[1];
    REQUIRE(EVP_RAND_instantiate(reference, 256, 0, none, 0, of) == 1);
    NEED(ctr_drbg_init_random(&generator));
    NEED(ctr_drbg_add_entropy(&generator, entropy, sizeof entropy));
}

static void reseed(uint8_t seed)
{
    uint8_t entropy[ENTROPY_SIZE];
    uint8_t nonce[NONCE_SIZE] = {0};

    test_fill(entropy, sizeof entropy, seed);
    give(entropy, nonce);
    REQUIRE(EVP_RAND_reseed(reference, 0, NULL, 0, NULL, 0) == 1);
    NEED(ctr_drbg_add_entropy(&generator, entropy, sizeof entropy));
}

static void compare(size_t size)
{
    uint8_t got[OUTPUT_MAX];
    uint8_t wanted[OUTPUT_MAX];
    size_t length = 0;

    REQUIRE(EVP_RAND_generate(reference, wanted, size, 256, 0, NULL, 0) == 1);
    EXPECT(PSA_SUCCESS, ctr_drbg_get_random(&generator, got, size, &length));
    CHECK_BYTES(got, length, wanted, size);
}

static void end(void)
{
    EVP_RAND_CTX_free(reference);
    EVP_RAND_CTX_free(source);
}

static void requests_of_any_size__give_what_the_reference_gives(void)
{
    begin(1);
    for (size_t i = 0; i < REQUESTS; i++) {
        compare(1 + 5 * i % OUTPUT_MAX);
    }
    end();
}

static void more_entropy__changes_both_in_the_same_way(void)
{
    begin(2);
    for (uint8_t i = 0; i < REQUESTS; i++) {
        reseed((uint8_t)(3 + i));
        compare(16);
    }
    end();
}

/* AES-256 of zeros under a key of zeros, as NIST publishes it with a text that varies. */
static void counter_that_is_full__begins_at_zero(void)
{
    static const uint8_t zeros[] = {0xdc, 0x95, 0xc0, 0x78, 0xa2, 0x40, 0x89, 0x89,
                                    0xad, 0x48, 0xa2, 0x14, 0x92, 0x84, 0x20, 0x87};
    uint8_t output[16];
    size_t length = 0;

    memset(generator.state, 0, 32);
    memset(generator.state + 32, 0xff, 16);
    EXPECT(PSA_SUCCESS, ctr_drbg_get_random(&generator, output, sizeof output, &length));
    CHECK_BYTES(output, length, zeros, sizeof zeros);
}

static void more_than_one_seed__is_refused_and_changes_nothing(void)
{
    uint8_t entropy[49] = {0};

    begin(5);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, ctr_drbg_add_entropy(&generator, entropy, sizeof entropy));
    compare(48);
    end();
}

static void request_beyond_the_bound__gives_as_much_as_the_bound(void)
{
    static uint8_t got[REQUEST_MAX + 1];
    static uint8_t wanted[REQUEST_MAX];
    size_t length = 0;

    begin(6);
    got[REQUEST_MAX] = 0xa5;
    REQUIRE(EVP_RAND_generate(reference, wanted, sizeof wanted, 256, 0, NULL, 0) == 1);
    EXPECT(PSA_SUCCESS, ctr_drbg_get_random(&generator, got, sizeof got, &length));
    CHECK_BYTES(got, length, wanted, sizeof wanted);
    CHECK(got[REQUEST_MAX] == 0xa5);
    compare(16);
    end();
}

#define DRAWN 40u
#define DRAWS_MAX 100u

static uint8_t drawn[DRAWS_MAX][DRAWN];

/* One more request, which has to give other bytes than those before. */
static void draw(size_t count)
{
    REQUIRE(count < DRAWS_MAX);
    EXPECT(PSA_SUCCESS, psa_generate_random(drawn[count], DRAWN));
    for (size_t i = 0; i < count; i++) {
        CHECK(memcmp(drawn[i], drawn[count], 16) != 0);
    }
}

/* Of the build's own generator, which is seeded for each request. */
static void block_that_fails__gives_nothing_and_the_next_request_other_bytes(void)
{
    size_t count = 0;

    draw(count++);
    blocks = 0;
    draw(count++);
    const unsigned clean = blocks;
    CHECK(clean > 20);
    for (unsigned nth = 1; nth <= clean; nth++) {
        uint8_t output[DRAWN];
        test_context("block", nth);
        memset(output, 0xa5, sizeof output);
        blocks = 0;
        failing = nth;
        EXPECT(PSA_ERROR_HARDWARE_FAILURE, psa_generate_random(output, sizeof output));
        CHECK(blocks == nth && test_all(output, sizeof output, 0));
        failing = 0;
        draw(count++);
    }
}

static const struct test_case tests[] = {
    TEST(requests_of_any_size__give_what_the_reference_gives),
    TEST(more_entropy__changes_both_in_the_same_way),
    TEST(counter_that_is_full__begins_at_zero),
    TEST(more_than_one_seed__is_refused_and_changes_nothing),
    TEST(request_beyond_the_bound__gives_as_much_as_the_bound),
    TEST(block_that_fails__gives_nothing_and_the_next_request_other_bytes),
};
static TEST_SUITE(ctr_drbg, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_ctr_drbg};

    return test_initialise_and_run(suites, 1);
}
