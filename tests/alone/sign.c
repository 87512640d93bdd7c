/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

#define USAGE_VERIFY (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)
#define IS_OF_HASH PSA_ALG_IS_SIGN_HASH(ALG)

static const uint8_t input[64] = "a message, or what stands for its hash";
static const size_t input_length = IS_OF_HASH ? PSA_HASH_LENGTH(PSA_ALG_GET_HASH(ALG)) : 64;
static uint8_t signature[PSA_SIGNATURE_MAX_SIZE];
static uint8_t public_key[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];

static bool verify(psa_key_id_t key, size_t length)
{
    return IS_OF_HASH ? DID(psa_verify_hash(key, ALG, input, input_length, signature, length))
                      : DID(psa_verify_message(key, ALG, input, input_length, signature, length));
}

static bool sign(psa_key_id_t key, size_t *length)
{
    return IS_OF_HASH ? DID(psa_sign_hash(key, ALG, input, input_length, signature,
                                          sizeof signature, length))
                      : DID(psa_sign_message(key, ALG, input, input_length, signature,
                                             sizeof signature, length));
}

/* Sign, verify with the pair, and with its public key as a key of its own. */
bool use(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    psa_key_id_t other;
    size_t length;
    size_t public_length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(TYPE));
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, USAGE_VERIFY);
    psa_set_key_algorithm(&attributes, POLICY);
    return create(PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE | USAGE_VERIFY, &key) &&
           sign(key, &length) && verify(key, length) &&
           DID(psa_export_public_key(key, public_key, sizeof public_key, &public_length)) &&
           DID(psa_import_key(&attributes, public_key, public_length, &other)) &&
           verify(other, length) && DID(psa_destroy_key(other)) && DID(psa_destroy_key(key));
}
