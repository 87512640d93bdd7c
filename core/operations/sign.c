/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/sign.h>
#include <corral/driver.h>

#include "../common/output.h"
#include "../keys/export.h"
#include "../keys/hold.h"
#include "hash_sizes.h"
#include "sign_refusal.h"

psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, uint8_t *signature, size_t signature_size,
                           size_t *signature_length)
{
    struct corral_key *slot;

    *signature_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_SIGN_HASH, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = PSA_ERROR_INVALID_ARGUMENT;
    if (PSA_KEY_TYPE_IS_KEY_PAIR(slot->attributes.type) &&
        corral_hash_length_fits(alg, hash_length)) {
        status = corral_dispatch_sign_hash(&slot->attributes, corral_key_data(slot), slot->length,
                                           alg, hash, hash_length, signature, signature_size,
                                           signature_length);
        status = corral_sign_status(status, &slot->attributes, alg, false);
    }
    corral_key_release(slot);
    return corral_output_done(status, signature, signature_size, signature_length);
}

psa_status_t psa_sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                              size_t input_length, uint8_t *signature, size_t signature_size,
                              size_t *signature_length)
{
    struct corral_key *slot;

    *signature_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_SIGN_MESSAGE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = PSA_ERROR_INVALID_ARGUMENT;
    if (PSA_KEY_TYPE_IS_KEY_PAIR(slot->attributes.type)) {
        status = corral_dispatch_sign_message(&slot->attributes, corral_key_data(slot),
                                              slot->length, alg, input, input_length, signature,
                                              signature_size, signature_length);
        status = corral_sign_status(status, &slot->attributes, alg, true);
    }
    corral_key_release(slot);
    return corral_output_done(status, signature, signature_size, signature_length);
}

/* A key on the stack, for the public half of a pair. */
struct public_half {
    struct corral_key key;
    uint8_t data[CORRAL_PUBLIC_KEY_MAX_SIZE + 1]; /* one more, so that none is still C */
};

/* Take the public half of a key into memory, where local drivers verify with it. */
static psa_status_t take_public_half(struct corral_key *key, struct public_half *half)
{
    size_t length = 0;

    if (!PSA_KEY_TYPE_IS_ASYMMETRIC(key->attributes.type)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = corral_export_public(key, half->data, sizeof half->data, &length);
    half->key.attributes = key->attributes;
    half->key.attributes.type = PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(key->attributes.type);
    if (CORRAL_ELEMENT_COUNT > 0) {
        half->key.attributes.lifetime = PSA_KEY_LIFETIME_VOLATILE;
    }
    half->key.length = (uint16_t)length;
    return status;
}

/* Whether a driver verifies with the key as it is: with a public one, or in the element itself. */
static inline bool is_direct(const struct corral_key *key, bool elements_verify)
{
    return corral_attributes_are_local(&key->attributes)
               ? PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)
               : elements_verify && PSA_KEY_TYPE_IS_ASYMMETRIC(key->attributes.type);
}

/* Whether an element, asked first, leaves the verification to this memory. */
static inline bool is_left_to_memory(const struct corral_key *key, psa_status_t status)
{
    return !corral_attributes_are_local(&key->attributes) && status == PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t dispatch_verify_hash(struct corral_key *key, psa_algorithm_t alg,
                                                const uint8_t *hash, size_t hash_length,
                                                const uint8_t *signature, size_t signature_length)
{
    return corral_dispatch_verify_hash(&key->attributes, corral_key_data(key), key->length, alg,
                                       hash, hash_length, signature, signature_length);
}

psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature, size_t signature_length)
{
    struct public_half half;
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_VERIFY_HASH, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    struct corral_key *used = slot;
    if (!corral_hash_length_fits(alg, hash_length)) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    } else if (!is_direct(slot, CORRAL_HAS_OPAQUE_VERIFY_HASH)) {
        used = &half.key;
        status = take_public_half(slot, &half);
    }
    if (status == PSA_SUCCESS) {
        status = dispatch_verify_hash(used, alg, hash, hash_length, signature, signature_length);
    }
    if (CORRAL_HAS_OPAQUE_VERIFY_HASH && used == slot && is_left_to_memory(slot, status)) {
        status = take_public_half(slot, &half);
        if (status == PSA_SUCCESS) {
            status = dispatch_verify_hash(&half.key, alg, hash, hash_length, signature,
                                          signature_length);
        }
    }
    status = corral_sign_status(status, &slot->attributes, alg, false);
    corral_key_release(slot);
    return status;
}

static inline psa_status_t dispatch_verify_message(struct corral_key *key, psa_algorithm_t alg,
                                                   const uint8_t *input, size_t input_length,
                                                   const uint8_t *signature,
                                                   size_t signature_length)
{
    return corral_dispatch_verify_message(&key->attributes, corral_key_data(key), key->length, alg,
                                          input, input_length, signature, signature_length);
}

psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length)
{
    struct public_half half;
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_VERIFY_MESSAGE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    struct corral_key *used = slot;
    if (!is_direct(slot, CORRAL_HAS_OPAQUE_VERIFY_MESSAGE)) {
        used = &half.key;
        status = take_public_half(slot, &half);
    }
    if (status == PSA_SUCCESS) {
        status =
            dispatch_verify_message(used, alg, input, input_length, signature, signature_length);
    }
    if (CORRAL_HAS_OPAQUE_VERIFY_MESSAGE && used == slot && is_left_to_memory(slot, status)) {
        status = take_public_half(slot, &half);
        if (status == PSA_SUCCESS) {
            status = dispatch_verify_message(&half.key, alg, input, input_length, signature,
                                             signature_length);
        }
    }
    status = corral_sign_status(status, &slot->attributes, alg, true);
    corral_key_release(slot);
    return status;
}
