/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of key wrapping: both directions, and each wrapped byte changed. */
#include "../harness/harness.h"
#include "rows.h"

static psa_status_t unwrap(psa_key_id_t wrapping_key, const struct row *row, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    return psa_unwrap_key(&attributes, wrapping_key, row->vector->alg, row->output.data,
                          row->output.length, key);
}

static void check_wrapping(psa_key_id_t wrapping_key, const struct row *row)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT,
                                         row->input.data, row->input.length);
    uint8_t *wrapped = test_buffer(row->output.length);
    size_t length = 0;

    EXPECT(PSA_SUCCESS,
           psa_wrap_key(wrapping_key, row->vector->alg, key, wrapped, row->output.length, &length));
    CHECK_BYTES(wrapped, length, row->output.data, row->output.length);
}

static void check_forgeries(psa_key_id_t wrapping_key, const struct row *row)
{
    psa_key_id_t key = 1;

    for (size_t i = 0; i < row->output.length; i++) {
        row->output.data[i] ^= 0x10;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, unwrap(wrapping_key, row, &key));
        CHECK(key == PSA_KEY_ID_NULL);
        row->output.data[i] ^= 0x10;
    }
}

static void check_wrap(const struct row *row)
{
    const psa_key_id_t wrapping_key =
        test_import(row->vector->type, row->vector->alg, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP,
                    row->key.data, row->key.length);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    const psa_status_t status = unwrap(wrapping_key, row, &key);
    if (row->vector->result == TEST_VALID) {
        EXPECT(PSA_SUCCESS, status);
    } else if (status != PSA_SUCCESS || row->vector->result == TEST_INVALID) {
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, status);
        CHECK(key == PSA_KEY_ID_NULL);
    }
    if (status == PSA_SUCCESS) {
        uint8_t *data = test_buffer(row->input.length);
        size_t length = 0;
        EXPECT(PSA_SUCCESS, psa_export_key(test_keep(key), data, row->input.length, &length));
        CHECK_BYTES(data, length, row->input.data, row->input.length);
        check_wrapping(wrapping_key, row);
        check_forgeries(wrapping_key, row);
    }
}

TEST_FUNCTION(vectors__wrap__all_agree)
{
    vectors_for_each(TEST_WRAP, check_wrap);
}
