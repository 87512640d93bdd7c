/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aspeed's engine hashes what lies within its reach, and a library all else. Each checks the other:
 * the same bytes go to both. The linker leads calls of the driver through here (--wrap).
 */
#include <stdalign.h>
#include <string.h>

#include <corral/drivers/hace/entry_points.h>

#include "../../harness/harness.h"
#include "silent.h"

psa_status_t __real_hace_driver_hash_compute(const struct hace_hash *mechanism, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t __wrap_hace_driver_hash_compute(const struct hace_hash *mechanism, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length);

#define MESSAGE_SIZE 5000u
#define HASH_SIZE PSA_HASH_MAX_SIZE

static const psa_algorithm_t algorithms[] = {PSA_ALG_MD5,     PSA_ALG_SHA_1,   PSA_ALG_SHA_224,
                                             PSA_ALG_SHA_256, PSA_ALG_SHA_384, PSA_ALG_SHA_512};
static const size_t sizes[] = {1, 7, 8, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 4999};

/* Memory at any distance from the alignment that the engine needs. */
static alignas(8) uint8_t message[MESSAGE_SIZE + 8];
static psa_status_t answer;
static bool is_silent; /* the driver is asked that has given its engine up */

psa_status_t __wrap_hace_driver_hash_compute(const struct hace_hash *mechanism, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (is_silent) {
        return silent_sha_256(input, hash, hash_length);
    }
    answer = __real_hace_driver_hash_compute(mechanism, alg, input, input_length, hash, hash_size,
                                             hash_length);
    return answer;
}

/* Hash the same bytes `distance` bytes behind where the engine could take them. */
static size_t hash_at(size_t distance, psa_algorithm_t alg, size_t size, uint8_t hash[HASH_SIZE])
{
    size_t length = 0;

    test_fill(message + distance, size, 3);
    answer = PSA_ERROR_GENERIC_ERROR;
    NEED(psa_hash_compute(alg, message + distance, size, hash, HASH_SIZE, &length));
    return length;
}

static void aligned_message__is_hashed_by_the_engine_as_by_a_library(void)
{
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            uint8_t engine[HASH_SIZE], library[HASH_SIZE];
            const size_t length = hash_at(0, algorithms[i], sizes[j], engine);
            CHECK(answer == PSA_SUCCESS);
            for (size_t distance = 1; distance < 8; distance += 3) {
                const size_t other = hash_at(distance, algorithms[i], sizes[j], library);
                CHECK(answer == PSA_ERROR_NOT_SUPPORTED);
                CHECK_BYTES(engine, length, library, other);
            }
        }
    }
}

static void empty_message__is_not_the_engines(void)
{
    uint8_t hash[HASH_SIZE];
    uint8_t in_parts[HASH_SIZE];
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    size_t length = 0;

    const size_t whole = hash_at(0, PSA_ALG_SHA_256, 0, hash);
    CHECK(answer == PSA_ERROR_NOT_SUPPORTED);
    NEED(psa_hash_setup(&operation, PSA_ALG_SHA_256));
    NEED(psa_hash_finish(&operation, in_parts, sizeof in_parts, &length));
    CHECK_BYTES(hash, whole, in_parts, length);
}

static void operations_in_parts__are_not_disturbed_by_the_engine(void)
{
    uint8_t whole[HASH_SIZE];
    uint8_t hash[HASH_SIZE];
    size_t length;

    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
        const size_t wanted = hash_at(0, algorithms[i], 200, whole);
        CHECK(answer == PSA_SUCCESS);
        NEED(psa_hash_setup(&operation, algorithms[i]));
        for (size_t at = 0; at < 200; at += 50) {
            NEED(psa_hash_update(&operation, message + at, 50));
            /* Of another algorithm, between the parts. */
            NEED(psa_hash_compute(algorithms[(i + 1) % 6], message, 8, hash, HASH_SIZE, &length));
            CHECK(answer == PSA_SUCCESS);
        }
        NEED(psa_hash_finish(&operation, hash, sizeof hash, &length));
        CHECK_BYTES(hash, length, whole, wanted);
    }
}

static void constant_message__is_read_where_it_lies(void)
{
    static const alignas(8) uint8_t abc[] = {'a', 'b', 'c'};
    /* FIPS 180-4's example, as NIST publishes it. */
    static const uint8_t published[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
                                        0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                                        0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
                                        0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    uint8_t hash[HASH_SIZE];
    size_t length = 0;

    answer = PSA_ERROR_GENERIC_ERROR;
    NEED(psa_hash_compute(PSA_ALG_SHA_256, abc, sizeof abc, hash, sizeof hash, &length));
    CHECK(answer == PSA_SUCCESS);
    CHECK_BYTES(hash, length, published, sizeof published);
}

/* The last look that the driver takes: one clears the status, and so many may be in vain. */
#define LAST_LOOK (1u + 8u + 100000u)

static void engine__that_answers_late__is_waited_for(void)
{
    uint8_t hash[32];
    uint8_t expected[HASH_SIZE];
    size_t length = 0;

    const size_t wanted = hash_at(0, PSA_ALG_SHA_256, 8, expected);
    silent_done_at(LAST_LOOK);
    EXPECT(PSA_SUCCESS, silent_sha_256(message, hash, &length));
    CHECK_BYTES(hash, length, expected, wanted);
}

/* After the test above: the engine is given up. */
static void engine__that_does_not_answer__is_asked_no_more(void)
{
    uint8_t hash[32] = {0};
    size_t length = 0;

    silent_done_at(0);
    EXPECT(PSA_ERROR_HARDWARE_FAILURE, silent_sha_256(message, hash, &length));
    CHECK(silent_looks() > LAST_LOOK && silent_looks() <= LAST_LOOK + 2);
    CHECK(length == 0 && test_all(hash, sizeof hash, 0));
    silent_done_at(2);
    EXPECT(PSA_ERROR_HARDWARE_FAILURE, silent_sha_256(message, hash, &length));
    CHECK(silent_looks() == 0);
    CHECK(length == 0 && test_all(hash, sizeof hash, 0));
}

/* As the driver says it, so the application hears it, and has nothing. */
static void hardware_failure__comes_out_with_no_hash(void)
{
    uint8_t hash[HASH_SIZE];
    size_t length = 1;

    memset(hash, 0xa5, sizeof hash);
    is_silent = true;
    EXPECT(PSA_ERROR_HARDWARE_FAILURE,
           psa_hash_compute(PSA_ALG_SHA_256, message, 8, hash, sizeof hash, &length));
    is_silent = false;
    CHECK(length == 0 && test_all(hash, sizeof hash, 0));
}

static const struct test_case tests[] = {
    TEST(aligned_message__is_hashed_by_the_engine_as_by_a_library),
    TEST(empty_message__is_not_the_engines),
    TEST(operations_in_parts__are_not_disturbed_by_the_engine),
    TEST(constant_message__is_read_where_it_lies),
    TEST(engine__that_answers_late__is_waited_for),
    TEST(engine__that_does_not_answer__is_asked_no_more),
    TEST(hardware_failure__comes_out_with_no_hash),
};

static TEST_SUITE(engine, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_engine};

    return test_initialise_and_run(suites, 1);
}
