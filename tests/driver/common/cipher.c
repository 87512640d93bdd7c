/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(cipher, "cipher_encrypt cipher_decrypt cipher_multipart");

#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define TEXT_SIZE 112u
#define MAX_IV 32u
#define ROOM (TEXT_SIZE + 2 * MAX_IV)

static psa_key_id_t cipher_key(const struct subject_row *row)
{
    uint8_t data[64];

    test_fill(data, sizeof data, 41);
    return subject_key(row, BOTH, data, row->bits / 8);
}

static size_t iv_length(const struct subject_row *row)
{
    return PSA_CIPHER_IV_LENGTH(row->type, row->alg);
}

/* Whole blocks for the block modes, any length for the others. */
static size_t step(const struct subject_row *row)
{
    return row->alg == PSA_ALG_ECB_NO_PADDING || row->alg == PSA_ALG_CBC_NO_PADDING
               ? (size_t)PSA_BLOCK_CIPHER_BLOCK_LENGTH(row->type)
               : 1;
}

static bool is_xts(const struct subject_row *row)
{
    return row->alg == PSA_ALG_XTS;
}

/* Of whole blocks, the part that comes out at the end only. */
static size_t held_back(const struct subject_row *row)
{
    return is_xts(row) ? PSA_BLOCK_CIPHER_BLOCK_LENGTH(row->type) : 0;
}

static void check_too_short(const struct subject_row *row, psa_key_id_t key)
{
    const size_t least = held_back(row);
    uint8_t text[MAX_IV + 16] = {0};
    uint8_t output[MAX_IV + 16];

    for (size_t size = 0; size < least; size++) {
        psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
        size_t n = 9;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_cipher_encrypt(key, row->alg, text, size, output, sizeof output, &n));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_cipher_decrypt(key, row->alg, text, iv_length(row) + size, output, sizeof output,
                                  &n));
        CHECK(n == 0);
        NEED(psa_cipher_encrypt_setup(&operation, key, row->alg));
        NEED(psa_cipher_set_iv(&operation, text, iv_length(row)));
        NEED(psa_cipher_update(&operation, text, size, output, sizeof output, &n));
        CHECK(n == 0);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_cipher_finish(&operation, output, sizeof output, &n));
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    }
}

/* The two halves of a key of XTS must differ. */
static void check_equal_halves(const struct subject_row *row)
{
    const uint8_t data[64] = {0};
    const psa_key_id_t key = subject_key(row, BOTH, data, row->bits / 8);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_cipher_encrypt_setup(&operation, key, row->alg));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_cipher_decrypt_setup(&operation, key, row->alg));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void prepare(const struct subject_row *row, psa_key_id_t key, bool is_encrypt,
                    psa_cipher_operation_t *operation)
{
    uint8_t iv[MAX_IV];

    test_fill(iv, sizeof iv, 0xf3);
    NEED(is_encrypt ? psa_cipher_encrypt_setup(operation, key, row->alg)
                    : psa_cipher_decrypt_setup(operation, key, row->alg));
    if (iv_length(row) > 0) {
        NEED(psa_cipher_set_iv(operation, iv, iv_length(row)));
    }
}

static psa_cipher_operation_t ready(const struct subject_row *row, psa_key_id_t key,
                                    bool is_encrypt)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    prepare(row, key, is_encrypt, &operation);
    return operation;
}

static void check_lengths(const struct subject_row *row)
{
    const psa_key_id_t key = cipher_key(row);
    uint8_t text[TEXT_SIZE];

    test_fill(text, sizeof text, 12);
    if (is_xts(row)) {
        check_too_short(row, key);
        check_equal_halves(row);
    }
    for (size_t size = held_back(row); size <= TEXT_SIZE; size += step(row)) {
        uint8_t *input = test_copy(text, size);
        uint8_t *output = test_buffer(size + iv_length(row));
        uint8_t *back = test_buffer(size);
        size_t n;
        EXPECT(PSA_SUCCESS,
               psa_cipher_encrypt(key, row->alg, input, size, output, size + iv_length(row), &n));
        CHECK(n == size + iv_length(row));
        CHECK(size < 16 || memcmp(output + iv_length(row), text, size) != 0);
        EXPECT(PSA_SUCCESS, psa_cipher_decrypt(key, row->alg, output, n, back, size, &n));
        CHECK_BYTES(back, n, text, size);
        test_free_buffers();
    }
}

SUBJECT_TEST(cipher__every_length__comes_back)
{
    subject_for_each(&subject_cipher, check_lengths);
}

