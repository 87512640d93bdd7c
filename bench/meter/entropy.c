/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entropy source whose bytes are the same in every run, so that keys, nonces and thereby counts
 * are. The linker (--wrap) leads calls of the board's through here.
 */
#include <stddef.h>
#include <stdint.h>

#include <corral/port.h>

/* The type is that of the function that the linker leads through here. */
__typeof__(corral_port_entropy) __wrap_corral_port_entropy;

psa_status_t __wrap_corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    static uint32_t state = 1;

    for (size_t i = 0; i < size; i++) {
        /* Marsaglia's xorshift: looks like noise to the health tests, and is none. */
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        output[i] = (uint8_t)(state >> 8);
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}
