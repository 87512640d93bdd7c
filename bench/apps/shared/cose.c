/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

bool shared_import(psa_key_type_t type, psa_key_usage_t usage, psa_algorithm_t alg,
                   const uint8_t *data, size_t size, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_algorithm(&attributes, alg);
    return psa_crypto_init() == PSA_SUCCESS &&
           psa_import_key(&attributes, data, size, key) == PSA_SUCCESS;
}

static bool hash(const uint8_t *payload, size_t size, uint8_t digest[HASH_SIZE])
{
    size_t length;

    return psa_hash_compute(PSA_ALG_SHA_256, payload, size, digest, HASH_SIZE, &length) ==
           PSA_SUCCESS;
}

bool cose_sign(const uint8_t *payload, size_t size, uint8_t signature[SIGNATURE_SIZE])
{
    uint8_t digest[HASH_SIZE];
    psa_key_id_t key;
    size_t length;

    if (!shared_import(PAIR, PSA_KEY_USAGE_SIGN_HASH, ECDSA, test_private, SCALAR_SIZE, &key)) {
        return false;
    }
    const bool is_signed =
        hash(payload, size, digest) && psa_sign_hash(key, ECDSA, digest, HASH_SIZE, signature,
                                                     SIGNATURE_SIZE, &length) == PSA_SUCCESS;
    return psa_destroy_key(key) == PSA_SUCCESS && is_signed;
}

bool cose_verify(const uint8_t *payload, size_t size, const uint8_t signature[SIGNATURE_SIZE])
{
    uint8_t digest[HASH_SIZE];
    psa_key_id_t key;

    if (!shared_import(PUBLIC, PSA_KEY_USAGE_VERIFY_HASH, ECDSA, test_public, POINT_SIZE, &key)) {
        return false;
    }
    const bool is_right =
        hash(payload, size, digest) &&
        psa_verify_hash(key, ECDSA, digest, HASH_SIZE, signature, SIGNATURE_SIZE) == PSA_SUCCESS;
    return psa_destroy_key(key) == PSA_SUCCESS && is_right;
}
