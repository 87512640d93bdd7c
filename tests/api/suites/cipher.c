/* SPDX-License-Identifier: Apache-2.0 */
/* Unauthenticated ciphers in one call and in parts (PSA Crypto 1.5, 10.5). */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/machines/cipher.h"
#include "../../harness/material.h"
#include "../../harness/walk.h"

#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define BLOCK 16u
#define MAX_TEXT 80u

static const psa_algorithm_t modes[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING,
                                        PSA_ALG_CBC_PKCS7, PSA_ALG_CTR};
#define MODE_COUNT (sizeof modes / sizeof modes[0])

static psa_key_id_t key_for(psa_algorithm_t alg)
{
    return test_import(PSA_KEY_TYPE_AES, alg, BOTH, aes_key, sizeof aes_key);
}

static bool takes_any_length(psa_algorithm_t alg)
{
    return alg == PSA_ALG_CBC_PKCS7 || alg == PSA_ALG_CTR;
}

static size_t iv_length(psa_algorithm_t alg)
{
    return PSA_CIPHER_IV_LENGTH(PSA_KEY_TYPE_AES, alg);
}

static psa_cipher_operation_t ready(psa_key_id_t key, psa_algorithm_t alg, bool is_encrypt)
{
    psa_cipher_operation_t operation = psa_cipher_operation_init();

    NEED(is_encrypt ? psa_cipher_encrypt_setup(&operation, key, alg)
                    : psa_cipher_decrypt_setup(&operation, key, alg));
    if (iv_length(alg) > 0) {
        NEED(psa_cipher_set_iv(&operation, aes_iv, sizeof aes_iv));
    }
    return operation;
}

/* That an operation has failed: the walk checks the meaning. */
static void check_failed(psa_cipher_operation_t *operation, psa_key_id_t key)
{
    EXPECT(PSA_ERROR_BAD_STATE, psa_cipher_encrypt_setup(operation, key, PSA_ALG_CTR));
    EXPECT(PSA_SUCCESS, psa_cipher_abort(operation));
}

/* Encrypt in chunks; returns the length of the ciphertext in `out`. */
static size_t encrypt_in_chunks(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *text,
                                size_t size, size_t chunk, uint8_t *out, size_t out_size)
{
    psa_cipher_operation_t operation = ready(key, alg, true);
    size_t total = 0;
    size_t n;

    for (size_t at = 0; at < size; at += chunk) {
        const size_t part = size - at < chunk ? size - at : chunk;
        EXPECT(PSA_SUCCESS,
               psa_cipher_update(&operation, text + at, part, out + total, out_size - total, &n));
        CHECK(n <= PSA_CIPHER_UPDATE_OUTPUT_SIZE(PSA_KEY_TYPE_AES, alg, part));
        total += n;
    }
    NEED(psa_cipher_finish(&operation, out + total, out_size - total, &n));
    CHECK(n <= PSA_CIPHER_FINISH_OUTPUT_SIZE(PSA_KEY_TYPE_AES, alg));
    return total + n;
}

static void cipher__known_answer__agrees(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CBC_NO_PADDING);
    psa_cipher_operation_t operation = ready(key, PSA_ALG_CBC_NO_PADDING, true);
    uint8_t *out = test_buffer(64);
    uint8_t whole[80];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_cipher_update(&operation, aes_text, 64, out, 64, &n));
    CHECK_BYTES(out, n, aes_cbc, 64);
    EXPECT(PSA_SUCCESS, psa_cipher_finish(&operation, NULL, 0, &n));
    CHECK(n == 0);
    memcpy(whole, aes_iv, 16);
    memcpy(whole + 16, aes_cbc, 64);
    EXPECT(PSA_SUCCESS,
           psa_cipher_decrypt(key, PSA_ALG_CBC_NO_PADDING, whole, sizeof whole, out, 64, &n));
    CHECK_BYTES(out, n, aes_text, 64);
}

