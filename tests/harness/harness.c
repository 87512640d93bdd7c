/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "attributes.h"
#include "buffers.h"

/* Of the core, for tests only: the number of holds on all keys together. */
unsigned corral_holds(void);

/* Operations that the test before has not ended, if another program keeps them: behind_wall.c. */
unsigned test_operations_left(void);

#define MAX_KEYS 32u
#define MAX_DUMP 80u
/* Failures printed of one test; a table of a thousand rows must not fill the log. */
#define MAX_PRINTED 20u

static struct {
    jmp_buf leave;
    const char *skipped;
    const char *row_title;
    size_t row;
    unsigned failures;
    bool ignores_holds;
    psa_key_id_t keys[MAX_KEYS];
    size_t key_count;
} current;

static const struct {
    psa_status_t status;
    const char *name;
} names[] = {
    {PSA_SUCCESS, "PSA_SUCCESS"},
    {PSA_ERROR_GENERIC_ERROR, "PSA_ERROR_GENERIC_ERROR"},
    {PSA_ERROR_NOT_SUPPORTED, "PSA_ERROR_NOT_SUPPORTED"},
    {PSA_ERROR_NOT_PERMITTED, "PSA_ERROR_NOT_PERMITTED"},
    {PSA_ERROR_BUFFER_TOO_SMALL, "PSA_ERROR_BUFFER_TOO_SMALL"},
    {PSA_ERROR_ALREADY_EXISTS, "PSA_ERROR_ALREADY_EXISTS"},
    {PSA_ERROR_DOES_NOT_EXIST, "PSA_ERROR_DOES_NOT_EXIST"},
    {PSA_ERROR_BAD_STATE, "PSA_ERROR_BAD_STATE"},
    {PSA_ERROR_INVALID_ARGUMENT, "PSA_ERROR_INVALID_ARGUMENT"},
    {PSA_ERROR_INSUFFICIENT_MEMORY, "PSA_ERROR_INSUFFICIENT_MEMORY"},
    {PSA_ERROR_INSUFFICIENT_STORAGE, "PSA_ERROR_INSUFFICIENT_STORAGE"},
    {PSA_ERROR_INSUFFICIENT_DATA, "PSA_ERROR_INSUFFICIENT_DATA"},
    {PSA_ERROR_COMMUNICATION_FAILURE, "PSA_ERROR_COMMUNICATION_FAILURE"},
    {PSA_ERROR_SERVICE_FAILURE, "PSA_ERROR_SERVICE_FAILURE"},
    {PSA_ERROR_STORAGE_FAILURE, "PSA_ERROR_STORAGE_FAILURE"},
    {PSA_ERROR_HARDWARE_FAILURE, "PSA_ERROR_HARDWARE_FAILURE"},
    {PSA_ERROR_INSUFFICIENT_ENTROPY, "PSA_ERROR_INSUFFICIENT_ENTROPY"},
    {PSA_ERROR_INVALID_SIGNATURE, "PSA_ERROR_INVALID_SIGNATURE"},
    {PSA_ERROR_INVALID_PADDING, "PSA_ERROR_INVALID_PADDING"},
    {PSA_ERROR_CORRUPTION_DETECTED, "PSA_ERROR_CORRUPTION_DETECTED"},
    {PSA_ERROR_INVALID_HANDLE, "PSA_ERROR_INVALID_HANDLE"},
    {PSA_ERROR_DATA_CORRUPT, "PSA_ERROR_DATA_CORRUPT"},
    {PSA_ERROR_DATA_INVALID, "PSA_ERROR_DATA_INVALID"},
};

const char *test_status_name(psa_status_t status)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].status == status) {
            return names[i].name;
        }
    }
    return "an unknown status";
}

/* Count a failure; true if it should be printed. Prints where it is. */
static bool begin_failure(const char *file, int line)
{
    current.failures++;
    if (current.failures > MAX_PRINTED) {
        return false;
    }
    printf("  %s:%d: ", file, line);
    if (current.row_title != NULL) {
        printf("[row %lu: %s] ", (unsigned long)current.row, current.row_title);
    }
    return true;
}

bool test_check(bool ok, const char *file, int line, const char *expression)
{
    if (!ok && begin_failure(file, line)) {
        printf("does not hold: %s\n", expression);
    }
    return ok;
}

void test_require(bool ok, const char *file, int line, const char *expression)
{
    if (!test_check(ok, file, line, expression)) {
        longjmp(current.leave, 1);
    }
}

bool test_status(psa_status_t got, psa_status_t wanted, const char *file, int line,
                 const char *expression)
{
    if (got != wanted && begin_failure(file, line)) {
        printf("%s instead of %s: %s\n", test_status_name(got), test_status_name(wanted),
               expression);
    }
    const bool is_held = !current.ignores_holds && corral_holds() != 0;
    if (is_held && begin_failure(file, line)) {
        printf("leaves a key held: %s\n", expression);
    }
    return got == wanted && !is_held;
}

bool test_refused(psa_status_t got, const char *file, int line, const char *expression)
{
    return test_status(
        got, got == PSA_ERROR_NOT_SUPPORTED ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT,
        file, line, expression);
}

void test_require_status(psa_status_t got, psa_status_t wanted, const char *file, int line,
                         const char *expression)
{
    if (!test_status(got, wanted, file, line, expression)) {
        longjmp(current.leave, 1);
    }
}

