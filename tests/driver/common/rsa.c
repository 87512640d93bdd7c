/* SPDX-License-Identifier: Apache-2.0 */
/* RSA, with keys of 1024 and 2048 bits that come with the tests; larger ones are the vectors'. */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/rsa_keys.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(rsa_key, "");
SUBJECT_KIND(rsa_generate, "");
SUBJECT_KIND(rsa_sign, "");
SUBJECT_KIND(rsa_verify, "");
SUBJECT_KIND(rsa_sign_message, "");
SUBJECT_KIND(rsa_verify_message, "");
SUBJECT_KIND(rsa_encrypt, "");
SUBJECT_KIND(rsa_decrypt, "");

#define USAGE                                                                                      \
    (PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH |                  \
     PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define MAX_SIZE 256u
#define INPUT_MAX_SIZE 64u

static bool has_key(const struct subject_row *row)
{
    return row->bits <= 2048 && row->bits % 1024 == 0;
}

static size_t key_of(const struct subject_row *row, bool is_pair, const uint8_t **data)
{
    const bool is_small = row->bits == 1024;

    if (is_pair && residue_number() != 0) {
        *data = rsa1024_another_pair;
        return sizeof rsa1024_another_pair;
    }
    if (is_pair) {
        *data = is_small ? rsa1024_pair : rsa2048_pair;
        return is_small ? sizeof rsa1024_pair : sizeof rsa2048_pair;
    }
    *data = is_small ? rsa1024_public : rsa2048_public;
    return is_small ? sizeof rsa1024_public : sizeof rsa2048_public;
}

static psa_key_id_t import(const struct subject_row *row, psa_key_type_t type)
{
    const uint8_t *data;
    const size_t size = key_of(row, PSA_KEY_TYPE_IS_KEY_PAIR(type), &data);

    return test_import(type, row->alg,
                       PSA_KEY_TYPE_IS_KEY_PAIR(type)
                           ? USAGE
                           : USAGE & ~(PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_DECRYPT),
                       test_copy(data, size), size);
}

/* A pair that comes with the tests, or one that the element makes if it takes none. */
static psa_key_id_t pair_of(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, USAGE);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    if (subject_imports_rsa) {
        return import(row, PSA_KEY_TYPE_RSA_KEY_PAIR);
    }
    EXPECT(PSA_SUCCESS, psa_generate_key(&attributes, &key));
    return test_keep(key);
}

static psa_key_id_t public_of(const struct subject_row *row)
{
    return import(row, PSA_KEY_TYPE_RSA_PUBLIC_KEY);
}

/* Elements keep what they have. */
static bool gives_away(psa_key_id_t key)
{
    uint8_t *const data = test_buffer(PSA_EXPORT_KEY_PAIR_MAX_SIZE);
    size_t n;

    const bool has_given =
        psa_export_key(key, data, PSA_EXPORT_KEY_PAIR_MAX_SIZE, &n) == PSA_SUCCESS;
    CHECK(has_given == (subject_location == 0));
    return has_given;
}

static void check_key(const struct subject_row *row)
{
    const bool is_pair = PSA_KEY_TYPE_IS_KEY_PAIR(row->type);
    const uint8_t *data;
    const uint8_t *public_data;
    uint8_t *out = test_buffer(PSA_EXPORT_KEY_OUTPUT_SIZE(row->type, row->bits));
    size_t n;

    if (!has_key(row) || (is_pair && !subject_imports_rsa)) {
        return;
    }
    const size_t size = key_of(row, is_pair, &data);
    const size_t public_size = key_of(row, false, &public_data);
    const psa_key_id_t key = import(row, row->type);
    if (gives_away(key)) {
        EXPECT(PSA_SUCCESS, psa_export_key(key, out, size, &n));
        CHECK_BYTES(out, n, data, size);
    }
    EXPECT(PSA_SUCCESS, psa_export_public_key(key, out, public_size, &n));
    CHECK_BYTES(out, n, public_data, public_size);
    for (size_t at = 0; at < size && !row->only_computes; at += 97) {
        const psa_key_attributes_t attributes = subject_attributes(row, USAGE);
        uint8_t *changed = test_copy(data, size);
        psa_key_id_t other;
        changed[at] ^= 0x02;
        const psa_status_t status = psa_import_key(&attributes, changed, size, &other);
        if (status == PSA_SUCCESS) { /* another modulus may well be one */
            CHECK(!is_pair);
            NEED(psa_destroy_key(other));
        }
    }
}