static void cipher__every_mode_and_length__comes_back(void)
{
    uint8_t text[MAX_TEXT];

    test_fill(text, sizeof text, 1);
    for (size_t m = 0; m < MODE_COUNT; m++) {
        const psa_algorithm_t alg = modes[m];
        const psa_key_id_t key = key_for(alg);
        for (size_t size = 0; size <= MAX_TEXT; size++) {
            const size_t cipher_size = PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, alg, size);
            uint8_t *input = test_copy(text, size);
            uint8_t *out = test_buffer(cipher_size);
            size_t n = 7;
            test_context("mode * 1000 + bytes", m * 1000 + size);
            if (!takes_any_length(alg) && size % BLOCK != 0) {
                EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                       psa_cipher_encrypt(key, alg, input, size, out, cipher_size, &n));
                CHECK(n == 0);
                continue;
            }
            EXPECT(PSA_SUCCESS, psa_cipher_encrypt(key, alg, input, size, out, cipher_size, &n));
            CHECK(n == cipher_size);
            const size_t room = n - iv_length(alg);
            uint8_t *back = test_buffer(room);
            EXPECT(PSA_SUCCESS, psa_cipher_decrypt(key, alg, out, cipher_size, back, room, &n));
            CHECK_BYTES(back, n, text, size);
            test_free_buffers();
        }
    }
}

static void cipher_encrypt__twice__draws_another_iv(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CTR);
    uint8_t a[32];
    uint8_t b[32];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_cipher_encrypt(key, PSA_ALG_CTR, aes_text, 16, a, sizeof a, &n));
    EXPECT(PSA_SUCCESS, psa_cipher_encrypt(key, PSA_ALG_CTR, aes_text, 16, b, sizeof b, &n));
    CHECK(memcmp(a, b, 16) != 0 && memcmp(a + 16, b + 16, 16) != 0);
}

static void cipher__short_buffer__is_too_small_and_leaves_no_hold(void)
{
    for (size_t m = 0; m < MODE_COUNT; m++) {
        const psa_algorithm_t alg = modes[m];
        const psa_key_id_t key = key_for(alg);
        const size_t needed = PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, alg, 48);
        uint8_t whole[96];
        size_t n;

        NEED(psa_cipher_encrypt(key, alg, aes_text, 48, whole, sizeof whole, &n));
        for (size_t size = 0; size < needed; size++) {
            uint8_t *out = test_buffer(size);
            test_context("mode * 1000 + bytes", m * 1000 + size);
            n = 7;
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                   psa_cipher_encrypt(key, alg, aes_text, 48, out, size, &n));
            CHECK(n == 0);
            if (size < 48) {
                n = 7;
                EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                       psa_cipher_decrypt(key, alg, whole, needed, out, size, &n));
                CHECK(n == 0);
            }
            test_free_buffers();
        }
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    }
}

static void cipher_decrypt__short_input__is_refused(void)
{
    for (size_t m = 0; m < MODE_COUNT; m++) {
        const psa_algorithm_t alg = modes[m];
        const psa_key_id_t key = key_for(alg);
        uint8_t out[MAX_TEXT];
        for (size_t size = 0; size < 40; size++) {
            const bool is_whole = size >= iv_length(alg) && (size - iv_length(alg)) % BLOCK == 0 &&
                                  (alg != PSA_ALG_CBC_PKCS7 || size > BLOCK);
            size_t n = 1;
            test_context("mode * 1000 + bytes", m * 1000 + size);
            if (is_whole || (alg == PSA_ALG_CTR && size >= BLOCK)) {
                continue;
            }
            EXPECT(
                PSA_ERROR_INVALID_ARGUMENT,
                psa_cipher_decrypt(key, alg, test_copy(aes_text, size), size, out, sizeof out, &n));
            CHECK(n == 0);
        }
        test_destroy_keys();
    }
}

