/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(aead, "aead_encrypt aead_decrypt aead_multipart");

#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define TEXT_SIZE 70u
#define AD_SIZE 37u
#define TAG_SIZE 16u
#define MAX_NONCE 24u

struct sample {
    psa_key_id_t key;
    psa_algorithm_t alg;
    size_t nonce_length;
    uint8_t nonce[MAX_NONCE];
    uint8_t ad[AD_SIZE];
    uint8_t text[TEXT_SIZE];
    uint8_t whole[TEXT_SIZE + TAG_SIZE]; /* the output for text with all of ad */
};

static psa_status_t encrypt(const struct sample *s, size_t ad_length, const uint8_t *text,
                            size_t size, uint8_t *output, size_t room, size_t *n)
{
    return psa_aead_encrypt(s->key, s->alg, s->nonce, s->nonce_length, s->ad, ad_length, text, size,
                            output, room, n);
}

static psa_status_t decrypt(const struct sample *s, size_t ad_length, const uint8_t *input,
                            size_t size, uint8_t *output, size_t room, size_t *n)
{
    return psa_aead_decrypt(s->key, s->alg, s->nonce, s->nonce_length, s->ad, ad_length, input,
                            size, output, room, n);
}

static void sample_of(const struct subject_row *row, struct sample *s)
{
    uint8_t data[32];
    size_t n;

    test_fill(data, sizeof data, 41);
    test_fill(s->nonce, sizeof s->nonce, 0x51);
    test_fill(s->ad, sizeof s->ad, 7);
    test_fill(s->text, sizeof s->text, 99);
    s->key = subject_key(row, BOTH, data, row->bits / 8);
    s->alg = row->alg;
    s->nonce_length = PSA_AEAD_NONCE_LENGTH(row->type, row->alg);
    NEED(encrypt(s, AD_SIZE, s->text, TEXT_SIZE, s->whole, sizeof s->whole, &n));
    NEED(n == sizeof s->whole ? PSA_SUCCESS : PSA_ERROR_CORRUPTION_DETECTED);
}

static bool has_parts(const struct sample *s)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    const psa_status_t status = psa_aead_encrypt_setup(&operation, s->key, s->alg);

    EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_NOT_SUPPORTED);
    return status == PSA_SUCCESS;
}

static void begin(const struct sample *s, bool is_encrypt, size_t ad_length, size_t text_length,
                  psa_aead_operation_t *operation)
{
    NEED(is_encrypt ? psa_aead_encrypt_setup(operation, s->key, s->alg)
                    : psa_aead_decrypt_setup(operation, s->key, s->alg));
    NEED(psa_aead_set_lengths(operation, ad_length, text_length));
    NEED(psa_aead_set_nonce(operation, s->nonce, s->nonce_length));
}

static void check_lengths(const struct subject_row *row)
{
    struct sample s;

    sample_of(row, &s);
    for (size_t size = 0; size <= TEXT_SIZE; size++) {
        const size_t ad_length = (5 * size) % AD_SIZE;
        uint8_t *text = test_copy(s.text, size);
        uint8_t *output = test_buffer(size + TAG_SIZE);
        uint8_t *back = test_buffer(size);
        size_t n;
        EXPECT(PSA_SUCCESS, encrypt(&s, ad_length, text, size, output, size + TAG_SIZE, &n));
        CHECK(n == size + TAG_SIZE);
        CHECK(size < 16 || memcmp(output, text, size) != 0);
        EXPECT(PSA_SUCCESS, decrypt(&s, ad_length, output, n, back, size, &n));
        CHECK_BYTES(back, n, s.text, size);
        /* Other additional data: nothing of the text is shown. */
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               decrypt(&s, ad_length + 1, output, size + TAG_SIZE, back, size, &n));
        CHECK(n == 0 && test_all(back, size, 0));
        test_free_buffers();
    }
}

SUBJECT_TEST(aead__every_length__comes_back)
{
    subject_for_each(&subject_aead, check_lengths);
}

