/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that an element keeps: symmetric ones that come into it, and copies within it. */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "curves.h"
#include "subject.h"

SUBJECT_KIND(keep_import, "");
SUBJECT_KIND(keep_generate, "");
SUBJECT_KIND(copy, "copy_key");

#define MAX_KEY 256u

static size_t secret_size(const struct subject_row *row)
{
    return (row->size_count > 0 ? row->sizes[row->size_count - 1] : row->bits) / 8;
}

static void check_kept(const struct subject_row *row, psa_key_id_t key, size_t size)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t output[MAX_KEY];
    size_t n = 9;

    EXPECT(PSA_SUCCESS, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_type(&attributes) == row->type);
    CHECK(psa_get_key_bits(&attributes) == 8 * size);
    CHECK(PSA_KEY_LIFETIME_GET_LOCATION(psa_get_key_lifetime(&attributes)) == subject_location);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_export_key(key, output, sizeof output, &n));
    CHECK(n == 0);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(key, &attributes));
}

static void check_import(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    const size_t size = secret_size(row);
    uint8_t *secret = test_buffer(size);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    NEED(psa_generate_random(secret, size));
    NEED(psa_import_key(&attributes, secret, size, &key));
    CHECK(!test_memory_holds(secret, size) && !test_stack_holds(secret, size));
    check_kept(row, key, size);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, secret, 0, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

SUBJECT_TEST(keep__imported_secret__is_not_given_away)
{
    subject_for_each(&subject_keep_import, check_import);
}

static void check_generate(const struct subject_row *row)
{
    psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_bits(&attributes, 8 * secret_size(row));
    NEED(psa_generate_key(&attributes, &key));
    check_kept(row, key, secret_size(row));
}

SUBJECT_TEST(keep__generated_secret__is_not_given_away)
{
    subject_for_each(&subject_keep_generate, check_generate);
}

static void check_copy(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_COPY);
    const psa_key_id_t first = subject_key(row, PSA_KEY_USAGE_COPY, NULL, 0);
    uint8_t point[2 * CURVE_MAX_SIZE + 1];
    uint8_t copied[2 * CURVE_MAX_SIZE + 1];
    psa_key_id_t second = PSA_KEY_ID_NULL;
    size_t size;
    size_t n;

    NEED(psa_copy_key(first, &attributes, &second));
    NEED(psa_export_public_key(first, point, sizeof point, &size));
    EXPECT(PSA_SUCCESS, psa_destroy_key(first));
    EXPECT(PSA_SUCCESS, psa_export_public_key(test_keep(second), copied, sizeof copied, &n));
    CHECK_BYTES(copied, n, point, size);
}

SUBJECT_TEST(keep__copy__outlives_the_first)
{
    subject_for_each(&subject_copy, check_copy);
}
