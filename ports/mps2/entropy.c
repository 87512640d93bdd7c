/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/port.h>

#include "../semihosting/host_entropy.h"

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    return host_entropy(output, size, estimate_bits);
}
