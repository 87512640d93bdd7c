/* SPDX-License-Identifier: Apache-2.0 */
#include "entropy.h"

#include <string.h>

#include <corral/port.h>
#include <psa/crypto.h>

static enum test_entropy mode = TEST_ENTROPY_GOOD;
static unsigned calls;

/* Names that the linker gives: the board's function, and what stands in its place. */
psa_status_t __real_corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits);
psa_status_t __wrap_corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits);

void test_entropy_mode(enum test_entropy wanted)
{
    mode = wanted;
}

unsigned test_entropy_calls(void)
{
    return calls;
}

psa_status_t __wrap_corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    psa_status_t status = PSA_SUCCESS;

    calls++;
    if (mode == TEST_ENTROPY_ABSENT) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    status = __real_corral_port_entropy(output, size, estimate_bits);
    if (mode == TEST_ENTROPY_STUCK) {
        memset(output, 0x42, size);
    } else if (mode == TEST_ENTROPY_POOR) {
        *estimate_bits = size - 1;
    } else if (mode == TEST_ENTROPY_EXCESSIVE) {
        *estimate_bits = 8 * size + 1;
    }
    return status;
}
