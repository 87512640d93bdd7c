/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/dispatch/block.h>
#include <corral/driver.h>
#include <corral/drivers/ctr_drbg/entry_points.h>
#include <corral/stack.h>

#define KEY_SIZE 32u
#define BLOCK 16u
/* seedlen: a key and a block (table 3). */
#define SEED_SIZE (KEY_SIZE + BLOCK)
/* max_number_of_bits_per_request is 2^19 (table 3); size_t may have 16 bits. */
#define REQUEST_MAX ((size_t)0x8000)
/* The input of the derivation function: block, lengths of input and output, input, padding. */
#define HEAD_SIZE (BLOCK + 8u)
#define ENTROPY_MAX SEED_SIZE

/* Set the cipher up, or leave nothing. End with end(). */
static psa_status_t begin(corral_block_context_t *cipher, const uint8_t key[KEY_SIZE])
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_bits(&attributes, 8 * KEY_SIZE);
    memset(cipher, 0, sizeof *cipher);
    psa_status_t status = corral_dispatch_block_setup(cipher, &attributes, key, KEY_SIZE, true);
    if (status != PSA_SUCCESS) {
        corral_wipe(cipher, sizeof *cipher);
    }
    return status;
}

static void end(corral_block_context_t *cipher)
{
    corral_dispatch_block_abort(cipher);
    corral_wipe(cipher, sizeof *cipher);
}

static psa_status_t encrypt_block(corral_block_context_t *cipher, uint8_t block[BLOCK])
{
    return corral_dispatch_block_update(cipher, block, BLOCK, block);
}

static void add(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] ^= from[i];
    }
}

/*
 * The next bytes of the key stream. Each byte of the counter changes in the same time. The counter
 * itself may be the last block of `output`.
 */
static psa_status_t stream(corral_block_context_t *cipher, uint8_t counter[BLOCK], uint8_t *output,
                           size_t size)
{
    uint8_t block[BLOCK];
    psa_status_t status = PSA_SUCCESS;

    for (size_t done = 0; status == PSA_SUCCESS && done < size; done += BLOCK) {
        unsigned carry = 1;
        for (size_t i = BLOCK; i-- > 0;) {
            carry += counter[i];
            counter[i] = (uint8_t)carry;
            carry >>= 8;
        }
        memcpy(block, counter, BLOCK);
        status = encrypt_block(cipher, block);
        if (status == PSA_SUCCESS) {
            memcpy(output + done, block, size - done < BLOCK ? size - done : BLOCK);
        }
    }
    corral_wipe(block, sizeof block);
    return status;
}

/*
 * The next `size` bytes of output, if any, and then CTR_DRBG_Update (10.2.1.2) without its last
 * step, which adds a seed: these bytes do not reveal earlier ones. The cipher has the key already,
 * so the next one is made in its place. After a failure it may be half made, which is as secret.
 */
static psa_status_t advance(ctr_drbg_context_t *context, uint8_t *output, size_t size)
{
    corral_block_context_t cipher;
    psa_status_t status = begin(&cipher, context->state);

    if (status != PSA_SUCCESS) {
        return status;
    }
    status = stream(&cipher, context->state + KEY_SIZE, output, size);
    if (status == PSA_SUCCESS) {
        status = stream(&cipher, context->state + KEY_SIZE, context->state, SEED_SIZE);
    }
    end(&cipher);
    return status;
}

/* A byte of the input of Block_Cipher_df (10.3.2), which ends in zeros. */
static uint8_t byte_of(size_t i, uint8_t number, const uint8_t *entropy, size_t entropy_size)
{
    if (i >= HEAD_SIZE && i < HEAD_SIZE + entropy_size) {
        return entropy[i - HEAD_SIZE];
    }
    return (uint8_t)(i == 3                          ? number
                     : i == BLOCK + 3                ? entropy_size
                     : i == BLOCK + 7                ? SEED_SIZE
                     : i == HEAD_SIZE + entropy_size ? 0x80
                                                     : 0);
}

/* BCC (10.3.3): the last block of a chain over whole blocks of that input. */
static psa_status_t chain(corral_block_context_t *cipher, uint8_t number, const uint8_t *entropy,
                          size_t entropy_size, uint8_t output[BLOCK])
{
    psa_status_t status = PSA_SUCCESS;

    memset(output, 0, BLOCK);
    for (size_t i = 0; status == PSA_SUCCESS && i <= HEAD_SIZE + entropy_size;) {
        do {
            output[i % BLOCK] ^= byte_of(i, number, entropy, entropy_size);
            i++;
        } while (i % BLOCK != 0);
        status = encrypt_block(cipher, output);
    }
    return status;
}

/* Zeros, with which the first entropy instantiates; further entropy reseeds. */
psa_status_t ctr_drbg_init_random(ctr_drbg_context_t *context)
{
    memset(context, 0, sizeof *context);
    return PSA_SUCCESS;
}

/*
 * Block_Cipher_df (10.3.2): a key and a block that depend on all of the entropy, then the block
 * encrypted again and again under the key. Apart, so that its cipher and that of advance() lie in
 * the same bytes of the stack.
 */
static CORRAL_STACK_APART psa_status_t derive(const uint8_t *entropy, size_t entropy_size,
                                              uint8_t seed[SEED_SIZE])
{
    corral_block_context_t cipher;
    uint8_t block[BLOCK];

    for (size_t i = 0; i < KEY_SIZE; i++) {
        seed[i] = (uint8_t)i;
    }
    psa_status_t status = begin(&cipher, seed);
    if (status != PSA_SUCCESS) {
        return status;
    }
    for (uint8_t i = 0; status == PSA_SUCCESS && i < SEED_SIZE / BLOCK; i++) {
        status = chain(&cipher, i, entropy, entropy_size, seed + i * BLOCK);
    }
    end(&cipher);
    if (status == PSA_SUCCESS) {
        status = begin(&cipher, seed);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    memcpy(block, seed + KEY_SIZE, BLOCK);
    for (size_t done = 0; status == PSA_SUCCESS && done < SEED_SIZE; done += BLOCK) {
        status = encrypt_block(&cipher, block);
        memcpy(seed + done, block, BLOCK);
    }
    end(&cipher);
    corral_wipe(block, sizeof block);
    return status;
}

/* At most 48 bytes a call, as the core gives them. */
psa_status_t ctr_drbg_add_entropy(ctr_drbg_context_t *context, const uint8_t *entropy,
                                  size_t entropy_size)
{
    uint8_t seed[SEED_SIZE];

    if (entropy_size > ENTROPY_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = derive(entropy, entropy_size, seed);
    if (status == PSA_SUCCESS) {
        status = advance(context, NULL, 0);
    }
    if (status == PSA_SUCCESS) {
        add(context->state, seed, SEED_SIZE);
    }
    corral_wipe(seed, sizeof seed);
    return status;
}

/* At most 32,768 bytes a call, half of the standard's bound on one request. */
psa_status_t ctr_drbg_get_random(ctr_drbg_context_t *context, uint8_t *output, size_t output_size,
                                 size_t *output_length)
{
    const size_t size = output_size < REQUEST_MAX ? output_size : REQUEST_MAX;

    *output_length = size;
    return advance(context, output, size);
}
