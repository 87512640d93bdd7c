/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The test harness: a list of tests a file, claims as names, the same on a PC and on a board.
 *
 * A test is a function without arguments. Each check that fails is printed with file, line and
 * expression; CHECK goes on, REQUIRE leaves the test. Every EXPECT also proves that the call
 * left no key slot held. After each test the harness looks for writes beyond the buffers that
 * test_buffer() gave, and destroys the keys that the test registered.
 */
#ifndef TEST_HARNESS_H
#define TEST_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

struct test_case {
    const char *name; /* a claim: subject__situation__what_holds */
    void (*run)(void);
};

/* One row of a list of tests: the claim is the function's name. */
#define TEST(function)                                                                             \
    {                                                                                              \
#function, function                                                                        \
    }

/*
 * The head of a test that is in no list in C: harness/suites.py makes that from the sources.
 */
#define TEST_FUNCTION(claim)                                                                       \
    void claim(void);                                                                              \
    void claim(void)

/* A function of one call, for tables of calls. */
#define TEST_CALL(name, call)                                                                      \
    static psa_status_t name(void)                                                                 \
    {                                                                                              \
        return (call);                                                                             \
    }                                                                                              \
    struct test_case

/* How many of so many slots the tests can fill: behind a wall a client has a share of them. */
#define TEST_SHARE(slots) (CORRAL_WALL ? CORRAL_WALL_SHARE * (slots) / 100 : (slots))

struct test_suite {
    const char *name;
    const struct test_case *tests;
    size_t count;
};

/* Name a list of tests: suite_keys and the like. */
#define TEST_SUITE(name, list)                                                                     \
    const struct test_suite suite_##name = {#name, list, sizeof(list) / sizeof((list)[0])}
/* The same, not for test_suites[]: the main program says when it runs. */
#define TEST_SUITE_APART(name, list) TEST_SUITE(name, list)

/*
 * Run suites, printing `ok NAME`, `skipped NAME` or `FAILED NAME` for each test, a line
 * `suite NAME: N passed, M failed, K skipped` after each suite, and the sum of these at the end.
 * psa_crypto_init() is left to the caller or the tests. Returns the exit status of the program: 0
 * if none failed and at least one ran.
 */
int test_run(const struct test_suite *const *suites, size_t count);

/* psa_crypto_init(), then test_run(). */
int test_initialise_and_run(const struct test_suite *const *suites, size_t count);

/*
 * The suites of the program's sources that are not static, by their names. harness/suites.py writes
 * this list for a program whose main.c asks for it: a suite is in it by being there.
 */
extern const struct test_suite *const test_suites[];
extern const size_t test_suite_count;

/* Record that `expression` does not hold; the test goes on. Returns `ok`. */
bool test_check(bool ok, const char *file, int line, const char *expression);
/* The same, but the test ends when it does not hold. */
void test_require(bool ok, const char *file, int line, const char *expression);
/* Compare statuses, and see that no key is held. Return whether all is as it should be. */
bool test_status(psa_status_t got, psa_status_t wanted, const char *file, int line,
                 const char *expression);
void test_require_status(psa_status_t got, psa_status_t wanted, const char *file, int line,
                         const char *expression);
/* Expect one of the two statuses for an algorithm of the wrong kind, and that no key is held. */
bool test_refused(psa_status_t got, const char *file, int line, const char *expression);
/* Compare bytes, and print both when they differ. */
bool test_bytes(const uint8_t *got, size_t got_length, const uint8_t *wanted, size_t wanted_length,
                const char *file, int line);

#define CHECK(expression) test_check((expression), __FILE__, __LINE__, #expression)
#define REQUIRE(expression) test_require((expression), __FILE__, __LINE__, #expression)
/* EXPECT(PSA_ERROR_BAD_STATE, psa_...()): the status that a call must return. */
#define EXPECT(wanted, call) test_status((call), (wanted), __FILE__, __LINE__, #call)
/*
 * For algorithms that are not of the function's kind: the specification permits
 * PSA_ERROR_INVALID_ARGUMENT and PSA_ERROR_NOT_SUPPORTED alike.
 */
#define EXPECT_REFUSED(call) test_refused((call), __FILE__, __LINE__, #call)
/* EXPECT with PSA_SUCCESS, for calls without which the rest of the test makes no sense. */
#define NEED(call) test_require_status((call), PSA_SUCCESS, __FILE__, __LINE__, #call)
#define CHECK_BYTES(got, got_length, wanted, wanted_length)                                        \
    test_bytes((got), (got_length), (wanted), (wanted_length), __FILE__, __LINE__)

/* Say which row of a table is at work; printed with failures. NULL: none any more. */
void test_context(const char *title, size_t row);

/* Leave the test as skipped, with the reason: the symbols that the configuration lacks. */
void test_skip(const char *reason);

/* Whether calls may still be running when EXPECT looks for holds (tests with threads). */
void test_ignore_holds(bool ignore);

/*
 * A buffer of exactly `size` bytes (0 is allowed), filled with 0xa5, freed after the test. A write
 * beyond its end is found: at once by AddressSanitizer, after the test elsewhere.
 */
uint8_t *test_buffer(size_t size);
/* test_buffer() with the bytes of `data` in it. */
uint8_t *test_copy(const uint8_t *data, size_t size);
/* Give back all buffers of this test now; for tests in long loops. */
void test_free_buffers(void);

/* Whether all `size` bytes have this value. */
bool test_all(const uint8_t *data, size_t size, uint8_t value);
/* Fill with a pattern that has no period of a block: byte i is seed + 7 i + i / 256. */
void test_fill(uint8_t *data, size_t size, uint8_t seed);

/*
 * Import a key, register it for destruction after the test and return its identifier. The test ends
 * when the import fails.
 */
psa_key_id_t test_import(psa_key_type_t type, psa_algorithm_t alg, psa_key_usage_t usage,
                         const uint8_t *data, size_t size);
/* The same for generation. */
psa_key_id_t test_generate(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                           psa_key_usage_t usage);
/* Register a key for destruction. Returns it. */
psa_key_id_t test_keep(psa_key_id_t key);
/* Destroy all registered keys now; each must be destroyed without error, unless it is gone. */
void test_destroy_keys(void);

/* Where the keys of tests are, local memory unless a program says otherwise. */
extern psa_key_location_t test_location;

/* Attributes in one expression; lifetime volatile, at test_location. */
psa_key_attributes_t test_attributes(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                                     psa_key_usage_t usage);

/* Name of a status, for output. */
const char *test_status_name(psa_status_t status);

#endif
