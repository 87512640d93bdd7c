/* SPDX-License-Identifier: Apache-2.0 */
#include "hash_state.h"

#include <string.h>

#include <corral/driver.h>

static void put(uint8_t *to, uint64_t value, size_t size, bool is_little_endian)
{
    for (size_t i = 0; i < size; i++) {
        to[is_little_endian ? i : size - 1 - i] = (uint8_t)value;
        value >>= 8;
    }
}

static uint64_t take(const uint8_t *from, size_t size, bool is_little_endian)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        value = value << 8 | from[is_little_endian ? size - 1 - i : i];
    }
    return value;
}

/* Bytes of the length and of the chaining value. */
static size_t fixed_size(const struct hash_shape *shape)
{
    return (size_t)shape->count_size + (size_t)shape->words * shape->word_size;
}

static size_t pending_size(const struct hash_shape *shape, const struct hash_words *words)
{
    return (size_t)(words->low & (shape->block_size - 1u));
}

psa_status_t mbedtls_driver_hash_store(const struct hash_shape *shape, struct hash_words *words,
                                       const uint8_t *block, uint8_t *state, size_t state_size,
                                       size_t *state_length)
{
    const size_t pending = pending_size(shape, words);
    psa_status_t status = PSA_ERROR_BUFFER_TOO_SMALL;

    if (state_size >= fixed_size(shape) + pending) {
        uint8_t *at = state + shape->count_size;
        put(at - 8, words->low, 8, false);
        if (shape->count_size == 16) {
            put(state, words->high, 8, false);
        }
        for (size_t i = 0; i < shape->words; i++, at += shape->word_size) {
            put(at, words->chaining[i], shape->word_size, shape->is_little_endian);
        }
        memcpy(at, block, pending);
        *state_length = fixed_size(shape) + pending;
        status = PSA_SUCCESS;
    }
    corral_wipe(words, sizeof *words);
    return status;
}

psa_status_t mbedtls_driver_hash_load(const struct hash_shape *shape, struct hash_words *words,
                                      uint8_t *block, const uint8_t *state, size_t state_length)
{
    const uint8_t *at = state + shape->count_size;

    if (state_length < fixed_size(shape)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    words->low = take(at - 8, 8, false);
    words->high = shape->count_size == 16 ? take(state, 8, false) : 0;
    /* The padding counts bits in as many bytes as the state counts bytes. */
    const uint64_t top = shape->count_size == 16 ? words->high : words->low;
    const size_t pending = pending_size(shape, words);
    if (top >> 61 != 0 || state_length != fixed_size(shape) + pending) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    for (size_t i = 0; i < shape->words; i++, at += shape->word_size) {
        words->chaining[i] = take(at, shape->word_size, shape->is_little_endian);
    }
    memcpy(block, at, pending);
    return PSA_SUCCESS;
}

psa_status_t mbedtls_driver_hash_store_32(const struct hash_shape *shape, const uint32_t total[2],
                                          const uint32_t *chaining, const uint8_t *block,
                                          uint8_t *state, size_t state_size, size_t *state_length)
{
    struct hash_words words = {.low = (uint64_t)total[1] << 32 | total[0]};

    for (size_t i = 0; i < shape->words; i++) {
        words.chaining[i] = chaining[i];
    }
    return mbedtls_driver_hash_store(shape, &words, block, state, state_size, state_length);
}

psa_status_t mbedtls_driver_hash_load_32(const struct hash_shape *shape, uint32_t total[2],
                                         uint32_t *chaining, uint8_t *block, const uint8_t *state,
                                         size_t state_length)
{
    struct hash_words words;

    psa_status_t status = mbedtls_driver_hash_load(shape, &words, block, state, state_length);
    if (status == PSA_SUCCESS) {
        total[0] = (uint32_t)words.low;
        total[1] = (uint32_t)(words.low >> 32);
        for (size_t i = 0; i < shape->words; i++) {
            chaining[i] = (uint32_t)words.chaining[i];
        }
    }
    corral_wipe(&words, sizeof words);
    return status;
}
