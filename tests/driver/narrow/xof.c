/* SPDX-License-Identifier: Apache-2.0 */
#include "narrow.h"

NARROW_CHECK(xof)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;

    narrow_length = row->output.length;
    return psa_xof_setup(&operation, row->alg) == PSA_SUCCESS &&
           (!PSA_ALG_XOF_HAS_CONTEXT(row->alg) ||
            psa_xof_set_context(&operation, row->iv.data, row->iv.length) == PSA_SUCCESS) &&
           psa_xof_update(&operation, row->input.data, row->input.length) == PSA_SUCCESS &&
           psa_xof_output(&operation, narrow_output, narrow_length) == PSA_SUCCESS &&
           psa_xof_abort(&operation) == PSA_SUCCESS && narrow_wrote(&row->output);
}
