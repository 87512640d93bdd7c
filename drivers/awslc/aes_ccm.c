/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM with AES (RFC 3610), over the library's CBC and CTR: its own CCM has fixed lengths of nonce
 * and tag, and no parts.
 */
#include <corral/drivers/awslc/entry_points.h>

#include "aead.h"
#include "aes.h"
#include "stack.h"

#include <string.h>

#include <corral/aead.h>

/* A part is authenticated and encrypted while it is in the cache. */
#define CHUNK_SIZE 2048u

static void mac_block(awslc_ccm_operation_t *operation)
{
    AES_encrypt(operation->mac, operation->mac, awslc_aes_of(&operation->key));
    operation->pending = 0;
}

static void mac_bytes(awslc_ccm_operation_t *operation, const uint8_t *input, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        operation->mac[operation->pending++] ^= input[i];
        if (operation->pending == AWSLC_BLOCK_SIZE) {
            mac_block(operation);
        }
    }
}

/* At most CHUNK_SIZE bytes. The chain of CBC is the MAC, and its output is thrown away. */
static void mac_chunk(awslc_ccm_operation_t *operation, const uint8_t *input, size_t length)
{
    const size_t missing = (AWSLC_BLOCK_SIZE - operation->pending) % AWSLC_BLOCK_SIZE;
    const size_t head = length < missing ? length : missing;
    const size_t whole = (length - head) / AWSLC_BLOCK_SIZE * AWSLC_BLOCK_SIZE;
    uint8_t chain[CHUNK_SIZE];

    mac_bytes(operation, input, head);
    awslc_aes_cbc(awslc_aes_of(&operation->key), operation->mac, input + head, whole, chain, true);
    mac_bytes(operation, input + head + whole, length - head - whole);
    corral_wipe(chain, whole);
}

static void mac_pad(awslc_ccm_operation_t *operation)
{
    if (operation->pending > 0) {
        mac_block(operation);
    }
}

static void crypt(awslc_ccm_operation_t *operation, const uint8_t *input, size_t length,
                  uint8_t *output)
{
    CRYPTO_ctr128_encrypt_ctr32(input, output, length, awslc_aes_of(&operation->key),
                                operation->counter, operation->stream, &operation->used,
                                awslc_aes_ctr32());
}

static void run(awslc_ccm_operation_t *operation, const uint8_t *input, size_t length,
                uint8_t *output)
{
    while (length > 0) {
        const size_t part = length < CHUNK_SIZE ? length : CHUNK_SIZE;

        if (operation->is_encrypt) {
            mac_chunk(operation, input, part);
        }
        crypt(operation, input, part, output);
        if (!operation->is_encrypt) {
            mac_chunk(operation, output, part);
        }
        input += part;
        output += part;
        length -= part;
    }
}

/* The last `size` bytes of a number, the highest first. */
static void put(uint8_t *to, uint64_t number, size_t size)
{
    for (size_t i = size; i-- > 0; number >>= 8) {
        to[i] = (uint8_t)number;
    }
}

static void begin(awslc_ccm_operation_t *operation, const uint8_t *key, size_t key_size,
                  psa_algorithm_t alg, bool is_encrypt)
{
    awslc_aes_set_encrypt_key(&operation->key, key, key_size);
    operation->tag_length = (uint8_t)corral_aead_tag_length(alg);
    operation->is_encrypt = is_encrypt;
}

/* The first block of the MAC and the first counter, and the additional data's length. */
static void start(awslc_ccm_operation_t *operation, const uint8_t *nonce, size_t nonce_length)
{
    const size_t size = AWSLC_BLOCK_SIZE - 1 - nonce_length; /* of the length */
    const uint64_t ad_length = operation->ad_length;
    uint8_t *const mac = operation->mac;
    uint8_t encoded[10] = {0xff, 0xff};

    mac[0] = (uint8_t)((ad_length > 0 ? 0x40 : 0) | (operation->tag_length - 2) / 2 << 3 |
                       (int)(size - 1));
    memcpy(mac + 1, nonce, nonce_length);
    memset(operation->counter, 0, sizeof operation->counter);
    operation->counter[0] = (uint8_t)(size - 1);
    memcpy(operation->counter + 1, mac + 1, nonce_length);
    put(mac + 1 + nonce_length, operation->length, size);
    AES_encrypt(operation->counter, operation->first, awslc_aes_of(&operation->key));
    operation->counter[AWSLC_BLOCK_SIZE - 1] = 1;
    operation->used = 0;
    mac_block(operation);
    if (ad_length >= 0x100000000) {
        put(encoded + 2, ad_length, 8);
        mac_bytes(operation, encoded, 10);
    } else if (ad_length >= 0xff00) {
        encoded[1] = 0xfe;
        put(encoded + 2, ad_length, 4);
        mac_bytes(operation, encoded, 6);
    } else if (ad_length > 0) {
        put(encoded, ad_length, 2);
        mac_bytes(operation, encoded, 2);
    }
}

