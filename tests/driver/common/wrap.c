/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(wrap, "wrap_key");

#define BOTH (PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP)
#define MAX_SIZE 64u
#define OVERHEAD 15u

static psa_key_id_t wrapping_key(const struct subject_row *row)
{
    uint8_t data[32];

    test_fill(data, sizeof data, 1);
    return subject_key(row, BOTH, data, row->bits / 8);
}

/* Wrap `size` bytes as a key. Returns the length, or 0 if the algorithm does not take so many. */
static size_t wrap(const struct subject_row *row, psa_key_id_t by, const uint8_t *data, size_t size,
                   uint8_t wrapped[MAX_SIZE + OVERHEAD])
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;
    size_t length = 1;

    NEED(psa_import_key(&attributes, data, size, &key));
    const psa_status_t status =
        psa_wrap_key(by, row->alg, key, wrapped, MAX_SIZE + OVERHEAD, &length);
    if (row->alg == PSA_ALG_KW && (size % 8 != 0 || size < 16)) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, status);
        CHECK(length == 0);
    } else {
        EXPECT(PSA_SUCCESS, status);
        CHECK(length <=
              PSA_WRAP_KEY_OUTPUT_SIZE(row->type, row->alg, PSA_KEY_TYPE_RAW_DATA, 8 * size));
    }
    for (size_t room = 0; room < length; room++) {
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_wrap_key(by, row->alg, key, test_buffer(room), room, &n));
        CHECK(n == 0);
    }
    NEED(psa_destroy_key(key));
    return length;
}

static void unwrap(const struct subject_row *row, psa_key_id_t by, uint8_t *wrapped, size_t length,
                   const uint8_t *expected, size_t size)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    uint8_t data[MAX_SIZE];
    psa_key_id_t key;
    size_t n;

    NEED(psa_unwrap_key(&attributes, by, row->alg, wrapped, length, &key));
    EXPECT(PSA_SUCCESS, psa_export_key(key, data, sizeof data, &n));
    CHECK_BYTES(data, n, expected, size);
    NEED(psa_destroy_key(key));
    wrapped[length / 2] ^= 0x80;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_unwrap_key(&attributes, by, row->alg, wrapped, length, &key));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_unwrap_key(&attributes, by, row->alg, wrapped, length - 1, &key));
}

static void check_lengths(const struct subject_row *row)
{
    const psa_key_id_t by = wrapping_key(row);
    uint8_t data[MAX_SIZE];
    uint8_t wrapped[MAX_SIZE + OVERHEAD];

    test_fill(data, sizeof data, 5);
    for (size_t size = 1; size <= MAX_SIZE; size++) {
        const size_t length = wrap(row, by, data, size, wrapped);
        if (length > 0) {
            unwrap(row, by, wrapped, length, data, size);
        }
        test_free_buffers();
    }
}

SUBJECT_TEST(wrap__every_length__comes_back)
{
    subject_for_each(&subject_wrap, check_lengths);
}

static void check_wiped(const struct subject_row *row)
{
    const psa_key_id_t by = wrapping_key(row);
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    uint8_t *secret = test_buffer(32);
    uint8_t wrapped[32 + OVERHEAD];
    psa_key_id_t key;
    size_t length;

    NEED(psa_generate_random(secret, 32));
    NEED(psa_import_key(&attributes, secret, 32, &key));
    NEED(psa_wrap_key(by, row->alg, key, wrapped, sizeof wrapped, &length));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, 32));
    wrapped[0] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_unwrap_key(&attributes, by, row->alg, wrapped, length, &key));
    wrapped[0] ^= 1;
    NEED(psa_unwrap_key(&attributes, by, row->alg, wrapped, length, &key));
    CHECK(test_memory_holds(secret, 32));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, 32));
}

SECRET_TEST(wrap__key_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_wrap, check_wiped);
}
