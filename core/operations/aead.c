/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AEAD in one call. The core checks lengths and sorts out overlapping buffers: the entry points
 * for whole messages see disjoint buffers or work exactly in place. Whatever else overlaps is done
 * in parts, because these take nonce and additional data before the output is written. Where no
 * driver takes parts, that of whole messages copies nonce and text of local keys; of the keys of
 * an element these, and of all keys additional data in the output, are refused before anything is
 * written.
 */
#include <string.h>

#include <corral/dispatch/aead.h>
#include <corral/driver.h>

#include "../common/output.h"
#include "../keys/hold.h"
#include "aead_mode.h"

/* A message, without its tag. */
struct message {
    const uint8_t *nonce;
    size_t nonce_length;
    const uint8_t *ad;
    size_t ad_length;
    const uint8_t *input;
    uint8_t *output;
    size_t length; /* of input and of output */
};

/* True if a driver takes the message as a whole, where it lies; sizes with the tag, if any. */
static bool is_for_whole(const struct corral_key *key, psa_algorithm_t alg,
                         const struct message *message, size_t input_size, size_t output_size)
{
    const uint8_t *const output = message->output;

    if (corral_overlap(message->ad, message->ad_length, output, output_size)) {
        return false;
    }
    return (corral_attributes_are_local(&key->attributes) &&
            corral_aead_copies(corral_aead_base(alg), key->attributes.type) != 0) ||
           ((message->input == output ||
             !corral_overlap(message->input, input_size, output, output_size)) &&
            !corral_overlap(message->nonce, message->nonce_length, output, output_size));
}

/* Rejected calls did not touch the output: its address may be invalid. */
static psa_status_t done(psa_status_t status, uint8_t *output, size_t size, size_t *length)
{
    return corral_output_done(status, output, status == PSA_ERROR_NOT_SUPPORTED ? 0 : size, length);
}

static psa_status_t check(const struct corral_key *key, psa_algorithm_t alg, size_t nonce_length,
                          size_t ad_length, size_t text_length)
{
    const psa_key_type_t type = key->attributes.type;

    psa_status_t status = corral_aead_check(type, alg);
    if (status == PSA_SUCCESS) {
        status = corral_aead_check_nonce(type, alg, nonce_length, text_length);
    }
    if (status == PSA_SUCCESS &&
        (ad_length > corral_aead_ad_limit(alg) || text_length > corral_aead_text_limit(alg))) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    return status;
}

/* Write the tag. One that is `wanted` a driver may compare itself: then it is that one. */
static psa_status_t finish(corral_aead_context_t *context, const uint8_t *wanted,
                           size_t wanted_length, uint8_t *tag)
{
    psa_status_t status = PSA_ERROR_NOT_SUPPORTED;
    size_t length;

    if (CORRAL_HAS_OPAQUE_AEAD_VERIFY && wanted != NULL) {
        status = corral_dispatch_aead_verify(context, wanted, wanted_length);
        if (status == PSA_SUCCESS) {
            memcpy(tag, wanted, wanted_length);
        }
    }
    return status == PSA_ERROR_NOT_SUPPORTED
               ? corral_dispatch_aead_finish(context, tag, CORRAL_TAG_MAX_SIZE, &length)
               : status;
}

/* The text and the tag. Of a text that fails nothing is left, whatever a driver calls it. */
static psa_status_t run_text(corral_aead_context_t *context, const struct message *message,
                             const uint8_t *wanted, size_t wanted_length, uint8_t *tag)
{
    psa_status_t status = PSA_SUCCESS;
    size_t length;

    if (message->length != 0) {
        memmove(message->output, message->input, message->length);
        status = corral_dispatch_aead_update(context, message->output, message->length,
                                             message->output, message->length, &length);
    }
    if (status == PSA_SUCCESS) {
        status = finish(context, wanted, wanted_length, tag);
    }
    corral_wipe(message->output, status == PSA_SUCCESS ? 0 : message->length);
    return status;
}

/* From the nonce to the tag of an operation that was set up. */
static psa_status_t run(corral_aead_context_t *context, const struct message *message,
                        const uint8_t *wanted, size_t wanted_length, uint8_t *tag)
{
    psa_status_t status =
        corral_dispatch_aead_set_lengths(context, message->ad_length, message->length);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_aead_set_nonce(context, message->nonce, message->nonce_length);
    }
    if (status == PSA_SUCCESS && message->ad_length != 0) {
        status = corral_dispatch_aead_update_ad(context, message->ad, message->ad_length);
    }
    return status == PSA_SUCCESS ? run_text(context, message, wanted, wanted_length, tag) : status;
}

