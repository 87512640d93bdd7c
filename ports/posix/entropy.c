/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* getentropy */

#include <unistd.h>

#include <corral/port.h>
#include <psa/crypto.h>

/* The most that getentropy returns in one call. */
#define REQUEST_MAX_SIZE 256u

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    *estimate_bits = 0;
    for (size_t done = 0; done < size; done += REQUEST_MAX_SIZE) {
        const size_t rest = size - done;
        if (getentropy(output + done, rest < REQUEST_MAX_SIZE ? rest : REQUEST_MAX_SIZE) != 0) {
            return PSA_ERROR_INSUFFICIENT_ENTROPY;
        }
    }
    /* The kernel's generator: output is computationally indistinguishable from full entropy. */
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}
