/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unauthenticated ciphers in one call. The core draws the IV, pads, and sorts out overlapping
 * buffers, so that a driver sees whole blocks, in place or in disjoint buffers.
 */
#include <string.h>

#include <corral/dispatch/cipher.h>
#include <corral/driver.h>

#include "../common/output.h"
#include "../common/secret.h"
#include "../keys/hold.h"
#include "cipher_mode.h"
#include "padding.h"

/* Whether so many bytes are a message that needs no padding; XTS takes any from a block on. */
static inline bool takes(const struct corral_cipher_mode *mode, size_t length)
{
    return CORRAL_WANT_ALG_XTS && mode->alg == PSA_ALG_XTS ? length >= mode->block_length
                                                           : length % mode->block_length == 0;
}

static psa_status_t encrypt(struct corral_key *key, const struct corral_cipher_mode *mode,
                            const uint8_t *input, size_t input_length, uint8_t *output,
                            size_t output_size, size_t *output_length)
{
    const size_t rest = input_length % mode->block_length;
    const size_t padding = mode->is_padded ? mode->block_length - rest : 0;
    uint8_t iv[PSA_CIPHER_IV_MAX_SIZE + 1]; /* not in the output, where a thread could repeat one */
    size_t length;

    if (!mode->is_padded && !takes(mode, input_length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (output_size < mode->iv_length || output_size - mode->iv_length < input_length ||
        output_size - mode->iv_length - input_length < padding) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    uint8_t *text = output + mode->iv_length;
    if (padding != 0 || corral_overlap(input, input_length, output, output_size)) {
        /* The text goes where the ciphertext will be, before the IV could overwrite it. */
        if (input_length != 0) {
            memmove(text, input, input_length);
        }
        corral_padding_add(text + input_length - rest, rest, rest + padding);
        input = text;
    }
    /* A mode without an IV needs no generator. */
    psa_status_t status = CORRAL_HAS_RANDOM || mode->iv_length != 0
                              ? corral_random(iv, mode->iv_length)
                              : PSA_SUCCESS;
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_cipher_encrypt(
            &key->attributes, corral_key_data(key), key->length, mode->alg, iv, mode->iv_length,
            input, input_length + padding, text, output_size - mode->iv_length, &length);
        corral_copy(output, iv, mode->iv_length);
        *output_length = mode->iv_length + input_length + padding;
    }
    corral_wipe(iv, sizeof iv);
    return status;
}

static psa_status_t decrypt(struct corral_key *key, const struct corral_cipher_mode *mode,
                            const uint8_t *input, size_t input_length, uint8_t *output,
                            size_t output_size, size_t *output_length)
{
    uint8_t iv[PSA_CIPHER_IV_MAX_SIZE + 1]; /* one more, so that no mode with an IV is still C */

    if (input_length < mode->iv_length) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t text_length = input_length - mode->iv_length;
    if (!takes(mode, text_length) || (mode->is_padded && text_length == 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (output_size < text_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const uint8_t *text = input + mode->iv_length;
    corral_copy(iv, input, mode->iv_length); /* no mode without an IV needs an input */
    if (text != output && corral_overlap(input, input_length, output, text_length)) {
        memmove(output, text, text_length);
        text = output;
    }
    psa_status_t status = corral_dispatch_cipher_decrypt(
        &key->attributes, corral_key_data(key), key->length, mode->alg, iv, mode->iv_length, text,
        text_length, output, output_size, output_length);
    if (status == PSA_SUCCESS && mode->is_padded) {
        const size_t last = text_length - mode->block_length;
        size_t used;
        status = corral_padding_check(output + last, mode->block_length, &used);
        *output_length = (last + used) & ~(size_t)corral_secret_failed(status);
        corral_secret_write(output, output_size, output, text_length, *output_length);
    }
    return status;
}

psa_status_t psa_cipher_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length)
{
    struct corral_cipher_mode mode;
    struct corral_key *slot;

    *output_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_ENCRYPT, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_cipher_mode(&mode, slot->attributes.type, alg);
    if (status == PSA_SUCCESS) {
        status = encrypt(slot, &mode, input, input_length, output, output_size, output_length);
    }
    corral_key_release(slot);
    return corral_output_done(status, output, output_size, output_length);
}

psa_status_t psa_cipher_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length)
{
    struct corral_cipher_mode mode;
    struct corral_key *slot;

    *output_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_DECRYPT, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_cipher_mode(&mode, slot->attributes.type, alg);
    if (status == PSA_SUCCESS) {
        status = decrypt(slot, &mode, input, input_length, output, output_size, output_length);
    }
    corral_key_release(slot);
    if (corral_secret_is_other(status)) {
        corral_output_discard(output, output_size, output_length);
    }
    return status;
}