SUBJECT_TEST(rsa_key__imported__comes_back)
{
    subject_for_each(&subject_rsa_key, check_key);
}

static void check_generate(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    const size_t room = PSA_EXPORT_KEY_PAIR_MAX_SIZE;
    static const uint8_t exponent[] = {5};
    uint8_t *data = test_buffer(room);
    psa_key_id_t key;
    size_t n;

    if (row->bits != 1024) {
        return; /* a matter of minutes */
    }
    EXPECT(PSA_SUCCESS, psa_generate_key(&attributes, &key));
    if (!gives_away(test_keep(key))) {
        EXPECT(PSA_SUCCESS, psa_export_public_key(key, data, room, &n));
        EXPECT(PSA_ERROR_NOT_SUPPORTED,
               psa_generate_key_custom(&attributes, &custom, exponent, 1, &key));
        CHECK(key == PSA_KEY_ID_NULL);
        return;
    }
    EXPECT(PSA_SUCCESS, psa_export_key(key, data, room, &n));
    EXPECT(PSA_SUCCESS, psa_import_key(&attributes, data, n, &key));
    test_keep(key);
    EXPECT(PSA_SUCCESS, psa_generate_key_custom(&attributes, &custom, exponent, 1, &key));
    EXPECT(PSA_SUCCESS, psa_export_public_key(test_keep(key), data, room, &n));
    CHECK(n > 3 && data[n - 2] == 1 && data[n - 1] == 5);
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_generate_key(&attributes, &key));
    test_entropy_mode(TEST_ENTROPY_GOOD);
}

SUBJECT_TEST(rsa_generate__pair__can_be_imported)
{
    subject_for_each(&subject_rsa_generate, check_generate);
}

/* Signatures */

static size_t hash_size(const struct subject_row *row)
{
    const size_t length = PSA_HASH_LENGTH(PSA_ALG_GET_HASH(row->alg));

    return length != 0 ? length : 35;
}

static psa_status_t sign(const struct subject_row *row, psa_key_id_t key, const uint8_t *input,
                         uint8_t *signature, size_t size, size_t *length)
{
    return row->kind == &subject_rsa_sign
               ? psa_sign_hash(key, row->alg, input, hash_size(row), signature, size, length)
               : psa_sign_message(key, row->alg, input, hash_size(row), signature, size, length);
}

static psa_status_t verify(const struct subject_row *row, psa_key_id_t key, const uint8_t *input,
                           const uint8_t *signature, size_t length)
{
    return row->kind == &subject_rsa_sign || row->kind == &subject_rsa_verify
               ? psa_verify_hash(key, row->alg, input, hash_size(row), signature, length)
               : psa_verify_message(key, row->alg, input, hash_size(row), signature, length);
}

static void check_sign(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    uint8_t input[INPUT_MAX_SIZE];
    size_t n;

    if (!has_key(row)) {
        return;
    }
    const psa_key_id_t key = pair_of(row);
    uint8_t *signature = test_buffer(size);
    test_fill(input, sizeof input, 7);
    EXPECT(PSA_SUCCESS, sign(row, key, input, signature, size, &n));
    CHECK(n == size);
    EXPECT(PSA_SUCCESS, verify(row, key, input, signature, n));
    input[0] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, key, input, signature, n));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, sign(row, key, input, signature, size - 1, &n));
    CHECK(n == 0);
}

static void each_signing(void (*test)(const struct subject_row *row))
{
    subject_for_each_of(&subject_rsa_sign_message, &subject_rsa_sign, test);
}

SUBJECT_TEST(rsa_sign__result__verifies)
{
    each_signing(check_sign);
}

static void check_overlap(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    uint8_t input[INPUT_MAX_SIZE];
    size_t n;

    if (row->bits != 1024) {
        return;
    }
    const psa_key_id_t key = pair_of(row);
    test_fill(input, sizeof input, 9);
    for (size_t shift = 0; shift <= size - hash_size(row); shift += 30) {
        uint8_t *both = test_buffer(size);
        memcpy(both + shift, input, hash_size(row));
        EXPECT(PSA_SUCCESS, sign(row, key, both + shift, both, size, &n));
        EXPECT(PSA_SUCCESS, verify(row, key, input, both, n));
    }
}

