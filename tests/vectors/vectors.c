/* SPDX-License-Identifier: Apache-2.0 */
/* Published vectors through the public API: single-part, in parts, and with results changed. */
#include "vectors.h"

#include <string.h>

#include "../harness/harness.h"
#include "rows.h"

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static struct bytes decode(const char *hex)
{
    struct bytes bytes = {NULL, strlen(hex) / 2};

    bytes.data = test_buffer(bytes.length);
    for (size_t i = 0; i < bytes.length; i++) {
        bytes.data[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    }
    return bytes;
}

static bool has_same_key(const struct test_vector *a, const struct test_vector *b)
{
    return a->type == b->type && a->alg == b->alg && strcmp(a->key, b->key) == 0;
}

/* Run `test` over the rows of two kinds (the same one twice for a single kind). */
static void for_each(enum test_vector_kind kind, enum test_vector_kind other,
                     void (*test)(const struct row *row))
{
    const struct test_vector *last = NULL;
    psa_key_id_t shared = PSA_KEY_ID_NULL;

    for (size_t i = 0; i < test_vector_count; i++) {
        const struct test_vector *vector = &test_vectors[i];
        if (vector->kind != kind && vector->kind != other) {
            continue;
        }
        if (shared == PSA_KEY_ID_NULL || !has_same_key(vector, last)) {
            test_destroy_keys();
            shared = PSA_KEY_ID_NULL;
        }
        const struct row row = {vector,
                                decode(vector->key),
                                decode(vector->iv),
                                decode(vector->input),
                                decode(vector->output),
                                &shared};
        test_context(vector->title, i);
        test(&row);
        test_free_buffers();
        last = vector;
    }
    test_context(NULL, 0);
    test_destroy_keys();
    if (last == NULL) {
        test_skip("no vectors for this build");
    }
}

void vectors_for_each(enum test_vector_kind kind, void (*test)(const struct row *row))
{
    for_each(kind, kind, test);
}

/* The seeds of ML-DSA do not tell the size; the name of the mechanism ends with the set. */
static size_t bits_of_seed(const struct row *row)
{
    const char *const set = strrchr(row->vector->needs, '_') + 1;

    return strcmp(set, "44") == 0 ? 128 : strcmp(set, "65") == 0 ? 192 : 256;
}

static psa_key_id_t import(const struct row *row, psa_key_usage_t usage)
{
    if (row->vector->type == PSA_KEY_TYPE_ML_DSA_KEY_PAIR) {
        const psa_key_attributes_t attributes =
            test_attributes(row->vector->type, bits_of_seed(row), row->vector->alg, usage);
        psa_key_id_t key = PSA_KEY_ID_NULL;
        NEED(psa_import_key(&attributes, row->key.data, row->key.length, &key));
        return test_keep(key);
    }
    return test_import(row->vector->type, row->vector->alg, usage, row->key.data, row->key.length);
}

/* Hash */

static void check_hash(const struct row *row)
{
    const size_t size = row->output.length;
    const psa_algorithm_t alg = row->vector->alg;
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t *hash = test_buffer(size);
    size_t length;

    EXPECT(PSA_SUCCESS,
           psa_hash_compute(alg, row->input.data, row->input.length, hash, size, &length));
    CHECK_BYTES(hash, length, row->output.data, size);
    EXPECT(PSA_SUCCESS, psa_hash_compare(alg, row->input.data, row->input.length, row->output.data,
                                         row->output.length));
    const size_t half = row->input.length / 2;
    memset(hash, 0, size);
    EXPECT(PSA_SUCCESS, psa_hash_setup(&operation, alg));
    EXPECT(PSA_SUCCESS, psa_hash_update(&operation, row->input.data, half));
    EXPECT(PSA_SUCCESS,
           psa_hash_update(&operation, row->input.data + half, row->input.length - half));
    EXPECT(PSA_SUCCESS, psa_hash_finish(&operation, hash, size, &length));
    CHECK_BYTES(hash, length, row->output.data, size);
}

TEST_FUNCTION(vectors__hash__all_agree)
{
    for_each(TEST_HASH, TEST_HASH, check_hash);
}

/* MAC */

static void check_mac_in_parts(const struct row *row, psa_key_id_t key)
{
    const size_t half = row->input.length / 2;
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t *mac = test_buffer(row->output.length);
    size_t length;

    psa_status_t status = psa_mac_sign_setup(&operation, key, row->vector->alg);
    if (status == PSA_ERROR_NOT_SUPPORTED) {
        return; /* a driver may compute in one call only */
    }
    EXPECT(PSA_SUCCESS, status);
    EXPECT(PSA_SUCCESS, psa_mac_update(&operation, row->input.data, half));
    EXPECT(PSA_SUCCESS,
           psa_mac_update(&operation, row->input.data + half, row->input.length - half));
    EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, mac, row->output.length, &length));
    CHECK_BYTES(mac, length, row->output.data, row->output.length);
    EXPECT(PSA_SUCCESS, psa_mac_verify_setup(&operation, key, row->vector->alg));
    EXPECT(PSA_SUCCESS, psa_mac_update(&operation, row->input.data, row->input.length));
    EXPECT(PSA_SUCCESS, psa_mac_verify_finish(&operation, row->output.data, row->output.length));
}