static void add(awslc_ccm_operation_t *operation, const uint8_t *input, size_t length)
{
    while (length > 0) {
        const size_t part = length < CHUNK_SIZE ? length : CHUNK_SIZE;

        mac_chunk(operation, input, part);
        input += part;
        length -= part;
    }
}

static void end(awslc_ccm_operation_t *operation, uint8_t *tag)
{
    mac_pad(operation);
    for (size_t i = 0; i < operation->tag_length; i++) {
        tag[i] = operation->mac[i] ^ operation->first[i];
    }
}

/* A whole message, up to its tag. */
static void whole(awslc_ccm_operation_t *operation, const uint8_t *nonce, size_t nonce_length,
                  const uint8_t *ad, size_t ad_length, const uint8_t *input, size_t length,
                  uint8_t *output)
{
    operation->ad_length = ad_length;
    operation->length = length;
    start(operation, nonce, nonce_length);
    add(operation, ad, ad_length);
    mac_pad(operation);
    run(operation, input, length, output);
}

psa_status_t awslc_ccm_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *nonce,
                               size_t nonce_length, const uint8_t *additional_data,
                               size_t additional_data_length, const uint8_t *plaintext,
                               size_t plaintext_length, uint8_t *ciphertext, size_t ciphertext_size,
                               size_t *ciphertext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    awslc_ccm_operation_t operation = {0};

    (void)attributes;
    if (!awslc_holds(ciphertext_size, plaintext_length, tag_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    begin(&operation, key_buffer, key_buffer_size, alg, true);
    whole(&operation, nonce, nonce_length, additional_data, additional_data_length, plaintext,
          plaintext_length, ciphertext);
    end(&operation, ciphertext + plaintext_length);
    *ciphertext_length = plaintext_length + tag_length;
    awslc_wipe_stack_ccm();
    corral_wipe(&operation, sizeof operation);
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *nonce,
                               size_t nonce_length, const uint8_t *additional_data,
                               size_t additional_data_length, const uint8_t *ciphertext,
                               size_t ciphertext_length, uint8_t *plaintext, size_t plaintext_size,
                               size_t *plaintext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    awslc_ccm_operation_t operation = {0};
    uint8_t tag[AWSLC_BLOCK_SIZE];
    size_t length;
    const psa_status_t status =
        awslc_text_of(ciphertext_length, tag_length, plaintext_size, &length);

    (void)attributes;
    if (status != PSA_SUCCESS) {
        return status;
    }
    begin(&operation, key_buffer, key_buffer_size, alg, false);
    corral_move(plaintext, ciphertext, length);
    whole(&operation, nonce, nonce_length, additional_data, additional_data_length, plaintext,
          length, plaintext);
    end(&operation, tag);
    *plaintext_length = length;
    const bool is_right = corral_equal(tag, ciphertext + length, tag_length);
    awslc_wipe_stack_ccm();
    corral_wipe(tag, sizeof tag);
    corral_wipe(&operation, sizeof operation);
    return is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t awslc_ccm_encrypt_setup(awslc_ccm_operation_t *operation,
                                     const psa_key_attributes_t *attributes,
                                     const uint8_t *key_buffer, size_t key_buffer_size,
                                     psa_algorithm_t alg)
{
    (void)attributes;
    begin(operation, key_buffer, key_buffer_size, alg, true);
    awslc_wipe_stack_ccm();
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_decrypt_setup(awslc_ccm_operation_t *operation,
                                     const psa_key_attributes_t *attributes,
                                     const uint8_t *key_buffer, size_t key_buffer_size,
                                     psa_algorithm_t alg)
{
    (void)attributes;
    begin(operation, key_buffer, key_buffer_size, alg, false);
    awslc_wipe_stack_ccm();
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_set_lengths(awslc_ccm_operation_t *operation, size_t ad_length,
                                   size_t plaintext_length)
{
    operation->ad_length = ad_length;
    operation->length = plaintext_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_set_nonce(awslc_ccm_operation_t *operation, const uint8_t *nonce,
                                 size_t nonce_length)
{
    start(operation, nonce, nonce_length);
    awslc_wipe_stack_ccm();
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_update_ad(awslc_ccm_operation_t *operation, const uint8_t *input,
                                 size_t input_length)
{
    add(operation, input, input_length);
    awslc_wipe_stack_ccm();
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_update(awslc_ccm_operation_t *operation, const uint8_t *input,
                              size_t input_length, uint8_t *output, size_t output_size,
                              size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!operation->has_text) { /* the additional data are complete */
        mac_pad(operation);
        operation->has_text = true;
    }
    run(operation, input, input_length, output);
    awslc_wipe_stack_ccm();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_finish(awslc_ccm_operation_t *operation, uint8_t *tag, size_t tag_size,
                              size_t *tag_length)
{
    if (tag_size < operation->tag_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    end(operation, tag);
    awslc_wipe_stack_ccm();
    *tag_length = operation->tag_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_ccm_abort(awslc_ccm_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