SUBJECT_TEST(rsa_sign__output_over_the_input__verifies)
{
    each_signing(check_overlap);
}

static void check_no_entropy(const struct subject_row *row)
{
    const uint8_t input[INPUT_MAX_SIZE] = {1};
    uint8_t signature[MAX_SIZE];
    size_t n;

    if (!has_key(row)) {
        return;
    }
    const psa_key_id_t key = pair_of(row);
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t status = sign(row, key, input, signature, sizeof signature, &n);
    test_entropy_mode(TEST_ENTROPY_GOOD);
    if (status == PSA_SUCCESS) {
        /* Neither salt nor blinding, or a generator of its own. */
        CHECK(!PSA_ALG_IS_RSA_PSS(row->alg) || subject_location != 0);
        EXPECT(PSA_SUCCESS, verify(row, key, input, signature, n));
    } else {
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, status);
        CHECK(n == 0 && test_all(signature, sizeof signature, 0));
    }
}

SUBJECT_TEST(rsa_sign__no_entropy__gives_no_signature)
{
    each_signing(check_no_entropy);
}

/* Everybody may know the public key. */
static void publish(psa_key_id_t key)
{
    uint8_t *data = test_buffer(sizeof rsa1024_public);
    size_t n;

    NEED(psa_export_public_key(key, data, sizeof rsa1024_public, &n));
    residue_public(data, n);
}

static void check_wiped(const struct subject_row *row)
{
    const uint8_t input[INPUT_MAX_SIZE] = {2};
    uint8_t signature[MAX_SIZE];
    const uint8_t *data;
    size_t n;

    if (row->bits != 1024) {
        return;
    }
    const psa_key_id_t key = pair_of(row);
    const size_t size = key_of(row, true, &data);
    /* The last of its numbers, the coefficient; constant memory holds it, other memory may not. */
    const uint8_t *secret = test_copy(data + size - 32, 32);
    publish(key);
    NEED(sign(row, key, input, signature, sizeof signature, &n));
    residue_public(signature, n);
    NEED(verify(row, key, input, signature, n));
    CHECK(test_memory_holds(secret, 32) == (subject_location == 0));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, 32));
}

static void check_residue(const struct subject_row *row)
{
    residue_run(check_wiped, row);
}

SECRET_TEST(rsa_sign__key_destroyed__leaves_no_byte_of_it)
{
    each_signing(check_residue);
}

static void check_key_wiped(const struct subject_row *row)
{
    const uint8_t *pair;

    if (row->bits != 1024 || !PSA_KEY_TYPE_IS_KEY_PAIR(row->type)) {
        return;
    }
    const psa_key_id_t key = pair_of(row);
    const size_t size = key_of(row, true, &pair);
    const uint8_t *secret = test_copy(pair + size - 32, 32);
    publish(key);
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, 32));
}

SECRET_TEST(rsa_key__destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_rsa_key, check_key_wiped);
}

static void check_generated_wiped(const struct subject_row *row)
{
    const psa_key_attributes_t attributes = subject_attributes(row, PSA_KEY_USAGE_EXPORT);
    uint8_t *const data = test_buffer(PSA_EXPORT_KEY_PAIR_MAX_SIZE);
    psa_key_id_t key;
    size_t n;

    if (row->bits != 1024 || subject_location != 0) {
        return;
    }
    NEED(psa_generate_key(&attributes, &key));
    NEED(psa_export_public_key(key, data, PSA_EXPORT_KEY_PAIR_MAX_SIZE, &n));
    residue_public(data, n);
    NEED(psa_export_key(key, data, PSA_EXPORT_KEY_PAIR_MAX_SIZE, &n));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(data + n - 32, 32));
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    static const uint8_t exponent[] = {5};
    NEED(psa_generate_key_custom(&attributes, &custom, exponent, sizeof exponent, &key));
    NEED(psa_export_public_key(key, data, PSA_EXPORT_KEY_PAIR_MAX_SIZE, &n));
    residue_public(data, n);
    NEED(psa_destroy_key(key));
}

SECRET_TEST(rsa_generate__pair_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_rsa_generate, check_generated_wiped);
}

