/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(mac, "mac_compute mac_multipart");

#define BOTH (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)
#define MAX_LENGTH PSA_MAC_MAX_SIZE
/* HMAC keys of these tests: as large as the configuration of the suite allows. */
#define MAX_KEY 200u
#define DEFAULT_KEY 32u

static size_t key_size(const struct subject_row *row)
{
    if (row->size_count > 0) {
        return row->sizes[row->size_count - 1] / 8;
    }
    return row->bits != 0 ? row->bits / 8 : DEFAULT_KEY;
}

/* CBC-MAC takes whole blocks, and at least one; the others anything. */
static bool takes_blocks(const struct subject_row *row)
{
    return row->alg == PSA_ALG_CBC_MAC;
}

/* Of `size` bytes as many as the algorithm takes. */
static size_t fitting(const struct subject_row *row, size_t size)
{
    return takes_blocks(row) ? size / 16 * 16 : size;
}

static psa_key_id_t mac_key(const struct subject_row *row)
{
    uint8_t data[MAX_KEY];

    test_fill(data, sizeof data, 31);
    return subject_key(row, BOTH, data, key_size(row));
}

static size_t whole_mac(const struct subject_row *row, psa_key_id_t key, const uint8_t *message,
                        size_t size, uint8_t output[MAX_LENGTH])
{
    size_t length = 0;

    NEED(psa_mac_compute(key, row->alg, message, size, output, MAX_LENGTH, &length));
    CHECK(length == PSA_MAC_LENGTH(row->type, row->bits, row->alg));
    return length;
}

static void check_short(const struct subject_row *row)
{
    const psa_key_id_t key = mac_key(row);
    const size_t needed = PSA_MAC_LENGTH(row->type, row->bits, row->alg);

    for (size_t size = 0; size < needed; size++) {
        psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
        uint8_t *output = test_buffer(size);
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_mac_compute(key, row->alg, (const uint8_t *)"sixteen bytes ok", 16, output, size,
                               &n));
        CHECK(n == 0);
        if (subject_started(psa_mac_sign_setup(&operation, key, row->alg))) {
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_mac_sign_finish(&operation, output, size, &n));
            CHECK(n == 0);
            EXPECT(PSA_ERROR_BAD_STATE,
                   psa_mac_update(&operation, (const uint8_t *)"sixteen bytes ok", 16));
            EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
        }
    }
    uint8_t *exact = test_buffer(needed);
    size_t n;
    EXPECT(PSA_SUCCESS, psa_mac_compute(key, row->alg, (const uint8_t *)"sixteen bytes ok", 16,
                                        exact, needed, &n));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(mac__short_buffer__leaves_no_hold)
{
    subject_for_edges(&subject_mac, check_short);
}

static void check_chunks(const struct subject_row *row)
{
    const psa_key_id_t key = mac_key(row);
    uint8_t message[200];
    const size_t size = fitting(row, sizeof message);
    uint8_t whole[MAX_LENGTH];
    uint8_t output[MAX_LENGTH];
    size_t n;

    test_fill(message, sizeof message, 8);
    const size_t length = whole_mac(row, key, message, size, whole);
    for (size_t chunk = 1; chunk <= size; chunk += chunk < 40 ? 1 : 13) {
        psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
        if (!subject_started(psa_mac_sign_setup(&operation, key, row->alg))) {
            return;
        }
        for (size_t at = 0; at < size; at += chunk) {
            const size_t rest = size - at;
            const size_t part = rest < chunk ? rest : chunk;
            EXPECT(PSA_SUCCESS, psa_mac_update(&operation, test_copy(message + at, part), part));
            EXPECT(PSA_SUCCESS, psa_mac_update(&operation, NULL, 0));
        }
        EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, output, sizeof output, &n));
        CHECK_BYTES(output, n, whole, length);
        test_free_buffers();
    }
}

SUBJECT_TEST(mac__chunks__give_the_same)
{
    subject_for_each(&subject_mac, check_chunks);
}

