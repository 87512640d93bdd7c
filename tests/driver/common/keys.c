/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "curves.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(generate, "generate_key");
SUBJECT_KIND(import_pair, "");
SUBJECT_KIND(import_public, "");
SUBJECT_KIND(export_public, "export_public_key");
SUBJECT_KIND(random, "get_random");

#define MAX_POINT (2 * CURVE_MAX_SIZE + 1)

void curve_order(const struct subject_row *row, uint8_t order[CURVE_MAX_SIZE])
{
    const size_t size = subject_private_size(row);

    REQUIRE(row->order != NULL && strlen(row->order) == 2 * size);
    for (size_t i = 0; i < 2 * size; i++) {
        const char c = row->order[i];
        const unsigned digit = (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
        order[i / 2] = (uint8_t)((i % 2 == 0 ? 0u : (unsigned)order[i / 2] << 4) | digit);
    }
}

static void check_generate(const struct subject_row *row)
{
    const psa_key_id_t a = subject_key(row, PSA_KEY_USAGE_EXPORT, NULL, 0);
    const psa_key_id_t b = subject_key(row, PSA_KEY_USAGE_EXPORT, NULL, 0);
    const size_t size = subject_private_size(row);
    uint8_t *first = test_buffer(size);
    uint8_t *second = test_buffer(size);
    psa_key_id_t again = PSA_KEY_ID_NULL;
    size_t n;

    if (psa_export_key(a, first, size, &n) != PSA_SUCCESS) {
        CHECK(subject_location != 0); /* elements do not give it away */
        return;
    }
    CHECK(n == size);
    NEED(psa_export_key(b, second, size, &n));
    CHECK(memcmp(first, second, size) != 0);
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, first, size, &again));
    test_keep(again);
    NEED(psa_export_key(again, second, size, &n));
    CHECK_BYTES(second, n, first, size);
}

SUBJECT_TEST(generate__pairs__differ_and_can_be_imported)
{
    subject_for_each(&subject_generate, check_generate);
}

/* Above the order of any curve that has one here, with half of a secret. */
static void refuse_out_of_range(const struct subject_row *row, const uint8_t *secret, size_t size)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    uint8_t *scalar = test_copy(secret, size);
    psa_key_id_t key;

    if (row->order != NULL) {
        memset(scalar, 0xff, size / 2 + 1); /* P-384 has as many such bytes as half of it */
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, scalar, size, &key));
    }
}

static void check_wiped(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    const size_t size = subject_private_size(row);
    uint8_t *secret = test_buffer(size);
    uint8_t *point = test_buffer(MAX_POINT);
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t n;

    NEED(psa_generate_key(&attributes, &key));
    NEED(psa_export_public_key(key, point, MAX_POINT, &n));
    residue_public(point, n);
    if (psa_export_key(key, secret, size, &n) == PSA_SUCCESS) {
        CHECK(!test_stack_holds(secret, size));
        NEED(psa_destroy_key(key));
        NEED(psa_import_key(&attributes, secret, size, &key));
        NEED(psa_export_public_key(key, point, MAX_POINT, &n));
        CHECK(!test_stack_holds(secret, size));
        refuse_out_of_range(row, secret, size);
    }
    NEED(psa_destroy_key(key));
    CHECK(subject_location != 0 || !test_memory_holds(secret, size));
}

SECRET_TEST(generate__pair_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_generate, check_wiped);
}