static void check_forged(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    uint8_t input[INPUT_MAX_SIZE];
    uint8_t signature[MAX_SIZE + 2];
    size_t n;

    if (!has_key(row)) {
        return;
    }
    const psa_key_id_t pair = pair_of(row);
    const psa_key_id_t key = public_of(row);
    test_fill(input, sizeof input, 7);
    if (row->kind == &subject_rsa_verify) {
        NEED(psa_sign_hash(pair, row->alg, input, hash_size(row), signature, size, &n));
    } else {
        NEED(psa_sign_message(pair, row->alg, input, hash_size(row), signature, size, &n));
    }
    EXPECT(PSA_SUCCESS, verify(row, key, input, signature, n));
    for (size_t at = 0; at < size; at += 31) {
        signature[at] ^= 4;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, key, input, signature, n));
        signature[at] ^= 4;
    }
    for (size_t length = 0; length <= size + 2; length++) {
        if (length != size) {
            EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, key, input, signature, length));
        }
    }
    memset(signature, 0xff, sizeof signature);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, key, input, signature, size));
}

SECRET_TEST(rsa_verify__forged__is_an_invalid_signature)
{
    subject_for_edges_of(&subject_rsa_verify_message, &subject_rsa_verify, check_forged);
}

/* Encryption */

static const uint8_t label[] = {'l', 'a', 'b', 'e', 'l'};

static size_t label_size(const struct subject_row *row)
{
    return PSA_ALG_IS_RSA_OAEP(row->alg) ? sizeof label : 0;
}

static void check_text(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    uint8_t text[MAX_SIZE];
    size_t n;

    if (!has_key(row)) {
        return;
    }
    const psa_key_id_t key = public_of(row);
    const psa_key_id_t pair = pair_of(row);
    const size_t room = PSA_ASYMMETRIC_DECRYPT_OUTPUT_SIZE(row->type, row->bits, row->alg);
    test_fill(text, sizeof text, 4);
    for (size_t length = 0; length <= room; length = length < room ? room : room + 1) {
        uint8_t *cipher = test_buffer(size);
        uint8_t *plain = test_buffer(room);
        const psa_status_t status =
            psa_asymmetric_encrypt(key, row->alg, test_copy(text, length), length, label,
                                   label_size(row), cipher, size, &n);
        EXPECT(PSA_SUCCESS, status);
        CHECK(n == size);
        EXPECT(PSA_SUCCESS, psa_asymmetric_decrypt(pair, row->alg, cipher, size, label,
                                                   label_size(row), plain, room, &n));
        CHECK_BYTES(plain, n, text, length);
    }
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_asymmetric_encrypt(key, row->alg, text, 1, label,
                                                              label_size(row), text, size - 1, &n));
}

/* A hash that leaves no room at all is not for this key. */
static bool has_room(const struct subject_row *row)
{
    return !PSA_ALG_IS_RSA_OAEP(row->alg) ||
           row->bits / 8 > 2 * PSA_HASH_LENGTH(PSA_ALG_GET_HASH(row->alg)) + 2;
}

static void check_text_if_room(const struct subject_row *row)
{
    if (has_room(row)) {
        check_text(row);
    }
}

SUBJECT_TEST(rsa_encrypt__text__comes_back)
{
    subject_for_each(&subject_rsa_encrypt, check_text_if_room);
}

/* Padding is drawn, whatever the library makes of a generator that fails. */
static void check_no_entropy_to_encrypt(const struct subject_row *row)
{
    const uint8_t text[] = {1, 2, 3};
    uint8_t cipher[MAX_SIZE];
    size_t n = 9;

    if (!has_key(row) || !has_room(row) || subject_location != 0) {
        return; /* an element may have a generator of its own */
    }
    const psa_key_id_t pair = pair_of(row);
    memset(cipher, 0xa5, sizeof cipher);
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
           psa_asymmetric_encrypt(pair, row->alg, text, 3, label, label_size(row), cipher,
                                  sizeof cipher, &n));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(n == 0 && test_all(cipher, sizeof cipher, 0));
}

SUBJECT_TEST(rsa_encrypt__no_entropy__gives_nothing)
{
    subject_for_edges(&subject_rsa_encrypt, check_no_entropy_to_encrypt);
}