static void check_mac(const struct row *row)
{
    const psa_algorithm_t alg = row->vector->alg;
    const bool is_valid = row->vector->result == TEST_VALID;
    const psa_key_id_t key = import(row, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    uint8_t *mac = test_buffer(row->output.length);
    size_t length;

    EXPECT(is_valid ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE,
           psa_mac_verify(key, alg, row->input.data, row->input.length, row->output.data,
                          row->output.length));
    if (is_valid) {
        EXPECT(PSA_SUCCESS, psa_mac_compute(key, alg, row->input.data, row->input.length, mac,
                                            row->output.length, &length));
        CHECK_BYTES(mac, length, row->output.data, row->output.length);
        check_mac_in_parts(row, key);
    }
}

TEST_FUNCTION(vectors__mac__all_agree)
{
    for_each(TEST_MAC, TEST_MAC, check_mac);
}

/* Cipher */

static psa_status_t run_cipher(psa_cipher_operation_t *operation, const struct row *row,
                               const struct bytes *input, uint8_t *output, size_t size,
                               size_t *length)
{
    size_t part;

    *length = 0;
    if (row->iv.length > 0) {
        EXPECT(PSA_SUCCESS, psa_cipher_set_iv(operation, row->iv.data, row->iv.length));
    }
    EXPECT(PSA_SUCCESS,
           psa_cipher_update(operation, input->data, input->length, output, size, length));
    psa_status_t status = psa_cipher_finish(operation, output + *length, size - *length, &part);
    *length += part;
    (void)psa_cipher_abort(operation);
    return status;
}

static void check_encryption(const struct row *row, psa_key_id_t key)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t *output = test_buffer(row->output.length);
    size_t length;

    EXPECT(PSA_SUCCESS, psa_cipher_encrypt_setup(&operation, key, row->vector->alg));
    EXPECT(PSA_SUCCESS,
           run_cipher(&operation, row, &row->input, output, row->output.length, &length));
    CHECK_BYTES(output, length, row->output.data, row->output.length);
}

static bool is_refusal(psa_status_t status)
{
    return status == PSA_ERROR_INVALID_PADDING || status == PSA_ERROR_INVALID_ARGUMENT;
}

static void check_decryption(const struct row *row, psa_key_id_t key)
{
    const bool is_valid = row->vector->result == TEST_VALID;
    const size_t size = row->output.length;
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t *whole = test_buffer(row->iv.length + size);
    uint8_t *output = test_buffer(size);
    size_t length;

    EXPECT(PSA_SUCCESS, psa_cipher_decrypt_setup(&operation, key, row->vector->alg));
    psa_status_t status = run_cipher(&operation, row, &row->output, output, size, &length);
    CHECK(is_valid ? status == PSA_SUCCESS : is_refusal(status));
    if (is_valid) {
        CHECK_BYTES(output, length, row->input.data, row->input.length);
    }
    memset(output, 0xa5, size);
    memcpy(whole, row->iv.data, row->iv.length);
    memcpy(whole + row->iv.length, row->output.data, size);
    status = psa_cipher_decrypt(key, row->vector->alg, whole, row->iv.length + size, output, size,
                                &length);
    CHECK(is_valid ? status == PSA_SUCCESS : is_refusal(status));
    if (is_valid) {
        CHECK_BYTES(output, length, row->input.data, row->input.length);
    } else {
        CHECK(length == 0 && test_all(output, size, 0));
    }
}

static void check_cipher(const struct row *row)
{
    const psa_key_id_t key = import(row, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);

    if (row->vector->result == TEST_VALID) {
        check_encryption(row, key);
    }
    check_decryption(row, key);
}

TEST_FUNCTION(vectors__cipher__all_agree)
{
    for_each(TEST_CIPHER, TEST_CIPHER, check_cipher);
}

/* Signatures */

static psa_status_t verify(const struct row *row, psa_key_id_t key, const uint8_t *signature,
                           size_t length)
{
    if (row->iv.length != 0 && row->vector->kind == TEST_VERIFY_HASH) {
        return psa_verify_hash_with_context(key, row->vector->alg, row->input.data,
                                            row->input.length, row->iv.data, row->iv.length,
                                            signature, length);
    }
    if (row->iv.length != 0) {
        return psa_verify_message_with_context(key, row->vector->alg, row->input.data,
                                               row->input.length, row->iv.data, row->iv.length,
                                               signature, length);
    }
    return row->vector->kind == TEST_VERIFY_HASH
               ? psa_verify_hash(key, row->vector->alg, row->input.data, row->input.length,
                                 signature, length)
               : psa_verify_message(key, row->vector->alg, row->input.data, row->input.length,
                                    signature, length);
}

