/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChaCha20-Poly1305 (RFC 8439). Whole messages go through the library's assembly that does both at
 * once. In parts, ChaCha20 and Poly1305 work by themselves.
 */
#include <corral/drivers/awslc/entry_points.h>

#include "aead.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>
#include <crypto/cipher_extra/internal.h>
#include <openssl/chacha.h>
#include <openssl/poly1305.h>

#define NONCE_SIZE 12u
#define TAG_SIZE 16u
#define BLOCK_SIZE 64u

/* The library begins at the first multiple of 64 in its state, and so uses no more than this. */
struct state {
    _Alignas(64) poly1305_state of_library;
};

_Static_assert(sizeof(poly1305_state) == sizeof(((awslc_chachapoly_operation_t *)0)->poly1305) + 64,
               "an operation holds a poly1305_state");

/* An operation may be moved between calls, and is not aligned as the state is. */
static void bring(const awslc_chachapoly_operation_t *operation, struct state *state)
{
    memcpy(state->of_library, operation->poly1305, sizeof operation->poly1305);
}

static void keep(awslc_chachapoly_operation_t *operation, struct state *state)
{
    memcpy(operation->poly1305, state->of_library, sizeof operation->poly1305);
    corral_wipe(state, sizeof *state);
}

static void set_nonce(awslc_chachapoly_operation_t *operation, const uint8_t *nonce)
{
    uint8_t key[32] = {0};
    struct state state;

    memcpy(operation->nonce, nonce, NONCE_SIZE);
    CRYPTO_chacha_20(key, key, sizeof key, operation->key, operation->nonce, 0);
    CRYPTO_poly1305_init(&state.of_library, key);
    keep(operation, &state);
    corral_wipe(key, sizeof key);
}

static void mac(awslc_chachapoly_operation_t *operation, const uint8_t *input, size_t length)
{
    struct state state;

    bring(operation, &state);
    CRYPTO_poly1305_update(&state.of_library, input, length);
    keep(operation, &state);
}

static void mac_pad(awslc_chachapoly_operation_t *operation, uint64_t length)
{
    static const uint8_t zeros[TAG_SIZE];

    mac(operation, zeros, (size_t)(-length % TAG_SIZE));
}

/* The rest of a block, then blocks, then the beginning of one. */
static void crypt(awslc_chachapoly_operation_t *operation, const uint8_t *input, size_t length,
                  uint8_t *output)
{
    size_t used = (size_t)(operation->length % BLOCK_SIZE);
    const size_t missing = (BLOCK_SIZE - used) % BLOCK_SIZE;
    const size_t head = length < missing ? length : missing;
    const size_t tail = (length - head) % BLOCK_SIZE;
    const size_t whole = length - head - tail;
    const uint64_t block = 1 + (operation->length + head) / BLOCK_SIZE;

    for (size_t i = 0; i < head; i++) {
        output[i] = input[i] ^ operation->stream[used++];
    }
    if (whole > 0) {
        CRYPTO_chacha_20(output + head, input + head, whole, operation->key, operation->nonce,
                         (uint32_t)block);
    }
    if (tail > 0) {
        memset(operation->stream, 0, sizeof operation->stream);
        CRYPTO_chacha_20(operation->stream, operation->stream, BLOCK_SIZE, operation->key,
                         operation->nonce, (uint32_t)(block + whole / BLOCK_SIZE));
        for (size_t i = 0; i < tail; i++) {
            output[head + whole + i] = input[head + whole + i] ^ operation->stream[i];
        }
    }
    operation->length += length;
}

static void add(awslc_chachapoly_operation_t *operation, const uint8_t *input, size_t length)
{
    operation->ad_length += length;
    mac(operation, input, length);
}

static void run(awslc_chachapoly_operation_t *operation, const uint8_t *input, size_t length,
                uint8_t *output)
{
    if (length == 0) {
        return;
    }
    if (operation->length == 0) {
        mac_pad(operation, operation->ad_length);
    }
    if (!operation->is_encrypt) {
        mac(operation, input, length);
    }
    crypt(operation, input, length, output);
    if (operation->is_encrypt) {
        mac(operation, output, length);
    }
}

static void end(awslc_chachapoly_operation_t *operation, uint8_t tag[TAG_SIZE])
{
    const uint64_t lengths[2] = {operation->ad_length, operation->length};
    struct state state;

    mac_pad(operation, operation->length > 0 ? operation->length : operation->ad_length);
    /* Both processors are little-endian. */
    mac(operation, (const uint8_t *)lengths, sizeof lengths);
    bring(operation, &state);
    CRYPTO_poly1305_finish(&state.of_library, tag);
    corral_wipe(&state, sizeof state);
}