static void check_short(const struct subject_row *row)
{
    const psa_key_id_t key = cipher_key(row);
    uint8_t text[48];
    uint8_t whole[48 + MAX_IV];
    size_t needed;

    test_fill(text, sizeof text, 13);
    NEED(psa_cipher_encrypt(key, row->alg, text, sizeof text, whole, sizeof whole, &needed));
    for (size_t size = 0; size < needed; size++) {
        uint8_t *output = test_buffer(size);
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_cipher_encrypt(key, row->alg, text, sizeof text, output, size, &n));
        CHECK(n == 0);
        if (size < sizeof text) {
            n = 9;
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                   psa_cipher_decrypt(key, row->alg, whole, needed, output, size, &n));
            CHECK(n == 0);
        }
        if (size < sizeof text - held_back(row)) {
            psa_cipher_operation_t operation = ready(row, key, true);
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                   psa_cipher_update(&operation, text, sizeof text, output, size, &n));
            EXPECT(PSA_ERROR_BAD_STATE, psa_cipher_finish(&operation, output, size, &n));
            EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
        }
        test_free_buffers();
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(cipher__short_buffer__leaves_no_hold)
{
    subject_for_edges(&subject_cipher, check_short);
}

/* Run the operation over `size` bytes in chunks; returns what came out. */
static size_t in_chunks(psa_cipher_operation_t *operation, const uint8_t *input, size_t size,
                        size_t chunk, uint8_t *output, size_t output_size)
{
    size_t total = 0;
    size_t n;

    for (size_t at = 0; at < size; at += chunk) {
        const size_t part = size - at < chunk ? size - at : chunk;
        EXPECT(PSA_SUCCESS, psa_cipher_update(operation, test_copy(input + at, part), part,
                                              output + total, output_size - total, &n));
        total += n;
    }
    NEED(psa_cipher_finish(operation, output + total, output_size - total, &n));
    return total + n;
}

static void check_chunks(const struct subject_row *row)
{
    const psa_key_id_t key = cipher_key(row);
    uint8_t text[TEXT_SIZE];
    uint8_t whole[TEXT_SIZE];
    uint8_t output[TEXT_SIZE];

    const size_t size = is_xts(row) ? sizeof text - 3 : sizeof text;
    test_fill(text, sizeof text, 14);
    psa_cipher_operation_t operation = ready(row, key, true);
    const size_t length = in_chunks(&operation, text, size, size, whole, sizeof whole);
    CHECK(length == size);
    for (size_t chunk = 1; chunk < size; chunk++) {
        operation = ready(row, key, true);
        size_t n = in_chunks(&operation, text, size, chunk, output, sizeof output);
        CHECK_BYTES(output, n, whole, length);
        operation = ready(row, key, false);
        n = in_chunks(&operation, whole, length, chunk, output, sizeof output);
        CHECK_BYTES(output, n, text, size);
        test_free_buffers();
    }
}

SUBJECT_TEST(cipher__chunks__give_the_same)
{
    subject_for_each(&subject_cipher, check_chunks);
}

/* Output at every distance from the input, both ways. */
static void check_overlap(const struct subject_row *row)
{
    enum { SIZE = 48, START = 48 + MAX_IV };
    const psa_key_id_t key = cipher_key(row);
    const size_t cipher_size = SIZE + iv_length(row);
    uint8_t text[SIZE];
    uint8_t whole[SIZE + MAX_IV];
    size_t n;

    test_fill(text, sizeof text, 15);
    NEED(psa_cipher_encrypt(key, row->alg, text, SIZE, whole, sizeof whole, &n));
    for (size_t at = 0; at <= START + SIZE; at++) {
        uint8_t *buffer = test_buffer(3 * START);
        uint8_t back[SIZE];
        memcpy(buffer + START, text, SIZE);
        EXPECT(PSA_SUCCESS, psa_cipher_encrypt(key, row->alg, buffer + START, SIZE, buffer + at,
                                               cipher_size, &n));
        EXPECT(PSA_SUCCESS, psa_cipher_decrypt(key, row->alg, buffer + at, n, back, SIZE, &n));
        CHECK_BYTES(back, n, text, SIZE);
        memcpy(buffer + START, whole, cipher_size);
        EXPECT(PSA_SUCCESS, psa_cipher_decrypt(key, row->alg, buffer + START, cipher_size,
                                               buffer + at, SIZE, &n));
        CHECK_BYTES(buffer + at, n, text, SIZE);
        test_free_buffers();
    }
}

SUBJECT_TEST(cipher__overlapping_buffers__give_the_same)
{
    subject_for_edges(&subject_cipher, check_overlap);
}

