/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(decapsulate, "decapsulate");

#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_EXPORT)
#define MAX_PUBLIC 1568u
#define MAX_CIPHERTEXT 1568u
#define MAX_PRIVATE 66u
#define MAX_SECRET 66u

static uint8_t ciphertext[MAX_CIPHERTEXT];
static size_t ciphertext_length;

static psa_status_t encapsulate(const struct subject_row *row, psa_key_id_t key, size_t size,
                                psa_key_id_t *secret)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    return psa_encapsulate(key, row->alg, &attributes, secret, ciphertext, size,
                           &ciphertext_length);
}

static psa_status_t decapsulate(const struct subject_row *row, psa_key_id_t key,
                                psa_key_id_t *secret)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    return psa_decapsulate(key, row->alg, ciphertext, ciphertext_length, &attributes, secret);
}

static size_t take(psa_key_id_t key, uint8_t secret[MAX_SECRET])
{
    size_t length;

    NEED(psa_export_key(key, secret, MAX_SECRET, &length));
    NEED(psa_destroy_key(key));
    return length;
}

static size_t needed(const struct subject_row *row)
{
    return PSA_ENCAPSULATE_CIPHERTEXT_SIZE(row->type, row->bits, row->alg);
}

/* The public key of a pair, as a key of its own. */
static psa_key_id_t public_of(const struct subject_row *row, psa_key_id_t pair)
{
    static uint8_t data[MAX_PUBLIC];
    const psa_key_attributes_t attributes = test_attributes(
        PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(row->type), 0, row->alg, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t length;

    for (size_t size = 0; size < 3; size++) {
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_public_key(pair, data, size, &length));
    }
    NEED(psa_export_public_key(pair, data, sizeof data, &length));
    CHECK(length <= PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(row->type, row->bits));
    NEED(psa_import_key(&attributes, data, length, &key));
    return test_keep(key);
}

/* The same pair once more, imported. */
static psa_key_id_t imported(const struct subject_row *row, psa_key_id_t pair)
{
    psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    uint8_t data[MAX_PRIVATE];
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t length;

    NEED(psa_export_key(pair, data, sizeof data, &length));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, length - 1, &key));
    NEED(psa_import_key(&attributes, data, length, &key));
    return test_keep(key);
}

static void check_agreement(const struct subject_row *row)
{
    const psa_key_id_t pair = subject_key(row, BOTH, NULL, 0);
    const psa_key_id_t other = imported(row, pair);
    const psa_key_id_t senders[] = {pair, public_of(row, pair), other};
    uint8_t sent[MAX_SECRET];
    uint8_t received[MAX_SECRET];
    psa_key_id_t key;

    for (size_t i = 0; i < 3; i++) {
        EXPECT(PSA_SUCCESS, encapsulate(row, senders[i], sizeof ciphertext, &key));
        CHECK(ciphertext_length == needed(row));
        const size_t length = take(key, sent);
        EXPECT(PSA_SUCCESS, decapsulate(row, i == 0 ? other : pair, &key));
        CHECK_BYTES(received, take(key, received), sent, length);
    }
}

SUBJECT_TEST(encapsulation__both_sides__get_the_same)
{
    subject_for_each(&subject_decapsulate, check_agreement);
}

static void check_short(const struct subject_row *row)
{
    const psa_key_id_t pair = subject_key(row, BOTH, NULL, 0);
    psa_key_id_t key = 1;

    for (size_t size = 0; size < needed(row); size += size < 2 ? 1 : needed(row) - 3) {
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, encapsulate(row, pair, size, &key));
        CHECK(ciphertext_length == 0 && key == PSA_KEY_ID_NULL);
    }
    for (ciphertext_length = 0; ciphertext_length < 3; ciphertext_length++) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, decapsulate(row, pair, &key));
    }
    ciphertext_length = needed(row) - 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, decapsulate(row, pair, &key));
}