static void cipher_decrypt__wrong_padding__is_refused_and_shows_nothing(void)
{
    const psa_key_id_t padded = key_for(PSA_ALG_CBC_PKCS7);
    const psa_key_id_t plain = key_for(PSA_ALG_CBC_NO_PADDING);
    unsigned refused = 0;

    for (unsigned last = 0; last < 256; last++) {
        uint8_t text[32];
        uint8_t whole[48];
        uint8_t *out = test_buffer(32);
        size_t n;
        const bool is_right = last == 1; /* 0x01 by itself is a padding, the byte before is not
                                          * 0x02 */

        test_fill(text, sizeof text, 0x40);
        text[31] = (uint8_t)last;
        NEED(psa_cipher_encrypt(plain, PSA_ALG_CBC_NO_PADDING, text, 32, whole, sizeof whole, &n));
        psa_status_t status = psa_cipher_decrypt(padded, PSA_ALG_CBC_PKCS7, whole, n, out, 32, &n);
        test_context("last byte", last);
        CHECK(status == (is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_PADDING));
        if (!is_right) {
            CHECK(n == 0 && test_all(out, 32, 0));
            refused++;
        } else {
            CHECK_BYTES(out, n, text, 31);
            CHECK(out[31] == 0 || out[31] == 0xa5);
        }
        /* In parts the same, and the operation fails. */
        psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
        NEED(psa_cipher_decrypt_setup(&operation, padded, PSA_ALG_CBC_PKCS7));
        NEED(psa_cipher_set_iv(&operation, whole, 16));
        NEED(psa_cipher_update(&operation, whole + 16, 32, out, 32, &n));
        status = psa_cipher_finish(&operation, out, 32, &n);
        CHECK(status == (is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_PADDING));
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
        test_free_buffers();
    }
    CHECK(refused == 255);
}

static void cipher__chunks_of_every_size__give_the_same(void)
{
    uint8_t text[64];

    test_fill(text, sizeof text, 6);
    for (size_t m = 0; m < MODE_COUNT; m++) {
        const psa_algorithm_t alg = modes[m];
        const psa_key_id_t key = key_for(alg);
        uint8_t whole[96];
        uint8_t out[96];
        const size_t length =
            encrypt_in_chunks(key, alg, text, sizeof text, sizeof text, whole, sizeof whole);

        for (size_t chunk = 1; chunk < sizeof text; chunk++) {
            test_context("mode * 1000 + chunk", m * 1000 + chunk);
            const size_t n = encrypt_in_chunks(key, alg, text, sizeof text, chunk, out, sizeof out);
            CHECK_BYTES(out, n, whole, length);
            /* And back, in the same chunks. */
            psa_cipher_operation_t operation = ready(key, alg, false);
            size_t total = 0;
            size_t part;
            for (size_t at = 0; at < length; at += chunk) {
                const size_t rest = length - at;
                EXPECT(PSA_SUCCESS,
                       psa_cipher_update(&operation, whole + at, rest < chunk ? rest : chunk,
                                         out + total, sizeof out - total, &part));
                total += part;
                EXPECT(PSA_SUCCESS, psa_cipher_update(&operation, NULL, 0, NULL, 0, &part));
            }
            EXPECT(PSA_SUCCESS,
                   psa_cipher_finish(&operation, out + total, sizeof out - total, &part));
            CHECK_BYTES(out, total + part, text, sizeof text);
        }
    }
}

/* Input and output in one buffer, at every distance: as if the input had been copied first. */
static void cipher__overlapping_buffers__give_the_same(void)
{
    enum { SIZE = 48, ROOM = 48 + 2 * 80 };
    uint8_t text[SIZE];

    test_fill(text, sizeof text, 11);
    for (size_t m = 0; m < MODE_COUNT; m++) {
        const psa_algorithm_t alg = modes[m];
        const psa_key_id_t key = key_for(alg);
        const size_t cipher_size = PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, alg, SIZE);
        for (size_t at = 0; at + cipher_size <= ROOM; at++) {
            uint8_t *buffer = test_buffer(ROOM);
            uint8_t back[96];
            size_t n;
            test_context("mode * 1000 + shift", m * 1000 + at);
            memcpy(buffer + 80, text, SIZE);
            EXPECT(PSA_SUCCESS,
                   psa_cipher_encrypt(key, alg, buffer + 80, SIZE, buffer + at, cipher_size, &n));
            EXPECT(PSA_SUCCESS, psa_cipher_decrypt(key, alg, buffer + at, n, back, 80, &n));
            CHECK_BYTES(back, n, text, SIZE);
            test_free_buffers();
        }
        uint8_t whole[96];
        size_t length;
        NEED(psa_cipher_encrypt(key, alg, text, SIZE, whole, sizeof whole, &length));
        const size_t room = length - iv_length(alg);
        for (size_t at = 0; at + room <= ROOM; at++) {
            uint8_t *buffer = test_buffer(ROOM + 16);
            size_t n;
            test_context("mode * 1000 + shift back", m * 1000 + at);
            memcpy(buffer + 80, whole, length);
            EXPECT(PSA_SUCCESS,
                   psa_cipher_decrypt(key, alg, buffer + 80, length, buffer + at, room, &n));
            CHECK_BYTES(buffer + at, n, text, SIZE);
            test_free_buffers();
        }
    }
}

