/* SPDX-License-Identifier: Apache-2.0 */
#include "wipers.h"

#include <corral/bindings.h>

/* Two blocks and a piece of AES; where blocks are needed, the two. */
#define TEXT_SIZE 37u
#define BLOCKS_SIZE 32u
#define ROOM 96u

static const uint8_t nonce[24] = "24 bytes of public nonce";

WIPERS_CALL(random)
{
    uint8_t output[ROOM];

    (void)is;
    wipers_need(psa_generate_random(output, sizeof output));
}

WIPERS_CALL(hash)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t text[TEXT_SIZE] = {1};
    uint8_t digest[PSA_HASH_MAX_SIZE];
    size_t length;

    if (CORRAL_HASHES_TAKE_KEYS) { /* or drivers take what is hashed for public */
        wipers_draw(text, sizeof text);
    }
    wipers_need(psa_hash_compute(is.alg, text, sizeof text, digest, sizeof digest, &length));
    wipers_need(psa_hash_setup(&operation, is.alg));
    wipers_need(psa_hash_update(&operation, text, 5));
    wipers_need(psa_hash_update(&operation, text + 5, sizeof text - 5));
    wipers_need(psa_hash_finish(&operation, digest, sizeof digest, &length));
    wipers_need(psa_hash_setup(&operation, is.alg));
    wipers_need(psa_hash_update(&operation, text, sizeof text));
    wipers_need(psa_hash_abort(&operation));
}

WIPERS_CALL(mac)
{
    const psa_key_id_t key =
        wipers_key(is, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t text[BLOCKS_SIZE];
    uint8_t mac[PSA_MAC_MAX_SIZE];
    size_t length;

    wipers_draw(text, sizeof text);
    wipers_need(psa_mac_compute(key, is.alg, text, sizeof text, mac, sizeof mac, &length));
    wipers_public(mac, length);
    wipers_need(psa_mac_sign_setup(&operation, key, is.alg));
    wipers_need(psa_mac_update(&operation, text, 5));
    wipers_need(psa_mac_update(&operation, text + 5, sizeof text - 5));
    wipers_need(psa_mac_sign_finish(&operation, mac, sizeof mac, &length));
    wipers_need(psa_mac_sign_setup(&operation, key, is.alg));
    wipers_need(psa_mac_update(&operation, text, sizeof text));
    wipers_need(psa_mac_abort(&operation));
    wipers_need(psa_mac_verify(key, is.alg, text, sizeof text, mac, length));
    wipers_need(psa_mac_verify_setup(&operation, key, is.alg));
    wipers_need(psa_mac_update(&operation, text, sizeof text));
    wipers_need(psa_mac_verify_finish(&operation, mac, length));
    wipers_need(psa_destroy_key(key));
}

static void encipher_in_parts(psa_key_id_t key, psa_algorithm_t alg, size_t iv_size,
                              const uint8_t input[BLOCKS_SIZE])
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t output[ROOM];
    size_t length;

    wipers_need(psa_cipher_encrypt_setup(&operation, key, alg));
    if (iv_size != 0) {
        wipers_need(psa_cipher_generate_iv(&operation, output, sizeof output, &length));
    }
    wipers_need(psa_cipher_update(&operation, input, BLOCKS_SIZE, output, sizeof output, &length));
    wipers_public(output, length);
    wipers_need(psa_cipher_abort(&operation));
}

static void decipher_in_parts(psa_key_id_t key, psa_algorithm_t alg, size_t iv_size,
                              const uint8_t *input, size_t size)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t plain[ROOM];
    size_t length;
    size_t last;

    wipers_need(psa_cipher_decrypt_setup(&operation, key, alg));
    if (iv_size != 0) {
        wipers_need(psa_cipher_set_iv(&operation, input, iv_size));
    }
    wipers_need(psa_cipher_update(&operation, input + iv_size, size - iv_size, plain, sizeof plain,
                                  &length));
    wipers_need(psa_cipher_finish(&operation, plain + length, sizeof plain - length, &last));
}

