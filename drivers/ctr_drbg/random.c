/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/dispatch/block.h>
#include <corral/driver.h>
#include <corral/drivers/ctr_drbg/entry_points.h>

#define KEY_SIZE 32u
#define BLOCK 16u
/* seedlen: a key and a block (table 3). */
#define SEED_SIZE (KEY_SIZE + BLOCK)
/* max_number_of_bits_per_request is 2^19 (table 3); size_t may have 16 bits. */
#define REQUEST_MAX ((size_t)0x8000)
/* The input of the derivation function: block, lengths of input and output, input, padding. */
#define HEAD_SIZE (BLOCK + 8u)
#define ENTROPY_MAX SEED_SIZE
#define MESSAGE_MAX (BLOCK + 64u)

_Static_assert(HEAD_SIZE + ENTROPY_MAX + 1u <= MESSAGE_MAX, "padding needs a byte at least");

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

/* The next bytes of the key stream. Each byte of the counter changes in the same time. */
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
        memcpy(output + done, block, size - done < BLOCK ? size - done : BLOCK);
    }
    corral_wipe(block, sizeof block);
    return status;
}

/*
 * The next `size` bytes of output, if any, and then CTR_DRBG_Update (10.2.1.2): these
 * bytes do not reveal earlier ones. `seed` may be NULL, which is zeros.
 */
static psa_status_t advance(ctr_drbg_context_t *context, const uint8_t *seed, uint8_t *output,
                            size_t size)
{
    corral_block_context_t cipher;
    uint8_t next[SEED_SIZE];
    psa_status_t status = begin(&cipher, context->key);

    if (status != PSA_SUCCESS) {
        return status;
    }
    status = stream(&cipher, context->counter, output, size);
    if (status == PSA_SUCCESS) {
        status = stream(&cipher, context->counter, next, SEED_SIZE);
    }
    end(&cipher);
    if (status == PSA_SUCCESS) {
        if (seed != NULL) {
            add(next, seed, SEED_SIZE);
        }
        memcpy(context->key, next, KEY_SIZE);
        memcpy(context->counter, next + KEY_SIZE, BLOCK);
    }
    corral_wipe(next, sizeof next);
    return status;
}

/* BCC (10.3.3): the last block of a chain over whole blocks. */
static psa_status_t chain(corral_block_context_t *cipher, const uint8_t *message, size_t size,
                          uint8_t output[BLOCK])
{
    psa_status_t status = PSA_SUCCESS;

    memset(output, 0, BLOCK);
    for (size_t done = 0; status == PSA_SUCCESS && done < size; done += BLOCK) {
        add(output, message + done, BLOCK);
        status = encrypt_block(cipher, output);
    }
    return status;
}

/* Block_Cipher_df (10.3.2), first half: a key and a block that depend on all of the message. */
static psa_status_t condense(uint8_t *message, size_t size, uint8_t seed[SEED_SIZE])
{
    corral_block_context_t cipher;
    uint8_t key[KEY_SIZE];

    for (size_t i = 0; i < KEY_SIZE; i++) {
        key[i] = (uint8_t)i;
    }
    psa_status_t status = begin(&cipher, key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    for (uint8_t i = 0; status == PSA_SUCCESS && i < SEED_SIZE / BLOCK; i++) {
        message[3] = i;
        status = chain(&cipher, message, size, seed + i * BLOCK);
    }
    end(&cipher);
    return status;
}

/* The second half: the block encrypted again and again under the key. */
static psa_status_t spread(uint8_t seed[SEED_SIZE])
{
    corral_block_context_t cipher;
    uint8_t block[BLOCK];
    psa_status_t status = begin(&cipher, seed);

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

/* Block_Cipher_df of the entropy. */
static psa_status_t derive(const uint8_t *entropy, size_t entropy_size, uint8_t seed[SEED_SIZE])
{
    uint8_t message[MESSAGE_MAX] = {0};
    const size_t end_of_input = HEAD_SIZE + entropy_size;

    message[BLOCK + 3] = (uint8_t)entropy_size;
    message[BLOCK + 7] = SEED_SIZE;
    memcpy(message + HEAD_SIZE, entropy, entropy_size);
    message[end_of_input] = 0x80;
    psa_status_t status = condense(message, (end_of_input + BLOCK) / BLOCK * BLOCK, seed);
    corral_wipe(message, sizeof message);
    return status == PSA_SUCCESS ? spread(seed) : status;
}

/* Zeros, with which the first entropy instantiates; further entropy reseeds. */
psa_status_t ctr_drbg_init_random(ctr_drbg_context_t *context)
{
    memset(context, 0, sizeof *context);
    return PSA_SUCCESS;
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
        status = advance(context, seed, NULL, 0);
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
    return advance(context, NULL, output, size);
}