static void check_short(const struct subject_row *row)
{
    struct sample s;
    size_t n;

    sample_of(row, &s);
    for (size_t size = 0; size < sizeof s.whole; size++) {
        uint8_t *output = test_buffer(size);
        n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               encrypt(&s, AD_SIZE, s.text, TEXT_SIZE, output, size, &n));
        CHECK(n == 0 && test_all(output, size, 0));
        if (size < TEXT_SIZE) {
            n = 9;
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                   decrypt(&s, AD_SIZE, s.whole, sizeof s.whole, output, size, &n));
            CHECK(n == 0 && test_all(output, size, 0));
        }
        test_free_buffers();
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(s.key));
}

SUBJECT_TEST(aead__short_buffer__leaves_no_hold)
{
    subject_for_edges(&subject_aead, check_short);
}

static void check_forged(const struct subject_row *row)
{
    struct sample s;
    size_t n;

    sample_of(row, &s);
    for (size_t at = 0; at < sizeof s.whole; at++) {
        uint8_t *forged = test_copy(s.whole, sizeof s.whole);
        uint8_t *output = test_buffer(TEXT_SIZE);
        forged[at] ^= (uint8_t)(1u << at % 8);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               decrypt(&s, AD_SIZE, forged, sizeof s.whole, output, TEXT_SIZE, &n));
        CHECK(n == 0 && test_all(output, TEXT_SIZE, 0));
        EXPECT(at < TAG_SIZE ? PSA_ERROR_INVALID_ARGUMENT : PSA_ERROR_INVALID_SIGNATURE,
               decrypt(&s, AD_SIZE, test_copy(s.whole, at), at, output, TEXT_SIZE, &n));
        CHECK(n == 0 && test_all(output, TEXT_SIZE, 0));
        test_free_buffers();
    }
    for (size_t at = 0; at < s.nonce_length; at++) {
        uint8_t output[TEXT_SIZE];
        s.nonce[at] ^= 4;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               decrypt(&s, AD_SIZE, s.whole, sizeof s.whole, output, sizeof output, &n));
        s.nonce[at] ^= 4;
    }
}

SUBJECT_TEST(aead__forged_or_cut__is_an_invalid_signature)
{
    subject_for_each(&subject_aead, check_forged);
}

static void feed(psa_aead_operation_t *operation, const struct sample *s, const uint8_t *input,
                 size_t chunk, uint8_t *output)
{
    size_t n;

    for (size_t at = 0; at < AD_SIZE; at += chunk) {
        const size_t part = AD_SIZE - at < chunk ? AD_SIZE - at : chunk;
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(operation, test_copy(s->ad + at, part), part));
    }
    for (size_t at = 0; at < TEXT_SIZE; at += chunk) {
        const size_t part = TEXT_SIZE - at < chunk ? TEXT_SIZE - at : chunk;
        uint8_t *room = test_buffer(part);
        EXPECT(PSA_SUCCESS,
               psa_aead_update(operation, test_copy(input + at, part), part, room, part, &n));
        CHECK(n == part);
        memcpy(output + at, room, part);
    }
}

static void check_chunks(const struct subject_row *row)
{
    struct sample s;

    sample_of(row, &s);
    if (!has_parts(&s)) {
        return;
    }
    for (size_t chunk = 1; chunk <= TEXT_SIZE; chunk++) {
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        uint8_t output[TEXT_SIZE];
        uint8_t tag[TAG_SIZE];
        size_t n;
        size_t tag_length;
        begin(&s, true, AD_SIZE, TEXT_SIZE, &operation);
        feed(&operation, &s, s.text, chunk, output);
        EXPECT(PSA_SUCCESS, psa_aead_finish(&operation, NULL, 0, &n, tag, sizeof tag, &tag_length));
        CHECK(n == 0);
        CHECK_BYTES(output, TEXT_SIZE, s.whole, TEXT_SIZE);
        CHECK_BYTES(tag, tag_length, s.whole + TEXT_SIZE, TAG_SIZE);
        begin(&s, false, AD_SIZE, TEXT_SIZE, &operation);
        feed(&operation, &s, s.whole, chunk, output);
        EXPECT(PSA_SUCCESS,
               psa_aead_verify(&operation, NULL, 0, &n, s.whole + TEXT_SIZE, TAG_SIZE));
        CHECK_BYTES(output, TEXT_SIZE, s.text, TEXT_SIZE);
        test_free_buffers();
    }
}

