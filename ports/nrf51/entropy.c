/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nRF51 Series Reference Manual, 20: a generator that digitises thermal noise and can remove its
 * bias. The entropy in a byte of it is not published: half of its bits are claimed.
 */
#include <stdbool.h>

#include <corral/port.h>
#include <psa/crypto.h>

#define RNG ((uintptr_t)0x4000d000)
#define RNG_TASKS_START (*(volatile uint32_t *)(RNG + 0x000))
#define RNG_TASKS_STOP (*(volatile uint32_t *)(RNG + 0x004))
#define RNG_EVENTS_VALRDY (*(volatile uint32_t *)(RNG + 0x100))
#define RNG_CONFIG (*(volatile uint32_t *)(RNG + 0x504))
#define RNG_VALUE (*(volatile uint32_t *)(RNG + 0x508))

#define CONFIG_BIAS_REMOVED 1u
#define BITS_OF_A_BYTE 4u
/* With the bias removed a byte takes 0.7 ms typically, some 11,000 cycles; no limit is promised. */
#define TURNS_FOR_A_BYTE UINT32_C(1000000)

static bool wait_for_byte(void)
{
    for (uint32_t turn = 0; turn < TURNS_FOR_A_BYTE; turn++) {
        if (RNG_EVENTS_VALRDY != 0) {
            return true;
        }
    }
    return false;
}

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    size_t done = 0;

    RNG_CONFIG = CONFIG_BIAS_REMOVED;
    RNG_EVENTS_VALRDY = 0;
    RNG_TASKS_START = 1;
    while (done < size && wait_for_byte()) {
        output[done++] = (uint8_t)RNG_VALUE;
        /* In this order: a byte that comes in between may be lost, but none is taken twice. */
        RNG_EVENTS_VALRDY = 0;
    }
    RNG_TASKS_STOP = 1;
    *estimate_bits = done == size ? BITS_OF_A_BYTE * size : 0;
    return done == size ? PSA_SUCCESS : PSA_ERROR_INSUFFICIENT_ENTROPY;
}
