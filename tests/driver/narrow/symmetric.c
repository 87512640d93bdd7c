/* SPDX-License-Identifier: Apache-2.0 */
#include "narrow.h"

#include <string.h>

#define BOTH_WAYS (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define TAG_ROOM 16u

/* Not in the middle of a block. */
static size_t first_part(size_t length)
{
    return length / 3;
}

NARROW_CHECK(hash)
{
    const struct narrow_bytes *const input = &row->input;
    const size_t first = first_part(input->length);
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;

    if (psa_hash_compute(row->alg, input->data, input->length, NARROW_OUT) != PSA_SUCCESS ||
        !narrow_wrote(&row->output)) {
        return false;
    }
    narrow_length = 0;
    return psa_hash_setup(&operation, row->alg) == PSA_SUCCESS &&
           psa_hash_update(&operation, input->data, first) == PSA_SUCCESS &&
           psa_hash_update(&operation, input->data + first, input->length - first) == PSA_SUCCESS &&
           psa_hash_finish(&operation, NARROW_OUT) == PSA_SUCCESS && narrow_wrote(&row->output);
}

static bool mac_by(const struct narrow_row *row, psa_key_id_t key)
{
    const struct narrow_bytes *const input = &row->input;
    const size_t first = first_part(input->length);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    if (psa_mac_verify(key, row->alg, input->data, input->length, row->output.data,
                       row->output.length) != PSA_SUCCESS ||
        psa_mac_compute(key, row->alg, input->data, input->length, NARROW_OUT) != PSA_SUCCESS ||
        !narrow_wrote(&row->output)) {
        return false;
    }
    narrow_length = 0;
    return psa_mac_sign_setup(&operation, key, row->alg) == PSA_SUCCESS &&
           psa_mac_update(&operation, input->data, first) == PSA_SUCCESS &&
           psa_mac_update(&operation, input->data + first, input->length - first) == PSA_SUCCESS &&
           psa_mac_sign_finish(&operation, NARROW_OUT) == PSA_SUCCESS && narrow_wrote(&row->output);
}

NARROW_CHECK(mac)
{
    const psa_key_id_t key =
        narrow_key(row, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);

    return mac_by(row, key) & (psa_destroy_key(key) == PSA_SUCCESS);
}

/* In two parts. */
static bool cipher_by(psa_cipher_operation_t *operation, const struct narrow_row *row,
                      const struct narrow_bytes *input, const struct narrow_bytes *wanted)
{
    const size_t first = first_part(input->length);
    size_t second;
    size_t last;

    if (row->iv.length > 0 &&
        psa_cipher_set_iv(operation, row->iv.data, row->iv.length) != PSA_SUCCESS) {
        return false;
    }
    if (psa_cipher_update(operation, input->data, first, NARROW_OUT) != PSA_SUCCESS ||
        psa_cipher_update(operation, input->data + first, input->length - first,
                          narrow_output + narrow_length, NARROW_ROOM - narrow_length,
                          &second) != PSA_SUCCESS) {
        return false;
    }
    narrow_length += second;
    if (psa_cipher_finish(operation, narrow_output + narrow_length, NARROW_ROOM - narrow_length,
                          &last) != PSA_SUCCESS) {
        return false;
    }
    narrow_length += last;
    return narrow_wrote(wanted);
}

NARROW_CHECK(cipher)
{
    const psa_key_id_t key = narrow_key(row, BOTH_WAYS);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    bool is_right = psa_cipher_decrypt_setup(&operation, key, row->alg) == PSA_SUCCESS &&
                    cipher_by(&operation, row, &row->output, &row->input);

    (void)psa_cipher_abort(&operation);
    is_right = is_right && psa_cipher_encrypt_setup(&operation, key, row->alg) == PSA_SUCCESS &&
               cipher_by(&operation, row, &row->input, &row->output);
    (void)psa_cipher_abort(&operation);
    return is_right & (psa_destroy_key(key) == PSA_SUCCESS);
}

/* The nonce of a row, before its additional data. */
static struct narrow_bytes nonce_of(const struct narrow_row *row)
{
    const size_t length = (size_t)row->iv.data[0] << 8 | row->iv.data[1];

    return (struct narrow_bytes){row->iv.data + 2, length};
}

static bool aead_in_parts(psa_aead_operation_t *operation, const struct narrow_row *row,
                          psa_key_id_t key)
{
    const struct narrow_bytes nonce = nonce_of(row);
    const uint8_t *const data = nonce.data + nonce.length;
    const size_t data_length = row->iv.length - 2 - nonce.length;
    uint8_t tag[TAG_ROOM];
    size_t length;
    size_t tag_length;

    if (psa_aead_encrypt_setup(operation, key, row->alg) != PSA_SUCCESS ||
        psa_aead_set_lengths(operation, data_length, row->input.length) != PSA_SUCCESS ||
        psa_aead_set_nonce(operation, nonce.data, nonce.length) != PSA_SUCCESS ||
        psa_aead_update_ad(operation, data, data_length) != PSA_SUCCESS ||
        psa_aead_update(operation, row->input.data, row->input.length, NARROW_OUT) != PSA_SUCCESS ||
        psa_aead_finish(operation, narrow_output + narrow_length, NARROW_ROOM - narrow_length,
                        &length, tag, sizeof tag, &tag_length) != PSA_SUCCESS ||
        NARROW_ROOM - narrow_length < length + tag_length) {
        return false;
    }
    memcpy(narrow_output + narrow_length + length, tag, tag_length);
    narrow_length += length + tag_length;
    return narrow_wrote(&row->output);
}

static bool aead_by(const struct narrow_row *row, psa_key_id_t key)
{
    const struct narrow_bytes nonce = nonce_of(row);
    const uint8_t *const data = nonce.data + nonce.length;
    const size_t data_length = row->iv.length - 2 - nonce.length;

    return psa_aead_decrypt(key, row->alg, nonce.data, nonce.length, data, data_length,
                            row->output.data, row->output.length, NARROW_OUT) == PSA_SUCCESS &&
           narrow_wrote(&row->input) &&
           psa_aead_encrypt(key, row->alg, nonce.data, nonce.length, data, data_length,
                            row->input.data, row->input.length, NARROW_OUT) == PSA_SUCCESS &&
           narrow_wrote(&row->output);
}

NARROW_CHECK(aead)
{
    const psa_key_id_t key = narrow_key(row, BOTH_WAYS);
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    const bool is_right = aead_by(row, key) && aead_in_parts(&operation, row, key);

    (void)psa_aead_abort(&operation);
    return is_right & (psa_destroy_key(key) == PSA_SUCCESS);
}

static bool wrap_by(const struct narrow_row *row, psa_key_id_t by)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    if (psa_unwrap_key(&attributes, by, row->alg, row->output.data, row->output.length, &key) !=
        PSA_SUCCESS) {
        return false;
    }
    const bool is_right =
        psa_export_key(key, NARROW_OUT) == PSA_SUCCESS && narrow_wrote(&row->input) &&
        psa_wrap_key(by, row->alg, key, NARROW_OUT) == PSA_SUCCESS && narrow_wrote(&row->output);
    return is_right & (psa_destroy_key(key) == PSA_SUCCESS);
}

NARROW_CHECK(wrap)
{
    const psa_key_id_t by = narrow_key(row, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP);

    return wrap_by(row, by) & (psa_destroy_key(by) == PSA_SUCCESS);
}