static void cipher_update__overlapping_buffers__give_the_same(void)
{
    enum { SIZE = 53, ROOM = 53 + 2 * 70 };
    uint8_t text[SIZE];

    test_fill(text, sizeof text, 13);
    for (size_t m = 0; m < MODE_COUNT; m++) {
        const psa_algorithm_t alg = modes[m];
        const psa_key_id_t key = key_for(alg);
        /* A first update leaves bytes pending, so that the second one shifts. */
        for (size_t first = 0; first <= 17; first += 5) {
            psa_cipher_operation_t operation = ready(key, alg, true);
            uint8_t head[32];
            uint8_t whole[96];
            size_t head_length;
            size_t length;
            NEED(psa_cipher_update(&operation, aes_text, first, head, sizeof head, &head_length));
            NEED(psa_cipher_update(&operation, text, SIZE, whole, sizeof whole, &length));
            NEED(psa_cipher_abort(&operation));
            for (size_t at = 0; at + length <= ROOM; at++) {
                uint8_t *buffer = test_buffer(ROOM);
                size_t n;
                test_context("mode * 1000 + shift", m * 1000 + at);
                memcpy(buffer + 70, text, SIZE);
                operation = ready(key, alg, true);
                NEED(psa_cipher_update(&operation, aes_text, first, head, sizeof head, &n));
                EXPECT(PSA_SUCCESS,
                       psa_cipher_update(&operation, buffer + 70, SIZE, buffer + at, length, &n));
                CHECK_BYTES(buffer + at, n, whole, length);
                NEED(psa_cipher_abort(&operation));
                test_free_buffers();
            }
        }
        test_destroy_keys();
    }
}

static void cipher_update__short_buffer__is_too_small(void)
{
    for (size_t m = 0; m < MODE_COUNT; m++) {
        const psa_algorithm_t alg = modes[m];
        const psa_key_id_t key = key_for(alg);
        for (size_t size = 0; size < 32; size++) {
            psa_cipher_operation_t operation = ready(key, alg, true);
            uint8_t *out = test_buffer(size);
            size_t n = 7;
            test_context("mode * 1000 + bytes", m * 1000 + size);
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
                   psa_cipher_update(&operation, aes_text, 32, out, size, &n));
            CHECK(n == 0);
            EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
            test_free_buffers();
        }
        test_destroy_keys();
    }
}

static void cipher_finish__short_buffer__is_too_small(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CBC_PKCS7);

    for (size_t size = 0; size < BLOCK; size++) {
        psa_cipher_operation_t operation = ready(key, PSA_ALG_CBC_PKCS7, true);
        uint8_t *out = test_buffer(size);
        size_t n;
        NEED(psa_cipher_update(&operation, abc, 3, NULL, 0, &n));
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_cipher_finish(&operation, out, size, &n));
        CHECK(n == 0);
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    }
}

static void cipher_finish__part_of_a_block__is_refused(void)
{
    const psa_algorithm_t whole_blocks[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING};

    for (size_t m = 0; m < 2; m++) {
        const psa_key_id_t key = key_for(whole_blocks[m]);
        psa_cipher_operation_t operation = ready(key, whole_blocks[m], true);
        uint8_t out[32];
        size_t n;
        NEED(psa_cipher_update(&operation, aes_text, 17, out, sizeof out, &n));
        CHECK(n == 16);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_cipher_finish(&operation, out, sizeof out, &n));
        CHECK(n == 0);
        check_failed(&operation, key);
    }
    const psa_key_id_t key = key_for(PSA_ALG_CBC_PKCS7);
    for (size_t size = 0; size < 40; size++) {
        psa_cipher_operation_t operation = ready(key, PSA_ALG_CBC_PKCS7, false);
        uint8_t out[48];
        size_t n;
        test_context("bytes", size);
        NEED(psa_cipher_update(&operation, aes_text, size, out, sizeof out, &n));
        if (size % BLOCK != 0 || size == 0) {
            EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_cipher_finish(&operation, out, sizeof out, &n));
            check_failed(&operation, key);
        }
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    }
}

