/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/sign.h>
#include <corral/driver.h>

#include "export.h"
#include "hash_sizes.h"
#include "key_sizes.h"
#include "output.h"
#include "slots.h"

/* The hash field of a signature algorithm (PSA Crypto 1.5, B.1.9). */
#define HASH_MASK ((psa_algorithm_t)0xff)

/* Algorithms without a hash of their own, like PSA_ALG_ECDSA_ANY, take any length but 0. */
static bool hash_length_is_valid(psa_algorithm_t alg, size_t hash_length)
{
    return hash_length != 0 &&
           ((alg & HASH_MASK) == 0 || corral_hash_field_length(alg) == hash_length);
}

/* What both signing functions check of a held key before a driver sees it. */
static psa_status_t check_signing(const struct corral_key *key, size_t signature_size)
{
    if (!PSA_KEY_TYPE_IS_KEY_PAIR(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (PSA_KEY_TYPE_IS_ECC(key->attributes.type) &&
        signature_size < corral_ecc_signature_size(&key->attributes)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    return PSA_SUCCESS;
}

psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, uint8_t *signature, size_t signature_size,
                           size_t *signature_length)
{
    struct corral_key *slot;

    *signature_length = 0;
    if (!hash_length_is_valid(alg, hash_length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_SIGN_HASH, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = check_signing(slot, signature_size);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_sign_hash(&slot->attributes, corral_key_data(slot), slot->length,
                                           alg, hash, hash_length, signature, signature_size,
                                           signature_length);
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
    status = check_signing(slot, signature_size);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_sign_message(&slot->attributes, corral_key_data(slot),
                                              slot->length, alg, input, input_length, signature,
                                              signature_size, signature_length);
    }
    corral_key_release(slot);
    return corral_output_done(status, signature, signature_size, signature_length);
}

/* The two verification functions differ in what they call at the end, and in nothing else. */
enum verification { VERIFY_HASH, VERIFY_MESSAGE };

static inline psa_status_t dispatch(enum verification kind, const psa_key_attributes_t *attributes,
                                    const uint8_t *key_data, size_t key_length, psa_algorithm_t alg,
                                    const uint8_t *input, size_t input_length,
                                    const uint8_t *signature, size_t signature_length)
{
    return kind == VERIFY_HASH
               ? corral_dispatch_verify_hash(attributes, key_data, key_length, alg, input,
                                             input_length, signature, signature_length)
               : corral_dispatch_verify_message(attributes, key_data, key_length, alg, input,
                                                input_length, signature, signature_length);
}

/* Verify with the public key of a pair, or of an element that does not verify itself. */
static psa_status_t verify_by_public(enum verification kind, struct corral_key *key,
                                     psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                     const uint8_t *signature, size_t signature_length)
{
    uint8_t public_key[CORRAL_PUBLIC_KEY_MAX_SIZE + 1]; /* one more, so that none is still C */
    psa_key_attributes_t attributes = key->attributes;
    size_t length;

    psa_status_t status = corral_export_public(key, public_key, sizeof public_key, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    attributes.type = PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(attributes.type);
    attributes.lifetime = PSA_KEY_LIFETIME_VOLATILE;
    return dispatch(kind, &attributes, public_key, length, alg, input, input_length, signature,
                    signature_length);
}

static psa_status_t verify(enum verification kind, struct corral_key *key, psa_algorithm_t alg,
                           const uint8_t *input, size_t input_length, const uint8_t *signature,
                           size_t signature_length)
{
    const bool is_local = corral_attributes_are_local(&key->attributes);

    if (!PSA_KEY_TYPE_IS_ASYMMETRIC(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!is_local || PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)) {
        psa_status_t status = dispatch(kind, &key->attributes, corral_key_data(key), key->length,
                                       alg, input, input_length, signature, signature_length);
        if (is_local || status != PSA_ERROR_NOT_SUPPORTED) {
            return status;
        }
    }
    return verify_by_public(kind, key, alg, input, input_length, signature, signature_length);
}

psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature, size_t signature_length)
{
    struct corral_key *slot;

    if (!hash_length_is_valid(alg, hash_length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_VERIFY_HASH, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = verify(VERIFY_HASH, slot, alg, hash, hash_length, signature, signature_length);
    corral_key_release(slot);
    return status;
}

psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_VERIFY_MESSAGE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = verify(VERIFY_MESSAGE, slot, alg, input, input_length, signature, signature_length);
    corral_key_release(slot);
    return status;
}
