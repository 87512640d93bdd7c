/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include <corral/config.h>
#include <psa/crypto.h>

#include "../../direct/direct.h"

#define MAC_ALG PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define CBC_ALG PSA_ALG_CBC_NO_PADDING
#define NONCE_SIZE 12
#define TAG_SIZE 16
/* Of the stored key, in a use of it. */
#define STORED_MESSAGE_SIZE 64
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)

/* Whichever the library has. */
#if CORRAL_WANT_ALG_DETERMINISTIC_ECDSA
#define ECDSA_ALG PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)
#else
#define ECDSA_ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#endif

/* P-256, RFC 6979, A.2.5. */
static const uint8_t private_key[DIRECT_SCALAR_SIZE] = {
    0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21, 0x57, 0x67, 0xb1, 0xd6, 0x93,
    0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8, 0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};
static const uint8_t public_key[DIRECT_POINT_SIZE] = {
    0x04, 0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb, 0x74,
    0xc6, 0x35, 0x6d, 0x68, 0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61, 0xfa, 0x6c, 0xe6,
    0x69, 0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6, 0x79, 0x03, 0xfe, 0x10, 0x08, 0xb8,
    0xbc, 0x99, 0xa4, 0x1a, 0xe9, 0xe9, 0x56, 0x28, 0xbc, 0x64, 0xf2, 0xf1, 0xb2,
    0x0c, 0x2d, 0x7e, 0x9f, 0x51, 0x77, 0xa3, 0xc2, 0x94, 0xd4, 0x46, 0x22, 0x99};
static const uint8_t secret[DIRECT_KEY_SIZE] = {1, 2, 3};

/* Written before the threads start, only read by them. */
static uint8_t message[DIRECT_BLOCK_SIZE + WORK_SIZE_MAX];
static const uint8_t nonce[NONCE_SIZE] = {7, 8, 9};
static const uint8_t digest[DIRECT_HASH_SIZE] = {4, 5, 6};
static uint8_t signature[DIRECT_SIGNATURE_SIZE];
static psa_key_id_t mac_key;
static psa_key_id_t stored_key;
static psa_key_id_t cached_key;
static psa_key_id_t cipher_key;
static psa_key_id_t aead_key;
static psa_key_id_t pair;
static psa_key_id_t public_pair;

/* Of each thread. */
static _Thread_local uint8_t text[WORK_SIZE_MAX + TAG_SIZE];

static bool api_hash(size_t bytes)
{
    uint8_t output[DIRECT_HASH_SIZE];
    size_t length;

    return psa_hash_compute(PSA_ALG_SHA_256, message, bytes, output, sizeof output, &length) ==
           PSA_SUCCESS;
}

static bool direct_hash(size_t bytes)
{
    uint8_t output[DIRECT_HASH_SIZE];

    return direct_library.hash(message, bytes, output);
}

static bool mac_by(psa_key_id_t key, size_t bytes)
{
    uint8_t output[DIRECT_HASH_SIZE];
    size_t length;

    return psa_mac_compute(key, MAC_ALG, message, bytes, output, sizeof output, &length) ==
           PSA_SUCCESS;
}

static bool api_mac(size_t bytes)
{
    return mac_by(mac_key, bytes);
}

static bool api_mac_stored(size_t bytes)
{
    return mac_by(stored_key, bytes);
}

static bool api_mac_cached(size_t bytes)
{
    return mac_by(cached_key, bytes);
}

static bool direct_mac(size_t bytes)
{
    uint8_t output[DIRECT_HASH_SIZE];

    return direct_library.mac(secret, message, bytes, output);
}

static bool api_decrypt(size_t bytes)
{
    size_t length;

    return psa_cipher_decrypt(cipher_key, CBC_ALG, message, DIRECT_BLOCK_SIZE + bytes, text,
                              sizeof text, &length) == PSA_SUCCESS;
}

static bool direct_decrypt(size_t bytes)
{
    return direct_library.decrypt(secret, message, DIRECT_BLOCK_SIZE + bytes, text);
}

static bool api_seal(size_t bytes)
{
    size_t length;

    return psa_aead_encrypt(aead_key, PSA_ALG_GCM, nonce, sizeof nonce, NULL, 0, message, bytes,
                            text, sizeof text, &length) == PSA_SUCCESS;
}

