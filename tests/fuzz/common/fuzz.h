/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a fuzzer's input as a sequence of choices, and stopping when an invariant breaks. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <psa/crypto.h>

struct fuzz_input {
    const uint8_t *data;
    size_t size;
};

/* The entry points that libFuzzer calls. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of the core, for tests only. */
unsigned corral_holds(void);

/* Stop the program: libFuzzer keeps the input. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The next byte; 0 when the input is used up. */
static inline uint8_t fuzz_byte(struct fuzz_input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->data++;
}

/* A number below `limit` (at least 1, at most 256). */
static inline unsigned fuzz_below(struct fuzz_input *input, unsigned limit)
{
    return fuzz_byte(input) % limit;
}

/* A place in `size` bytes (at least 1, at most 65536), of two bytes of the input where it can be
 * beyond the first 256. */
static inline size_t fuzz_place(struct fuzz_input *input, size_t size)
{
    const size_t high = size > 256 ? fuzz_byte(input) : 0;

    return (high << 8 | fuzz_byte(input)) % size;
}

/* Change one of `size` bytes, or none. */
static inline void fuzz_change(struct fuzz_input *input, uint8_t *data, size_t size)
{
    const uint8_t change = fuzz_byte(input);

    data[fuzz_place(input, size)] ^= change;
}

/*
 * Up to `most` bytes of the input in a heap block of exactly their number, for the caller to free.
 */
static inline uint8_t *fuzz_bytes(struct fuzz_input *input, unsigned most, size_t *size)
{
    size_t wanted = fuzz_below(input, most + 1);

    if (wanted > input->size) {
        wanted = input->size;
    }
    uint8_t *bytes = malloc(wanted > 0 ? wanted : 1);
    FUZZ_CHECK(bytes != NULL);
    memcpy(bytes, input->data, wanted);
    input->data += wanted;
    input->size -= wanted;
    *size = wanted;
    return bytes;
}

/* The next actions of a fuzzer; likelier ones are in a table more than once. */
typedef void (*fuzz_action)(struct fuzz_input *input);

/* Do one of `count` things (at most 256). None of them leaves a key held. */
static inline void fuzz_act(struct fuzz_input *input, const fuzz_action *actions, unsigned count)
{
    actions[fuzz_below(input, count)](input);
    FUZZ_CHECK(corral_holds() == 0);
}

/* A heap block of exactly `size` bytes, for the caller to free. */
static inline uint8_t *fuzz_room(size_t size)
{
    uint8_t *bytes = malloc(size > 0 ? size : 1);

    FUZZ_CHECK(bytes != NULL);
    memset(bytes, 0xa5, size);
    return bytes;
}

/* Where a call took bytes, add them to a model's message, which has room. */
static inline void fuzz_append(psa_status_t status, const uint8_t *bytes, size_t size,
                               uint8_t *message, size_t *length)
{
    if (status == PSA_SUCCESS) {
        memcpy(message + *length, bytes, size);
        *length += size;
    }
}

#endif