static void try_iv_lengths(psa_algorithm_t alg, size_t shortest)
{
    const psa_key_id_t key = key_for(alg);

    for (size_t size = 0; size <= 32; size++) {
        psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
        NEED(psa_cipher_encrypt_setup(&operation, key, alg));
        test_context("bytes", size);
        if (size >= shortest && size <= BLOCK) {
            EXPECT(PSA_SUCCESS, psa_cipher_set_iv(&operation, test_copy(aes_text, size), size));
        } else {
            EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                   psa_cipher_set_iv(&operation, test_copy(aes_text, size), size));
        }
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    }
}

static void cipher_set_iv__wrong_length__is_refused(void)
{
    try_iv_lengths(PSA_ALG_CBC_NO_PADDING, BLOCK);
    try_iv_lengths(PSA_ALG_CTR, 1);
}

static void cipher_set_iv__short_nonce_of_ctr__is_padded_with_zeros(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CTR);

    for (size_t size = 1; size <= BLOCK; size++) {
        uint8_t whole[BLOCK] = {0};
        uint8_t out[2][MAX_TEXT];
        memcpy(whole, aes_iv, size);
        test_context("bytes", size);
        for (size_t i = 0; i < 2; i++) {
            psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
            size_t n;
            NEED(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR));
            NEED(psa_cipher_set_iv(&operation, whole, i == 0 ? size : BLOCK));
            NEED(psa_cipher_update(&operation, aes_text, 32, out[i], MAX_TEXT, &n));
            NEED(psa_cipher_abort(&operation));
        }
        CHECK(memcmp(out[0], out[1], 32) == 0);
    }
}

static void cipher_generate_iv__as_the_rules_say(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CTR);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t iv[2][BLOCK];
    size_t n;

    for (size_t i = 0; i < 2; i++) {
        NEED(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR));
        EXPECT(PSA_SUCCESS, psa_cipher_generate_iv(&operation, iv[i], BLOCK, &n));
        CHECK(n == BLOCK);
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    }
    CHECK(memcmp(iv[0], iv[1], BLOCK) != 0);
    for (size_t size = 0; size < BLOCK; size++) {
        uint8_t *out = test_buffer(size);
        NEED(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR));
        n = 5;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_cipher_generate_iv(&operation, out, size, &n));
        CHECK(n == 0);
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    }
}

static void cipher__key_destroyed_meanwhile__the_operation_fails(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CTR);
    psa_cipher_operation_t operation = ready(key, PSA_ALG_CTR, true);
    psa_cipher_operation_t without_iv = PSA_CIPHER_OPERATION_INIT;
    uint8_t *out = test_buffer(32);
    size_t n;

    NEED(psa_cipher_encrypt_setup(&without_iv, key, PSA_ALG_CTR));
    NEED(psa_destroy_key(key));
    EXPECT(PSA_ERROR_BAD_STATE, psa_cipher_update(&operation, abc, 3, out, 32, &n));
    check_failed(&operation, key);
    EXPECT(PSA_ERROR_BAD_STATE, psa_cipher_generate_iv(&without_iv, out, 32, &n));
    CHECK(n == 0 && test_all(out, 32, 0xa5));
    check_failed(&without_iv, key);
}

static void cipher__object_moved_between_calls__goes_on(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CBC_NO_PADDING);
    psa_cipher_operation_t a = ready(key, PSA_ALG_CBC_NO_PADDING, true);
    psa_cipher_operation_t *b = (psa_cipher_operation_t *)(void *)test_buffer(sizeof *b);
    uint8_t out[64];
    size_t first;
    size_t n;

    NEED(psa_cipher_update(&a, aes_text, 21, out, sizeof out, &first));
    memcpy(b, &a, sizeof a);
    memset(&a, 0xdd, sizeof a);
    EXPECT(PSA_SUCCESS,
           psa_cipher_update(b, aes_text + 21, 43, out + first, sizeof out - first, &n));
    CHECK_BYTES(out, first + n, aes_cbc, 64);
    EXPECT(PSA_SUCCESS, psa_cipher_abort(b));
}

