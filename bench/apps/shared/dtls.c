/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#define MAC PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define LABEL_SIZE 13

static bool authenticate(const uint8_t key_data[SECRET_SIZE], const uint8_t *data, size_t size,
                         uint8_t mac[HASH_SIZE])
{
    psa_key_id_t key;
    size_t length;

    if (!shared_import(PSA_KEY_TYPE_HMAC, PSA_KEY_USAGE_SIGN_MESSAGE, MAC, key_data, SECRET_SIZE,
                       &key)) {
        return false;
    }
    const bool is_done =
        psa_mac_compute(key, MAC, data, size, mac, HASH_SIZE, &length) == PSA_SUCCESS;
    return psa_destroy_key(key) == PSA_SUCCESS && is_done;
}

static bool agree(uint8_t shared[SECRET_SIZE])
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    size_t length;

    psa_set_key_type(&attributes, PAIR);
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDH);
    if (psa_generate_key(&attributes, &key) != PSA_SUCCESS) {
        return false;
    }
    const bool is_agreed = psa_raw_key_agreement(PSA_ALG_ECDH, key, test_public, POINT_SIZE, shared,
                                                 SECRET_SIZE, &length) == PSA_SUCCESS;
    return psa_destroy_key(key) == PSA_SUCCESS && is_agreed;
}

bool dtls_handshake(const uint8_t *transcript, size_t size, const uint8_t signature[SIGNATURE_SIZE],
                    uint8_t secret[SECRET_SIZE])
{
    static const uint8_t label[LABEL_SIZE + 1] = "master secret";
    uint8_t shared[SECRET_SIZE];

    return cose_verify(transcript, size, signature) && agree(shared) &&
           authenticate(shared, label, LABEL_SIZE, secret);
}

bool dtls_seal(const uint8_t secret[SECRET_SIZE], const uint8_t *record, size_t size,
               uint8_t *sealed)
{
    psa_key_id_t key;
    size_t length;

    if (!shared_import(PSA_KEY_TYPE_AES, PSA_KEY_USAGE_ENCRYPT, PSA_ALG_CBC_NO_PADDING, secret,
                       BLOCK_SIZE, &key)) {
        return false;
    }
    const bool is_encrypted = psa_cipher_encrypt(key, PSA_ALG_CBC_NO_PADDING, record, size, sealed,
                                                 BLOCK_SIZE + size, &length) == PSA_SUCCESS;
    return psa_destroy_key(key) == PSA_SUCCESS && is_encrypted &&
           authenticate(secret, sealed, BLOCK_SIZE + size, sealed + BLOCK_SIZE + size);
}
