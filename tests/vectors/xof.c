/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of extendable-output functions: at once, and in halves. */
#include "../harness/harness.h"
#include "rows.h"

static void begin(const struct row *row, psa_xof_operation_t *operation)
{
    EXPECT(PSA_SUCCESS, psa_xof_setup(operation, row->vector->alg));
    if (PSA_ALG_XOF_HAS_CONTEXT(row->vector->alg)) {
        EXPECT(PSA_SUCCESS, psa_xof_set_context(operation, row->iv.data, row->iv.length));
    }
}

static void check_xof(const struct row *row)
{
    const size_t half = row->input.length / 2;
    const size_t part = row->output.length / 3;
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    uint8_t *output = test_buffer(row->output.length);

    begin(row, &operation);
    EXPECT(PSA_SUCCESS, psa_xof_update(&operation, row->input.data, row->input.length));
    EXPECT(PSA_SUCCESS, psa_xof_output(&operation, output, row->output.length));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
    CHECK_BYTES(output, row->output.length, row->output.data, row->output.length);
    begin(row, &operation);
    EXPECT(PSA_SUCCESS, psa_xof_update(&operation, row->input.data, half));
    EXPECT(PSA_SUCCESS,
           psa_xof_update(&operation, row->input.data + half, row->input.length - half));
    EXPECT(PSA_SUCCESS, psa_xof_output(&operation, output, part));
    EXPECT(PSA_SUCCESS, psa_xof_output(&operation, output + part, row->output.length - part));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
    CHECK_BYTES(output, row->output.length, row->output.data, row->output.length);
}

TEST_FUNCTION(vectors__xof__all_agree)
{
    vectors_for_each(TEST_XOF, check_xof);
}