SUBJECT_TEST(aead__chunks__give_the_same)
{
    subject_for_each(&subject_aead, check_chunks);
}

/* Additional data in the output: a driver of whole messages may refuse, and has changed nothing. */
static void check_overlapping_ad(const struct sample *s, bool may_refuse)
{
    uint8_t output[sizeof s->whole];
    size_t n;

    for (size_t at = 0; at + AD_SIZE <= TEXT_SIZE; at += 5) {
        memset(output, 0x5a, sizeof output);
        memcpy(output + at, s->ad, AD_SIZE);
        psa_status_t status =
            psa_aead_encrypt(s->key, s->alg, s->nonce, s->nonce_length, output + at, AD_SIZE,
                             s->text, TEXT_SIZE, output, sizeof output, &n);
        if (status != PSA_SUCCESS) {
            EXPECT(PSA_ERROR_NOT_SUPPORTED, status);
            CHECK(may_refuse && n == 0);
            CHECK_BYTES(output + at, AD_SIZE, s->ad, AD_SIZE);
            status = psa_aead_decrypt(s->key, s->alg, s->nonce, s->nonce_length, output + at,
                                      AD_SIZE, s->whole, sizeof s->whole, output, TEXT_SIZE, &n);
            EXPECT(PSA_ERROR_NOT_SUPPORTED, status);
            CHECK(n == 0);
            CHECK_BYTES(output + at, AD_SIZE, s->ad, AD_SIZE);
        } else {
            CHECK_BYTES(output, n, s->whole, sizeof s->whole);
        }
    }
}

/* Nonce, additional data and text in one buffer with the output, at every distance. */
static void check_overlap(const struct subject_row *row)
{
    enum { START = 100, ROOM = 2 * START + TEXT_SIZE + TAG_SIZE };
    struct sample s;
    size_t n;

    sample_of(row, &s);
    const bool is_whole = !has_parts(&s);
    check_overlapping_ad(&s, is_whole);
    for (size_t at = 0; at + sizeof s.whole <= ROOM; at++) {
        uint8_t *buffer = test_buffer(ROOM);
        uint8_t *const nonce = buffer + START - MAX_NONCE;
        /* Inside the text: both are only read. */
        const uint8_t *const ad = is_whole ? s.ad : buffer + START + 20;
        uint8_t text[TEXT_SIZE];
        uint8_t expected[sizeof s.whole];
        memcpy(text, s.text, TEXT_SIZE);
        memcpy(buffer + START, text, TEXT_SIZE);
        memcpy(nonce, s.nonce, s.nonce_length);
        NEED(psa_aead_encrypt(s.key, s.alg, s.nonce, s.nonce_length, is_whole ? ad : text + 20,
                              AD_SIZE, text, TEXT_SIZE, expected, sizeof expected, &n));
        EXPECT(PSA_SUCCESS,
               psa_aead_encrypt(s.key, s.alg, nonce, s.nonce_length, ad, AD_SIZE, buffer + START,
                                TEXT_SIZE, buffer + at, sizeof s.whole, &n));
        CHECK_BYTES(buffer + at, n, expected, sizeof expected);
        memcpy(buffer + START, s.whole, sizeof s.whole);
        memcpy(nonce, s.nonce, s.nonce_length);
        EXPECT(PSA_SUCCESS,
               psa_aead_decrypt(s.key, s.alg, nonce, s.nonce_length, s.ad, AD_SIZE, buffer + START,
                                sizeof s.whole, buffer + at, TEXT_SIZE, &n));
        CHECK_BYTES(buffer + at, n, s.text, TEXT_SIZE);
        test_free_buffers();
    }
}

SUBJECT_TEST(aead__overlapping_buffers__give_the_same)
{
    subject_for_edges(&subject_aead, check_overlap);
}

/* Additional data, plaintext, and ciphertext without its tag, of no bytes, anywhere in
 * the output; also with drivers that only take whole messages. */
