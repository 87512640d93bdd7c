/* SPDX-License-Identifier: Apache-2.0 */
#include "p256m_glue.h"

#include <p256-m.h>

psa_status_t p256m_driver_status(int result)
{
    if (result == P256_SUCCESS) {
        return PSA_SUCCESS;
    }
    if (result == P256_RANDOM_FAILED) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    return result == P256_INVALID_SIGNATURE ? PSA_ERROR_INVALID_SIGNATURE
                                            : PSA_ERROR_CORRUPTION_DETECTED;
}
