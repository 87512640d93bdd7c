/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "curves.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(agreement, "key_agreement");

#define MAX_POINT (2 * CURVE_MAX_SIZE + 1)

/* A pair for agreement and its public key; returns the length of the latter. */
static size_t make_side(const struct subject_row *row, psa_key_id_t *key, uint8_t point[MAX_POINT])
{
    size_t n = 0;

    *key = subject_key(row, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT, NULL, 0);
    NEED(psa_export_public_key(*key, point, MAX_POINT, &n));
    return n;
}

static void check_both_sides(const struct subject_row *row)
{
    const size_t size = subject_private_size(row);
    uint8_t points[2][MAX_POINT];
    size_t lengths[2];
    psa_key_id_t keys[2];
    uint8_t *a = test_buffer(size);
    uint8_t *b = test_buffer(size);
    size_t n;

    lengths[0] = make_side(row, &keys[0], points[0]);
    lengths[1] = make_side(row, &keys[1], points[1]);
    EXPECT(PSA_SUCCESS, psa_raw_key_agreement(row->alg, keys[0], test_copy(points[1], lengths[1]),
                                              lengths[1], a, size, &n));
    CHECK(n == size);
    EXPECT(PSA_SUCCESS, psa_raw_key_agreement(row->alg, keys[1], test_copy(points[0], lengths[0]),
                                              lengths[0], b, size, &n));
    CHECK_BYTES(a, size, b, n);
    CHECK(!test_all(a, size, 0));
}

SUBJECT_TEST(agreement__both_sides__get_the_same)
{
    subject_for_each(&subject_agreement, check_both_sides);
}

static void check_short(const struct subject_row *row)
{
    uint8_t point[MAX_POINT];
    psa_key_id_t key;
    const size_t length = make_side(row, &key, point);

    for (size_t size = 0; size < subject_private_size(row); size++) {
        /* Whatever the peer sent: the caller's own mistake comes first. */
        for (size_t cut = 0; cut < 2; cut++) {
            size_t n = 9;
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                   psa_raw_key_agreement(row->alg, key, point, length - cut, test_buffer(size),
                                         size, &n));
            CHECK(n == 0);
        }
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

SUBJECT_TEST(agreement__short_buffer__is_told_before_a_wrong_peer_and_leaves_no_hold)
{
    subject_for_edges(&subject_agreement, check_short);
}

static void refuse(const struct subject_row *row, psa_key_id_t key, const uint8_t *peer,
                   size_t length)
{
    const size_t size = subject_private_size(row);
    uint8_t *secret = test_buffer(size);
    size_t n = 9;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_raw_key_agreement(row->alg, key, test_copy(peer, length), length, secret, size, &n));
    CHECK(n == 0 && test_all(secret, size, 0));
}

static void check_peers(const struct subject_row *row)
{
    uint8_t point[MAX_POINT + 2] = {0};
    psa_key_id_t key;
    const size_t size = make_side(row, &key, point);

    for (size_t length = 0; length < sizeof point; length++) {
        if (length != size) {
            refuse(row, key, point, length);
        }
    }
    if (row->order == NULL) {
        return; /* any coordinate will do */
    }
    for (size_t i = 0; i < size; i += 9) {
        point[i] ^= 0x02;
        refuse(row, key, point, size);
        point[i] ^= 0x02;
    }
    memset(point + 1, 0, size - 1);
    refuse(row, key, point, size);
    memset(point + 1, 0xff, size - 1);
    refuse(row, key, point, size);
}

SUBJECT_TEST(agreement__peer_that_cannot_be__is_refused)
{
    subject_for_each(&subject_agreement, check_peers);
}

static void check_overlap(const struct subject_row *row)
{
    const size_t size = subject_private_size(row);
    uint8_t point[MAX_POINT];
    uint8_t wanted[CURVE_MAX_SIZE];
    psa_key_id_t key;
    size_t n;
    const size_t length = make_side(row, &key, point);

    NEED(psa_raw_key_agreement(row->alg, key, point, length, wanted, sizeof wanted, &n));
    for (size_t at = 0; at <= size + length; at += size / 3) {
        uint8_t *buffer = test_buffer(2 * size + length);
        memcpy(buffer + size, point, length);
        EXPECT(PSA_SUCCESS,
               psa_raw_key_agreement(row->alg, key, buffer + size, length, buffer + at, size, &n));
        CHECK_BYTES(buffer + at, n, wanted, size);
    }
}

SUBJECT_TEST(agreement__output_over_the_peer__gives_the_same)
{
    subject_for_edges(&subject_agreement, check_overlap);
}

static void check_wiped(const struct subject_row *row)
{
    const size_t size = subject_private_size(row);
    uint8_t point[MAX_POINT];
    uint8_t *secret = test_buffer(size);
    uint8_t *shared = test_buffer(size);
    psa_key_id_t key;
    size_t n;
    const size_t length = make_side(row, &key, point);

    residue_public(point, length);
    if (psa_export_key(key, secret, size, &n) != PSA_SUCCESS) {
        CHECK(subject_location != 0);
        return;
    }
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           psa_raw_key_agreement(row->alg, key, point, length, shared, size - 1, &n));
    if (length > size) { /* of a curve that has points beside those of the string: the same twice */
        uint8_t *off = test_buffer(length);
        memset(off, 3, length);
        off[0] = 4;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_raw_key_agreement(row->alg, key, off, length, shared, size, &n));
    }
    NEED(psa_raw_key_agreement(row->alg, key, point, length, shared, size, &n));
    residue_of_agreement(key, secret, shared, size);
}

SECRET_TEST(agreement__key_destroyed__leaves_no_byte_of_key_or_secret)
{
    residue_for_each(&subject_agreement, check_wiped);
}
