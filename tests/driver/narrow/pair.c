/* SPDX-License-Identifier: Apache-2.0 */
#include "narrow.h"

#define SIGNING (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE)
#define VERIFYING (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)
/* A row's input. */
#define INPUT row->input.data, row->input.length
#define CONTEXT row->iv.data, row->iv.length

bool narrow_agreement(const struct narrow_row *row)
{
    const psa_key_id_t key = narrow_key(row, PSA_KEY_USAGE_DERIVE);
    const bool is_right = psa_raw_key_agreement(row->alg, key, INPUT, NARROW_OUT) == PSA_SUCCESS &&
                          narrow_wrote(&row->output);

    return (psa_destroy_key(key) == PSA_SUCCESS) & is_right;
}

static psa_status_t verify(const struct narrow_row *row, psa_key_id_t key)
{
    const struct narrow_bytes *const signature = &row->output;

    if (row->kind == TEST_VERIFY_HASH) {
        return psa_verify_hash(key, row->alg, INPUT, signature->data, signature->length);
    }
    return row->iv.length == 0
               ? psa_verify_message(key, row->alg, INPUT, signature->data, signature->length)
               : psa_verify_message_with_context(key, row->alg, INPUT, CONTEXT, signature->data,
                                                 signature->length);
}

bool narrow_verification(const struct narrow_row *row)
{
    const psa_key_id_t key = narrow_key(row, VERIFYING);
    const bool is_right = verify(row, key) == PSA_SUCCESS;

    return (psa_destroy_key(key) == PSA_SUCCESS) & is_right;
}

static psa_status_t sign(const struct narrow_row *row, psa_key_id_t key)
{
    if (row->kind == TEST_SIGN_HASH) {
        return psa_sign_hash(key, row->alg, INPUT, NARROW_OUT);
    }
    return row->iv.length == 0
               ? psa_sign_message(key, row->alg, INPUT, NARROW_OUT)
               : psa_sign_message_with_context(key, row->alg, INPUT, CONTEXT, NARROW_OUT);
}

bool narrow_signature(const struct narrow_row *row)
{
    const psa_key_id_t key = narrow_key(row, SIGNING);
    const bool is_right = sign(row, key) == PSA_SUCCESS && narrow_wrote(&row->output);

    return (psa_destroy_key(key) == PSA_SUCCESS) & is_right;
}
