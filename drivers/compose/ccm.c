/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/aead.h>

#include "block.h"

/* Bytes that the nonce and the length of the text share in a block (RFC 3610, 2.2). */
#define SHARED 15u
/* Flag of the first block: there is additional data. */
#define HAS_AD 0x40u
/* Lengths of additional data from here on are said in 6 or 10 bytes instead of 2. */
#define LONG_AD 0xff00u

static psa_status_t setup(compose_ccm_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                          size_t key_buffer_size, psa_algorithm_t alg, bool is_encrypt)
{
    operation->tag_length = (uint8_t)corral_aead_tag_length(alg);
    operation->is_encrypt = is_encrypt;
    return corral_dispatch_block_setup(&operation->block, attributes, key_buffer, key_buffer_size,
                                       true);
}

psa_status_t compose_ccm_encrypt_setup(compose_ccm_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    return setup(operation, attributes, key_buffer, key_buffer_size, alg, true);
}

psa_status_t compose_ccm_decrypt_setup(compose_ccm_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    return setup(operation, attributes, key_buffer, key_buffer_size, alg, false);
}

psa_status_t compose_ccm_set_lengths(compose_ccm_operation_t *operation, size_t ad_length,
                                     size_t plaintext_length)
{
    operation->ad_length = ad_length;
    operation->text_length = plaintext_length;
    return PSA_SUCCESS;
}

static psa_status_t encrypt_chain(compose_ccm_operation_t *operation)
{
    operation->filled = 0;
    return corral_dispatch_block_update(&operation->block, operation->chain, BLOCK,
                                        operation->chain);
}

/* Blocks of additional data and of text are filled up with zeros. */
static psa_status_t end_block(compose_ccm_operation_t *operation)
{
    return operation->filled == 0 ? PSA_SUCCESS : encrypt_chain(operation);
}

static psa_status_t absorb(compose_ccm_operation_t *operation, const uint8_t *input, size_t length)
{
    psa_status_t status = PSA_SUCCESS;

    for (size_t i = 0; status == PSA_SUCCESS && i < length; i++) {
        operation->chain[operation->filled++] ^= input[i];
        if (operation->filled == BLOCK) {
            status = encrypt_chain(operation);
        }
    }
    return status;
}

/* `length` in the last `size` bytes of a buffer, big-endian. */
static void write_length(uint8_t *bytes, size_t size, size_t length)
{
    while (size-- > 0) {
        bytes[size] = (uint8_t)length;
        length >>= 8;
    }
}

/* What additional data begins with: its length in 2, 6 or 10 bytes (RFC 3610, 2.2). */
static psa_status_t absorb_ad_length(compose_ccm_operation_t *operation)
{
    const size_t length = operation->ad_length;
    uint8_t bytes[10];
    size_t size = 2;

    if (length < LONG_AD) {
        write_length(bytes, size, length);
    } else {
        const bool is_huge = sizeof length > 4 && length >> 16 >> 16 != 0;
        size = is_huge ? 10 : 6;
        bytes[0] = 0xff;
        bytes[1] = is_huge ? 0xff : 0xfe;
        write_length(bytes + 2, size - 2, length);
    }
    return absorb(operation, bytes, size);
}

psa_status_t compose_ccm_set_nonce(compose_ccm_operation_t *operation, const uint8_t *nonce,
                                   size_t nonce_length)
{
    const size_t room = SHARED - nonce_length;
    uint8_t *const chain = operation->chain;
    uint8_t *const counter = operation->counter;

    counter[0] = (uint8_t)(room - 1);
    memcpy(counter + 1, nonce, nonce_length);
    memcpy(chain, counter, BLOCK);
    chain[0] = (uint8_t)(chain[0] | (operation->tag_length - 2u) / 2 << 3 |
                         (operation->ad_length != 0 ? HAS_AD : 0u));
    write_length(chain + 1 + nonce_length, room, operation->text_length);
    counter[BLOCK - 1] = 1; /* 0 is for the tag */
    psa_status_t status = encrypt_chain(operation);
    return status == PSA_SUCCESS && operation->ad_length != 0 ? absorb_ad_length(operation)
                                                              : status;
}

psa_status_t compose_ccm_update_ad(compose_ccm_operation_t *operation, const uint8_t *input,
                                   size_t input_length)
{
    psa_status_t status = absorb(operation, input, input_length);

    operation->ad_length -= input_length;
    return status == PSA_SUCCESS && operation->ad_length == 0 ? end_block(operation) : status;
}

/* The field of the counter behind the nonce; `counter[0]` says how long it is. */
static void increment(uint8_t counter[BLOCK])
{
    const size_t size = counter[0] + 1u;

    for (size_t i = 0; i < size && ++counter[BLOCK - 1 - i] == 0; i++) {
    }
}

static psa_status_t refill(compose_ccm_operation_t *operation)
{
    psa_status_t status = corral_dispatch_block_update(&operation->block, operation->counter, BLOCK,
                                                       operation->keystream);
    increment(operation->counter);
    return status;
}

static psa_status_t crypt_byte(compose_ccm_operation_t *operation, uint8_t input, uint8_t *output)
{
    psa_status_t status = PSA_SUCCESS;

    if (operation->filled == 0) {
        status = refill(operation);
    }
    const uint8_t result = input ^ operation->keystream[operation->filled];
    *output = result;
    if (status == PSA_SUCCESS) {
        status = absorb(operation, operation->is_encrypt ? &input : &result, 1);
    }
    return status;
}

psa_status_t compose_ccm_update(compose_ccm_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length)
{
    psa_status_t status = PSA_SUCCESS;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (size_t i = 0; status == PSA_SUCCESS && i < input_length; i++) {
        status = crypt_byte(operation, input[i], output + i);
    }
    *output_length = input_length;
    return status;
}

psa_status_t compose_ccm_finish(compose_ccm_operation_t *operation, uint8_t *tag, size_t tag_size,
                                size_t *tag_length)
{
    uint8_t *const counter = operation->counter;
    const size_t length = operation->tag_length;

    if (tag_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memset(counter + SHARED - counter[0], 0, counter[0] + 1u);
    psa_status_t status = end_block(operation);
    if (status == PSA_SUCCESS) {
        status = refill(operation);
    }
    for (size_t i = 0; i < length; i++) {
        tag[i] = operation->chain[i] ^ operation->keystream[i];
    }
    *tag_length = length;
    return status;
}

psa_status_t compose_ccm_abort(compose_ccm_operation_t *operation)
{
    corral_dispatch_block_abort(&operation->block);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
