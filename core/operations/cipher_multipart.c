/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unauthenticated ciphers in parts. The core collects bytes into whole blocks and pads, so that
 * drivers keep no partial blocks; a padded decryption holds the last whole block back.
 */
#include <string.h>

#include <corral/dispatch/cipher.h>
#include <corral/driver.h>

#include "../common/multipart.h"
#include "../common/output.h"
#include "../common/secret.h"
#include "../keys/hold.h"
#include "cipher_mode.h"
#include "directions.h"
#include "padding.h"

/* The counter block of PSA_ALG_CTR with the block ciphers that PSA knows for it. */
#define CTR_BLOCK 16u

static CORRAL_DEFINE_FAIL(fail, psa_cipher_operation_t,
                          corral_dispatch_cipher_abort(&operation->context));

/* Hold the key of an operation that must be active; `is_right` is the call's further condition. */
static psa_status_t hold_active(psa_cipher_operation_t *operation, bool is_right,
                                struct corral_key **key)
{
    psa_status_t status = is_right ? corral_key_hold_to_go_on(operation->alg, &operation->key, key)
                                   : PSA_ERROR_BAD_STATE;
    return status == PSA_SUCCESS ? PSA_SUCCESS : fail(operation, status);
}

static psa_status_t release(psa_cipher_operation_t *operation, struct corral_key *key,
                            psa_status_t status)
{
    status = status == PSA_SUCCESS ? PSA_SUCCESS : fail(operation, status);
    corral_key_release(key);
    return status;
}

static psa_status_t setup(psa_cipher_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg,
                          psa_key_usage_t usage)
{
    const bool is_encrypt = usage == PSA_KEY_USAGE_ENCRYPT;
    struct corral_cipher_mode mode;
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_to_begin(operation->alg, key, usage, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_cipher_mode(&mode, slot->attributes.type, alg);
    if (status == PSA_SUCCESS && !corral_has_direction(is_encrypt)) {
        status = PSA_ERROR_NOT_SUPPORTED;
    }
    if (status == PSA_SUCCESS) {
        corral_wipe(operation, sizeof *operation);
        status =
            corral_dispatch_cipher_setup(&operation->context, &slot->attributes,
                                         corral_key_data(slot), slot->length, mode.alg, is_encrypt);
        if (status == PSA_SUCCESS) {
            operation->alg = alg;
            operation->key = corral_key_bind(slot);
            operation->block_length = mode.block_length;
            operation->iv_length = mode.iv_length;
            operation->is_encrypt = is_encrypt;
        } else {
            corral_wipe(operation, sizeof *operation);
        }
    }
    corral_key_release(slot);
    return status;
}

psa_status_t psa_cipher_encrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg)
{
    return setup(operation, key, alg, PSA_KEY_USAGE_ENCRYPT);
}

psa_status_t psa_cipher_decrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg)
{
    return setup(operation, key, alg, PSA_KEY_USAGE_DECRYPT);
}

/* True when an active operation waits for its IV. */
static bool lacks_iv(const psa_cipher_operation_t *operation)
{
    return operation->iv_length != 0 && !operation->iv_is_set;
}

static psa_status_t set_iv(psa_cipher_operation_t *operation, const uint8_t *iv, size_t iv_length)
{
    uint8_t counter[CTR_BLOCK] = {0};
    psa_status_t status = PSA_ERROR_INVALID_ARGUMENT;

    if (iv_length == operation->iv_length) {
        status = corral_dispatch_cipher_set_iv(&operation->context, iv, iv_length);
    } else if (CORRAL_WANT_ALG_CTR && operation->alg == PSA_ALG_CTR && iv_length > 0 &&
               iv_length < sizeof counter) {
        /* A short IV is the beginning of the first counter block, which goes on with zeros. */
        memcpy(counter, iv, iv_length);
        status = corral_dispatch_cipher_set_iv(&operation->context, counter, sizeof counter);
    }
    operation->iv_is_set = true;
    return status;
}