static void cipher__left_out_or_no_cipher__says_which(void)
{
    const psa_key_id_t absent = key_for(PSA_ALG_XTS);
    const psa_key_id_t no_cipher = key_for(PSA_ALG_CMAC);
    const psa_key_id_t wrong_type =
        test_import(PSA_KEY_TYPE_HMAC, PSA_ALG_CTR, BOTH, hmac_key, sizeof hmac_key);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t out[64];
    size_t n = 1;

    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_cipher_encrypt(absent, PSA_ALG_XTS, aes_text, 32, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_cipher_decrypt(absent, PSA_ALG_XTS, aes_text, 48, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_cipher_encrypt_setup(&operation, absent, PSA_ALG_XTS));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_cipher_decrypt_setup(&operation, absent, PSA_ALG_XTS));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_cipher_encrypt(no_cipher, PSA_ALG_CMAC, aes_text, 32, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_cipher_encrypt_setup(&operation, no_cipher, PSA_ALG_CMAC));
    const psa_status_t status =
        psa_cipher_encrypt(wrong_type, PSA_ALG_CTR, aes_text, 32, out, sizeof out, &n);
    CHECK(status == PSA_ERROR_INVALID_ARGUMENT || status == PSA_ERROR_NOT_SUPPORTED);
}

static void cipher__no_entropy__gives_no_ciphertext(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CTR);
    const psa_key_id_t ecb = key_for(PSA_ALG_ECB_NO_PADDING);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t *out = test_buffer(64);
    size_t n = 1;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
           psa_cipher_encrypt(key, PSA_ALG_CTR, aes_text, 32, out, 64, &n));
    CHECK(n == 0 && test_all(out, 64, 0));
    NEED(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR));
    memset(out, 0xa5, 64);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_cipher_generate_iv(&operation, out, 64, &n));
    CHECK(n == 0 && test_all(out, 64, 0));
    check_failed(&operation, key);
    EXPECT(PSA_SUCCESS, psa_cipher_encrypt(ecb, PSA_ALG_ECB_NO_PADDING, aes_text, 32, out, 64, &n));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_SUCCESS, psa_cipher_encrypt(key, PSA_ALG_CTR, aes_text, 32, out, 64, &n));
}

static psa_cipher_operation_t walked;
static psa_key_id_t with_iv;
static psa_key_id_t without_iv;

TEST_CALL(encrypt_setup, psa_cipher_encrypt_setup(&walked, with_iv, PSA_ALG_CBC_NO_PADDING));
TEST_CALL(encrypt_setup_otherwise, psa_cipher_encrypt_setup(&walked, with_iv, PSA_ALG_CTR));
TEST_CALL(decrypt_setup, psa_cipher_decrypt_setup(&walked, with_iv, PSA_ALG_CBC_NO_PADDING));
TEST_CALL(decrypt_setup_without_key,
          psa_cipher_decrypt_setup(&walked, PSA_KEY_ID_NULL, PSA_ALG_CTR));
TEST_CALL(encrypt_setup_ecb, psa_cipher_encrypt_setup(&walked, without_iv, PSA_ALG_ECB_NO_PADDING));
TEST_CALL(decrypt_setup_ecb, psa_cipher_decrypt_setup(&walked, without_iv, PSA_ALG_ECB_NO_PADDING));
TEST_CALL(generate_iv, psa_cipher_generate_iv(&walked, WALK_OUT));
TEST_CALL(generate_iv_short,
          psa_cipher_generate_iv(&walked, walk_output.bytes, BLOCK - 1, &walk_output.length));