static void check_forged(const struct subject_row *row)
{
    const psa_key_id_t key = mac_key(row);
    uint8_t message[33];
    const size_t size = fitting(row, sizeof message);
    uint8_t tag[MAX_LENGTH + 1] = {0};
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    test_fill(message, sizeof message, 9);
    const size_t length = whole_mac(row, key, message, size, tag);
    EXPECT(PSA_SUCCESS, psa_mac_verify(key, row->alg, message, size, tag, length));
    for (size_t i = 0; i < length; i++) {
        tag[i] ^= (uint8_t)(1u << i % 8);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_mac_verify(key, row->alg, message, size, tag, length));
        tag[i] ^= (uint8_t)(1u << i % 8);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_mac_verify(key, row->alg, message, size, test_copy(tag, i), i));
    }
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_mac_verify(key, row->alg, message, size, tag, length + 1));
    EXPECT(
        PSA_ERROR_INVALID_SIGNATURE,
        psa_mac_verify(key, row->alg, message, size - (takes_blocks(row) ? 16 : 1), tag, length));
    if (psa_mac_verify_setup(&operation, key, row->alg) == PSA_SUCCESS) {
        NEED(psa_mac_update(&operation, message, size));
        tag[0] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_mac_verify_finish(&operation, tag, length));
        EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
    }
}

SUBJECT_TEST(mac__forged_or_cut__is_an_invalid_signature)
{
    subject_for_each(&subject_mac, check_forged);
}

static void check_nothing(const struct subject_row *row)
{
    const psa_key_id_t key = mac_key(row);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t whole[MAX_LENGTH];
    uint8_t output[MAX_LENGTH];
    size_t n;

    if (takes_blocks(row)) {
        return;
    }
    const size_t length = whole_mac(row, key, NULL, 0, whole);
    if (subject_started(psa_mac_sign_setup(&operation, key, row->alg))) {
        EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, output, sizeof output, &n));
        CHECK_BYTES(output, n, whole, length);
    }
}

SUBJECT_TEST(mac__nothing_authenticated__agrees_in_parts)
{
    subject_for_edges(&subject_mac, check_nothing);
}

static void check_overlap(const struct subject_row *row)
{
    const psa_key_id_t key = mac_key(row);
    uint8_t message[130];
    const size_t size = fitting(row, sizeof message);
    uint8_t whole[MAX_LENGTH];
    size_t n;

    test_fill(message, sizeof message, 10);
    const size_t length = whole_mac(row, key, message, size, whole);
    for (size_t at = 0; at + length <= sizeof message; at++) {
        uint8_t *buffer = test_copy(message, sizeof message);
        EXPECT(PSA_SUCCESS, psa_mac_compute(key, row->alg, buffer, size, buffer + at, length, &n));
        CHECK_BYTES(buffer + at, n, whole, length);
        test_free_buffers();
    }
}

SUBJECT_TEST(mac__output_over_the_input__gives_the_same)
{
    subject_for_edges(&subject_mac, check_overlap);
}

/* The longest key that the algorithm takes; one that is longer is refused. */
static size_t longest_key(const struct subject_row *row)
{
    const size_t longest = row->size_count > 0 ? row->sizes[row->size_count - 1] / 8 : MAX_KEY;

    return PSA_ALG_IS_BLAKE2_MAC(row->alg) ? PSA_MAC_LENGTH(row->type, 0, row->alg) : longest;
}

static void check_longer_key(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    uint8_t data[MAX_KEY] = {0};
    uint8_t output[MAX_LENGTH];
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t n = 9;

    psa_status_t status = psa_import_key(&attributes, data, longest_key(row) + 1, &key);
    if (status == PSA_SUCCESS) {
        /* As long as that of another algorithm with such keys may be. */
        status = psa_mac_compute(test_keep(key), row->alg, data, 9, output, sizeof output, &n);
        CHECK(n == 0);
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, status);
}

static bool takes_size(const struct subject_row *row, size_t size)
{
    for (size_t i = 0; i < row->size_count; i++) {
        if (row->sizes[i] == 8 * size) {
            return true;
        }
    }
    return row->size_count == 0;
}