static void check_empty_regions(const struct subject_row *row)
{
    struct sample s;
    size_t n;

    sample_of(row, &s);
    for (size_t inside = 0; inside <= sizeof s.whole; inside += 3) {
        uint8_t *output = test_buffer(sizeof s.whole);
        uint8_t expected[sizeof s.whole];

        NEED(encrypt(&s, 0, s.text, TEXT_SIZE, expected, sizeof expected, &n));
        EXPECT(PSA_SUCCESS, psa_aead_encrypt(s.key, s.alg, s.nonce, s.nonce_length, output + inside,
                                             0, s.text, TEXT_SIZE, output, sizeof s.whole, &n));
        CHECK_BYTES(output, n, expected, sizeof expected);
        EXPECT(PSA_SUCCESS, psa_aead_decrypt(s.key, s.alg, s.nonce, s.nonce_length, output + inside,
                                             0, expected, sizeof expected, output, TEXT_SIZE, &n));
        CHECK_BYTES(output, n, s.text, TEXT_SIZE);
        NEED(encrypt(&s, AD_SIZE, s.text, 0, expected, sizeof expected, &n));
        EXPECT(PSA_SUCCESS, encrypt(&s, AD_SIZE, output + inside, 0, output, sizeof s.whole, &n));
        CHECK_BYTES(output, n, expected, TAG_SIZE);
        /* The other way about: where no plaintext goes may lie in what is read. */
        EXPECT(PSA_SUCCESS,
               decrypt(&s, AD_SIZE, expected, TAG_SIZE, expected + inside % TAG_SIZE, 0, &n));
        CHECK(n == 0);
        test_free_buffers();
    }
}

SUBJECT_TEST(aead__empty_region_in_the_output__overlaps_nothing)
{
    subject_for_edges(&subject_aead, check_empty_regions);
}

static void check_overlapping_update(const struct subject_row *row)
{
    enum { START = 80 };
    struct sample s;
    size_t n;

    sample_of(row, &s);
    if (!has_parts(&s)) {
        return;
    }
    for (size_t at = 0; at <= 2 * START; at++) {
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
        uint8_t *buffer = test_buffer(2 * START + TEXT_SIZE);
        memcpy(buffer + START, s.text, TEXT_SIZE);
        begin(&s, true, AD_SIZE, TEXT_SIZE, &operation);
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, s.ad, AD_SIZE));
        EXPECT(PSA_SUCCESS,
               psa_aead_update(&operation, buffer + START, TEXT_SIZE, buffer + at, TEXT_SIZE, &n));
        CHECK_BYTES(buffer + at, n, s.whole, TEXT_SIZE);
        EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
        test_free_buffers();
    }
}

SUBJECT_TEST(aead__overlapping_update__gives_the_same)
{
    subject_for_edges(&subject_aead, check_overlapping_update);
}

static void check_moved(const struct subject_row *row)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t output[TEXT_SIZE];
    uint8_t tag[TAG_SIZE];
    struct sample s;
    size_t n;
    size_t tag_length;

    sample_of(row, &s);
    if (!has_parts(&s)) {
        return;
    }
    begin(&s, true, AD_SIZE, TEXT_SIZE, &operation);
    EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, s.ad, AD_SIZE));
    EXPECT(PSA_SUCCESS, psa_aead_update(&operation, s.text, 21, output, sizeof output, &n));
    psa_aead_operation_t moved;
    memcpy(&moved, &operation, sizeof moved);
    memset(&operation, 0x5a, sizeof operation);
    EXPECT(PSA_SUCCESS,
           psa_aead_update(&moved, s.text + 21, TEXT_SIZE - 21, output + 21, TEXT_SIZE - 21, &n));
    EXPECT(PSA_SUCCESS, psa_aead_finish(&moved, NULL, 0, &n, tag, sizeof tag, &tag_length));
    CHECK_BYTES(output, TEXT_SIZE, s.whole, TEXT_SIZE);
    CHECK_BYTES(tag, tag_length, s.whole + TEXT_SIZE, TAG_SIZE);
}

SUBJECT_TEST(aead__moved_operation__goes_on)
{
    subject_for_edges(&subject_aead, check_moved);
}