static void check_overlapping_update(const struct subject_row *row)
{
    enum { SIZE = 45, START = 64 };
    const psa_key_id_t key = cipher_key(row);
    uint8_t text[SIZE];
    uint8_t head[MAX_IV];
    uint8_t whole[SIZE + MAX_IV];
    size_t length;
    size_t n;

    test_fill(text, sizeof text, 16);
    for (size_t first = 0; first < 16; first += 5) {
        psa_cipher_operation_t operation = ready(row, key, true);
        NEED(psa_cipher_update(&operation, text, first, head, sizeof head, &n));
        NEED(psa_cipher_update(&operation, text, SIZE, whole, sizeof whole, &length));
        NEED(psa_cipher_abort(&operation));
        for (size_t at = 0; at <= START + SIZE; at++) {
            uint8_t *buffer = test_buffer(3 * START);
            memcpy(buffer + START, text, SIZE);
            operation = ready(row, key, true);
            NEED(psa_cipher_update(&operation, text, first, head, sizeof head, &n));
            EXPECT(PSA_SUCCESS,
                   psa_cipher_update(&operation, buffer + START, SIZE, buffer + at, length, &n));
            CHECK_BYTES(buffer + at, n, whole, length);
            NEED(psa_cipher_abort(&operation));
            test_free_buffers();
        }
    }
}

SUBJECT_TEST(cipher__overlapping_update__gives_the_same)
{
    subject_for_edges(&subject_cipher, check_overlapping_update);
}

static void check_copy(const struct subject_row *row)
{
    const psa_key_id_t key = cipher_key(row);
    uint8_t text[TEXT_SIZE];
    uint8_t whole[TEXT_SIZE];
    uint8_t output[TEXT_SIZE];
    size_t first;
    size_t n;

    test_fill(text, sizeof text, 17);
    psa_cipher_operation_t operation = ready(row, key, true);
    (void)in_chunks(&operation, text, sizeof text, sizeof text, whole, sizeof whole);
    for (size_t split = 0; split <= sizeof text; split += 9) {
        operation = ready(row, key, true);
        psa_cipher_operation_t *moved =
            (psa_cipher_operation_t *)(void *)test_buffer(sizeof *moved);
        NEED(psa_cipher_update(&operation, text, split, output, sizeof output, &first));
        memcpy(moved, &operation, sizeof operation);
        memset(&operation, 0xdd, sizeof operation);
        EXPECT(PSA_SUCCESS, psa_cipher_update(moved, text + split, sizeof text - split,
                                              output + first, sizeof output - first, &n));
        CHECK_BYTES(output, first + n, whole, sizeof whole - held_back(row));
        NEED(psa_cipher_abort(moved));
    }
}

SUBJECT_TEST(cipher__copied_operation__goes_on)
{
    subject_for_edges(&subject_cipher, check_copy);
}

/* Calls that fail when the library has worked with the key. */
static void check_failing(const struct subject_row *row, psa_key_id_t key, const uint8_t *message,
                          size_t size)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t text[48 + MAX_IV];
    size_t n;

    if (size >= 32) {
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_cipher_decrypt(key, row->alg, message, size, text, 1, &n));
    }
    if (row->alg == PSA_ALG_CBC_PKCS7) {
        memcpy(text, message, size);
        text[size - MAX_IV - 1] ^= 1;
        EXPECT(PSA_ERROR_INVALID_PADDING,
               psa_cipher_decrypt(key, row->alg, text, size, text, sizeof text, &n));
    }
    memset(text, 0, sizeof text);
    prepare(row, key, true, &operation);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_cipher_update(&operation, text, 32, text, 1, &n));
    NEED(psa_cipher_abort(&operation));
}

static void check_wiped(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    uint8_t *secret = test_buffer(size);
    /* Prepared in place: a function that returned one would leave a copy on the stack. */
    psa_cipher_operation_t aborted = PSA_CIPHER_OPERATION_INIT;
    psa_cipher_operation_t finished = PSA_CIPHER_OPERATION_INIT;
    uint8_t output[48 + MAX_IV];
    size_t n;

    NEED(psa_generate_random(secret, size));
    const psa_key_id_t key = subject_key(row, BOTH, secret, size);
    NEED(psa_cipher_encrypt(key, row->alg, (const uint8_t *)"0123456789abcdef", 16, output,
                            sizeof output, &n));
    residue_public(output, n);
    check_failing(row, key, output, n);
    CHECK(!test_stack_holds(secret, size));
    NEED(psa_cipher_decrypt(key, row->alg, output, n, output, sizeof output, &n));
    CHECK(!test_stack_holds(secret, size));
    prepare(row, key, true, &aborted);
    CHECK(!test_stack_holds(secret, size));
    NEED(psa_cipher_abort(&aborted));
    prepare(row, key, false, &finished);
    CHECK(!test_stack_holds(secret, size));
    NEED(psa_cipher_update(&finished, output, 16, output, sizeof output, &n));
    CHECK(!test_stack_holds(secret, size));
    NEED(psa_cipher_finish(&finished, output, sizeof output, &n));
    CHECK(test_all((const uint8_t *)&aborted, sizeof aborted, 0));
    CHECK(test_all((const uint8_t *)&finished, sizeof finished, 0));
    CHECK(test_memory_holds(secret, size) == (subject_location == 0));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, size));
}

SECRET_TEST(cipher__key_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_cipher, check_wiped);
}