/* A key that the element does not take, whether its attributes say the size or not. */
static void refuse_size(const struct subject_row *row, const uint8_t *data, size_t size)
{
    psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_import_key(&attributes, data, size, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    psa_set_key_bits(&attributes, 8 * size);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_import_key(&attributes, data, size, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void check_key_sizes(const struct subject_row *row)
{
    uint8_t data[MAX_KEY];

    test_fill(data, sizeof data, 11);
    for (size_t size = 1; size <= longest_key(row); size++) {
        psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
        uint8_t whole[MAX_LENGTH];
        uint8_t output[MAX_LENGTH];
        size_t n;
        if (row->bits != 0) {
            return;
        }
        if (!takes_size(row, size)) {
            refuse_size(row, data, size);
            continue;
        }
        const psa_key_id_t key = subject_key(row, BOTH, test_copy(data, size), size);
        const size_t length = whole_mac(row, key, data, sizeof data, whole);
        if (subject_started(psa_mac_sign_setup(&operation, key, row->alg))) {
            NEED(psa_mac_update(&operation, data, sizeof data));
            EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, output, sizeof output, &n));
            CHECK_BYTES(output, n, whole, length);
        }
        EXPECT(PSA_SUCCESS, psa_mac_verify(key, row->alg, data, sizeof data, whole, length));
        test_destroy_keys();
        test_free_buffers();
    }
    if (row->bits == 0 && row->size_count > 0) {
        refuse_size(row, data, longest_key(row) + 1);
    }
    if (PSA_ALG_IS_BLAKE2_MAC(row->alg)) {
        check_longer_key(row);
    }
}

SUBJECT_TEST(mac__keys_of_every_size__agree_in_parts)
{
    subject_for_each(&subject_mac, check_key_sizes);
}

/* Calls that fail when the library has worked with the key. */
static void check_failing(const struct subject_row *row, psa_key_id_t key, uint8_t *mac)
{
    const size_t length = PSA_MAC_LENGTH(row->type, row->bits, row->alg);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    size_t n;

    mac[0] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_mac_verify(key, row->alg, (const uint8_t *)"sixteen bytes ok", 16, mac, length));
    if (subject_started(psa_mac_sign_setup(&operation, key, row->alg))) {
        NEED(psa_mac_update(&operation, (const uint8_t *)"sixteen bytes ok", 16));
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_mac_sign_finish(&operation, mac, 1, &n));
        NEED(psa_mac_abort(&operation));
        memset(mac, 0, length);
        NEED(psa_mac_verify_setup(&operation, key, row->alg));
        NEED(psa_mac_update(&operation, (const uint8_t *)"sixteen bytes ok", 16));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_mac_verify_finish(&operation, mac, length));
    }
}

static void check_wiped(const struct subject_row *row)
{
    const size_t size = key_size(row);
    uint8_t *secret = test_buffer(size);
    psa_mac_operation_t finished = PSA_MAC_OPERATION_INIT;
    psa_mac_operation_t aborted = PSA_MAC_OPERATION_INIT;
    uint8_t output[MAX_LENGTH];
    size_t n;

    NEED(psa_generate_random(secret, size));
    const psa_key_id_t key = subject_key(row, BOTH, secret, size);
    (void)whole_mac(row, key, (const uint8_t *)"sixteen bytes ok", 16, output);
    CHECK(!test_stack_holds(secret, size));
    NEED(psa_mac_verify(key, row->alg, (const uint8_t *)"sixteen bytes ok", 16, output,
                        PSA_MAC_LENGTH(row->type, row->bits, row->alg)));
    CHECK(!test_stack_holds(secret, size));
    check_failing(row, key, output);
    if (subject_started(psa_mac_sign_setup(&finished, key, row->alg)) &&
        subject_started(psa_mac_sign_setup(&aborted, key, row->alg))) {
        CHECK(!test_stack_holds(secret, size));
        NEED(psa_mac_update(&finished, (const uint8_t *)"sixteen bytes ok", 16));
        CHECK(!test_stack_holds(secret, size));
        NEED(psa_mac_sign_finish(&finished, output, sizeof output, &n));
        CHECK(!test_stack_holds(secret, size));
        NEED(psa_mac_abort(&aborted));
        CHECK(test_all((const uint8_t *)&finished, sizeof finished, 0));
        CHECK(test_all((const uint8_t *)&aborted, sizeof aborted, 0));
    }
    CHECK(test_memory_holds(secret, size) == (subject_location == 0));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, size));
}

SECRET_TEST(mac__key_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_mac, check_wiped);
}
