/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

bool use(void)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    uint8_t output[40];

    return DID(psa_xof_setup(&operation, ALG)) &&
           (!PSA_ALG_XOF_HAS_CONTEXT(ALG) ||
            DID(psa_xof_set_context(&operation, (const uint8_t *)"context", 7))) &&
           DID(psa_xof_update(&operation, (const uint8_t *)"input", 5)) &&
           DID(psa_xof_output(&operation, output, sizeof output)) && DID(psa_xof_abort(&operation));
}
