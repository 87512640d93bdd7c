/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AEAD in parts. The core keeps the order of calls and the lengths that were announced; drivers see
 * no empty part, and text in disjoint buffers or exactly in place. Text comes out as it goes in,
 * so that nothing is left for the end but the tag.
 */
#include <string.h>

#include <corral/dispatch/aead.h>
#include <corral/driver.h>

#include "../common/multipart.h"
#include "../common/output.h"
#include "../keys/hold.h"
#include "aead_mode.h"
#include "directions.h"

/* CCM: the length of a message takes at least two of the 15 bytes that it shares with the nonce. */
#define CCM_SHARED 15u
#define CCM_LENGTH_MIN 2u

static CORRAL_DEFINE_FAIL(fail, psa_aead_operation_t,
                          corral_dispatch_aead_abort(&operation->context));

/* Hold the key of an operation that must be active; `is_right` is the call's further condition. */
static psa_status_t hold_active(psa_aead_operation_t *operation, bool is_right,
                                struct corral_key **key)
{
    psa_status_t status = is_right ? corral_key_hold_to_go_on(operation->alg, &operation->key, key)
                                   : PSA_ERROR_BAD_STATE;
    return status == PSA_SUCCESS ? PSA_SUCCESS : fail(operation, status);
}

static psa_status_t release(psa_aead_operation_t *operation, struct corral_key *key,
                            psa_status_t status)
{
    status = status == PSA_SUCCESS ? PSA_SUCCESS : fail(operation, status);
    corral_key_release(key);
    return status;
}

static psa_status_t setup(psa_aead_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg,
                          psa_key_usage_t usage)
{
    const bool is_encrypt = usage == PSA_KEY_USAGE_ENCRYPT;
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_to_begin(operation->alg, key, usage, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_aead_check(slot->attributes.type, alg);
    if (status == PSA_ERROR_INVALID_ARGUMENT && PSA_ALG_IS_CIPHER(alg)) {
        status = PSA_ERROR_NOT_SUPPORTED; /* other than in one call: docs/DECISIONS.md */
    }
    if (status == PSA_SUCCESS && !corral_has_direction(is_encrypt)) {
        status = PSA_ERROR_NOT_SUPPORTED;
    }
    if (status == PSA_SUCCESS) {
        corral_wipe(operation, sizeof *operation);
        status = corral_dispatch_aead_setup(&operation->context, &slot->attributes,
                                            corral_key_data(slot), slot->length, alg, is_encrypt);
        if (status == PSA_SUCCESS) {
            operation->alg = alg;
            operation->key = corral_key_bind(slot);
            operation->ad_left = corral_aead_ad_limit(alg);
            operation->text_left = corral_aead_text_limit(alg);
            operation->is_encrypt = is_encrypt;
        } else {
            corral_wipe(operation, sizeof *operation);
        }
    }
    corral_key_release(slot);
    return status;
}

psa_status_t psa_aead_encrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg)
{
    return setup(operation, key, alg, PSA_KEY_USAGE_ENCRYPT);
}

psa_status_t psa_aead_decrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg)
{
    return setup(operation, key, alg, PSA_KEY_USAGE_DECRYPT);
}

psa_status_t psa_aead_set_lengths(psa_aead_operation_t *operation, size_t ad_length,
                                  size_t plaintext_length)
{
    if (!corral_operation_is_active(operation->alg) || operation->has_nonce) {
        return fail(operation, PSA_ERROR_BAD_STATE);
    }
    if (ad_length > corral_aead_ad_limit(operation->alg) ||
        plaintext_length > corral_aead_text_limit(operation->alg)) {
        return fail(operation, PSA_ERROR_INVALID_ARGUMENT);
    }
    operation->ad_left = ad_length;
    operation->text_left = plaintext_length;
    operation->has_lengths = true;
    return PSA_SUCCESS;
}

/* True when the next that an active operation needs is its nonce. */
static bool lacks_nonce(const psa_aead_operation_t *operation)
{
    return !operation->has_nonce && (operation->has_lengths || !corral_aead_is_ccm(operation->alg));
}