static void check_verify(const struct row *row)
{
    const bool is_valid = row->vector->result == TEST_VALID;
    const psa_key_id_t key =
        import(row, row->vector->kind == TEST_VERIFY_HASH ? PSA_KEY_USAGE_VERIFY_HASH
                                                          : PSA_KEY_USAGE_VERIFY_MESSAGE);

    const psa_status_t status = verify(row, key, row->output.data, row->output.length);
    EXPECT(is_valid || (row->vector->result == TEST_ACCEPTABLE && status == PSA_SUCCESS)
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_SIGNATURE,
           status);
}

TEST_FUNCTION(vectors__verify__all_agree)
{
    for_each(TEST_VERIFY_HASH, TEST_VERIFY_MESSAGE, check_verify);
}

static psa_status_t sign(const struct row *row, psa_key_id_t key, uint8_t *signature, size_t size,
                         size_t *length)
{
    const struct bytes *const input = &row->input;

    if (row->iv.length != 0 && row->vector->kind == TEST_SIGN_HASH) {
        return psa_sign_hash_with_context(key, row->vector->alg, input->data, input->length,
                                          row->iv.data, row->iv.length, signature, size, length);
    }
    if (row->iv.length != 0) {
        return psa_sign_message_with_context(key, row->vector->alg, input->data, input->length,
                                             row->iv.data, row->iv.length, signature, size, length);
    }
    return row->vector->kind == TEST_SIGN_HASH
               ? psa_sign_hash(key, row->vector->alg, input->data, input->length, signature, size,
                               length)
               : psa_sign_message(key, row->vector->alg, input->data, input->length, signature,
                                  size, length);
}

static void check_sign(const struct row *row)
{
    const bool is_hash = row->vector->kind == TEST_SIGN_HASH;
    const size_t size = row->output.length;
    const psa_key_id_t key =
        import(row, is_hash ? PSA_KEY_USAGE_SIGN_HASH : PSA_KEY_USAGE_SIGN_MESSAGE);
    uint8_t *signature = test_buffer(size);
    size_t length = 0;

    EXPECT(PSA_SUCCESS, sign(row, key, signature, size, &length));
    CHECK_BYTES(signature, length, row->output.data, size);
}

TEST_FUNCTION(vectors__sign__all_agree)
{
    for_each(TEST_SIGN_HASH, TEST_SIGN_MESSAGE, check_sign);
}

/* Key agreement */

static void check_agreement(const struct row *row)
{
    const size_t size = row->key.length;
    const psa_key_id_t key = import(row, PSA_KEY_USAGE_DERIVE);
    uint8_t *secret = test_buffer(size);
    size_t length = 1;

    psa_status_t status = psa_raw_key_agreement(row->vector->alg, key, row->input.data,
                                                row->input.length, secret, size, &length);
    if (row->vector->result == TEST_VALID) {
        EXPECT(PSA_SUCCESS, status);
    } else if (row->vector->result == TEST_INVALID) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, status);
    } else {
        CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT ||
              status == PSA_ERROR_NOT_SUPPORTED);
    }
    if (status == PSA_SUCCESS) {
        CHECK_BYTES(secret, length, row->output.data, row->output.length);
    } else {
        CHECK(length == 0 && test_all(secret, size, 0));
    }
}

TEST_FUNCTION(vectors__agreement__all_agree)
{
    for_each(TEST_AGREEMENT, TEST_AGREEMENT, check_agreement);
}

/* Asymmetric encryption */

static void check_asymmetric_decrypt(const struct row *row)
{
    const size_t size = row->output.length;
    uint8_t *text = test_buffer(size);
    size_t length = 1;

    if (*row->shared == PSA_KEY_ID_NULL) {
        *row->shared = import(row, PSA_KEY_USAGE_DECRYPT);
    }
    const psa_status_t status =
        psa_asymmetric_decrypt(*row->shared, row->vector->alg, row->output.data, size, row->iv.data,
                               row->iv.length, text, size, &length);
    if (row->vector->result == TEST_VALID) {
        EXPECT(PSA_SUCCESS, status);
    } else if (row->vector->result == TEST_INVALID) {
        CHECK(is_refusal(status));
    } else {
        CHECK(status == PSA_SUCCESS || is_refusal(status));
    }
    if (status == PSA_SUCCESS) {
        CHECK_BYTES(text, length, row->input.data, row->input.length);
    } else {
        CHECK(length == 0 && test_all(text, size, 0));
    }
}

