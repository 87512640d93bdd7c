/* SPDX-License-Identifier: Apache-2.0 */
#include "keyed.h"

#include <string.h>

#include "material.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define AES PSA_KEY_TYPE_AES
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define CMAC_KDF PSA_ALG_SP800_108_COUNTER_CMAC
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define AGREED_KDF PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, HKDF)
#define OAEP PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256)
#define SIGNS (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_SIGN_HASH)
#define VERIFIES (PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_VERIFY_HASH)
#define SECRET PSA_KEY_DERIVATION_INPUT_SECRET

static psa_mac_operation_t mac;
static psa_cipher_operation_t cipher;
static psa_aead_operation_t aead;
static psa_sign_operation_t signing;
static psa_verify_operation_t verifying;
static psa_key_derivation_operation_t derivation;
static psa_key_id_t made; /* by the call, unless the caller keeps it */
static uint8_t out[128];
static size_t length;

static const uint8_t hash_512[64] = {1};

/* Keys and their attributes */

static psa_status_t attributes_of(psa_key_id_t key)
{
    psa_key_attributes_t attributes;

    return psa_get_key_attributes(key, &attributes);
}

static psa_status_t check_usage(psa_key_id_t key)
{
    return psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
}

static psa_status_t copy(psa_key_id_t key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_algorithm(&attributes, PSA_ALG_CTR);
    return psa_copy_key(key, &attributes, &made);
}

static psa_status_t export(psa_key_id_t key)
{
    return psa_export_key(key, out, sizeof out, &length);
}

static psa_status_t export_public(psa_key_id_t key)
{
    return psa_export_public_key(key, out, sizeof out, &length);
}

/* MAC */

static psa_status_t mac_compute(psa_key_id_t key)
{
    return psa_mac_compute(key, PSA_ALG_CMAC, aes_text, 16, out, sizeof out, &length);
}

static psa_status_t hmac_compute(psa_key_id_t key)
{
    return psa_mac_compute(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), aes_text, 16, out, sizeof out,
                           &length);
}

