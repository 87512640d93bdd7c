/* SPDX-License-Identifier: Apache-2.0 */
#include "wipers.h"

#define TEXT_SIZE 37u

WIPERS_CALL(xof)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    uint8_t text[TEXT_SIZE];

    wipers_draw(text, sizeof text);
    wipers_need(psa_xof_setup(&operation, is.alg));
    wipers_need(psa_xof_update(&operation, text, sizeof text));
    wipers_need(psa_xof_output(&operation, text, sizeof text));
    wipers_need(psa_xof_abort(&operation));
}