psa_status_t psa_cipher_set_iv(psa_cipher_operation_t *operation, const uint8_t *iv,
                               size_t iv_length)
{
    struct corral_key *slot;

    psa_status_t status = hold_active(operation, lacks_iv(operation), &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = set_iv(operation, iv, iv_length);
    return release(operation, slot, status);
}

psa_status_t psa_cipher_generate_iv(psa_cipher_operation_t *operation, uint8_t *iv, size_t iv_size,
                                    size_t *iv_length)
{
    const size_t length = operation->iv_length;
    uint8_t drawn[PSA_CIPHER_IV_MAX_SIZE + 1]; /* a thread could change the output to an old one */
    struct corral_key *slot;

    *iv_length = 0;
    psa_status_t status =
        hold_active(operation, lacks_iv(operation) && operation->is_encrypt, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (iv_size < length) {
        return release(operation, slot, PSA_ERROR_BUFFER_TOO_SMALL);
    }
    status = corral_random(drawn, length);
    if (status == PSA_SUCCESS) {
        status = set_iv(operation, drawn, length);
    }
    if (status == PSA_SUCCESS) {
        corral_copy(iv, drawn, length);
    }
    corral_wipe(drawn, sizeof drawn);
    *iv_length = length;
    status = release(operation, slot, status);
    return corral_output_done(status, iv, iv_size, iv_length);
}

static bool is_xts(const psa_cipher_operation_t *operation)
{
    return CORRAL_WANT_ALG_XTS && operation->alg == PSA_ALG_XTS;
}

/*
 * Bytes of `total` that wait for more input. They are a part of a block, a block that
 * may be padding, or for XTS the last block and the rest, which it mixes.
 */
static size_t bytes_to_keep(const psa_cipher_operation_t *operation, size_t total)
{
    const size_t rest = total % operation->block_length;

    if (is_xts(operation)) {
        return total < operation->block_length ? total : operation->block_length + rest;
    }
    const bool may_be_padding = operation->alg == PSA_ALG_CBC_PKCS7 && !operation->is_encrypt;

    return may_be_padding && rest == 0 && total > 0 ? operation->block_length : rest;
}

/*
 * Run the driver over pending bytes and input. The blocks are put together in the output, where
 * the driver works in place, unless it can go straight from one buffer to the other.
 */
static psa_status_t process(psa_cipher_operation_t *operation, const uint8_t *input,
                            size_t input_length, uint8_t *output, size_t output_size,
                            size_t *output_length)
{
    uint8_t kept[sizeof operation->pending];
    const size_t pending = operation->pending_length;
    const size_t keep = bytes_to_keep(operation, pending + input_length);
    const size_t produced = pending + input_length - keep;
    /* The part of the waiting bytes that goes on waiting: only XTS keeps more than a block. */
    const size_t stay = is_xts(operation) && pending > produced ? pending - produced : 0;

    /* Lengths that no input has would wrap round. */
    if (input_length > SIZE_MAX - sizeof operation->pending || output_size < produced) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (produced == 0) {
        if (input_length > 0) {
            memcpy(operation->pending + pending, input, input_length);
        }
        operation->pending_length = (uint8_t)keep;
        return PSA_SUCCESS;
    }
    memcpy(kept, operation->pending + pending - stay, stay);
    memcpy(kept + stay, input + input_length - (keep - stay), keep - stay);
    if (pending > 0 || (input != output && corral_overlap(input, input_length, output, produced))) {
        memmove(output + pending - stay, input, produced - (pending - stay));
        memcpy(output, operation->pending, pending - stay);
        input = output;
    }
    psa_status_t status = corral_dispatch_cipher_update(&operation->context, input, produced,
                                                        output, output_size, output_length);
    memcpy(operation->pending, kept, keep);
    operation->pending_length = (uint8_t)keep;
    corral_wipe(kept, sizeof kept);
    return corral_output_done(status, output, output_size, output_length);
}

psa_status_t psa_cipher_update(psa_cipher_operation_t *operation, const uint8_t *input,
                               size_t input_length, uint8_t *output, size_t output_size,
                               size_t *output_length)
{
    struct corral_key *slot;

    *output_length = 0;
    psa_status_t status = hold_active(operation, !lacks_iv(operation), &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = process(operation, input, input_length, output, output_size, output_length);
    return release(operation, slot, status);
}

/* The last block of a padded encryption. */
static psa_status_t finish_encrypt(psa_cipher_operation_t *operation, uint8_t *output,
                                   size_t output_size, size_t *output_length)
{
    const size_t block = operation->block_length;

    if (output_size < block) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    corral_padding_add(operation->pending, operation->pending_length, block);
    psa_status_t status = corral_dispatch_cipher_update(&operation->context, operation->pending,
                                                        block, output, output_size, output_length);
    return corral_output_done(status, output, output_size, output_length);
}

/* The last block of a padded decryption. */
static psa_status_t finish_decrypt(psa_cipher_operation_t *operation, uint8_t *output,
                                   size_t output_size, size_t *output_length)
{
    const size_t block = operation->block_length;
    uint8_t text[CORRAL_BLOCK_MAX_SIZE];
    size_t used = 0;

    if (operation->pending_length != block) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_dispatch_cipher_update(&operation->context, operation->pending,
                                                        block, text, sizeof text, &used);
    if (status == PSA_SUCCESS) {
        status = corral_padding_check(text, block, &used);
        const size_t is_too_long = corral_secret_less(output_size, used);
        *output_length = used & ~is_too_long;
        corral_secret_write(output, output_size, text, block, *output_length);
        status |= corral_secret_status_if(is_too_long, PSA_ERROR_BUFFER_TOO_SMALL);
    } else {
        corral_output_discard(output, output_size, output_length);
    }
    corral_wipe(text, sizeof text);
    return status;
}

/* The last block and the rest after it, which the driver gets together. */
static psa_status_t finish_xts(psa_cipher_operation_t *operation, uint8_t *output,
                               size_t output_size, size_t *output_length)
{
    if (operation->pending_length < operation->block_length) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (output_size < operation->pending_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = corral_dispatch_cipher_update(&operation->context, operation->pending,
                                                        operation->pending_length, output,
                                                        output_size, output_length);
    return corral_output_done(status, output, output_size, output_length);
}

static psa_status_t finish(psa_cipher_operation_t *operation, uint8_t *output, size_t output_size,
                           size_t *output_length)
{
    if (CORRAL_WANT_ALG_CBC_PKCS7 && operation->alg == PSA_ALG_CBC_PKCS7) {
        return operation->is_encrypt
                   ? finish_encrypt(operation, output, output_size, output_length)
                   : finish_decrypt(operation, output, output_size, output_length);
    }
    if (is_xts(operation)) {
        return finish_xts(operation, output, output_size, output_length);
    }
    return operation->pending_length == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t psa_cipher_finish(psa_cipher_operation_t *operation, uint8_t *output,
                               size_t output_size, size_t *output_length)
{
    struct corral_key *slot;

    *output_length = 0;
    psa_status_t status = hold_active(operation, !lacks_iv(operation), &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = finish(operation, output, output_size, output_length);
    if (status == PSA_SUCCESS) {
        corral_dispatch_cipher_abort(&operation->context);
        corral_wipe(operation, sizeof *operation);
    }
    return release(operation, slot, status);
}

psa_status_t psa_cipher_abort(psa_cipher_operation_t *operation)
{
    (void)fail(operation, PSA_SUCCESS);
    operation->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}