TEST_FUNCTION(vectors__asymmetric_decrypt__all_agree)
{
    for_each(TEST_DECRYPT, TEST_DECRYPT, check_asymmetric_decrypt);
}

/* Key derivation */

static uint32_t number(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static psa_status_t give(psa_key_derivation_operation_t *operation, psa_key_derivation_step_t step,
                         const struct bytes *bytes)
{
    return psa_key_derivation_input_bytes(operation, step, bytes->data, bytes->length);
}

/* The steps before the secret; returns which one is the secret. */
static psa_key_derivation_step_t give_before(psa_key_derivation_operation_t *operation,
                                             const struct row *row)
{
    const psa_algorithm_t alg = row->vector->alg;

    if (PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg)) {
        NEED(psa_key_derivation_input_integer(operation, PSA_KEY_DERIVATION_INPUT_COST,
                                              number(row->input.data)));
        NEED(give(operation, PSA_KEY_DERIVATION_INPUT_SALT, &row->iv));
        return PSA_KEY_DERIVATION_INPUT_PASSWORD;
    }
    if (PSA_ALG_IS_HKDF_EXTRACT(alg) || (PSA_ALG_IS_HKDF(alg) && row->iv.length > 0)) {
        NEED(give(operation, PSA_KEY_DERIVATION_INPUT_SALT, &row->iv));
    } else if (PSA_ALG_IS_TLS12_PRF(alg) || PSA_ALG_IS_TLS12_PSK_TO_MS(alg)) {
        NEED(give(operation, PSA_KEY_DERIVATION_INPUT_SEED, &row->iv));
    }
    return PSA_KEY_DERIVATION_INPUT_SECRET;
}

static void give_after(psa_key_derivation_operation_t *operation, const struct row *row)
{
    const psa_algorithm_t alg = row->vector->alg;

    if (PSA_ALG_IS_HKDF(alg) || PSA_ALG_IS_HKDF_EXPAND(alg)) {
        NEED(give(operation, PSA_KEY_DERIVATION_INPUT_INFO, &row->input));
    } else if (PSA_ALG_IS_TLS12_PRF(alg) || PSA_ALG_IS_TLS12_PSK_TO_MS(alg)) {
        NEED(give(operation, PSA_KEY_DERIVATION_INPUT_LABEL, &row->input));
    } else if (PSA_ALG_IS_SP800_108_COUNTER_HMAC(alg) || alg == PSA_ALG_SP800_108_COUNTER_CMAC) {
        const struct bytes context = {row->input.data, row->input.length - 4};
        NEED(give(operation, PSA_KEY_DERIVATION_INPUT_LABEL, &row->iv));
        NEED(give(operation, PSA_KEY_DERIVATION_INPUT_CONTEXT, &context));
        NEED(psa_key_derivation_set_capacity(operation, number(row->input.data + context.length)));
    }
}

static void start_derivation(psa_key_derivation_operation_t *operation, const struct row *row,
                             bool by_key)
{
    NEED(psa_key_derivation_setup(operation, row->vector->alg));
    const psa_key_derivation_step_t step = give_before(operation, row);
    NEED(by_key ? psa_key_derivation_input_key(operation, step, import(row, PSA_KEY_USAGE_DERIVE))
                : give(operation, step, &row->key));
    give_after(operation, row);
}

/* In two parts, and compared; by a key, and by bytes where the algorithm takes them. */
static void check_derivation_by(const struct row *row, bool by_key)
{
    const size_t size = row->output.length;
    const size_t part = row->vector->alg == PSA_ALG_TLS12_ECJPAKE_TO_PMS ? size : size / 3;
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t *output = test_buffer(size);

    start_derivation(&operation, row, by_key);
    if (row->vector->result != TEST_VALID) {
        EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
               psa_key_derivation_output_bytes(&operation, output, size));
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
        return;
    }
    EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, part));
    EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output + part, size - part));
    CHECK_BYTES(output, size, row->output.data, size);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    start_derivation(&operation, row, by_key);
    EXPECT(PSA_SUCCESS, psa_key_derivation_verify_bytes(&operation, row->output.data, size));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    start_derivation(&operation, row, by_key);
    row->output.data[size - 1] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_key_derivation_verify_bytes(&operation, row->output.data, size));
    row->output.data[size - 1] ^= 1;
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
}

static void check_derivation(const struct row *row)
{
    check_derivation_by(row, true);
    if (row->vector->alg != PSA_ALG_SP800_108_COUNTER_CMAC) {
        check_derivation_by(row, false);
    }
}

TEST_FUNCTION(vectors__derivation__all_agree)
{
    for_each(TEST_DERIVATION, TEST_DERIVATION, check_derivation);
}
