/* SPDX-License-Identifier: Apache-2.0 */
/* Published vectors of authenticated encryption: at once, in parts, and with results changed. */
#include <string.h>

#include "../harness/harness.h"
#include "rows.h"

struct message {
    psa_key_id_t key;
    psa_algorithm_t alg;
    struct bytes nonce, data, text, output;
    bool is_announced; /* lengths are said before, in parts */
};

static struct bytes cut(const uint8_t *data, size_t length)
{
    const struct bytes bytes = {test_copy(data, length), length};

    return bytes;
}

static struct message message_of(const struct row *row)
{
    const size_t nonce_length = (size_t)(row->iv.data[0] << 8 | row->iv.data[1]);
    const uint8_t *const data = row->iv.data + 2 + nonce_length;
    struct message message = {0};

    message.alg = row->vector->alg;
    message.key =
        test_import(row->vector->type, message.alg, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT,
                    row->key.data, row->key.length);
    message.nonce = cut(row->iv.data + 2, nonce_length);
    message.data = cut(data, row->iv.length - 2 - nonce_length);
    message.text = row->input;
    message.output = row->output;
    message.is_announced = PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(message.alg) == PSA_ALG_CCM ||
                           row->key.data[0] % 2 == 0;
    return message;
}

static psa_status_t begin(psa_aead_operation_t *operation, const struct message *message,
                          bool is_encrypt, size_t text_length)
{
    const size_t half = message->data.length / 2;

    psa_status_t status = is_encrypt
                              ? psa_aead_encrypt_setup(operation, message->key, message->alg)
                              : psa_aead_decrypt_setup(operation, message->key, message->alg);
    if (status == PSA_SUCCESS && message->is_announced) {
        EXPECT(PSA_SUCCESS, psa_aead_set_lengths(operation, message->data.length, text_length));
    }
    if (status == PSA_SUCCESS) {
        status = psa_aead_set_nonce(operation, message->nonce.data, message->nonce.length);
    }
    if (status == PSA_SUCCESS) {
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(operation, message->data.data, half));
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(operation, message->data.data + half,
                                               message->data.length - half));
    }
    return status;
}

static void run(psa_aead_operation_t *operation, const uint8_t *input, size_t length,
                uint8_t *output)
{
    const size_t half = length / 2;
    size_t n;

    EXPECT(PSA_SUCCESS, psa_aead_update(operation, input, half, output, half, &n));
    CHECK(n == half);
    EXPECT(PSA_SUCCESS, psa_aead_update(operation, input + half, length - half, output + half,
                                        length - half, &n));
    CHECK(n == length - half);
}

static void encrypt_in_parts(const struct message *message)
{
    const size_t length = message->text.length;
    const size_t tag_length = message->output.length - length;
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t *output = test_buffer(length);
    uint8_t *tag = test_buffer(tag_length);
    size_t n;
    size_t tag_n;

    const psa_status_t status = begin(&operation, message, true, length);
    if (status == PSA_ERROR_NOT_SUPPORTED) {
        return; /* a driver may take whole messages only */
    }
    EXPECT(PSA_SUCCESS, status);
    run(&operation, message->text.data, length, output);
    CHECK_BYTES(output, length, message->output.data, length);
    EXPECT(PSA_SUCCESS, psa_aead_finish(&operation, NULL, 0, &n, tag, tag_length, &tag_n));
    CHECK(n == 0);
    CHECK_BYTES(tag, tag_n, message->output.data + length, tag_length);
}

static void decrypt_in_parts(const struct message *message, bool is_valid)
{
    const size_t tag_length = (size_t)(message->alg >> 16 & 0x3f);
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    size_t n;

    if (message->output.length < tag_length) {
        return;
    }
    const size_t length = message->output.length - tag_length;
    uint8_t *output = test_buffer(length);
    psa_status_t status = begin(&operation, message, false, length);
    if (status == PSA_SUCCESS) {
        run(&operation, message->output.data, length, output);
        status =
            psa_aead_verify(&operation, NULL, 0, &n, message->output.data + length, tag_length);
        CHECK(n == 0);
        EXPECT(is_valid ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE, status);
    } else {
        CHECK(status == PSA_ERROR_NOT_SUPPORTED ||
              (!is_valid && status == PSA_ERROR_INVALID_ARGUMENT));
    }
    if (is_valid && status == PSA_SUCCESS) {
        CHECK_BYTES(output, length, message->text.data, message->text.length);
    }
    EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
}

static void decrypt(const struct message *message, bool is_valid)
{
    const size_t size = message->output.length;
    uint8_t *output = test_buffer(size);
    size_t n = 1;

    const psa_status_t status = psa_aead_decrypt(
        message->key, message->alg, message->nonce.data, message->nonce.length, message->data.data,
        message->data.length, message->output.data, size, output, size, &n);
    if (is_valid) {
        EXPECT(PSA_SUCCESS, status);
        CHECK_BYTES(output, n, message->text.data, message->text.length);
    } else {
        CHECK(status == PSA_ERROR_INVALID_SIGNATURE || status == PSA_ERROR_INVALID_ARGUMENT ||
              status == PSA_ERROR_NOT_SUPPORTED);
        CHECK(n == 0 && test_all(output, size, 0));
    }
}

static void check_aead(const struct row *row)
{
    const struct message message = message_of(row);
    const bool is_valid = row->vector->result == TEST_VALID;
    const size_t size = message.output.length;
    uint8_t *output = test_buffer(size);
    size_t n;

    if (is_valid) {
        EXPECT(PSA_SUCCESS,
               psa_aead_encrypt(message.key, message.alg, message.nonce.data, message.nonce.length,
                                message.data.data, message.data.length, message.text.data,
                                message.text.length, output, size, &n));
        CHECK_BYTES(output, n, message.output.data, size);
        encrypt_in_parts(&message);
    }
    decrypt(&message, is_valid);
    decrypt_in_parts(&message, is_valid);
}

TEST_FUNCTION(vectors__aead__all_agree)
{
    vectors_for_each(TEST_AEAD, check_aead);
}
