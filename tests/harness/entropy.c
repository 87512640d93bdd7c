/* SPDX-License-Identifier: Apache-2.0 */
#include "entropy.h"

#include <stdbool.h>
#include <string.h>

#include <corral/port.h>
#include <psa/crypto.h>

static enum test_entropy mode = TEST_ENTROPY_GOOD;
static unsigned calls;
static size_t given; /* bytes, since the mode was chosen */
static uint64_t state = 1;

/* The linker's name of the function that replaces the board's. */
psa_status_t __wrap_corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits);
psa_status_t __real_corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits);

void test_entropy_mode(enum test_entropy wanted)
{
    mode = wanted;
    given = 0;
}

void test_entropy_seed(uint64_t seed)
{
    state = seed;
}

unsigned test_entropy_calls(void)
{
    return calls;
}

/* SplitMix64, one byte of each number: no cryptography, but no pattern that the tests would see. */
static uint8_t next_byte(void)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint8_t)(z >> 56);
}

psa_status_t __wrap_corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    calls++;
    if (mode == TEST_ENTROPY_ABSENT) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    if (mode == TEST_ENTROPY_BOARD) {
        return __real_corral_port_entropy(output, size, estimate_bits);
    }
    for (size_t i = 0; i < size; i++) {
        const bool is_late = mode == TEST_ENTROPY_LATE && given >= 1018 && given < 1024;
        const bool is_early = mode == TEST_ENTROPY_EARLY && given < 5;
        output[i] = is_late || is_early ? 0x42 : next_byte();
        given++;
    }
    *estimate_bits = 8 * size;
    if (mode == TEST_ENTROPY_STUCK) {
        memset(output, 0x42, size);
    } else if (mode == TEST_ENTROPY_POOR) {
        *estimate_bits = size - 1;
    } else if (mode == TEST_ENTROPY_EXCESSIVE) {
        *estimate_bits = 8 * size + 1;
    }
    return PSA_SUCCESS;
}

unsigned test_operations_left(void); /* for harness.c */

/* Operations are variables of the test. */
unsigned test_operations_left(void)
{
    return 0;
}