/* A whole message on a processor without the instructions of the assembly. */
static void whole(const uint8_t *key, const uint8_t *nonce, bool is_encrypt, const uint8_t *ad,
                  size_t ad_length, const uint8_t *input, size_t length, uint8_t *output,
                  uint8_t tag[TAG_SIZE])
{
    awslc_chachapoly_operation_t operation = {.is_encrypt = is_encrypt};

    memcpy(operation.key, key, sizeof operation.key);
    set_nonce(&operation, nonce);
    add(&operation, ad, ad_length);
    run(&operation, input, length, output);
    end(&operation, tag);
    corral_wipe(&operation, sizeof operation);
}

psa_status_t awslc_chachapoly_encrypt(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *nonce,
                                      size_t nonce_length, const uint8_t *additional_data,
                                      size_t additional_data_length, const uint8_t *plaintext,
                                      size_t plaintext_length, uint8_t *ciphertext,
                                      size_t ciphertext_size, size_t *ciphertext_length)
{
    union chacha20_poly1305_seal_data data = {.in = {.counter = 0}};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (!awslc_holds(ciphertext_size, plaintext_length, TAG_SIZE)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (nonce_length != NONCE_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (chacha20_poly1305_asm_capable()) {
        memcpy(data.in.key, key_buffer, sizeof data.in.key);
        memcpy(data.in.nonce, nonce, sizeof data.in.nonce);
        chacha20_poly1305_seal(ciphertext, plaintext, plaintext_length, additional_data,
                               additional_data_length, &data);
    } else {
        whole(key_buffer, nonce, true, additional_data, additional_data_length, plaintext,
              plaintext_length, ciphertext, data.out.tag);
    }
    memcpy(ciphertext + plaintext_length, data.out.tag, TAG_SIZE);
    *ciphertext_length = plaintext_length + TAG_SIZE;
    awslc_wipe_stack_chachapoly();
    corral_wipe(&data, sizeof data);
    return PSA_SUCCESS;
}

psa_status_t awslc_chachapoly_decrypt(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *nonce,
                                      size_t nonce_length, const uint8_t *additional_data,
                                      size_t additional_data_length, const uint8_t *ciphertext,
                                      size_t ciphertext_length, uint8_t *plaintext,
                                      size_t plaintext_size, size_t *plaintext_length)
{
    union chacha20_poly1305_open_data data = {.in = {.counter = 0}};
    size_t length;
    const psa_status_t status = awslc_text_of(ciphertext_length, TAG_SIZE, plaintext_size, &length);

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (status != PSA_SUCCESS || nonce_length != NONCE_SIZE) {
        return status != PSA_SUCCESS ? status : PSA_ERROR_NOT_SUPPORTED;
    }
    corral_move(plaintext, ciphertext, length);
    if (chacha20_poly1305_asm_capable()) {
        memcpy(data.in.key, key_buffer, sizeof data.in.key);
        memcpy(data.in.nonce, nonce, sizeof data.in.nonce);
        chacha20_poly1305_open(plaintext, plaintext, length, additional_data,
                               additional_data_length, &data);
    } else {
        whole(key_buffer, nonce, false, additional_data, additional_data_length, plaintext, length,
              plaintext, data.out.tag);
    }
    *plaintext_length = length;
    const bool is_right = corral_equal(data.out.tag, ciphertext + length, TAG_SIZE);
    awslc_wipe_stack_chachapoly();
    corral_wipe(&data, sizeof data);
    return is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

static psa_status_t setup(awslc_chachapoly_operation_t *operation, const uint8_t *key,
                          bool is_encrypt)
{
    memcpy(operation->key, key, sizeof operation->key);
    operation->is_encrypt = is_encrypt;
    return PSA_SUCCESS;
}

psa_status_t awslc_chachapoly_encrypt_setup(awslc_chachapoly_operation_t *operation,
                                            const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return setup(operation, key_buffer, true);
}

psa_status_t awslc_chachapoly_decrypt_setup(awslc_chachapoly_operation_t *operation,
                                            const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return setup(operation, key_buffer, false);
}

psa_status_t awslc_chachapoly_set_nonce(awslc_chachapoly_operation_t *operation,
                                        const uint8_t *nonce, size_t nonce_length)
{
    if (nonce_length != NONCE_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    set_nonce(operation, nonce);
    awslc_wipe_stack_chachapoly();
    return PSA_SUCCESS;
}

psa_status_t awslc_chachapoly_update_ad(awslc_chachapoly_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    add(operation, input, input_length);
    awslc_wipe_stack_chachapoly();
    return PSA_SUCCESS;
}

psa_status_t awslc_chachapoly_update(awslc_chachapoly_operation_t *operation, const uint8_t *input,
                                     size_t input_length, uint8_t *output, size_t output_size,
                                     size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    run(operation, input, input_length, output);
    awslc_wipe_stack_chachapoly();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_chachapoly_finish(awslc_chachapoly_operation_t *operation, uint8_t *tag,
                                     size_t tag_size, size_t *tag_length)
{
    if (tag_size < TAG_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    end(operation, tag);
    awslc_wipe_stack_chachapoly();
    *tag_length = TAG_SIZE;
    return PSA_SUCCESS;
}

psa_status_t awslc_chachapoly_abort(awslc_chachapoly_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
