/* SPDX-License-Identifier: Apache-2.0 */
#include "narrow.h"

#define SIGNING (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE)
#define VERIFYING (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)
/* A row's input. */
#define INPUT row->input.data, row->input.length
#define CONTEXT row->iv.data, row->iv.length

NARROW_CHECK(agreement)
{
    const psa_key_id_t key = narrow_key(row, PSA_KEY_USAGE_DERIVE);
    const bool is_right = psa_raw_key_agreement(row->alg, key, INPUT, NARROW_OUT) == PSA_SUCCESS &&
                          narrow_wrote(&row->output);

    return (psa_destroy_key(key) == PSA_SUCCESS) & is_right;
}

static bool verified(const struct narrow_row *row, bool is_hash)
{
    const psa_key_id_t key = narrow_key(row, VERIFYING);
    const struct narrow_bytes *const signature = &row->output;
    psa_status_t status;

    if (is_hash) {
        status = psa_verify_hash(key, row->alg, INPUT, signature->data, signature->length);
    } else if (row->iv.length == 0) {
        status = psa_verify_message(key, row->alg, INPUT, signature->data, signature->length);
    } else {
        status = psa_verify_message_with_context(key, row->alg, INPUT, CONTEXT, signature->data,
                                                 signature->length);
    }
    return (psa_destroy_key(key) == PSA_SUCCESS) & (status == PSA_SUCCESS);
}

NARROW_CHECK(verify_hash)
{
    return verified(row, true);
}

NARROW_CHECK(verify_message)
{
    return verified(row, false);
}

static bool is_signed(const struct narrow_row *row, bool is_hash)
{
    const psa_key_id_t key = narrow_key(row, SIGNING);
    psa_status_t status;

    if (is_hash) {
        status = psa_sign_hash(key, row->alg, INPUT, NARROW_OUT);
    } else if (row->iv.length == 0) {
        status = psa_sign_message(key, row->alg, INPUT, NARROW_OUT);
    } else {
        status = psa_sign_message_with_context(key, row->alg, INPUT, CONTEXT, NARROW_OUT);
    }
    const bool is_right = status == PSA_SUCCESS && narrow_wrote(&row->output);
    return (psa_destroy_key(key) == PSA_SUCCESS) & is_right;
}

NARROW_CHECK(sign_hash)
{
    return is_signed(row, true);
}

NARROW_CHECK(sign_message)
{
    return is_signed(row, false);
}
