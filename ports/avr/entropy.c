/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ATmega2560 has no source of noise that is fit for keys. A simulated one takes what its host
 * has; on a real one this fails, and a product brings a source of its own.
 */
#include <corral/port.h>
#include <psa/crypto.h>

#include "host.h"

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    *estimate_bits = 0;
    for (size_t i = 0; i < size; i++) {
        if (!host_get(HOST_ENTROPY, &output[i])) {
            return PSA_ERROR_INSUFFICIENT_ENTROPY;
        }
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}
