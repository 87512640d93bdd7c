/* SPDX-License-Identifier: Apache-2.0 */
/* AES-KW and AES-KWP over any block cipher of 16 bytes (SP 800-38F; RFC 3394, RFC 5649). */
#include "block.h"

#define HALF 8u /* the semi-block that the data consist of */
#define ROUNDS 6u
#define LENGTH_AT 4u /* in KWP's check value: the length of the data, big-endian */

static const uint8_t kw_check[HALF] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6};
static const uint8_t kwp_check[LENGTH_AT] = {0xa6, 0x59, 0x59, 0xa6};

static void xor_counter(uint8_t check[HALF], uint32_t counter)
{
    for (size_t i = 0; i < 4; i++) {
        check[HALF - 1 - i] ^= (uint8_t)(counter >> (8 * i));
    }
}

/* One step of either direction: the check value and one semi-block through the cipher. */
static psa_status_t step(corral_block_context_t *cipher, uint8_t check[HALF], uint8_t half[HALF])
{
    uint8_t block[BLOCK];

    memcpy(block, check, HALF);
    memcpy(block + HALF, half, HALF);
    psa_status_t status = corral_dispatch_block_update(cipher, block, BLOCK, block);
    memcpy(check, block, HALF);
    memcpy(half, block + HALF, HALF);
    corral_wipe(block, sizeof block);
    return status;
}

/* W of SP 800-38F: `text` begins with the check value; at least two semi-blocks follow. */
static psa_status_t wrap_in_place(corral_block_context_t *cipher, uint8_t *text, size_t length)
{
    psa_status_t status = PSA_SUCCESS;
    uint32_t counter = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t at = HALF; at < length && status == PSA_SUCCESS; at += HALF) {
            status = step(cipher, text, text + at);
            xor_counter(text, ++counter);
        }
    }
    return status;
}

/* The inverse of W. */
static psa_status_t unwrap_in_place(corral_block_context_t *cipher, uint8_t *text, size_t length)
{
    psa_status_t status = PSA_SUCCESS;
    uint32_t counter = (uint32_t)(ROUNDS * (length / HALF - 1));

    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t at = length - HALF; at > 0 && status == PSA_SUCCESS; at -= HALF) {
            xor_counter(text, counter--);
            status = step(cipher, text, text + at);
        }
    }
    return status;
}

/* Run the cipher with a key over `text`; data of one semi-block are one block of it (KWP). */
static psa_status_t run(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                        size_t key_buffer_size, bool is_wrap, uint8_t *text, size_t length)
{
    corral_block_context_t cipher;

    memset(&cipher, 0, sizeof cipher);
    psa_status_t status =
        corral_dispatch_block_setup(&cipher, attributes, key_buffer, key_buffer_size, is_wrap);
    if (status == PSA_SUCCESS) {
        if (length == BLOCK) {
            status = corral_dispatch_block_update(&cipher, text, length, text);
        } else {
            status = is_wrap ? wrap_in_place(&cipher, text, length)
                             : unwrap_in_place(&cipher, text, length);
        }
        corral_dispatch_block_abort(&cipher);
    }
    corral_wipe(&cipher, sizeof cipher);
    return status;
}

/*
 * Wrap a key's data by AES-KW (RFC 3394) or AES-KWP (RFC 5649). `wrapped` may begin where `data`
 * does, and needs room for 8 bytes and whole semi-blocks more.
 *   PSA_ERROR_INVALID_ARGUMENT  KW: less than 16 bytes, or no multiple of 8; KWP: no byte
 */
psa_status_t compose_wrap_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                              size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *data,
                              size_t data_length, uint8_t *wrapped, size_t wrapped_size,
                              size_t *wrapped_length)
{
    const bool is_padded = alg == PSA_ALG_KWP;
    const size_t padding = (HALF - data_length % HALF) % HALF;
    const size_t length = HALF + data_length + padding;

    if (is_padded ? data_length == 0 : padding != 0 || data_length < 2 * HALF) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (wrapped_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memmove(wrapped + HALF, data, data_length);
    memset(wrapped + HALF + data_length, 0, padding);
    memcpy(wrapped, kw_check, HALF);
    if (is_padded) {
        memcpy(wrapped, kwp_check, LENGTH_AT);
        memset(wrapped + LENGTH_AT, 0, HALF - LENGTH_AT);
        xor_counter(wrapped, (uint32_t)data_length);
    }
    psa_status_t status = run(attributes, key_buffer, key_buffer_size, true, wrapped, length);
    if (status == PSA_SUCCESS) {
        *wrapped_length = length;
    }
    return status;
}

/*
 * The length that a KWP check value gives to `room` bytes of data with their padding, or 0 if the
 * value, the length or the padding is wrong; which of them does not show in the time.
 */
static size_t padded_length(const uint8_t check[HALF], const uint8_t *data, size_t room)
{
    const uint32_t length =
        (uint32_t)check[4] << 24 | (uint32_t)check[5] << 16 | (uint32_t)check[6] << 8 | check[7];
    const uint32_t padding = (uint32_t)room - length;
    uint8_t different = (uint8_t)!corral_equal(check, kwp_check, LENGTH_AT);

    different = (uint8_t)(different | (padding >= HALF));
    for (uint32_t i = 0; i < HALF; i++) {
        const uint8_t is_padding = (uint8_t)(0u - (unsigned)(i < padding));
        different = (uint8_t)(different | (data[room - 1 - i] & is_padding));
    }
    return different == 0 ? (size_t)length : 0;
}

/*
 * The inverse. `data` needs room for as many bytes as `wrapped` has, and may hold anything after a
 * failure.
 *   PSA_ERROR_INVALID_SIGNATURE  not what wrapping with this key gives, whatever is wrong with it
 */
psa_status_t compose_unwrap_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *wrapped,
                                size_t wrapped_length, uint8_t *data, size_t data_size,
                                size_t *data_length)
{
    const bool is_padded = alg == PSA_ALG_KWP;
    size_t length;

    if (wrapped_length % HALF != 0 || wrapped_length < (is_padded ? BLOCK : BLOCK + HALF)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    if (data_size < wrapped_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memmove(data, wrapped, wrapped_length);
    psa_status_t status = run(attributes, key_buffer, key_buffer_size, false, data, wrapped_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    length = wrapped_length - HALF;
    if (is_padded) {
        length = padded_length(data, data + HALF, length);
    } else if (!corral_equal(data, kw_check, HALF)) {
        length = 0;
    }
    if (length == 0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    memmove(data, data + HALF, length);
    *data_length = length;
    return PSA_SUCCESS;
}
