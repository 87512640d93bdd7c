/* SPDX-License-Identifier: Apache-2.0 */
/* As many bytes as one likes of one input: SHAKE256. */
#include <string.h>

#include "../show.h"

static psa_status_t squeeze(uint8_t *output, size_t size)
{
    static const char seed[] = "a seed";
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;

    psa_status_t status = psa_xof_setup(&operation, PSA_ALG_SHAKE256);
    status = THEN(status, psa_xof_update(&operation, (const uint8_t *)seed, strlen(seed)));
    /* Outputs continue each other. */
    status = THEN(status, psa_xof_output(&operation, output, 10));
    status = THEN(status, psa_xof_output(&operation, output + 10, size - 10));
    const psa_status_t aborted = psa_xof_abort(&operation);
    return status == PSA_SUCCESS ? aborted : status;
}

int main(void)
{
    uint8_t output[100] = {0};

    psa_status_t status = psa_crypto_init();
    status = THEN(status, squeeze(output, sizeof output));
    show("output", output, sizeof output);
    return show_end(status);
}
