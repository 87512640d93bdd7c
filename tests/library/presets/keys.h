/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the programs over presets. Keys are not destroyed: at the end all are there at once. */
#ifndef PRESET_KEYS_H
#define PRESET_KEYS_H

#include <stdio.h>
#include <stdlib.h>

#include <psa/crypto.h>

#define P256 PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define DO(call) check((call), #call)

static inline void check(psa_status_t status, const char *call)
{
    if (status != PSA_SUCCESS) {
        printf("%s: %d\n", call, (int)status);
        exit(1);
    }
}

static inline psa_key_attributes_t like(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                                        psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    return attributes;
}

static inline psa_key_id_t generate(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                                    psa_key_usage_t usage)
{
    const psa_key_attributes_t attributes = like(type, bits, alg, usage);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    DO(psa_generate_key(&attributes, &key));
    return key;
}

/* Signs, verifies with the pair, and checks the pair's public key as one that was sent. */
static inline void sign_and_verify(psa_key_id_t pair)
{
    static const uint8_t message[] = "from one to the other";
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
    uint8_t signature[64];
    size_t length;

    DO(psa_sign_message(pair, alg, message, sizeof message, signature, sizeof signature, &length));
    DO(psa_verify_message(pair, alg, message, sizeof message, signature, length));
}

/* The secret of an agreement, as a key from which others are derived. */
static inline psa_key_id_t agree(psa_key_id_t pair, psa_algorithm_t kdf)
{
    const psa_key_attributes_t attributes = like(PSA_KEY_TYPE_DERIVE, 0, kdf, PSA_KEY_USAGE_DERIVE);
    uint8_t peer[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    psa_key_id_t secret = PSA_KEY_ID_NULL;
    size_t length;

    DO(psa_export_public_key(pair, peer, sizeof peer, &length));
    DO(psa_key_agreement(pair, peer, length, PSA_ALG_ECDH, &attributes, &secret));
    return secret;
}

/* Set up with a secret, and the info of HKDF. */
static inline void derive_from(psa_key_derivation_operation_t *operation, psa_algorithm_t alg,
                               psa_key_id_t secret, const uint8_t *info, size_t length)
{
    DO(psa_key_derivation_setup(operation, alg));
    DO(psa_key_derivation_input_key(operation, PSA_KEY_DERIVATION_INPUT_SECRET, secret));
    DO(psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_INFO, info, length));
}

static inline psa_key_id_t derived(psa_key_derivation_operation_t *operation, psa_key_type_t type,
                                   size_t bits, psa_algorithm_t alg, psa_key_usage_t usage)
{
    const psa_key_attributes_t attributes = like(type, bits, alg, usage);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    DO(psa_key_derivation_output_key(&attributes, operation, &key));
    return key;
}

/* Sealed and opened again. */
static inline void seal(psa_key_id_t key, psa_algorithm_t alg, size_t nonce_length)
{
    static const uint8_t nonce[13] = {1};
    uint8_t text[32] = {2};
    uint8_t sealed[sizeof text + 16];
    size_t length;

    DO(psa_aead_encrypt(key, alg, nonce, nonce_length, NULL, 0, text, sizeof text, sealed,
                        sizeof sealed, &length));
    DO(psa_aead_decrypt(key, alg, nonce, nonce_length, NULL, 0, sealed, length, text, sizeof text,
                        &length));
}

#endif