/* wanted: the tag of a decryption. */
static psa_status_t in_parts(struct corral_key *key, psa_algorithm_t alg, bool is_encrypt,
                             const struct message *message, const uint8_t *wanted,
                             uint8_t tag[CORRAL_TAG_MAX_SIZE])
{
    corral_aead_context_t context;

    corral_wipe(&context, sizeof context); /* large, and by the word */
    psa_status_t status = corral_dispatch_aead_setup(
        &context, &key->attributes, corral_key_data(key), key->length, alg, is_encrypt);
    if (status == PSA_SUCCESS) {
        status = run(&context, message, wanted, corral_aead_tag_length(alg), tag);
        corral_dispatch_aead_abort(&context);
    }
    corral_wipe(&context, sizeof context);
    return status;
}

static psa_status_t encrypt(struct corral_key *key, psa_algorithm_t alg,
                            const struct message *message, uint8_t *ciphertext,
                            size_t ciphertext_size, size_t *ciphertext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);
    uint8_t tag[CORRAL_TAG_MAX_SIZE];

    psa_status_t status =
        check(key, alg, message->nonce_length, message->ad_length, message->length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (ciphertext_size < tag_length || ciphertext_size - tag_length < message->length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    status = PSA_ERROR_NOT_SUPPORTED;
    if (is_for_whole(key, alg, message, message->length, message->length + tag_length)) {
        status = corral_dispatch_aead_encrypt(
            &key->attributes, corral_key_data(key), key->length, alg, message->nonce,
            message->nonce_length, message->ad, message->ad_length, message->input, message->length,
            ciphertext, ciphertext_size, ciphertext_length);
    }
    if (status == PSA_ERROR_NOT_SUPPORTED) {
        status = in_parts(key, alg, true, message, NULL, tag);
        if (status == PSA_SUCCESS) {
            memcpy(ciphertext + message->length, tag, tag_length);
        }
    }
    *ciphertext_length = message->length + tag_length;
    return status;
}

psa_status_t psa_aead_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *plaintext,
                              size_t plaintext_length, uint8_t *ciphertext, size_t ciphertext_size,
                              size_t *ciphertext_length)
{
    const struct message message = {
        nonce,     nonce_length, additional_data,  additional_data_length,
        plaintext, ciphertext,   plaintext_length,
    };
    struct corral_key *slot;

    *ciphertext_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_ENCRYPT, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = encrypt(slot, alg, &message, ciphertext, ciphertext_size, ciphertext_length);
    corral_key_release(slot);
    return done(status, ciphertext, ciphertext_size, ciphertext_length);
}

/* Decrypt in parts and compare the tag, which the output may be about to overwrite. */
static psa_status_t decrypt_in_parts(struct corral_key *key, psa_algorithm_t alg,
                                     const struct message *message, size_t tag_length)
{
    uint8_t wanted[CORRAL_TAG_MAX_SIZE];
    uint8_t tag[CORRAL_TAG_MAX_SIZE];

    memcpy(wanted, message->input + message->length, tag_length);
    psa_status_t status = in_parts(key, alg, false, message, wanted, tag);
    if (status == PSA_SUCCESS && !corral_equal(tag, wanted, tag_length)) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    corral_wipe(tag, sizeof tag);
    return status;
}

static psa_status_t decrypt(struct corral_key *key, psa_algorithm_t alg, struct message *message,
                            size_t ciphertext_length, size_t plaintext_size,
                            size_t *plaintext_length)
{
    const size_t tag_length = corral_aead_tag_length(alg);

    if (ciphertext_length < tag_length) {
        return corral_aead_check(key->attributes.type, alg) == PSA_ERROR_NOT_SUPPORTED
                   ? PSA_ERROR_NOT_SUPPORTED
                   : PSA_ERROR_INVALID_ARGUMENT;
    }
    message->length = ciphertext_length - tag_length;
    psa_status_t status =
        check(key, alg, message->nonce_length, message->ad_length, message->length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (plaintext_size < message->length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    status = PSA_ERROR_NOT_SUPPORTED;
    if (is_for_whole(key, alg, message, ciphertext_length, message->length)) {
        status = corral_dispatch_aead_decrypt(
            &key->attributes, corral_key_data(key), key->length, alg, message->nonce,
            message->nonce_length, message->ad, message->ad_length, message->input,
            ciphertext_length, message->output, plaintext_size, plaintext_length);
    }
    if (status == PSA_ERROR_NOT_SUPPORTED) {
        status = decrypt_in_parts(key, alg, message, tag_length);
    }
    *plaintext_length = message->length;
    return status;
}

psa_status_t psa_aead_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *ciphertext,
                              size_t ciphertext_length, uint8_t *plaintext, size_t plaintext_size,
                              size_t *plaintext_length)
{
    struct message message = {
        nonce, nonce_length, additional_data, additional_data_length, ciphertext, plaintext, 0,
    };
    struct corral_key *slot;

    *plaintext_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_DECRYPT, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = decrypt(slot, alg, &message, ciphertext_length, plaintext_size, plaintext_length);
    corral_key_release(slot);
    return done(status, plaintext, plaintext_size, plaintext_length);
}
