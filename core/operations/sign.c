/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/sign.h>
#include <corral/driver.h>

#include "../common/inline.h"
#include "../common/output.h"
#include "../keys/hold.h"
#include "../keys/public_half.h"
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

/* Whether a driver verifies with the key as it is: with a public one, or in the element itself. */
static inline bool is_direct(const struct corral_key *key, bool elements_verify)
{
    return corral_attributes_are_local(&key->attributes)
               ? PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)
               : elements_verify && PSA_KEY_TYPE_IS_ASYMMETRIC(key->attributes.type);
}

static inline psa_status_t dispatch_verify_hash(struct corral_key *key, psa_algorithm_t alg,
                                                const uint8_t *hash, size_t hash_length,
                                                const uint8_t *signature, size_t signature_length)
{
    return corral_dispatch_verify_hash(&key->attributes, corral_key_data(key), key->length, alg,
                                       hash, hash_length, signature, signature_length);
}

static inline psa_status_t dispatch_verify_message(struct corral_key *key, psa_algorithm_t alg,
                                                   const uint8_t *input, size_t input_length,
                                                   const uint8_t *signature,
                                                   size_t signature_length)
{
    return corral_dispatch_verify_message(&key->attributes, corral_key_data(key), key->length, alg,
                                          input, input_length, signature, signature_length);
}

CORRAL_EXPANDED psa_status_t dispatch_verify(struct corral_key *key, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             const uint8_t *signature, size_t signature_length,
                                             bool is_message)
{
    return is_message
               ? dispatch_verify_message(key, alg, input, input_length, signature, signature_length)
               : dispatch_verify_hash(key, alg, input, input_length, signature, signature_length);
}

/* Verify a message or a hash, with the public half of the key where no driver takes it as it is. */
CORRAL_EXPANDED psa_status_t verify(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *signature,
                                    size_t signature_length, bool is_message)
{
    const psa_key_usage_t usage =
        is_message ? PSA_KEY_USAGE_VERIFY_MESSAGE : PSA_KEY_USAGE_VERIFY_HASH;
    const bool elements_verify =
        is_message ? CORRAL_HAS_OPAQUE_VERIFY_MESSAGE : CORRAL_HAS_OPAQUE_VERIFY_HASH;
    struct corral_public_half half;
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_for(key, usage, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    struct corral_key *used = slot;
    if (!is_message && !corral_hash_length_fits(alg, input_length)) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    } else if (!is_direct(slot, elements_verify)) {
        used = &half.key;
        status = corral_public_half(slot, &half);
    }
    if (status == PSA_SUCCESS) {
        status = dispatch_verify(used, alg, input, input_length, signature, signature_length,
                                 is_message);
    }
    if (elements_verify && used == slot && corral_is_left_to_memory(slot, status)) {
        status = corral_public_half(slot, &half);
        if (status == PSA_SUCCESS) {
            status = dispatch_verify(&half.key, alg, input, input_length, signature,
                                     signature_length, is_message);
        }
    }
    status = corral_sign_status(status, &slot->attributes, alg, is_message);
    corral_key_release(slot);
    return status;
}

psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature, size_t signature_length)
{
    return verify(key, alg, hash, hash_length, signature, signature_length, false);
}

psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length)
{
    return verify(key, alg, input, input_length, signature, signature_length, true);
}