SUBJECT_TEST(encapsulation__short_buffer__leaves_no_hold)
{
    subject_for_edges(&subject_decapsulate, check_short);
}

static void check_forged(const struct subject_row *row)
{
    const psa_key_id_t pair = subject_key(row, BOTH, NULL, 0);
    uint8_t sent[MAX_SECRET];
    uint8_t received[MAX_SECRET];
    psa_key_id_t key;

    NEED(encapsulate(row, pair, sizeof ciphertext, &key));
    const size_t length = take(key, sent);
    ciphertext[ciphertext_length / 2] ^= 4;
    const psa_status_t status = decapsulate(row, pair, &key);
    if (row->alg == PSA_ALG_ML_KEM) {
        EXPECT(PSA_SUCCESS, status);
    }
    if (status == PSA_SUCCESS) {
        CHECK(take(key, received) == length && memcmp(sent, received, length) != 0);
    } else {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, status);
    }
}

SUBJECT_TEST(encapsulation__forged__gives_nothing_of_the_secret)
{
    subject_for_edges(&subject_decapsulate, check_forged);
}

static void check_entropy(const struct subject_row *row)
{
    const psa_key_id_t pair = subject_key(row, BOTH, NULL, 0);
    const psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    psa_key_id_t key = 1;
    psa_key_id_t generated = 1;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t status = encapsulate(row, pair, sizeof ciphertext, &key);
    const psa_status_t generation = psa_generate_key(&attributes, &generated);
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, status);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, generation);
    CHECK(key == PSA_KEY_ID_NULL && generated == PSA_KEY_ID_NULL && ciphertext_length == 0);
}

SUBJECT_TEST(encapsulation__no_entropy__gives_nothing)
{
    subject_for_edges(&subject_decapsulate, check_entropy);
}

/* A ciphertext that is cut, and too little room for one. */
static void check_failing(const struct subject_row *row, psa_key_id_t pair)
{
    psa_key_id_t key = PSA_KEY_ID_NULL;

    ciphertext_length--;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, decapsulate(row, pair, &key));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, encapsulate(row, pair, needed(row) - 1, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void check_wiped(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, BOTH);
    psa_key_id_t pair = subject_key(row, BOTH, NULL, 0);
    uint8_t *private_key = test_buffer(MAX_PRIVATE);
    uint8_t *public_key = test_buffer(MAX_PUBLIC);
    uint8_t *secret = test_buffer(MAX_SECRET);
    psa_key_id_t sent;
    psa_key_id_t received;
    size_t private_size;
    size_t length;

    NEED(psa_export_key(pair, private_key, MAX_PRIVATE, &private_size));
    NEED(psa_destroy_key(pair));
    NEED(psa_import_key(&attributes, private_key, private_size, &pair));
    NEED(psa_export_public_key(pair, public_key, MAX_PUBLIC, &length));
    residue_public(public_key, length);
    NEED(encapsulate(row, pair, sizeof ciphertext, &sent));
    residue_public(ciphertext, ciphertext_length);
    ciphertext[ciphertext_length - 1] ^= 1;
    residue_public(ciphertext, ciphertext_length);
    if (decapsulate(row, pair, &received) == PSA_SUCCESS) { /* to an unrelated secret, or
                                                             * rejected */
        NEED(psa_destroy_key(received));
    }
    ciphertext[ciphertext_length - 1] ^= 1;
    NEED(decapsulate(row, pair, &received));
    NEED(psa_export_key(sent, secret, MAX_SECRET, &length));
    NEED(psa_destroy_key(sent));
    NEED(psa_destroy_key(received));
    check_failing(row, pair);
    NEED(psa_destroy_key(pair));
    CHECK(!test_memory_holds(private_key, private_size));
    CHECK(!test_memory_holds(secret, length));
    memset(ciphertext, 0, sizeof ciphertext);
}

SECRET_TEST(encapsulation__keys_destroyed__leave_no_byte)
{
    residue_for_each(&subject_decapsulate, check_wiped);
}
