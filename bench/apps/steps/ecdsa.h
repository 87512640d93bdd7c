/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generates a P-256 key, signs 127 bytes by their hash, imports the public key and verifies.
 * Signing is randomised, or deterministic if the build wants only that (BearSSL has no other).
 */
#ifndef BENCH_ECDSA_H
#define BENCH_ECDSA_H

#include <corral/config.h>

#include "steps.h"

#define ECDSA_BITS 256
#define ECDSA_MESSAGE_SIZE 127
#define ECDSA_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA_SIGNATURE_SIZE 64

#if CORRAL_WANT_ALG_DETERMINISTIC_ECDSA
#define ECDSA_ALG PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)
#else
#define ECDSA_ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#endif

/* The data from the signer to the verifier. */
struct bench_signed {
    uint8_t point[PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(ECDSA_PAIR, ECDSA_BITS)];
    uint8_t hash[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    uint8_t signature[ECDSA_SIGNATURE_SIZE];
    size_t point_length;
    size_t hash_length;
    size_t signature_length;
};

static inline psa_status_t bench_sign(psa_key_location_t location, struct bench_signed *made)
{
    static const uint8_t message[ECDSA_MESSAGE_SIZE] = {1, 2, 3};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    bench_place(&attributes, location);
    psa_set_key_type(&attributes, ECDSA_PAIR);
    psa_set_key_bits(&attributes, ECDSA_BITS);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_algorithm(&attributes, ECDSA_ALG);
    psa_status_t status = psa_generate_key(&attributes, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_export_public_key(key, made->point, sizeof made->point, &made->point_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_hash_compute(PSA_ALG_SHA_256, message, sizeof message, made->hash,
                              sizeof made->hash, &made->hash_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_sign_hash(key, ECDSA_ALG, made->hash, made->hash_length, made->signature,
                         sizeof made->signature, &made->signature_length);
}

static inline psa_status_t bench_verify(psa_key_location_t location,
                                        const struct bench_signed *made)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    bench_place(&attributes, location);
    psa_set_key_type(&attributes, ECDSA_PUBLIC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_HASH);
    psa_set_key_algorithm(&attributes, ECDSA_ALG);
    psa_status_t status = psa_import_key(&attributes, made->point, made->point_length, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_verify_hash(key, ECDSA_ALG, made->hash, made->hash_length, made->signature,
                           made->signature_length);
}

static inline psa_status_t bench_ecdsa(psa_key_location_t location)
{
    struct bench_signed made;

    psa_status_t status = bench_sign(location, &made);
    if (status == PSA_SUCCESS) {
        status = bench_verify(location, &made);
    }
    return status;
}

#endif
