/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/encapsulation.h>
#include <corral/driver.h>

#include "../common/output.h"
#include "../keys/create.h"
#include "../keys/export.h"
#include "../keys/hold.h"

/* The longest shared secret: the x coordinate on P-521; ML-KEM's has 32 bytes. */
#define MAX_SECRET 66u

/* The results of an operation, before they are a key and a ciphertext. */
struct secret {
    uint8_t data[MAX_SECRET];
    size_t length;
};

/*
 * Types that a shared secret may become. That of ML-KEM is pseudorandom and may be any symmetric
 * key's; a coordinate of a point is not (PSA Crypto 1.5, 10.12.1).
 */
static bool secret_may_become(psa_algorithm_t alg, psa_key_type_t type)
{
    return type == PSA_KEY_TYPE_DERIVE || type == PSA_KEY_TYPE_HMAC ||
           (alg == PSA_ALG_ML_KEM && PSA_KEY_TYPE_IS_UNSTRUCTURED(type) &&
            type != PSA_KEY_TYPE_NONE);
}

/* Check what needs no key, then hold the key for `usage`. */
static psa_status_t hold(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                         psa_key_type_t type_of_secret, struct corral_key **key)
{
    if (!PSA_ALG_IS_KEY_ENCAPSULATION(alg) || !secret_may_become(alg, type_of_secret)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_key_hold_for(id, usage, alg, key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const psa_key_type_t type = (*key)->attributes.type;
    if (alg == PSA_ALG_ML_KEM ? PSA_KEY_TYPE_IS_ML_KEM(type) : PSA_KEY_TYPE_IS_ECC(type)) {
        return PSA_SUCCESS;
    }
    corral_key_release(*key);
    return PSA_ERROR_INVALID_ARGUMENT;
}

/* Make a key of the secret and wipe it. `status`: whether there is a secret. */
static psa_status_t create(const psa_key_attributes_t *attributes, struct secret *secret,
                           psa_status_t status, psa_key_id_t *id)
{
    struct corral_key *key;

    if (status == PSA_SUCCESS) {
        status = corral_create_begin(attributes, &key);
        if (status == PSA_SUCCESS) {
            status = corral_create_import(key, secret->data, secret->length);
            status = corral_create_end(key, status, id);
        }
    }
    corral_wipe(secret, sizeof *secret);
    return status;
}

/* Encapsulate with the public key of a pair, or of an element that does not do it itself. */
static psa_status_t encapsulate_by_public(struct corral_key *key, psa_algorithm_t alg,
                                          struct secret *secret, uint8_t *ciphertext,
                                          size_t ciphertext_size, size_t *ciphertext_length)
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
    return corral_dispatch_encapsulate(&attributes, public_key, length, alg, secret->data,
                                       sizeof secret->data, &secret->length, ciphertext,
                                       ciphertext_size, ciphertext_length);
}

static psa_status_t encapsulate(struct corral_key *key, psa_algorithm_t alg, struct secret *secret,
                                uint8_t *ciphertext, size_t ciphertext_size,
                                size_t *ciphertext_length)
{
    const bool is_local = corral_attributes_are_local(&key->attributes);

    if (!is_local || PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)) {
        psa_status_t status = corral_dispatch_encapsulate(
            &key->attributes, corral_key_data(key), key->length, alg, secret->data,
            sizeof secret->data, &secret->length, ciphertext, ciphertext_size, ciphertext_length);
        if (is_local || status != PSA_ERROR_NOT_SUPPORTED) {
            return status;
        }
    }
    return encapsulate_by_public(key, alg, secret, ciphertext, ciphertext_size, ciphertext_length);
}

psa_status_t psa_encapsulate(psa_key_id_t key, psa_algorithm_t alg,
                             const psa_key_attributes_t *attributes, psa_key_id_t *output_key,
                             uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length)
{
    struct corral_key *slot;
    struct secret secret;

    corral_no_key_yet(output_key);
    *ciphertext_length = 0;
    const psa_key_attributes_t wanted = corral_attributes_of(attributes);
    psa_status_t status = hold(key, PSA_KEY_USAGE_ENCRYPT, alg, wanted.type, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = encapsulate(slot, alg, &secret, ciphertext, ciphertext_size, ciphertext_length);
    corral_key_release(slot);
    status = create(&wanted, &secret, status, output_key);
    return corral_output_done(status, ciphertext, ciphertext_size, ciphertext_length);
}

psa_status_t psa_decapsulate(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *ciphertext,
                             size_t ciphertext_length, const psa_key_attributes_t *attributes,
                             psa_key_id_t *output_key)
{
    struct corral_key *slot;
    struct secret secret;

    corral_no_key_yet(output_key);
    const psa_key_attributes_t wanted = corral_attributes_of(attributes);
    psa_status_t status = hold(key, PSA_KEY_USAGE_DECRYPT, alg, wanted.type, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = PSA_ERROR_INVALID_ARGUMENT;
    if (PSA_KEY_TYPE_IS_KEY_PAIR(slot->attributes.type)) {
        status = corral_dispatch_decapsulate(&slot->attributes, corral_key_data(slot), slot->length,
                                             alg, ciphertext, ciphertext_length, secret.data,
                                             sizeof secret.data, &secret.length);
    }
    corral_key_release(slot);
    return create(&wanted, &secret, status, output_key);
}