/* Calls that fail when the library has worked with the key. `message` is one, encrypted. */
static void check_failing(const struct subject_row *row, psa_key_id_t key, const uint8_t *nonce,
                          uint8_t *message, size_t size)
{
    const size_t nonce_length = PSA_AEAD_NONCE_LENGTH(row->type, row->alg);
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t text[48];
    size_t n;

    message[size - 1] ^= 1;
    residue_public(message, size);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_aead_decrypt(key, row->alg, nonce, nonce_length, nonce,
                                                         9, message, size, text, sizeof text, &n));
    if (psa_aead_decrypt_setup(&operation, key, row->alg) == PSA_SUCCESS) {
        NEED(psa_aead_set_lengths(&operation, 9, sizeof text));
        NEED(psa_aead_set_nonce(&operation, nonce, nonce_length));
        NEED(psa_aead_update_ad(&operation, nonce, 9));
        NEED(psa_aead_update(&operation, message, sizeof text, text, sizeof text, &n));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_aead_verify(&operation, NULL, 0, &n, message + sizeof text, TAG_SIZE));
        NEED(psa_aead_abort(&operation));
        NEED(psa_aead_encrypt_setup(&operation, key, row->alg));
        NEED(psa_aead_set_lengths(&operation, 0, sizeof text));
        NEED(psa_aead_set_nonce(&operation, nonce, nonce_length));
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_aead_update(&operation, text, sizeof text, text, 1, &n));
    }
    NEED(psa_aead_abort(&operation));
    message[size - 1] ^= 1;
}

static void check_wiped(const struct subject_row *row)
{
    const size_t size = row->bits / 8;
    uint8_t *secret = test_buffer(size);
    const uint8_t nonce[MAX_NONCE] = {1, 2, 3};
    const size_t nonce_length = PSA_AEAD_NONCE_LENGTH(row->type, row->alg);
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t text[48] = {0};
    uint8_t output[48 + TAG_SIZE];
    uint8_t tag[TAG_SIZE];
    size_t n;
    size_t tag_length;

    NEED(psa_generate_random(secret, size));
    const psa_key_id_t key = subject_key(row, BOTH, secret, size);
    NEED(psa_aead_encrypt(key, row->alg, nonce, nonce_length, nonce, 9, text, sizeof text, output,
                          sizeof output, &n));
    residue_public(output, n);
    check_failing(row, key, nonce, output, n);
    NEED(psa_aead_decrypt(key, row->alg, nonce, nonce_length, nonce, 9, output, n, text,
                          sizeof text, &n));
    if (psa_aead_encrypt_setup(&operation, key, row->alg) == PSA_SUCCESS) {
        NEED(psa_aead_set_lengths(&operation, 9, sizeof text));
        NEED(psa_aead_set_nonce(&operation, nonce, nonce_length));
        NEED(psa_aead_update_ad(&operation, nonce, 9));
        NEED(psa_aead_update(&operation, text, sizeof text, output, sizeof output, &n));
        NEED(psa_aead_finish(&operation, NULL, 0, &n, tag, sizeof tag, &tag_length));
        NEED(psa_aead_decrypt_setup(&operation, key, row->alg));
        NEED(psa_aead_set_lengths(&operation, 9, sizeof text));
        NEED(psa_aead_set_nonce(&operation, nonce, nonce_length));
        NEED(psa_aead_update_ad(&operation, nonce, 9));
        NEED(psa_aead_update(&operation, output, sizeof text, text, sizeof text, &n));
        NEED(psa_aead_verify(&operation, NULL, 0, &n, tag, tag_length));
    }
    if (psa_aead_decrypt_setup(&operation, key, row->alg) == PSA_SUCCESS) {
        NEED(psa_aead_set_lengths(&operation, 0, sizeof text));
        NEED(psa_aead_set_nonce(&operation, nonce, nonce_length));
        NEED(psa_aead_update(&operation, text, sizeof text, output, sizeof output, &n));
    }
    NEED(psa_aead_abort(&operation));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
    CHECK(test_memory_holds(secret, size) == (subject_location == 0));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, size));
}

SECRET_TEST(aead__key_destroyed__leaves_no_byte_of_it)
{
    residue_for_each(&subject_aead, check_wiped);
}
