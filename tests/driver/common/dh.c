/* SPDX-License-Identifier: Apache-2.0 */
/* Finite field Diffie-Hellman: keys and agreement. A row's `order` is the prime of its group. */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(dh, "");

#define MAX_SIZE 1024u

static uint8_t shown[2][MAX_SIZE];
static uint8_t number[MAX_SIZE + 1];

static size_t size_of(const struct subject_row *row)
{
    return row->bits / 8;
}

static psa_key_id_t make_side(const struct subject_row *row, uint8_t *public_key)
{
    const psa_key_id_t key = subject_key(row, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT, NULL, 0);
    size_t n = 0;

    NEED(psa_export_public_key(key, public_key, size_of(row), &n));
    CHECK(n == size_of(row));
    return key;
}

static void check_both_sides(const struct subject_row *row)
{
    const size_t size = size_of(row);
    uint8_t *a = test_buffer(size);
    uint8_t *b = test_buffer(size);
    size_t n = 0;
    const psa_key_id_t first = make_side(row, shown[0]);
    const psa_key_id_t second = make_side(row, shown[1]);

    EXPECT(PSA_SUCCESS,
           psa_raw_key_agreement(row->alg, first, test_copy(shown[1], size), size, a, size, &n));
    CHECK(n == size && !test_all(a, size, 0));
    memcpy(b, shown[0], size);
    EXPECT(PSA_SUCCESS, psa_raw_key_agreement(row->alg, second, b, size, b, size, &n));
    CHECK_BYTES(a, size, b, n);
}

SUBJECT_TEST(dh__both_sides__get_the_same)
{
    subject_for_each(&subject_dh, check_both_sides);
}

static void check_short(const struct subject_row *row)
{
    const size_t size = size_of(row);
    const psa_key_id_t key = make_side(row, shown[0]);

    for (size_t room = 0; room < size; room += 1 + room / 2) {
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_raw_key_agreement(row->alg, key, shown[0], size, test_buffer(room), room, &n));
        CHECK(n == 0);
        n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(key, test_buffer(room), room, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(dh__short_buffer__leaves_no_hold)
{
    subject_for_each(&subject_dh, check_short);
}

/* The prime of the row, plus a small number. */
static void write_prime(const struct subject_row *row, int plus)
{
    const size_t size = size_of(row);

    REQUIRE(row->order != NULL && strlen(row->order) == 2 * size);
    for (size_t i = 0; i < 2 * size; i++) {
        const char c = row->order[i];
        const unsigned digit = (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
        number[i / 2] = (uint8_t)((i % 2 == 0 ? 0u : (unsigned)number[i / 2] << 4) | digit);
    }
    REQUIRE(number[size - 1] == 0xff && plus <= 0);
    number[size - 1] = (uint8_t)(0xff + plus);
}

static void write_small(const struct subject_row *row, uint8_t value)
{
    memset(number, 0, sizeof number);
    number[size_of(row) - 1] = value;
}

static psa_status_t import(const struct subject_row *row, psa_key_type_t type, size_t length)
{
    struct subject_row other = *row;
    psa_key_id_t key = 1;

    other.type = type;
    const psa_key_attributes_t attributes = subject_attributes(&other, PSA_KEY_USAGE_EXPORT);
    const psa_status_t status =
        psa_import_key(&attributes, test_copy(number, length), length, &key);
    if (status == PSA_SUCCESS) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    } else {
        CHECK(key == PSA_KEY_ID_NULL);
    }
    return status;
}

/* The number as a public key, and as the other side's. */
static void refuse_public(const struct subject_row *row, psa_key_id_t key, size_t length)
{
    const size_t size = size_of(row);
    uint8_t *secret = test_buffer(size);
    size_t n = 9;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           import(row, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(row->type), length));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_raw_key_agreement(row->alg, key, number, length, secret, size, &n));
    CHECK(n == 0 && test_all(secret, size, 0));
}

static void check_peers(const struct subject_row *row)
{
    const size_t size = size_of(row);
    const psa_key_id_t key = make_side(row, shown[0]);

    for (uint8_t value = 0; value < 2; value++) {
        write_small(row, value);
        refuse_public(row, key, size);
    }
    for (int plus = -1; plus <= 0; plus++) {
        write_prime(row, plus);
        refuse_public(row, key, size);
    }
    memset(number, 0xff, sizeof number);
    refuse_public(row, key, size);
    memcpy(number, shown[0], size);
    refuse_public(row, key, 0);
    refuse_public(row, key, size - 1);
    refuse_public(row, key, size + 1);
    write_prime(row, -2);
    EXPECT(PSA_SUCCESS, import(row, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(row->type), size));
    write_small(row, 2);
    EXPECT(PSA_SUCCESS, import(row, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(row->type), size));
}

SUBJECT_TEST(dh__peer_that_cannot_be__is_refused)
{
    subject_for_each(&subject_dh, check_peers);
}

static void check_private(const struct subject_row *row)
{
    const size_t size = size_of(row);

    write_small(row, 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(row, row->type, size));
    write_small(row, 1);
    EXPECT(PSA_SUCCESS, import(row, row->type, size));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(row, row->type, size - 1));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(row, row->type, size + 1));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(row, row->type, 0));
    write_prime(row, 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(row, row->type, size));
    write_prime(row, -1);
    EXPECT(PSA_SUCCESS, import(row, row->type, size));
    memset(number, 0xff, sizeof number);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(row, row->type, size));
}

SUBJECT_TEST(dh__private_key_out_of_range__is_refused)
{
    subject_for_each(&subject_dh, check_private);
}

static void check_generated(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    const size_t size = size_of(row);
    uint8_t *private_key = test_buffer(size);
    psa_key_id_t key = 1;
    size_t n = 0;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_key(&attributes, &key));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(key == PSA_KEY_ID_NULL);
    const psa_key_id_t generated = make_side(row, shown[0]);
    (void)make_side(row, shown[1]);
    CHECK(memcmp(shown[0], shown[1], size) != 0);
    EXPECT(PSA_SUCCESS, psa_export_key(generated, private_key, size, &n));
    CHECK(n == size);
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, private_key, size, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, shown[1], size, &n));
    CHECK_BYTES(shown[1], n, shown[0], size);
}

SUBJECT_TEST(dh__generated_pair__can_be_imported)
{
    subject_for_each(&subject_dh, check_generated);
}

static void check_wiped(const struct subject_row *row)
{
    const size_t size = size_of(row);
    uint8_t *secret = test_buffer(size);
    uint8_t *shared = test_buffer(size);
    size_t n;
    const psa_key_id_t key = make_side(row, shown[0]);

    NEED(psa_export_key(key, secret, size, &n));
    NEED(psa_raw_key_agreement(row->alg, key, shown[0], size, shared, size, &n));
    residue_of_agreement(key, secret, shared, size);
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t imported;
    NEED(psa_import_key(&attributes, secret, size, &imported));
    NEED(psa_destroy_key(imported));
    memset(shown, 0, sizeof shown);
}

SECRET_TEST(dh__key_destroyed__leaves_no_byte_of_key_or_secret)
{
    residue_for_each(&subject_dh, check_wiped);
}