static bool direct_seal(size_t bytes)
{
    return direct_library.seal(secret, nonce, message, bytes, text);
}

static bool api_sign(size_t bytes)
{
    (void)bytes;
    uint8_t output[DIRECT_SIGNATURE_SIZE];
    size_t length;

    return psa_sign_hash(pair, ECDSA_ALG, digest, sizeof digest, output, sizeof output, &length) ==
           PSA_SUCCESS;
}

static bool direct_sign(size_t bytes)
{
    (void)bytes;
    uint8_t output[DIRECT_SIGNATURE_SIZE];

    return direct_library.sign(private_key, digest, output);
}

static bool api_verify(size_t bytes)
{
    (void)bytes;
    return psa_verify_hash(public_pair, ECDSA_ALG, digest, sizeof digest, signature,
                           sizeof signature) == PSA_SUCCESS;
}

static bool direct_verify(size_t bytes)
{
    (void)bytes;
    return direct_library.verify(public_key, digest, signature);
}

static bool import(psa_key_type_t type, psa_key_usage_t usage, psa_algorithm_t alg,
                   const uint8_t *data, size_t size, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_algorithm(&attributes, alg);
    return psa_import_key(&attributes, data, size, key) == PSA_SUCCESS;
}

/* A key that is read from the storage at each use, or stays in its slot. */
static bool store(psa_key_id_t id, psa_key_usage_t cache, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_id(&attributes, id);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE | cache);
    psa_set_key_algorithm(&attributes, MAC_ALG);
    return psa_import_key(&attributes, secret, sizeof secret, key) == PSA_SUCCESS;
}

static bool make_keys(void)
{
    return import(PSA_KEY_TYPE_HMAC, PSA_KEY_USAGE_SIGN_MESSAGE, MAC_ALG, secret, sizeof secret,
                  &mac_key) &&
           store(1, 0, &stored_key) && store(2, PSA_KEY_USAGE_CACHE, &cached_key) &&
           import(PSA_KEY_TYPE_AES, PSA_KEY_USAGE_DECRYPT, CBC_ALG, secret, DIRECT_AES_KEY_SIZE,
                  &cipher_key) &&
           import(PSA_KEY_TYPE_AES, PSA_KEY_USAGE_ENCRYPT, PSA_ALG_GCM, secret, DIRECT_AES_KEY_SIZE,
                  &aead_key) &&
           import(PAIR, PSA_KEY_USAGE_SIGN_HASH, ECDSA_ALG, private_key, sizeof private_key,
                  &pair) &&
           import(PUBLIC, PSA_KEY_USAGE_VERIFY_HASH, ECDSA_ALG, public_key, sizeof public_key,
                  &public_pair);
}

bool work_prepare(struct work works[WORK_COUNT])
{
    const struct direct *const library = &direct_library;
    bool (*const mac)(size_t) = library->mac ? direct_mac : NULL;
    size_t length;

    works[0] = (struct work){"SHA-256", 0, true, api_hash, library->hash ? direct_hash : NULL};
    works[1] = (struct work){"HMAC-SHA-256", 0, true, api_mac, mac};
    works[2] = (struct work){"AES-128-CBC", 0, true, api_decrypt,
                             library->decrypt ? direct_decrypt : NULL};
    works[3] = (struct work){"AES-128-GCM", 0, true, api_seal, library->seal ? direct_seal : NULL};
    works[4] =
        (struct work){"HMAC-SHA-256, stored key", STORED_MESSAGE_SIZE, true, api_mac_stored, mac};
    works[5] = (struct work){"HMAC-SHA-256, stored key, cached", STORED_MESSAGE_SIZE, true,
                             api_mac_cached, mac};
    works[6] = (struct work){"ECDSA sign", DIRECT_HASH_SIZE, false, api_sign,
                             library->sign ? direct_sign : NULL};
    works[7] = (struct work){"ECDSA verify", DIRECT_HASH_SIZE, false, api_verify,
                             library->verify ? direct_verify : NULL};
    return psa_crypto_init() == PSA_SUCCESS && make_keys() &&
           psa_sign_hash(pair, ECDSA_ALG, digest, sizeof digest, signature, sizeof signature,
                         &length) == PSA_SUCCESS;
}