TEST_CALL(set_iv, psa_cipher_set_iv(&walked, aes_iv, BLOCK));
TEST_CALL(set_iv_cut, psa_cipher_set_iv(&walked, aes_iv, BLOCK - 1));
TEST_CALL(update, psa_cipher_update(&walked, aes_text, 2 * BLOCK, WALK_OUT));
TEST_CALL(update_nothing, psa_cipher_update(&walked, NULL, 0, WALK_OUT));
TEST_CALL(update_short,
          psa_cipher_update(&walked, aes_text, BLOCK, walk_output.bytes, 1, &walk_output.length));
TEST_CALL(finish, psa_cipher_finish(&walked, WALK_OUT));
TEST_CALL(abort_walked, psa_cipher_abort(&walked));

static const struct walk_call calls[] = {
    WALK_CALL(CIPHER_ENCRYPT_SETUP, PSA_SUCCESS, encrypt_setup),
    WALK_CALL(CIPHER_ENCRYPT_SETUP, PSA_ERROR_NOT_PERMITTED, encrypt_setup_otherwise),
    WALK_CALL(CIPHER_DECRYPT_SETUP, PSA_SUCCESS, decrypt_setup),
    WALK_CALL(CIPHER_DECRYPT_SETUP, PSA_ERROR_INVALID_HANDLE, decrypt_setup_without_key),
    WALK_CALL(CIPHER_SETUP_OF_NO_IV, PSA_SUCCESS, encrypt_setup_ecb),
    WALK_CALL(CIPHER_SETUP_OF_NO_IV, PSA_SUCCESS, decrypt_setup_ecb),
    WALK_CALL(CIPHER_GENERATE_IV, PSA_SUCCESS, generate_iv),
    WALK_CALL(CIPHER_GENERATE_IV, PSA_ERROR_BUFFER_TOO_SMALL, generate_iv_short),
    WALK_CALL(CIPHER_SET_IV, PSA_SUCCESS, set_iv),
    WALK_CALL(CIPHER_SET_IV, PSA_ERROR_INVALID_ARGUMENT, set_iv_cut),
    WALK_CALL(CIPHER_UPDATE, PSA_SUCCESS, update),
    WALK_CALL(CIPHER_UPDATE, PSA_SUCCESS, update_nothing),
    WALK_CALL(CIPHER_UPDATE, PSA_ERROR_BUFFER_TOO_SMALL, update_short),
    WALK_CALL(CIPHER_FINISH, PSA_SUCCESS, finish),
};

static void cipher__every_call_in_every_state__is_as_the_table_says(void)
{
    const struct walk walk =
        WALK(cipher_machine, walked, abort_walked, calls,
             .measured = ONLY(CIPHER_GENERATE_IV) | ONLY(CIPHER_UPDATE) | ONLY(CIPHER_FINISH));

    with_iv = key_for(PSA_ALG_CBC_NO_PADDING);
    without_iv = key_for(PSA_ALG_ECB_NO_PADDING);
    walk_through(&walk);
}

static const struct test_case tests[] = {
    TEST(cipher__known_answer__agrees),
    TEST(cipher__every_mode_and_length__comes_back),
    TEST(cipher_encrypt__twice__draws_another_iv),
    TEST(cipher__short_buffer__is_too_small_and_leaves_no_hold),
    TEST(cipher_decrypt__short_input__is_refused),
    TEST(cipher_decrypt__wrong_padding__is_refused_and_shows_nothing),
    TEST(cipher__chunks_of_every_size__give_the_same),
    TEST(cipher__overlapping_buffers__give_the_same),
    TEST(cipher_update__overlapping_buffers__give_the_same),
    TEST(cipher_update__short_buffer__is_too_small),
    TEST(cipher_finish__short_buffer__is_too_small),
    TEST(cipher_finish__part_of_a_block__is_refused),
    TEST(cipher_set_iv__wrong_length__is_refused),
    TEST(cipher_set_iv__short_nonce_of_ctr__is_padded_with_zeros),
    TEST(cipher_generate_iv__as_the_rules_say),
    TEST(cipher__key_destroyed_meanwhile__the_operation_fails),
    TEST(cipher__object_moved_between_calls__goes_on),
    TEST(cipher__left_out_or_no_cipher__says_which),
    TEST(cipher__no_entropy__gives_no_ciphertext),
    TEST(cipher__every_call_in_every_state__is_as_the_table_says),
};

TEST_SUITE(cipher, tests);