static void check_generate_no_entropy(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key = 1;

    if (subject_location != 0) {
        return; /* has a generator of its own */
    }
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_key(&attributes, &key));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(key == PSA_KEY_ID_NULL);
    EXPECT(PSA_SUCCESS, psa_generate_key(&attributes, &key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(generate__no_entropy__gives_no_key)
{
    subject_for_each(&subject_generate, check_generate_no_entropy);
}

static void refuse(const struct subject_row *row, const uint8_t *data, size_t size)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_import_key(&attributes, test_copy(data, size), size, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void check_scalars(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    const size_t size = subject_private_size(row);
    uint8_t scalar[CURVE_MAX_SIZE] = {0};
    psa_key_id_t key = PSA_KEY_ID_NULL;

    if (row->order == NULL) {
        return; /* every string of bytes is a key */
    }
    refuse(row, scalar, size);
    memset(scalar, 0xff, sizeof scalar);
    refuse(row, scalar, size);
    curve_order(row, scalar);
    refuse(row, scalar, size);
    scalar[size - 1]++; /* no order ends in ff */
    refuse(row, scalar, size);
    scalar[size - 1] = (uint8_t)(scalar[size - 1] - 2);
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, scalar, size, &key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    memset(scalar, 0, sizeof scalar);
    scalar[size - 1] = 1;
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, scalar, size, &key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(import__scalar_out_of_range__is_refused)
{
    subject_for_each(&subject_import_pair, check_scalars);
}

static void check_pair_lengths(const struct subject_row *row)
{
    uint8_t data[2 * CURVE_MAX_SIZE];

    test_fill(data, sizeof data, 3);
    for (size_t size = 0; size <= sizeof data; size++) {
        if (size != subject_private_size(row)) {
            refuse(row, data, size);
        }
    }
}

SUBJECT_TEST(import__pair_of_wrong_length__is_refused)
{
    subject_for_each(&subject_import_pair, check_pair_lengths);
}

/* A valid public key of the row. */
static size_t make_point(const struct subject_row *row, uint8_t point[MAX_POINT])
{
    struct subject_row pair = *row;
    size_t n = 0;

    pair.type = PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(row->type);
    NEED(psa_export_public_key(subject_key(&pair, 0, NULL, 0), point, MAX_POINT, &n));
    CHECK(n == subject_public_size(row));
    return n;
}

/*
 * Points of Edwards curves whose order is small: y, and its second encoding with the sign of x. Of
 * 1, 2 and 4 on both curves, of 8 on Edwards25519 (Chalkias, Garillot, Nikolaenko: Taming the many
 * EdDSAs, table 1). With such a key a signature of one message is one of all.
 */
static void check_small_order(const struct subject_row *row, size_t size)
{
    static const uint8_t eighth[2][32] = {
        {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b,
         0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39,
         0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a},
        {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
         0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
         0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05}};
    uint8_t points[5][MAX_POINT] = {{0}, {1}};
    const bool is_255 = row->bits == 255;

    memset(points[2], 0xff, size); /* p - 1, of 2^255 - 19 and 2^448 - 2^224 - 1 */
    points[2][0] = is_255 ? 0xec : 0xfe;
    points[2][size - 1] = is_255 ? 0x7f : 0;
    points[2][28] = is_255 ? 0xff : 0xfe;
    memcpy(points[3], eighth[0], sizeof eighth[0]);
    memcpy(points[4], eighth[1], sizeof eighth[1]);
    for (size_t i = 0; i < (is_255 ? 5u : 3u); i++) {
        for (unsigned sign = 0; sign < 2; sign++) {
            test_context("point", i);
            refuse(row, points[i], size);
            points[i][size - 1] ^= 0x80;
        }
    }
    test_context(NULL, 0);
}

static void check_points(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, 0);
    uint8_t point[MAX_POINT + 2] = {0};
    psa_key_id_t key = PSA_KEY_ID_NULL;
    const size_t size = make_point(row, point);

    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, test_copy(point, size), size, &key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    for (size_t length = 0; length < sizeof point; length++) {
        if (length != size) {
            refuse(row, point, length);
        }
    }
    if (PSA_KEY_TYPE_ECC_GET_FAMILY(row->type) == PSA_ECC_FAMILY_TWISTED_EDWARDS) {
        check_small_order(row, size);
    }
    if (row->order == NULL) {
        return; /* every string of bytes of that length is a public key */
    }
    for (size_t i = 0; i < size; i += 5) {
        point[i] ^= 0x01;
        refuse(row, point, size);
        point[i] ^= 0x01;
    }
    memset(point + 1, 0, size - 1);
    refuse(row, point, size);
    memset(point + 1, 0xff, size - 1);
    refuse(row, point, size);
    memset(point, 0, size);
    refuse(row, point, size);
}

SUBJECT_TEST(import__public_key_that_cannot_be__is_refused)
{
    subject_for_each(&subject_import_public, check_points);
}

static void check_export_short(const struct subject_row *row)
{
    const psa_key_id_t key = subject_key(row, 0, NULL, 0);
    const size_t needed = subject_public_size(row);
    uint8_t *point = test_buffer(needed);
    size_t n;

    for (size_t size = 0; size < needed; size++) {
        n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(key, test_buffer(size), size, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, point, needed, &n));
    CHECK(n == needed);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(export_public__short_buffer__is_too_small)
{
    subject_for_each(&subject_export_public, check_export_short);
}

static void check_export_matches(const struct subject_row *row)
{
    const psa_key_id_t generated = subject_key(row, PSA_KEY_USAGE_EXPORT, NULL, 0);
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    uint8_t secret[CURVE_MAX_SIZE];
    uint8_t point[MAX_POINT];
    uint8_t recomputed[MAX_POINT];
    psa_key_id_t imported = PSA_KEY_ID_NULL;
    size_t size;
    size_t n;

    NEED(psa_export_public_key(generated, point, sizeof point, &n));
    if (psa_export_key(generated, secret, sizeof secret, &size) != PSA_SUCCESS) {
        CHECK(subject_location != 0);
        return;
    }
    NEED(psa_import_key(&attributes, secret, size, &imported));
    test_keep(imported);
    EXPECT(PSA_SUCCESS, psa_export_public_key(imported, recomputed, sizeof recomputed, &size));
    CHECK_BYTES(recomputed, size, point, n);
}

SUBJECT_TEST(export_public__imported_pair__matches_the_generated_one)
{
    subject_for_each(&subject_export_public, check_export_matches);
}

static void check_random(const struct subject_row *row)
{
    (void)row;
    for (size_t size = 0; size <= 200; size++) {
        uint8_t *output = test_buffer(size);
        EXPECT(PSA_SUCCESS, psa_generate_random(output, size));
        CHECK(size < 20 || !test_all(output, size, output[0]));
    }
}

SUBJECT_TEST(random__every_size__fills_the_buffer)
{
    subject_for_each(&subject_random, check_random);
}

static void check_random_wiped(const struct subject_row *row)
{
    uint8_t *output = test_buffer(100);

    (void)row;
    NEED(psa_generate_random(output, 100));
    CHECK(!test_memory_holds(output, 100));
}

SECRET_TEST(random__drawn__leaves_no_byte_of_it)
{
    residue_for_each(&subject_random, check_random_wiped);
}

static void check_random_no_entropy(const struct subject_row *row)
{
    uint8_t *output = test_buffer(40);

    (void)row;
    if (subject_location != 0) {
        return; /* is a source itself */
    }
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_random(output, 40));
    CHECK(test_all(output, 40, 0));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_SUCCESS, psa_generate_random(output, 40));
    CHECK(!test_all(output, 40, 0));
}

SUBJECT_TEST(random__no_entropy__gives_nothing)
{
    subject_for_each(&subject_random, check_random_no_entropy);
}
