/* SPDX-License-Identifier: Apache-2.0 */
/* Source `host` of boards that list it beside the entropy device (corral/port.h). */
#include "../semihosting/host_entropy.h"

psa_status_t corral_port_entropy_host(uint8_t *output, size_t size, size_t *estimate_bits);

psa_status_t corral_port_entropy_host(uint8_t *output, size_t size, size_t *estimate_bits)
{
    return host_entropy(output, size, estimate_bits);
}
