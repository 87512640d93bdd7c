/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures with a context. Without one these are the functions of sign.c; they are not built on
 * these, because few builds have algorithms with contexts.
 */
#include "sign_context.h"

#include <corral/dispatch/sign.h>

#include "../common/inline.h"
#include "../common/output.h"
#include "../keys/hold.h"
#include "../keys/public_half.h"
#include "hash_sizes.h"
#include "sign_refusal.h"

/* Of EdDSA (RFC 8032), ML-DSA and SLH-DSA (FIPS 204, 205) alike. */
#define CONTEXT_MAX_LENGTH 255u

psa_status_t corral_check_context(psa_algorithm_t alg, size_t context_length)
{
    return context_length == 0 ||
                   (PSA_ALG_SIGN_SUPPORTS_CONTEXT(alg) && context_length <= CONTEXT_MAX_LENGTH)
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t corral_sign_hash(struct corral_key *key, const struct corral_signed *input,
                              uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    if (!PSA_KEY_TYPE_IS_KEY_PAIR(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (input->context_length == 0) {
        return corral_dispatch_sign_hash(&key->attributes, corral_key_data(key), key->length,
                                         input->alg, input->input, input->input_length, signature,
                                         signature_size, signature_length);
    }
    return corral_dispatch_sign_hash_with_context(
        &key->attributes, corral_key_data(key), key->length, input->alg, input->input,
        input->input_length, input->context, input->context_length, signature, signature_size,
        signature_length);
}

static psa_status_t sign_message(struct corral_key *key, const struct corral_signed *input,
                                 uint8_t *signature, size_t signature_size,
                                 size_t *signature_length)
{
    if (!PSA_KEY_TYPE_IS_KEY_PAIR(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return corral_dispatch_sign_message_with_context(
        &key->attributes, corral_key_data(key), key->length, input->alg, input->input,
        input->input_length, input->context, input->context_length, signature, signature_size,
        signature_length);
}

static psa_status_t dispatch_verify_hash(struct corral_key *key, const struct corral_signed *input,
                                         const uint8_t *signature, size_t signature_length)
{
    if (input->context_length == 0) {
        return corral_dispatch_verify_hash(&key->attributes, corral_key_data(key), key->length,
                                           input->alg, input->input, input->input_length, signature,
                                           signature_length);
    }
    return corral_dispatch_verify_hash_with_context(
        &key->attributes, corral_key_data(key), key->length, input->alg, input->input,
        input->input_length, input->context, input->context_length, signature, signature_length);
}

static psa_status_t dispatch_verify_message(struct corral_key *key,
                                            const struct corral_signed *input,
                                            const uint8_t *signature, size_t signature_length)
{
    return corral_dispatch_verify_message_with_context(
        &key->attributes, corral_key_data(key), key->length, input->alg, input->input,
        input->input_length, input->context, input->context_length, signature, signature_length);
}

CORRAL_EXPANDED psa_status_t dispatch_verify(struct corral_key *key,
                                             const struct corral_signed *input,
                                             const uint8_t *signature, size_t signature_length,
                                             bool is_message)
{
    return is_message ? dispatch_verify_message(key, input, signature, signature_length)
                      : dispatch_verify_hash(key, input, signature, signature_length);
}

/* Verify a message or a hash, with the public half of the key where no driver takes it as it is. */
CORRAL_EXPANDED psa_status_t verify(struct corral_key *key, const struct corral_signed *input,
                                    const uint8_t *signature, size_t signature_length,
                                    bool is_message)
{
    struct corral_public_half half;

    if (corral_is_used_directly(key)) {
        psa_status_t status = dispatch_verify(key, input, signature, signature_length, is_message);
        if (!corral_is_left_to_memory(key, status)) {
            return status;
        }
    }
    psa_status_t status = corral_public_half(key, &half);
    return status == PSA_SUCCESS
               ? dispatch_verify(&half.key, input, signature, signature_length, is_message)
               : status;
}

psa_status_t corral_verify_hash(struct corral_key *key, const struct corral_signed *input,
                                const uint8_t *signature, size_t signature_length)
{
    return verify(key, input, signature, signature_length, false);
}

static psa_status_t check_hash(psa_algorithm_t alg, size_t hash_length, size_t context_length)
{
    return corral_hash_length_fits(alg, hash_length) ? corral_check_context(alg, context_length)
                                                     : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t psa_sign_message_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                           const uint8_t *input, size_t input_length,
                                           const uint8_t *context, size_t context_length,
                                           uint8_t *signature, size_t signature_size,
                                           size_t *signature_length)
{
    const struct corral_signed message = {alg, input, input_length, context, context_length};
    struct corral_key *slot;

    if (context_length == 0) {
        return psa_sign_message(key, alg, input, input_length, signature, signature_size,
                                signature_length);
    }
    *signature_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_SIGN_MESSAGE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_check_context(alg, context_length);
    if (status == PSA_SUCCESS) {
        status = sign_message(slot, &message, signature, signature_size, signature_length);
        status = corral_sign_status(status, &slot->attributes, alg, true);
    }
    corral_key_release(slot);
    return corral_output_done(status, signature, signature_size, signature_length);
}

psa_status_t psa_verify_message_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             const uint8_t *context, size_t context_length,
                                             const uint8_t *signature, size_t signature_length)
{
    const struct corral_signed message = {alg, input, input_length, context, context_length};
    struct corral_key *slot;

    if (context_length == 0) {
        return psa_verify_message(key, alg, input, input_length, signature, signature_length);
    }
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_VERIFY_MESSAGE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_check_context(alg, context_length);
    if (status == PSA_SUCCESS) {
        status = verify(slot, &message, signature, signature_length, true);
        status = corral_sign_status(status, &slot->attributes, alg, true);
    }
    corral_key_release(slot);
    return status;
}

psa_status_t psa_sign_hash_with_context(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, const uint8_t *context,
                                        size_t context_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length)
{
    const struct corral_signed input = {alg, hash, hash_length, context, context_length};
    struct corral_key *slot;

    if (context_length == 0) {
        return psa_sign_hash(key, alg, hash, hash_length, signature, signature_size,
                             signature_length);
    }
    *signature_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_SIGN_HASH, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = check_hash(alg, hash_length, context_length);
    if (status == PSA_SUCCESS) {
        status = corral_sign_hash(slot, &input, signature, signature_size, signature_length);
        status = corral_sign_status(status, &slot->attributes, alg, false);
    }
    corral_key_release(slot);
    return corral_output_done(status, signature, signature_size, signature_length);
}

psa_status_t psa_verify_hash_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                          const uint8_t *hash, size_t hash_length,
                                          const uint8_t *context, size_t context_length,
                                          const uint8_t *signature, size_t signature_length)
{
    const struct corral_signed input = {alg, hash, hash_length, context, context_length};
    struct corral_key *slot;

    if (context_length == 0) {
        return psa_verify_hash(key, alg, hash, hash_length, signature, signature_length);
    }
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_VERIFY_HASH, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = check_hash(alg, hash_length, context_length);
    if (status == PSA_SUCCESS) {
        status = corral_verify_hash(slot, &input, signature, signature_length);
        status = corral_sign_status(status, &slot->attributes, alg, false);
    }
    corral_key_release(slot);
    return status;
}
