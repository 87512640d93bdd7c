/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random sequences of cipher calls: what comes out in parts must decrypt in one call to what went
 * in, buffers overlap at random, and damaged ciphertexts do no harm.
 */
#include "../common/fuzz.h"

#define MAX_TEXT 600u
#define BLOCK 16u

static const psa_algorithm_t modes[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING,
                                        PSA_ALG_CBC_PKCS7, PSA_ALG_CTR};

static uint8_t text[MAX_TEXT];
/* IV and ciphertext. */
static uint8_t secret[MAX_TEXT + 3 * BLOCK];

static psa_key_id_t make_key(struct fuzz_input *input, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const size_t size = fuzz_below(input, 2) == 0 ? 16 : 32;
    uint8_t data[32];
    psa_key_id_t key;

    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = fuzz_byte(input);
    }
    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    FUZZ_CHECK(psa_import_key(&attributes, data, size, &key) == PSA_SUCCESS);
    return key;
}

static bool takes_any_length(psa_algorithm_t alg)
{
    return alg == PSA_ALG_CBC_PKCS7 || alg == PSA_ALG_CTR;
}

/* One update through a buffer in which input and output overlap at random. Returns the output. */
static size_t update(struct fuzz_input *input, psa_cipher_operation_t *operation,
                     const uint8_t *part, size_t size, uint8_t *output)
{
    const size_t from = fuzz_below(input, 64);
    const size_t to = fuzz_below(input, 64);
    const size_t room = size + BLOCK;
    uint8_t *buffer = fuzz_room(64 + room);
    size_t n;

    memcpy(buffer + from, part, size);
    FUZZ_CHECK(psa_cipher_update(operation, buffer + from, size, buffer + to, room, &n) ==
               PSA_SUCCESS);
    FUZZ_CHECK(n <= PSA_CIPHER_UPDATE_OUTPUT_SIZE(PSA_KEY_TYPE_AES, PSA_ALG_CBC_PKCS7, size));
    memcpy(output, buffer + to, n);
    free(buffer);
    return n;
}

/* Encrypt random chunks; returns the length of the ciphertext behind the IV, and the text's. */
static size_t encrypt(struct fuzz_input *input, psa_key_id_t key, psa_algorithm_t alg,
                      size_t iv_length, size_t *text_length)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    size_t total = 0;
    size_t n;

    *text_length = 0;
    FUZZ_CHECK(psa_cipher_encrypt_setup(&operation, key, alg) == PSA_SUCCESS);
    if (iv_length > 0) {
        FUZZ_CHECK(psa_cipher_generate_iv(&operation, secret, sizeof secret, &n) == PSA_SUCCESS);
        FUZZ_CHECK(n == iv_length);
    }
    for (unsigned parts = fuzz_below(input, 6); parts > 0; parts--) {
        size_t size;
        uint8_t *part = fuzz_bytes(input, 99, &size);
        memcpy(text + *text_length, part, size);
        *text_length += size;
        total += update(input, &operation, part, size, secret + iv_length + total);
        free(part);
    }
    if (!takes_any_length(alg) && *text_length % BLOCK != 0) {
        FUZZ_CHECK(psa_cipher_finish(&operation, secret, sizeof secret, &n) ==
                   PSA_ERROR_INVALID_ARGUMENT);
        FUZZ_CHECK(psa_cipher_abort(&operation) == PSA_SUCCESS);
        return SIZE_MAX;
    }
    FUZZ_CHECK(psa_cipher_finish(&operation, secret + iv_length + total,
                                 sizeof secret - iv_length - total, &n) == PSA_SUCCESS);
    return total + n;
}

static void decrypt_damaged(struct fuzz_input *input, psa_key_id_t key, psa_algorithm_t alg,
                            size_t length)
{
    uint8_t *damaged = fuzz_room(length);
    const size_t cut = fuzz_byte(input) % (length + 1);
    const size_t room = fuzz_byte(input);
    uint8_t *output = fuzz_room(room);
    size_t n = 7;

    memcpy(damaged, secret, length);
    if (length > 0) {
        fuzz_change(input, damaged, length);
    }
    const psa_status_t status = psa_cipher_decrypt(key, alg, damaged, cut, output, room, &n);
    FUZZ_CHECK(status == PSA_SUCCESS || n == 0);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT ||
               status == PSA_ERROR_INVALID_PADDING || status == PSA_ERROR_BUFFER_TOO_SMALL);
    FUZZ_CHECK(n <= room);
    free(output);
    free(damaged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    while (input.size > 0) {
        const psa_algorithm_t alg = modes[fuzz_below(&input, 4)];
        const size_t iv_length = PSA_CIPHER_IV_LENGTH(PSA_KEY_TYPE_AES, alg);
        const psa_key_id_t key = make_key(&input, alg);
        size_t text_length;
        const size_t length = encrypt(&input, key, alg, iv_length, &text_length);
        if (length != SIZE_MAX) {
            uint8_t *back = fuzz_room(length);
            size_t n;
            FUZZ_CHECK(psa_cipher_decrypt(key, alg, secret, iv_length + length, back, length, &n) ==
                       PSA_SUCCESS);
            FUZZ_CHECK(n == text_length && memcmp(back, text, n) == 0);
            free(back);
            decrypt_damaged(&input, key, alg, iv_length + length);
        }
        FUZZ_CHECK(corral_holds() == 0);
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    }
    return 0;
}