static psa_status_t mac_verify(psa_key_id_t key)
{
    const psa_status_t status = psa_mac_verify(key, PSA_ALG_CMAC, aes_text, 16, aes_iv, 16);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t mac_sign_setup(psa_key_id_t key)
{
    return psa_mac_sign_setup(&mac, key, PSA_ALG_CMAC);
}

static psa_status_t mac_verify_setup(psa_key_id_t key)
{
    return psa_mac_verify_setup(&mac, key, PSA_ALG_CMAC);
}

static psa_status_t mac_update(psa_key_id_t key)
{
    (void)key;
    return psa_mac_update(&mac, aes_text, 40);
}

static psa_status_t mac_sign_finish(psa_key_id_t key)
{
    (void)key;
    return psa_mac_sign_finish(&mac, out, sizeof out, &length);
}

static psa_status_t mac_verify_finish(psa_key_id_t key)
{
    (void)key;
    const psa_status_t status = psa_mac_verify_finish(&mac, aes_iv, 16);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

/* Unauthenticated ciphers */

static psa_status_t cipher_encrypt(psa_key_id_t key)
{
    return psa_cipher_encrypt(key, PSA_ALG_CTR, aes_text, 16, out, sizeof out, &length);
}

static psa_status_t cipher_decrypt(psa_key_id_t key)
{
    return psa_cipher_decrypt(key, PSA_ALG_CTR, aes_text, 32, out, sizeof out, &length);
}

static psa_status_t cipher_encrypt_setup(psa_key_id_t key)
{
    return psa_cipher_encrypt_setup(&cipher, key, PSA_ALG_CTR);
}

static psa_status_t cipher_decrypt_setup(psa_key_id_t key)
{
    return psa_cipher_decrypt_setup(&cipher, key, PSA_ALG_CTR);
}

static psa_status_t cipher_generate_iv(psa_key_id_t key)
{
    (void)key;
    return psa_cipher_generate_iv(&cipher, out, sizeof out, &length);
}

static psa_status_t cipher_set_iv(psa_key_id_t key)
{
    (void)key;
    return psa_cipher_set_iv(&cipher, aes_iv, 16);
}

static psa_status_t cipher_begin(psa_key_id_t key)
{
    const psa_status_t status = cipher_encrypt_setup(key);

    return status == PSA_SUCCESS ? cipher_set_iv(key) : status;
}

static psa_status_t cipher_update(psa_key_id_t key)
{
    (void)key;
    return psa_cipher_update(&cipher, aes_text, 16, out, sizeof out, &length);
}

static psa_status_t cipher_finish(psa_key_id_t key)
{
    (void)key;
    return psa_cipher_finish(&cipher, out, sizeof out, &length);
}

/* The block of padding is left to the end. */
static psa_status_t cipher_begin_padded(psa_key_id_t key)
{
    const psa_status_t status = psa_cipher_encrypt_setup(&cipher, key, PSA_ALG_CBC_PKCS7);

    return status == PSA_SUCCESS ? cipher_set_iv(key) : status;
}

/* AEAD */

static psa_status_t aead_encrypt(psa_key_id_t key)
{
    return psa_aead_encrypt(key, PSA_ALG_CCM, aes_iv, 13, NULL, 0, aes_text, 16, out, sizeof out,
                            &length);
}

static psa_status_t aead_decrypt(psa_key_id_t key)
{
    const psa_status_t status = psa_aead_decrypt(key, PSA_ALG_CCM, aes_iv, 13, NULL, 0, aes_text,
                                                 32, out, sizeof out, &length);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t aead_encrypt_setup(psa_key_id_t key)
{
    return psa_aead_encrypt_setup(&aead, key, PSA_ALG_CCM);
}

static psa_status_t aead_decrypt_setup(psa_key_id_t key)
{
    return psa_aead_decrypt_setup(&aead, key, PSA_ALG_CCM);
}

/* A message of no text and additional data of 16 bytes, of which `ad` are given. */
static psa_status_t aead_begin(psa_status_t status, size_t text, bool with_nonce, size_t ad)
{
    if (status == PSA_SUCCESS) {
        status = psa_aead_set_lengths(&aead, 16, text);
    }
    if (status == PSA_SUCCESS && with_nonce) {
        status = psa_aead_set_nonce(&aead, aes_iv, 13);
    }
    return status == PSA_SUCCESS && ad > 0 ? psa_aead_update_ad(&aead, aes_text, ad) : status;
}

static psa_status_t aead_begin_lengths(psa_key_id_t key)
{
    return aead_begin(aead_encrypt_setup(key), 0, false, 0);
}

static psa_status_t aead_begin_nonce(psa_key_id_t key)
{
    return aead_begin(aead_encrypt_setup(key), 0, true, 0);
}

static psa_status_t aead_begin_ad(psa_key_id_t key)
{
    return aead_begin(aead_encrypt_setup(key), 16, true, 16);
}

static psa_status_t aead_begin_finish(psa_key_id_t key)
{
    return aead_begin(aead_encrypt_setup(key), 0, true, 16);
}

static psa_status_t aead_begin_verify(psa_key_id_t key)
{
    return aead_begin(aead_decrypt_setup(key), 0, true, 16);
}

static psa_status_t aead_generate_nonce(psa_key_id_t key)
{
    (void)key;
    return psa_aead_generate_nonce(&aead, out, sizeof out, &length);
}

static psa_status_t aead_set_nonce(psa_key_id_t key)
{
    (void)key;
    return psa_aead_set_nonce(&aead, aes_iv, 13);
}

static psa_status_t aead_update_ad(psa_key_id_t key)
{
    (void)key;
    return psa_aead_update_ad(&aead, aes_text, 16);
}

static psa_status_t aead_update(psa_key_id_t key)
{
    (void)key;
    return psa_aead_update(&aead, aes_text, 16, out, sizeof out, &length);
}

static psa_status_t aead_finish(psa_key_id_t key)
{
    (void)key;
    size_t tag_length;

    return psa_aead_finish(&aead, out, 0, &length, out, 16, &tag_length);
}

static psa_status_t aead_verify(psa_key_id_t key)
{
    (void)key;
    const psa_status_t status = psa_aead_verify(&aead, out, 0, &length, aes_iv, 16);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

/* Key wrapping */

static psa_status_t wrap_with(psa_key_id_t key)
{
    psa_key_attributes_t attributes = test_attributes(AES, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const psa_status_t status = psa_import_key(&attributes, aes_key, 16, &made);

    /* Where no slot is left for the key to be wrapped, what matters is the wrapping key. */
    (void)status;
    return psa_wrap_key(key, PSA_ALG_KW, made, out, sizeof out, &length);
}

static psa_status_t unwrap_with(psa_key_id_t key)
{
    const psa_key_attributes_t attributes =
        test_attributes(AES, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    const psa_status_t status = psa_unwrap_key(&attributes, key, PSA_ALG_KW, aes_text, 24, &made);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

/* Signatures */

static psa_status_t sign_hash(psa_key_id_t key)
{
    return psa_sign_hash(key, ECDSA, p256_hash, 32, out, sizeof out, &length);
}

static psa_status_t sign_message(psa_key_id_t key)
{
    return psa_sign_message(key, ECDSA, p256_message, 6, out, sizeof out, &length);
}

static psa_status_t verify_hash(psa_key_id_t key)
{
    const psa_status_t status = psa_verify_hash(key, ECDSA, p256_hash, 32, p256_signature, 64);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t verify_message(psa_key_id_t key)
{
    const psa_status_t status = psa_verify_message(key, ECDSA, p256_message, 6, p256_signature, 64);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

/* A context of no bytes is one of any algorithm. */
static psa_status_t sign_hash_with_context(psa_key_id_t key)
{
    return psa_sign_hash_with_context(key, ECDSA, p256_hash, 32, NULL, 0, out, sizeof out, &length);
}

static psa_status_t sign_message_with_context(psa_key_id_t key)
{
    return psa_sign_message_with_context(key, ECDSA, p256_message, 6, NULL, 0, out, sizeof out,
                                         &length);
}

static psa_status_t verify_hash_with_context(psa_key_id_t key)
{
    const psa_status_t status =
        psa_verify_hash_with_context(key, ECDSA, p256_hash, 32, NULL, 0, p256_signature, 64);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t verify_message_with_context(psa_key_id_t key)
{
    const psa_status_t status =
        psa_verify_message_with_context(key, ECDSA, p256_message, 6, NULL, 0, p256_signature, 64);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t sign_setup(psa_key_id_t key)
{
    return psa_sign_setup(&signing, key, ECDSA);
}

static psa_status_t sign_set_context(psa_key_id_t key)
{
    (void)key;
    return psa_sign_set_context(&signing, NULL, 0);
}

static psa_status_t sign_update(psa_key_id_t key)
{
    (void)key;
    return psa_sign_update(&signing, abc, 3);
}

static psa_status_t sign_finish(psa_key_id_t key)
{
    (void)key;
    return psa_sign_finish(&signing, out, sizeof out, &length);
}

static psa_status_t verify_setup(psa_key_id_t key)
{
    return psa_verify_setup(&verifying, key, ECDSA, p256_signature, 64);
}

static psa_status_t verify_set_context(psa_key_id_t key)
{
    (void)key;
    return psa_verify_set_context(&verifying, NULL, 0);
}

static psa_status_t verify_update(psa_key_id_t key)
{
    (void)key;
    return psa_verify_update(&verifying, abc, 3);
}

static psa_status_t verify_finish(psa_key_id_t key)
{
    (void)key;
    const psa_status_t status = psa_verify_finish(&verifying);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

/* Asymmetric encryption, agreement, encapsulation */

static psa_status_t asymmetric_encrypt(psa_key_id_t key)
{
    return psa_asymmetric_encrypt(key, OAEP, abc, 3, NULL, 0, out, sizeof out, &length);
}

static psa_status_t asymmetric_decrypt(psa_key_id_t key)
{
    return psa_asymmetric_decrypt(key, OAEP, hash_512, 64, NULL, 0, out, sizeof out, &length);
}

static psa_status_t agree(psa_key_id_t key)
{
    const psa_key_attributes_t attributes = creating_attributes();

    return psa_key_agreement(key, p256_public, 65, PSA_ALG_ECDH, &attributes, &made);
}

static psa_status_t agree_raw(psa_key_id_t key)
{
    return psa_raw_key_agreement(PSA_ALG_ECDH, key, p256_public, 65, out, sizeof out, &length);
}

static psa_status_t derivation_begin_agreed(psa_key_id_t key)
{
    (void)key;
    return psa_key_derivation_setup(&derivation, AGREED_KDF);
}

static psa_status_t agree_derivation(psa_key_id_t key)
{
    return psa_key_derivation_key_agreement(&derivation, SECRET, key, p256_public, 65);
}

static psa_status_t encapsulate(psa_key_id_t key)
{
    const psa_key_attributes_t attributes = creating_attributes();

    return psa_encapsulate(key, PSA_ALG_ECIES_SEC1, &attributes, &made, out, sizeof out, &length);
}

static psa_status_t decapsulate(psa_key_id_t key)
{
    const psa_key_attributes_t attributes = creating_attributes();

    return psa_decapsulate(key, PSA_ALG_ECIES_SEC1, p256_public, 65, &attributes, &made);
}

/* Key derivation */

static psa_status_t derivation_setup(psa_key_id_t key)
{
    (void)key;
    return psa_key_derivation_setup(&derivation, CMAC_KDF);
}

static psa_status_t derivation_input_key(psa_key_id_t key)
{
    return psa_key_derivation_input_key(&derivation, SECRET, key);
}

static psa_status_t derivation_begin(psa_key_id_t key)
{
    const psa_status_t status = derivation_setup(key);

    return status == PSA_SUCCESS ? derivation_input_key(key) : status;
}

static psa_status_t output_bytes(psa_key_id_t key)
{
    (void)key;
    return psa_key_derivation_output_bytes(&derivation, out, 32);
}

static psa_status_t verify_bytes(psa_key_id_t key)
{
    (void)key;
    const psa_status_t status = psa_key_derivation_verify_bytes(&derivation, hash_512, 32);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t output_key(psa_key_id_t key)
{
    const psa_key_attributes_t attributes = creating_attributes();

    (void)key;
    return psa_key_derivation_output_key(&attributes, &derivation, &made);
}

static psa_status_t output_key_custom(psa_key_id_t key)
{
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    const psa_key_attributes_t attributes = creating_attributes();

    (void)key;
    return psa_key_derivation_output_key_custom(&attributes, &derivation, &custom, NULL, 0, &made);
}

/* The expected output is the key in question, and the secret another one. */
static psa_status_t derivation_begin_verify(psa_key_id_t key)
{
    (void)key;
    psa_status_t status = psa_key_derivation_setup(&derivation, HKDF);
    if (status == PSA_SUCCESS) {
        status =
            psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_key_derivation_input_key(
        &derivation, SECRET,
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, hash_512, 32));
}

static psa_status_t verify_key(psa_key_id_t key)
{
    const psa_status_t status = psa_key_derivation_verify_key(&derivation, key);

    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

#define CTR_KEY AES, 128, PSA_ALG_CTR
#define CMAC_KEY AES, 128, PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE
#define HMAC_KEY PSA_KEY_TYPE_HMAC, 256, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_MESSAGE
#define CIPHER_KEY CTR_KEY, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT
#define AEAD_KEY AES, 128, PSA_ALG_CCM, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT
#define WRAP_KEY AES, 128, PSA_ALG_KW, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP
#define SIGN_KEY PAIR, 256, ECDSA, SIGNS | VERIFIES
#define AGREE_KEY PAIR, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE
#define ECIES_KEY PAIR, 256, PSA_ALG_ECIES_SEC1, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT
#define KDF_KEY AES, 128, CMAC_KDF, PSA_KEY_USAGE_DERIVE

const struct keyed_call keyed_calls[] = {
    {"get_key_attributes", CIPHER_KEY, NULL, attributes_of},
    {"check_key_usage", CIPHER_KEY, NULL, check_usage},
    {"copy_key", CTR_KEY, PSA_KEY_USAGE_COPY, NULL, copy},
    {"export_key", CTR_KEY, PSA_KEY_USAGE_EXPORT, NULL, export},
    {"export_public_key", SIGN_KEY, NULL, export_public},
    {"purge_key", CIPHER_KEY, NULL, psa_purge_key},
    {"destroy_key", CIPHER_KEY, NULL, psa_destroy_key},
    {"mac_compute", CMAC_KEY, NULL, mac_compute},
    {"mac_compute of an HMAC", HMAC_KEY, NULL, hmac_compute},
    {"mac_verify", CMAC_KEY, NULL, mac_verify},
    {"mac_sign_setup", CMAC_KEY, NULL, mac_sign_setup},
    {"mac_verify_setup", CMAC_KEY, NULL, mac_verify_setup},
    {"mac_update", CMAC_KEY, mac_sign_setup, mac_update},
    {"mac_sign_finish", CMAC_KEY, mac_sign_setup, mac_sign_finish},
    {"mac_verify_finish", CMAC_KEY, mac_verify_setup, mac_verify_finish},
    {"cipher_encrypt", CIPHER_KEY, NULL, cipher_encrypt},
    {"cipher_decrypt", CIPHER_KEY, NULL, cipher_decrypt},
    {"cipher_encrypt_setup", CIPHER_KEY, NULL, cipher_encrypt_setup},
    {"cipher_decrypt_setup", CIPHER_KEY, NULL, cipher_decrypt_setup},
    {"cipher_generate_iv", CIPHER_KEY, cipher_encrypt_setup, cipher_generate_iv},
    {"cipher_set_iv", CIPHER_KEY, cipher_encrypt_setup, cipher_set_iv},
    {"cipher_update", CIPHER_KEY, cipher_begin, cipher_update},
    {"cipher_finish", AES, 128, PSA_ALG_CBC_PKCS7, PSA_KEY_USAGE_ENCRYPT, cipher_begin_padded,
     cipher_finish},
    {"aead_encrypt", AEAD_KEY, NULL, aead_encrypt},
    {"aead_decrypt", AEAD_KEY, NULL, aead_decrypt},
    {"aead_encrypt_setup", AEAD_KEY, NULL, aead_encrypt_setup},
    {"aead_decrypt_setup", AEAD_KEY, NULL, aead_decrypt_setup},
    {"aead_generate_nonce", AEAD_KEY, aead_begin_lengths, aead_generate_nonce},
    {"aead_set_nonce", AEAD_KEY, aead_begin_lengths, aead_set_nonce},
    {"aead_update_ad", AEAD_KEY, aead_begin_nonce, aead_update_ad},
    {"aead_update", AEAD_KEY, aead_begin_ad, aead_update},
    {"aead_finish", AEAD_KEY, aead_begin_finish, aead_finish},
    {"aead_verify", AEAD_KEY, aead_begin_verify, aead_verify},
    {"wrap_key", WRAP_KEY, NULL, wrap_with},
    {"unwrap_key", WRAP_KEY, NULL, unwrap_with},
    {"sign_hash", SIGN_KEY, NULL, sign_hash},
    {"sign_message", SIGN_KEY, NULL, sign_message},
    {"verify_hash", SIGN_KEY, NULL, verify_hash},
    {"verify_message", SIGN_KEY, NULL, verify_message},
    {"sign_hash_with_context", SIGN_KEY, NULL, sign_hash_with_context},
    {"sign_message_with_context", SIGN_KEY, NULL, sign_message_with_context},
    {"verify_hash_with_context", SIGN_KEY, NULL, verify_hash_with_context},
    {"verify_message_with_context", SIGN_KEY, NULL, verify_message_with_context},
    {"sign_setup", SIGN_KEY, NULL, sign_setup},
    {"sign_set_context", SIGN_KEY, sign_setup, sign_set_context},
    {"sign_update", SIGN_KEY, sign_setup, sign_update},
    {"sign_finish", SIGN_KEY, sign_setup, sign_finish},
    {"verify_setup", SIGN_KEY, NULL, verify_setup},
    {"verify_set_context", SIGN_KEY, verify_setup, verify_set_context},
    {"verify_update", SIGN_KEY, verify_setup, verify_update},
    {"verify_finish", SIGN_KEY, verify_setup, verify_finish},
    {"asymmetric_encrypt", SIGN_KEY, NULL, asymmetric_encrypt},
    {"asymmetric_decrypt", SIGN_KEY, NULL, asymmetric_decrypt},
    {"key_agreement", AGREE_KEY, NULL, agree},
    {"raw_key_agreement", AGREE_KEY, NULL, agree_raw},
    {"key_derivation_key_agreement", PAIR, 256, AGREED_KDF, PSA_KEY_USAGE_DERIVE,
     derivation_begin_agreed, agree_derivation},
    {"encapsulate", ECIES_KEY, NULL, encapsulate},
    {"decapsulate", ECIES_KEY, NULL, decapsulate},
    {"key_derivation_input_key", KDF_KEY, derivation_setup, derivation_input_key},
    {"key_derivation_output_bytes", KDF_KEY, derivation_begin, output_bytes},
    {"key_derivation_verify_bytes", KDF_KEY, derivation_begin, verify_bytes},
    {"key_derivation_output_key", KDF_KEY, derivation_begin, output_key},
    {"key_derivation_output_key_custom", KDF_KEY, derivation_begin, output_key_custom},
    {"key_derivation_verify_key", PSA_KEY_TYPE_PASSWORD_HASH, 256, HKDF,
     PSA_KEY_USAGE_VERIFY_DERIVATION, derivation_begin_verify, verify_key},
};
const size_t keyed_call_count = sizeof keyed_calls / sizeof keyed_calls[0];

bool keyed_loads(const struct keyed_call *call)
{
    return call->run != psa_purge_key && call->run != psa_destroy_key;
}

bool keyed_goes_on(const struct keyed_call *call)
{
    return call->begin != NULL && call->run != agree_derivation &&
           call->run != derivation_input_key && call->run != verify_key;
}

psa_key_attributes_t keyed_attributes(const struct keyed_call *call)
{
    return test_attributes(call->type, call->bits, call->alg, call->usage);
}

psa_status_t keyed_create(const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    return PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes))
               ? psa_generate_key(attributes, key)
               : psa_import_key(attributes, aes_text, psa_get_key_bits(attributes) / 8, key);
}

void keyed_end(void)
{
    (void)psa_mac_abort(&mac);
    (void)psa_cipher_abort(&cipher);
    (void)psa_aead_abort(&aead);
    (void)psa_sign_abort(&signing);
    (void)psa_verify_abort(&verifying);
    (void)psa_key_derivation_abort(&derivation);
    EXPECT(PSA_SUCCESS, psa_destroy_key(made));
    made = PSA_KEY_ID_NULL;
    test_destroy_keys();
}