static void dump(const char *label, const uint8_t *data, size_t length)
{
    printf("    %s (%lu): ", label, (unsigned long)length);
    for (size_t i = 0; i < length && i < MAX_DUMP; i++) {
        printf("%02x", (unsigned)data[i]);
    }
    printf("%s\n", length > MAX_DUMP ? "..." : "");
}

bool test_bytes(const uint8_t *got, size_t got_length, const uint8_t *wanted, size_t wanted_length,
                const char *file, int line)
{
    const bool is_equal =
        got_length == wanted_length && (got_length == 0 || memcmp(got, wanted, got_length) == 0);

    if (!is_equal && begin_failure(file, line)) {
        printf("bytes differ\n");
        dump("got   ", got, got_length);
        dump("wanted", wanted, wanted_length);
    }
    return is_equal;
}

void test_context(const char *title, size_t row)
{
    current.row_title = title;
    current.row = row;
}

void test_skip(const char *reason)
{
    current.skipped = reason;
    longjmp(current.leave, 1);
}

void test_ignore_holds(bool ignore)
{
    current.ignores_holds = ignore;
}

uint8_t *test_copy(const uint8_t *data, size_t size)
{
    uint8_t *buffer = test_buffer(size);

    if (size > 0) {
        memcpy(buffer, data, size);
    }
    return buffer;
}

void test_free_buffers(void)
{
    test_check(test_buffers_release(), "test_buffer", 0, "nothing is written beyond a buffer");
}

bool test_all(const uint8_t *data, size_t size, uint8_t value)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i] != value) {
            return false;
        }
    }
    return true;
}

void test_fill(uint8_t *data, size_t size, uint8_t seed)
{
    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)(seed + 7 * i + i / 256);
    }
}

psa_key_location_t test_location = PSA_KEY_LOCATION_LOCAL_STORAGE;

psa_key_attributes_t test_attributes(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                                     psa_key_usage_t usage)
{
    return volatile_at(test_location, type, bits, alg, usage);
}

psa_key_id_t test_keep(psa_key_id_t key)
{
    REQUIRE(current.key_count < MAX_KEYS);
    current.keys[current.key_count++] = key;
    return key;
}

psa_key_id_t test_import(psa_key_type_t type, psa_algorithm_t alg, psa_key_usage_t usage,
                         const uint8_t *data, size_t size)
{
    const psa_key_attributes_t attributes = test_attributes(type, 0, alg, usage);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    NEED(psa_import_key(&attributes, data, size, &key));
    return test_keep(key);
}

psa_key_id_t test_generate(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                           psa_key_usage_t usage)
{
    const psa_key_attributes_t attributes = test_attributes(type, bits, alg, usage);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    NEED(psa_generate_key(&attributes, &key));
    return test_keep(key);
}

void test_destroy_keys(void)
{
    while (current.key_count > 0) {
        const psa_key_id_t key = current.keys[--current.key_count];
        const psa_status_t status = psa_destroy_key(key);
        /* A test may have destroyed its key itself. */
        test_check(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_HANDLE, "test_keep", 0,
                   "the key of the test can be destroyed");
    }
}

enum outcome { PASSED, FAILED, SKIPPED };

/* Not inlined, so that longjmp() finds no variable of the caller in a register. */
static enum outcome run_one(const struct test_case *test)
{
    memset(&current, 0, sizeof current);
    if (setjmp(current.leave) == 0) {
        test->run();
    }
    test_context(NULL, 0);
    current.ignores_holds = false;
    test_check(corral_holds() == 0, test->name, 0, "no key is held after the test");
    test_check(test_operations_left() == 0, test->name, 0, "no operation is left after the test");
    test_destroy_keys();
    test_free_buffers();
    if (current.failures > 0) {
        return FAILED;
    }
    return current.skipped != NULL ? SKIPPED : PASSED;
}

static void count_outcome(unsigned outcomes[3], const struct test_case *test)
{
    const enum outcome outcome = run_one(test);

    outcomes[outcome]++;
    if (outcome == PASSED) {
        printf("ok %s\n", test->name);
    } else if (outcome == SKIPPED) {
        printf("skipped %s: %s\n", test->name, current.skipped);
    } else {
        printf("FAILED %s (%u)\n", test->name, current.failures);
    }
}

int test_run(const struct test_suite *const *suites, size_t count)
{
    unsigned total[3] = {0, 0, 0};

    for (size_t s = 0; s < count; s++) {
        unsigned outcomes[3] = {0, 0, 0};
        for (size_t i = 0; i < suites[s]->count; i++) {
            count_outcome(outcomes, &suites[s]->tests[i]);
        }
        printf("suite %s: %u passed, %u failed, %u skipped\n", suites[s]->name, outcomes[PASSED],
               outcomes[FAILED], outcomes[SKIPPED]);
        for (unsigned i = 0; i < 3; i++) {
            total[i] += outcomes[i];
        }
    }
    printf("%u passed, %u failed, %u skipped\n", total[PASSED], total[FAILED], total[SKIPPED]);
    return total[FAILED] == 0 && total[PASSED] > 0 ? 0 : 1;
}

int test_initialise_and_run(const struct test_suite *const *suites, size_t count)
{
    const psa_status_t status = psa_crypto_init();

    if (status != PSA_SUCCESS) {
        printf("psa_crypto_init: %s\n0 passed, 1 failed, 0 skipped\n", test_status_name(status));
        return 1;
    }
    return test_run(suites, count);
}
