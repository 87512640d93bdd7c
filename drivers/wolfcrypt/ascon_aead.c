/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-AEAD128 (NIST SP 800-232, 4). The library takes additional data whole, before any text.
 * In parts it is absorbed here as text with a discarded result. Both are the same step of
 * the sponge (4.1.1), except the padding of additional data, and the bit that ends it.
 */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "part.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/ascon.h>

#define BLOCK_SIZE 16u
#define CHUNK_SIZE 64u
/* Domain separation, between additional data and text. */
#define END_OF_AD ((uint64_t)1 << 63)

CORRAL_REPEATS(wolfcrypt_driver_ascon_t, wc_AsconAEAD128);

static wc_AsconAEAD128 *cipher_of(wolfcrypt_driver_ascon_aead_operation_t *operation)
{
    return (wc_AsconAEAD128 *)(void *)&operation->cipher;
}

static psa_status_t setup(wolfcrypt_driver_ascon_aead_operation_t *operation, const uint8_t *key,
                          size_t key_length)
{
    if (key_length != ASCON_AEAD128_KEY_SZ) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    (void)wc_AsconAEAD128_Init(cipher_of(operation));
    (void)wc_AsconAEAD128_SetKey(cipher_of(operation), key);
    return PSA_SUCCESS;
}

/*
 * Ascon-AEAD128 (NIST SP 800-232, 4) in parts: key, nonce and tag of 16 bytes, a shorter tag is the
 * beginning of it. Text in disjoint buffers or in place. *_finish gives the tag in both directions.
 * The context holds the key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the nonce has another length
 *   PSA_ERROR_NOT_SUPPORTED     the key has another length
 */
psa_status_t wolfcrypt_driver_ascon_aead_encrypt_setup(
    wolfcrypt_driver_ascon_aead_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    operation->is_encrypt = 1;
    return setup(operation, key_buffer, key_buffer_size);
}

psa_status_t wolfcrypt_driver_ascon_aead_decrypt_setup(
    wolfcrypt_driver_ascon_aead_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    return setup(operation, key_buffer, key_buffer_size);
}

psa_status_t
wolfcrypt_driver_ascon_aead_set_nonce(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                      const uint8_t *nonce, size_t nonce_length)
{
    wc_AsconAEAD128 *const cipher = cipher_of(operation);

    if (nonce_length != ASCON_AEAD128_NONCE_SZ) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    (void)wc_AsconAEAD128_SetNonce(cipher, nonce);
    (void)wc_AsconAEAD128_SetAD(cipher, NULL, 0);
    cipher->state.s64[4] ^= END_OF_AD; /* additional data may still come */
    cipher->op = ASCON_AEAD128_ENCRYPT;
    wolfcrypt_driver_wipe_stack_ascon();
    return PSA_SUCCESS;
}

psa_status_t
wolfcrypt_driver_ascon_aead_update_ad(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                      const uint8_t *input, size_t input_length)
{
    uint8_t unseen[CHUNK_SIZE];

    while (input_length > 0) {
        const size_t part = input_length < sizeof unseen ? input_length : sizeof unseen;
        (void)wc_AsconAEAD128_EncryptUpdate(cipher_of(operation), unseen, input, (uint32_t)part);
        input += part;
        input_length -= part;
    }
    operation->has_ad = 1;
    corral_wipe(unseen, sizeof unseen);
    wolfcrypt_driver_wipe_stack_ascon();
    return PSA_SUCCESS;
}

/* Pad what there was of additional data to a block, and end it. */
static void start_text(wolfcrypt_driver_ascon_aead_operation_t *operation)
{
    static const uint8_t padding[BLOCK_SIZE] = {1};
    wc_AsconAEAD128 *const cipher = cipher_of(operation);
    uint8_t unseen[BLOCK_SIZE];

    if (operation->has_text) {
        return;
    }
    if (operation->has_ad) {
        const uint32_t rest = BLOCK_SIZE - cipher->lastBlkSz;
        (void)wc_AsconAEAD128_EncryptUpdate(cipher, unseen, padding, rest);
        corral_wipe(unseen, sizeof unseen);
    }
    cipher->state.s64[4] ^= END_OF_AD;
    cipher->op = operation->is_encrypt ? ASCON_AEAD128_ENCRYPT : ASCON_AEAD128_DECRYPT;
    operation->has_text = 1;
}

/* The library reads its input once more after it has written the output. */
static void decrypt(wc_AsconAEAD128 *cipher, const uint8_t *input, size_t length, uint8_t *output)
{
    uint8_t chunk[CHUNK_SIZE];

    while (length > 0) {
        const size_t part = length < sizeof chunk ? length : sizeof chunk;
        memcpy(chunk, input, part);
        (void)wc_AsconAEAD128_DecryptUpdate(cipher, output, chunk, (uint32_t)part);
        input += part;
        output += part;
        length -= part;
    }
}

static void encrypt(wc_AsconAEAD128 *cipher, const uint8_t *input, size_t length, uint8_t *output)
{
    while (length > 0) {
        const uint32_t part = wolfcrypt_driver_part(length);
        (void)wc_AsconAEAD128_EncryptUpdate(cipher, output, input, part);
        input += part;
        output += part;
        length -= part;
    }
}

psa_status_t wolfcrypt_driver_ascon_aead_update(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                                const uint8_t *input, size_t input_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    start_text(operation);
    if (operation->is_encrypt) {
        encrypt(cipher_of(operation), input, input_length, output);
    } else {
        decrypt(cipher_of(operation), input, input_length, output);
    }
    wolfcrypt_driver_wipe_stack_ascon();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_ascon_aead_finish(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                                uint8_t *tag, size_t tag_size, size_t *tag_length)
{
    wc_AsconAEAD128 *const cipher = cipher_of(operation);

    if (tag_size < ASCON_AEAD128_TAG_SZ) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    start_text(operation);
    cipher->op = ASCON_AEAD128_ENCRYPT; /* the tag is made alike in both directions */
    (void)wc_AsconAEAD128_EncryptFinal(cipher, tag);
    wolfcrypt_driver_wipe_stack_ascon();
    *tag_length = ASCON_AEAD128_TAG_SZ;
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_ascon_aead_abort(wolfcrypt_driver_ascon_aead_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
