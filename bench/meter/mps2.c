/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of long calls on an emulated MPS2, measured by the program itself, in ticks
 * of its counter. The linker (--wrap) leads the calls through here. For each a line
 *   meter NAME TICKS STACK HEAP
 * STACK is the deepest use below this frame in bytes, HEAP what the heap has grown to in bytes.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <psa/crypto.h>

#include "counter.h"

#define PAINT 0xa5u
/* Deeper than any library goes; the board leaves 64 KB to the stack. */
#define DEPTH 32768u
/* Below the frame that paints, which its own calls do not need. */
#define MARGIN 64u

static uintptr_t top;
static uint32_t began;
static const char *heap_before;

static uintptr_t here(void)
{
    return (uintptr_t)__builtin_frame_address(0);
}

static __attribute__((noinline)) void begin(void)
{
    top = here() - MARGIN;
    for (uintptr_t at = top - DEPTH; at < top; at++) {
        *(volatile uint8_t *)at = PAINT;
    }
    if (heap_before == NULL) {
        heap_before = sbrk(0);
    }
    began = METER_COUNTER;
}

static __attribute__((noinline)) void end(const char *name)
{
    const uint32_t ticks = METER_COUNTER - began;
    const char *const heap = sbrk(0);
    uintptr_t at = top - DEPTH;

    while (at < top && *(const volatile uint8_t *)at == PAINT) {
        at++;
    }
    printf("meter %s %lu %lu %lu\n", name, (unsigned long)ticks, (unsigned long)(top - at + MARGIN),
           (unsigned long)(heap - heap_before));
}

/* The types are those of the functions that the linker leads through here. */
__typeof__(psa_generate_key) __real_psa_generate_key, __wrap_psa_generate_key;
__typeof__(psa_sign_message) __real_psa_sign_message, __wrap_psa_sign_message;
__typeof__(psa_verify_message) __real_psa_verify_message, __wrap_psa_verify_message;

psa_status_t __wrap_psa_generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    begin();
    const psa_status_t status = __real_psa_generate_key(attributes, key);
    end("psa_generate_key");
    return status;
}

psa_status_t __wrap_psa_sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                     size_t input_length, uint8_t *signature, size_t signature_size,
                                     size_t *signature_length)
{
    begin();
    const psa_status_t status = __real_psa_sign_message(key, alg, input, input_length, signature,
                                                        signature_size, signature_length);
    end("psa_sign_message");
    return status;
}

psa_status_t __wrap_psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                       size_t input_length, const uint8_t *signature,
                                       size_t signature_length)
{
    begin();
    const psa_status_t status =
        __real_psa_verify_message(key, alg, input, input_length, signature, signature_length);
    end("psa_verify_message");
    return status;
}