static psa_status_t start(psa_aead_operation_t *operation, psa_key_type_t type,
                          const uint8_t *nonce, size_t nonce_length)
{
    const size_t known_length = operation->has_lengths ? operation->text_left : 0;

    psa_status_t status = corral_aead_check_nonce(type, operation->alg, nonce_length, known_length);
    if (status == PSA_SUCCESS && operation->has_lengths) {
        status = corral_dispatch_aead_set_lengths(&operation->context, operation->ad_left,
                                                  operation->text_left);
    }
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_aead_set_nonce(&operation->context, nonce, nonce_length);
    }
    operation->has_nonce = true;
    return status;
}

psa_status_t psa_aead_set_nonce(psa_aead_operation_t *operation, const uint8_t *nonce,
                                size_t nonce_length)
{
    struct corral_key *slot;

    psa_status_t status = hold_active(operation, lacks_nonce(operation), &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = start(operation, slot->attributes.type, nonce, nonce_length);
    return release(operation, slot, status);
}

/* Bytes of the nonce to draw: in CCM a long message leaves it less room. */
static size_t length_to_draw(const psa_aead_operation_t *operation, psa_key_type_t type)
{
    size_t length = CCM_LENGTH_MIN;

    if (!corral_aead_is_ccm(operation->alg)) {
        return corral_aead_nonce_length(corral_aead_base(operation->alg), type);
    }
    while (length < sizeof operation->text_left && operation->text_left >> (8 * length) != 0) {
        length++;
    }
    return CCM_SHARED - length;
}

psa_status_t psa_aead_generate_nonce(psa_aead_operation_t *operation, uint8_t *nonce,
                                     size_t nonce_size, size_t *nonce_length)
{
    uint8_t drawn[PSA_AEAD_NONCE_MAX_SIZE]; /* a thread could change the output to an old one */
    struct corral_key *slot;

    *nonce_length = 0;
    psa_status_t status =
        hold_active(operation, operation->is_encrypt && lacks_nonce(operation), &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const size_t length = length_to_draw(operation, slot->attributes.type);
    if (nonce_size < length) {
        return release(operation, slot, PSA_ERROR_BUFFER_TOO_SMALL);
    }
    status = corral_random(drawn, length);
    if (status == PSA_SUCCESS) {
        status = start(operation, slot->attributes.type, drawn, length);
    }
    if (status == PSA_SUCCESS) {
        corral_copy(nonce, drawn, length);
    }
    corral_wipe(drawn, sizeof drawn);
    *nonce_length = length;
    status = release(operation, slot, status);
    return corral_output_done(status, nonce, nonce_size, nonce_length);
}

psa_status_t psa_aead_update_ad(psa_aead_operation_t *operation, const uint8_t *input,
                                size_t input_length)
{
    struct corral_key *slot;

    psa_status_t status =
        hold_active(operation, operation->has_nonce && !operation->has_text, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (input_length > operation->ad_left) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    } else if (input_length > 0) {
        operation->ad_left -= input_length;
        status = corral_dispatch_aead_update_ad(&operation->context, input, input_length);
    }
    return release(operation, slot, status);
}

static psa_status_t update(psa_aead_operation_t *operation, const uint8_t *input,
                           size_t input_length, uint8_t *output, size_t output_size,
                           size_t *output_length)
{
    operation->has_text = true;
    if ((operation->has_lengths && operation->ad_left != 0) ||
        input_length > operation->text_left) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (input_length == 0) {
        return PSA_SUCCESS;
    }
    operation->text_left -= input_length;
    /* The same copy is authenticated and decrypted, so the caller's memory may change meanwhile. */
    if (input != output &&
        (!operation->is_encrypt || corral_overlap(input, input_length, output, input_length))) {
        memmove(output, input, input_length);
        input = output;
    }
    psa_status_t status = corral_dispatch_aead_update(&operation->context, input, input_length,
                                                      output, output_size, output_length);
    return corral_output_done(status, output, output_size, output_length);
}

psa_status_t psa_aead_update(psa_aead_operation_t *operation, const uint8_t *input,
                             size_t input_length, uint8_t *output, size_t output_size,
                             size_t *output_length)
{
    struct corral_key *slot;

    *output_length = 0;
    psa_status_t status = hold_active(operation, operation->has_nonce, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = update(operation, input, input_length, output, output_size, output_length);
    return release(operation, slot, status);
}

/* Hold the key of an operation that can give its tag. */
static psa_status_t hold_complete(psa_aead_operation_t *operation, bool is_right, size_t tag_size,
                                  struct corral_key **slot)
{
    psa_status_t status = hold_active(operation, is_right && operation->has_nonce, slot);

    if (status != PSA_SUCCESS) {
        return status;
    }
    if (operation->has_lengths && (operation->ad_left != 0 || operation->text_left != 0)) {
        return release(operation, *slot, PSA_ERROR_INVALID_ARGUMENT);
    }
    return tag_size < corral_aead_tag_length(operation->alg)
               ? release(operation, *slot, PSA_ERROR_BUFFER_TOO_SMALL)
               : PSA_SUCCESS;
}

/* Release the key; the operation ends, or has failed. */
static psa_status_t end(psa_aead_operation_t *operation, struct corral_key *slot,
                        psa_status_t status)
{
    if (status == PSA_SUCCESS) {
        corral_dispatch_aead_abort(&operation->context);
        corral_wipe(operation, sizeof *operation);
    }
    return release(operation, slot, status);
}

psa_status_t psa_aead_finish(psa_aead_operation_t *operation, uint8_t *ciphertext,
                             size_t ciphertext_size, size_t *ciphertext_length, uint8_t *tag,
                             size_t tag_size, size_t *tag_length)
{
    const size_t length = corral_aead_tag_length(operation->alg);
    uint8_t computed[CORRAL_TAG_MAX_SIZE];
    struct corral_key *slot;
    size_t computed_length;

    *ciphertext_length = 0;
    *tag_length = 0;
    psa_status_t status = hold_complete(operation, operation->is_encrypt, tag_size, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_dispatch_aead_finish(&operation->context, computed, sizeof computed,
                                         &computed_length);
    status = end(operation, slot, status);
    if (status != PSA_SUCCESS) {
        corral_wipe(ciphertext, ciphertext_size);
        corral_wipe(tag, tag_size);
        return status;
    }
    memcpy(tag, computed, length);
    *tag_length = length;
    return PSA_SUCCESS;
}

/* Compare the tag: a driver that gives none does it itself. */
static psa_status_t compare(psa_aead_operation_t *operation, const uint8_t *tag, size_t tag_length)
{
    uint8_t computed[CORRAL_TAG_MAX_SIZE];
    size_t length;

    if (tag_length != corral_aead_tag_length(operation->alg)) {
        return PSA_ERROR_INVALID_SIGNATURE; /* no driver sees a tag of which less is compared */
    }
    if (CORRAL_HAS_OPAQUE_AEAD_VERIFY) {
        const psa_status_t status =
            corral_dispatch_aead_verify(&operation->context, tag, tag_length);
        if (status != PSA_ERROR_NOT_SUPPORTED) {
            return status;
        }
    }
    psa_status_t status =
        corral_dispatch_aead_finish(&operation->context, computed, sizeof computed, &length);
    if (status == PSA_SUCCESS && !corral_equal(computed, tag, tag_length)) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    corral_wipe(computed, sizeof computed);
    return status;
}

psa_status_t psa_aead_verify(psa_aead_operation_t *operation, uint8_t *plaintext,
                             size_t plaintext_size, size_t *plaintext_length, const uint8_t *tag,
                             size_t tag_length)
{
    struct corral_key *slot;

    *plaintext_length = 0;
    psa_status_t status =
        hold_complete(operation, !operation->is_encrypt, CORRAL_TAG_MAX_SIZE, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = end(operation, slot, compare(operation, tag, tag_length));
    return corral_output_done(status, plaintext, plaintext_size, plaintext_length);
}

psa_status_t psa_aead_abort(psa_aead_operation_t *operation)
{
    (void)fail(operation, PSA_SUCCESS);
    operation->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}