WIPERS_CALL(cipher)
{
    const psa_key_id_t key = wipers_key(is, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    uint8_t text[TEXT_SIZE];
    uint8_t output[ROOM];
    size_t length;
    size_t size;

    wipers_draw(text, sizeof text);
    wipers_need(psa_cipher_encrypt(key, is.alg, text,
                                   PSA_ALG_IS_STREAM_CIPHER(is.alg) ? TEXT_SIZE : BLOCKS_SIZE,
                                   output, sizeof output, &length));
    wipers_public(output, length);
    encipher_in_parts(key, is.alg, PSA_CIPHER_IV_LENGTH(is.type, is.alg), text);
    decipher_in_parts(key, is.alg, PSA_CIPHER_IV_LENGTH(is.type, is.alg), output, length);
    wipers_need(psa_cipher_decrypt(key, is.alg, output, length, text, sizeof text, &size));
    wipers_need(psa_destroy_key(key));
}

/* The steps of an operation in parts with a text, between its setup and its end. */
static size_t work_in_parts(psa_aead_operation_t *operation, size_t nonce_size,
                            const uint8_t text[TEXT_SIZE], uint8_t output[ROOM])
{
    size_t length;

    wipers_need(psa_aead_set_lengths(operation, 5, TEXT_SIZE));
    wipers_need(psa_aead_set_nonce(operation, nonce, nonce_size));
    wipers_need(psa_aead_update_ad(operation, nonce, 5));
    wipers_need(psa_aead_update(operation, text, TEXT_SIZE, output, ROOM, &length));
    return length;
}

static void encrypt_in_parts(psa_key_id_t key, psa_algorithm_t alg, size_t nonce_size,
                             const uint8_t text[TEXT_SIZE])
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t output[ROOM];
    uint8_t tag[PSA_AEAD_TAG_MAX_SIZE];
    size_t last;
    size_t tag_length;

    wipers_need(psa_aead_encrypt_setup(&operation, key, alg));
    const size_t length = work_in_parts(&operation, nonce_size, text, output);
    wipers_need(psa_aead_finish(&operation, output + length, ROOM - length, &last, tag, sizeof tag,
                                &tag_length));
}

static void decrypt_in_parts(psa_key_id_t key, psa_algorithm_t alg, size_t nonce_size,
                             const uint8_t *input, size_t size)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t output[ROOM];
    size_t last;

    wipers_need(psa_aead_decrypt_setup(&operation, key, alg));
    const size_t length = work_in_parts(&operation, nonce_size, input, output);
    wipers_need(psa_aead_verify(&operation, output + length, ROOM - length, &last,
                                input + TEXT_SIZE, size - TEXT_SIZE));
}

WIPERS_CALL(aead)
{
    const psa_key_id_t key = wipers_key(is, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    const size_t nonce_size = PSA_AEAD_NONCE_LENGTH(is.type, is.alg);
    uint8_t text[TEXT_SIZE];
    uint8_t output[ROOM];
    size_t length;
    size_t size;

    wipers_draw(text, sizeof text);
    wipers_need(psa_aead_encrypt(key, is.alg, nonce, nonce_size, nonce, 5, text, sizeof text,
                                 output, sizeof output, &length));
    wipers_public(output, length);
    wipers_need(psa_aead_decrypt(key, is.alg, nonce, nonce_size, nonce, 5, output, length, text,
                                 sizeof text, &size));
    encrypt_in_parts(key, is.alg, nonce_size, text);
    decrypt_in_parts(key, is.alg, nonce_size, output, length);
    wipers_need(psa_destroy_key(key));
}

WIPERS_CALL(wrap)
{
    const psa_key_id_t by = wipers_key(is, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP);
    const psa_key_id_t key = wipers_key(
        (struct wipers_case){PSA_ALG_NONE, PSA_KEY_TYPE_RAW_DATA, 256}, PSA_KEY_USAGE_EXPORT);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t unwrapped;
    uint8_t wrapped[ROOM];
    size_t length;

    wipers_need(psa_wrap_key(by, is.alg, key, wrapped, sizeof wrapped, &length));
    wipers_need(psa_destroy_key(key));
    wipers_public(wrapped, length);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    wipers_need(psa_unwrap_key(&attributes, by, is.alg, wrapped, length, &unwrapped));
    wipers_need(psa_destroy_key(unwrapped));
    wipers_need(psa_destroy_key(by));
}