static void check_padding(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    const uint8_t text[] = {1, 2, 3};
    uint8_t cipher[MAX_SIZE];
    uint8_t plain[MAX_SIZE];
    size_t n;

    if (!has_key(row) || !has_room(row)) {
        return;
    }
    const psa_key_id_t pair = pair_of(row);
    NEED(psa_asymmetric_encrypt(pair, row->alg, text, 3, label, label_size(row), cipher,
                                sizeof cipher, &n));
    EXPECT(PSA_SUCCESS, psa_asymmetric_decrypt(pair, row->alg, cipher, size, label, label_size(row),
                                               plain, size, &n));
    CHECK_BYTES(plain, n, text, 3);
    for (size_t at = 0; at < size; at += size - 1) {
        cipher[at] ^= 1;
        EXPECT(PSA_ERROR_INVALID_PADDING,
               psa_asymmetric_decrypt(pair, row->alg, cipher, size, label, label_size(row), plain,
                                      size, &n));
        CHECK(n == 0 && test_all(plain, size, 0));
        cipher[at] ^= 1;
    }
    memset(cipher, 0xff, sizeof cipher);
    EXPECT(PSA_ERROR_INVALID_PADDING, psa_asymmetric_decrypt(pair, row->alg, cipher, size, label,
                                                             label_size(row), plain, size, &n));
}

/* A text that does not fit: PKCS#1 v1.5 answers this like a wrong padding. */
static void check_fit(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    const uint8_t text[] = {1, 2, 3};
    uint8_t cipher[MAX_SIZE];
    size_t n;

    if (!has_key(row) || !has_room(row)) {
        return;
    }
    const psa_key_id_t pair = pair_of(row);
    NEED(psa_asymmetric_encrypt(pair, row->alg, text, sizeof text, label, label_size(row), cipher,
                                sizeof cipher, &n));
    for (size_t room = 0; room <= sizeof text; room++) {
        uint8_t *const plain = test_buffer(room);
        const psa_status_t too_small =
            PSA_ALG_IS_RSA_OAEP(row->alg) ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_ERROR_INVALID_PADDING;
        EXPECT(room == sizeof text ? PSA_SUCCESS : too_small,
               psa_asymmetric_decrypt(pair, row->alg, cipher, size, label, label_size(row), plain,
                                      room, &n));
        CHECK(room == sizeof text ? n == room && memcmp(plain, text, room) == 0
                                  : n == 0 && test_all(plain, room, 0));
    }
}

SUBJECT_TEST(rsa_decrypt__buffer_that_just_fits_the_text__is_enough)
{
    subject_for_edges(&subject_rsa_decrypt, check_fit);
}

SUBJECT_TEST(rsa_decrypt__forged__is_invalid_padding)
{
    subject_for_edges(&subject_rsa_decrypt, check_padding);
}

static void check_decrypt_wiped(const struct subject_row *row)
{
    const uint8_t text[] = {1, 2, 3};
    uint8_t cipher[MAX_SIZE];
    uint8_t plain[MAX_SIZE];
    const uint8_t *data;
    size_t length;
    size_t n;

    if (row->bits != 1024 || !has_room(row)) {
        return;
    }
    const psa_key_id_t pair = pair_of(row);
    const size_t size = key_of(row, true, &data);
    const uint8_t *secret = test_copy(data + size - 32, 32);
    publish(pair);
    NEED(psa_asymmetric_encrypt(pair, row->alg, text, 3, label, label_size(row), cipher,
                                sizeof cipher, &n));
    residue_public(cipher, n);
    cipher[n - 1] ^= 1;
    residue_public(cipher, n);
    EXPECT(PSA_ERROR_INVALID_PADDING,
           psa_asymmetric_decrypt(pair, row->alg, cipher, n, label, label_size(row), plain,
                                  sizeof plain, &length));
    cipher[n - 1] ^= 1;
    EXPECT(PSA_ALG_IS_RSA_OAEP(row->alg) ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_ERROR_INVALID_PADDING,
           psa_asymmetric_decrypt(pair, row->alg, cipher, n, label, label_size(row), plain, 2,
                                  &length));
    NEED(psa_asymmetric_decrypt(pair, row->alg, cipher, n, label, label_size(row), plain,
                                sizeof plain, &length));
    NEED(psa_destroy_key(pair));
    CHECK(!test_memory_holds(secret, 32));
}

SECRET_TEST(rsa_decrypt__key_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_rsa_decrypt, check_decrypt_wiped);
}
