/* SPDX-License-Identifier: Apache-2.0 */
#include "narrow.h"

#define STEP(name) PSA_KEY_DERIVATION_INPUT_##name

static uint32_t number(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool give(psa_key_derivation_operation_t *operation, psa_key_derivation_step_t step,
                 const struct narrow_bytes *bytes)
{
    return psa_key_derivation_input_bytes(operation, step, bytes->data, bytes->length) ==
           PSA_SUCCESS;
}

static bool stretch(psa_key_derivation_operation_t *operation, const struct narrow_row *row,
                    psa_key_id_t key)
{
    return psa_key_derivation_input_integer(operation, STEP(COST), number(row->input.data)) ==
               PSA_SUCCESS &&
           give(operation, STEP(SALT), &row->iv) &&
           psa_key_derivation_input_key(operation, STEP(PASSWORD), key) == PSA_SUCCESS;
}

/* The inputs before a secret. */
static bool give_before(psa_key_derivation_operation_t *operation, const struct narrow_row *row)
{
    if (PSA_ALG_IS_HKDF_EXTRACT(row->alg) || (PSA_ALG_IS_HKDF(row->alg) && row->iv.length > 0)) {
        return give(operation, STEP(SALT), &row->iv);
    }
    return !(PSA_ALG_IS_TLS12_PRF(row->alg) || PSA_ALG_IS_TLS12_PSK_TO_MS(row->alg)) ||
           give(operation, STEP(SEED), &row->iv);
}

static bool give_after(psa_key_derivation_operation_t *operation, const struct narrow_row *row)
{
    const psa_algorithm_t alg = row->alg;

    if (PSA_ALG_IS_HKDF(alg) || PSA_ALG_IS_HKDF_EXPAND(alg)) {
        return give(operation, STEP(INFO), &row->input);
    }
    if (PSA_ALG_IS_TLS12_PRF(alg) || PSA_ALG_IS_TLS12_PSK_TO_MS(alg)) {
        return give(operation, STEP(LABEL), &row->input);
    }
    if (PSA_ALG_IS_SP800_108_COUNTER_HMAC(alg) || alg == PSA_ALG_SP800_108_COUNTER_CMAC) {
        const struct narrow_bytes context = {row->input.data, row->input.length - 4};
        return give(operation, STEP(LABEL), &row->iv) && give(operation, STEP(CONTEXT), &context) &&
               psa_key_derivation_set_capacity(
                   operation, (size_t)number(row->input.data + context.length)) == PSA_SUCCESS;
    }
    return true;
}

static bool derive(psa_key_derivation_operation_t *operation, const struct narrow_row *row,
                   psa_key_id_t key)
{
    narrow_length = row->output.length;
    if (psa_key_derivation_setup(operation, row->alg) != PSA_SUCCESS) {
        return false;
    }
    const bool is_given =
        PSA_ALG_IS_KEY_DERIVATION_STRETCHING(row->alg)
            ? stretch(operation, row, key)
            : give_before(operation, row) &&
                  psa_key_derivation_input_key(operation, STEP(SECRET), key) == PSA_SUCCESS &&
                  give_after(operation, row);
    return is_given &&
           psa_key_derivation_output_bytes(operation, narrow_output, narrow_length) ==
               PSA_SUCCESS &&
           narrow_wrote(&row->output);
}

NARROW_CHECK(derivation)
{
    static psa_key_derivation_operation_t operation;
    const psa_key_id_t key = narrow_key(row, PSA_KEY_USAGE_DERIVE);

    operation = psa_key_derivation_operation_init();
    const bool is_right = derive(&operation, row, key);
    (void)psa_key_derivation_abort(&operation);
    return is_right & (psa_destroy_key(key) == PSA_SUCCESS);
}
