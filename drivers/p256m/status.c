/* SPDX-License-Identifier: Apache-2.0 */
#include "p256m_glue.h"

#include <p256-m.h>

static const struct {
    int result;
    psa_status_t status;
} statuses[] = {
    {P256_SUCCESS, PSA_SUCCESS},
    {P256_RANDOM_FAILED, PSA_ERROR_INSUFFICIENT_ENTROPY},
    {P256_INVALID_SIGNATURE, PSA_ERROR_INVALID_SIGNATURE},
};

psa_status_t p256m_driver_status(int result)
{
    size_t i;

    for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        if (statuses[i].result == result) {
            return statuses[i].status;
        }
    }
    return PSA_ERROR_CORRUPTION_DETECTED;
}
