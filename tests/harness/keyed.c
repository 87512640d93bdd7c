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

struct keyed keyed = {.room = KEYED_ROOM};
static psa_key_id_t made; /* by the call, unless the caller keeps it */

static const uint8_t hash_512[64] = {1};
static const psa_custom_key_parameters_t ordinary = PSA_CUSTOM_KEY_PARAMETERS_INIT;

#define OUT keyed.out, keyed.room, &keyed.length

/* Made-up signatures are as good as right ones here: the call has come to its end. */
static psa_status_t unless_forged(psa_status_t status)
{
    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

/* Where a call puts a key, and whether it put one there or said that there is none. */
static psa_key_id_t *new_key(void)
{
    made = 1;
    return &made;
}

static psa_status_t made_by(psa_status_t status)
{
    CHECK((made == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    return status;
}

static const psa_key_attributes_t *to_create(void)
{
    static psa_key_attributes_t attributes;

    attributes = creating_attributes();
    return &attributes;
}

static psa_status_t then(psa_status_t status, psa_status_t (*call)(psa_key_id_t), psa_key_id_t key)
{
    return status == PSA_SUCCESS ? call(key) : status;
}

/* Keys and their attributes */

static psa_status_t attributes_of(psa_key_id_t key)
{
    psa_key_attributes_t attributes;

    return psa_get_key_attributes(key, &attributes);
}

KEYED_CALL(check_usage, psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT));

static psa_status_t copy(psa_key_id_t key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_algorithm(&attributes, PSA_ALG_CTR);
    return made_by(psa_copy_key(key, &attributes, new_key()));
}

KEYED_CALL(export, psa_export_key(key, OUT));
KEYED_CALL(export_public, psa_export_public_key(key, OUT));

/* MAC */

KEYED_CALL(mac_compute, psa_mac_compute(key, PSA_ALG_CMAC, aes_text, 16, OUT));
KEYED_CALL(hmac_compute, psa_mac_compute(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), aes_text, 16, OUT));
KEYED_CALL(mac_verify, unless_forged(psa_mac_verify(key, PSA_ALG_CMAC, aes_text, 16, aes_iv, 16)));
KEYED_CALL(mac_sign_setup, psa_mac_sign_setup(&keyed.mac, key, PSA_ALG_CMAC));
KEYED_CALL(mac_verify_setup, psa_mac_verify_setup(&keyed.mac, key, PSA_ALG_CMAC));
KEYED_CALL(mac_update, psa_mac_update(&keyed.mac, aes_text, 40));
KEYED_CALL(mac_sign_finish, psa_mac_sign_finish(&keyed.mac, OUT));
KEYED_CALL(mac_verify_finish, unless_forged(psa_mac_verify_finish(&keyed.mac, aes_iv, 16)));

/* Unauthenticated ciphers */

KEYED_CALL(cipher_encrypt, psa_cipher_encrypt(key, PSA_ALG_CTR, aes_text, 16, OUT));
KEYED_CALL(cipher_decrypt, psa_cipher_decrypt(key, PSA_ALG_CTR, aes_text, 32, OUT));
KEYED_CALL(cipher_encrypt_setup, psa_cipher_encrypt_setup(&keyed.cipher, key, PSA_ALG_CTR));
KEYED_CALL(cipher_decrypt_setup, psa_cipher_decrypt_setup(&keyed.cipher, key, PSA_ALG_CTR));
KEYED_CALL(cipher_generate_iv, psa_cipher_generate_iv(&keyed.cipher, OUT));
KEYED_CALL(cipher_set_iv, psa_cipher_set_iv(&keyed.cipher, aes_iv, 16));
KEYED_CALL(cipher_begin, then(cipher_encrypt_setup(key), cipher_set_iv, key));
KEYED_CALL(cipher_update, psa_cipher_update(&keyed.cipher, aes_text, 16, OUT));
KEYED_CALL(cipher_finish, psa_cipher_finish(&keyed.cipher, OUT));

/* The block of padding is left to the end. */
KEYED_CALL(cipher_begin_padded,
           then(psa_cipher_encrypt_setup(&keyed.cipher, key, PSA_ALG_CBC_PKCS7), cipher_set_iv,
                key));

/* AEAD */

KEYED_CALL(aead_encrypt,
           psa_aead_encrypt(key, PSA_ALG_CCM, aes_iv, 13, NULL, 0, aes_text, 16, OUT));
KEYED_CALL(aead_decrypt, unless_forged(psa_aead_decrypt(key, PSA_ALG_CCM, aes_iv, 13, NULL, 0,
                                                        aes_text, 32, OUT)));
KEYED_CALL(aead_encrypt_setup, psa_aead_encrypt_setup(&keyed.aead, key, PSA_ALG_CCM));
KEYED_CALL(aead_decrypt_setup, psa_aead_decrypt_setup(&keyed.aead, key, PSA_ALG_CCM));

/* A message of no text and additional data of 16 bytes, of which `ad` are given. */
static psa_status_t aead_begin(psa_status_t status, size_t text, bool with_nonce, size_t ad)
{
    if (status == PSA_SUCCESS) {
        status = psa_aead_set_lengths(&keyed.aead, 16, text);
    }
    if (status == PSA_SUCCESS && with_nonce) {
        status = psa_aead_set_nonce(&keyed.aead, aes_iv, 13);
    }
    return status == PSA_SUCCESS && ad > 0 ? psa_aead_update_ad(&keyed.aead, aes_text, ad) : status;
}

KEYED_CALL(aead_begin_lengths, aead_begin(aead_encrypt_setup(key), 0, false, 0));
KEYED_CALL(aead_begin_nonce, aead_begin(aead_encrypt_setup(key), 0, true, 0));
KEYED_CALL(aead_begin_ad, aead_begin(aead_encrypt_setup(key), 16, true, 16));
KEYED_CALL(aead_begin_finish, aead_begin(aead_encrypt_setup(key), 0, true, 16));
KEYED_CALL(aead_begin_verify, aead_begin(aead_decrypt_setup(key), 0, true, 16));
KEYED_CALL(aead_generate_nonce, psa_aead_generate_nonce(&keyed.aead, OUT));
KEYED_CALL(aead_set_nonce, psa_aead_set_nonce(&keyed.aead, aes_iv, 13));
KEYED_CALL(aead_update_ad, psa_aead_update_ad(&keyed.aead, aes_text, 16));
KEYED_CALL(aead_update, psa_aead_update(&keyed.aead, aes_text, 16, OUT));

static psa_status_t aead_finish(psa_key_id_t key)
{
    (void)key;
    const size_t room = keyed.room < 16 ? keyed.room : 16;
    size_t n;

    return psa_aead_finish(&keyed.aead, keyed.out, 0, &n, keyed.out, room, &keyed.length);
}

KEYED_CALL(aead_verify, unless_forged(psa_aead_verify(&keyed.aead, OUT, aes_iv, 16)));

/* Key wrapping */

static psa_status_t wrap_with(psa_key_id_t key)
{
    psa_key_attributes_t attributes = test_attributes(AES, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    /* If no slot is left for the key to be wrapped, the wrapping key matters. */
    (void)made_by(psa_import_key(&attributes, aes_key, 16, new_key()));
    return psa_wrap_key(key, PSA_ALG_KW, made, OUT);
}

static psa_status_t unwrap_with(psa_key_id_t key)
{
    const psa_key_attributes_t attributes =
        test_attributes(AES, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    return unless_forged(
        made_by(psa_unwrap_key(&attributes, key, PSA_ALG_KW, aes_text, 24, new_key())));
}

/* Signatures */

KEYED_CALL(sign_hash, psa_sign_hash(key, ECDSA, p256_hash, 32, OUT));
KEYED_CALL(sign_message, psa_sign_message(key, ECDSA, p256_message, 6, OUT));
KEYED_CALL(verify_hash,
           unless_forged(psa_verify_hash(key, ECDSA, p256_hash, 32, p256_signature, 64)));
KEYED_CALL(verify_message,
           unless_forged(psa_verify_message(key, ECDSA, p256_message, 6, p256_signature, 64)));

/* A context of no bytes is one of any algorithm. */
KEYED_CALL(sign_hash_with_context,
           psa_sign_hash_with_context(key, ECDSA, p256_hash, 32, NULL, 0, OUT));
KEYED_CALL(sign_message_with_context,
           psa_sign_message_with_context(key, ECDSA, p256_message, 6, NULL, 0, OUT));
KEYED_CALL(verify_hash_with_context,
           unless_forged(psa_verify_hash_with_context(key, ECDSA, p256_hash, 32, NULL, 0,
                                                      p256_signature, 64)));
KEYED_CALL(verify_message_with_context,
           unless_forged(psa_verify_message_with_context(key, ECDSA, p256_message, 6, NULL, 0,
                                                         p256_signature, 64)));
KEYED_CALL(sign_setup, psa_sign_setup(&keyed.sign, key, ECDSA));
KEYED_CALL(sign_set_context, psa_sign_set_context(&keyed.sign, NULL, 0));
KEYED_CALL(sign_update, psa_sign_update(&keyed.sign, abc, 3));
KEYED_CALL(sign_finish, psa_sign_finish(&keyed.sign, OUT));
KEYED_CALL(verify_setup, psa_verify_setup(&keyed.verify, key, ECDSA, p256_signature, 64));
KEYED_CALL(verify_set_context, psa_verify_set_context(&keyed.verify, NULL, 0));
KEYED_CALL(verify_update, psa_verify_update(&keyed.verify, abc, 3));
KEYED_CALL(verify_finish, unless_forged(psa_verify_finish(&keyed.verify)));

/* Asymmetric encryption, agreement, encapsulation */

KEYED_CALL(asymmetric_encrypt, psa_asymmetric_encrypt(key, OAEP, abc, 3, NULL, 0, OUT));
KEYED_CALL(asymmetric_decrypt, psa_asymmetric_decrypt(key, OAEP, hash_512, 64, NULL, 0, OUT));
KEYED_CALL(agree,
           made_by(psa_key_agreement(key, p256_public, 65, PSA_ALG_ECDH, to_create(), new_key())));
KEYED_CALL(agree_raw, psa_raw_key_agreement(PSA_ALG_ECDH, key, p256_public, 65, OUT));
KEYED_CALL(derivation_begin_agreed, psa_key_derivation_setup(&keyed.derivation, AGREED_KDF));
KEYED_CALL(agree_derivation,
           psa_key_derivation_key_agreement(&keyed.derivation, SECRET, key, p256_public, 65));
KEYED_CALL(encapsulate,
           made_by(psa_encapsulate(key, PSA_ALG_ECIES_SEC1, to_create(), new_key(), OUT)));
KEYED_CALL(decapsulate, made_by(psa_decapsulate(key, PSA_ALG_ECIES_SEC1, p256_public, 65,
                                                to_create(), new_key())));

/* Key derivation */

KEYED_CALL(derivation_setup, psa_key_derivation_setup(&keyed.derivation, CMAC_KDF));
KEYED_CALL(derivation_input_key, psa_key_derivation_input_key(&keyed.derivation, SECRET, key));
KEYED_CALL(derivation_begin, then(derivation_setup(key), derivation_input_key, key));
KEYED_CALL(output_bytes, psa_key_derivation_output_bytes(&keyed.derivation, keyed.out, 32));
KEYED_CALL(verify_bytes,
           unless_forged(psa_key_derivation_verify_bytes(&keyed.derivation, hash_512, 32)));
KEYED_CALL(output_key,
           made_by(psa_key_derivation_output_key(to_create(), &keyed.derivation, new_key())));
KEYED_CALL(output_key_custom,
           made_by(psa_key_derivation_output_key_custom(to_create(), &keyed.derivation, &ordinary,
                                                        NULL, 0, new_key())));

/* The expected output is the key in question, and the secret another one. */
static psa_status_t derivation_begin_verify(psa_key_id_t key)
{
    (void)key;
    psa_status_t status = psa_key_derivation_setup(&keyed.derivation, HKDF);
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_input_bytes(&keyed.derivation, PSA_KEY_DERIVATION_INPUT_INFO,
                                                NULL, 0);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_key_derivation_input_key(
        &keyed.derivation, SECRET,
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, hash_512, 32));
}

KEYED_CALL(verify_key, unless_forged(psa_key_derivation_verify_key(&keyed.derivation, key)));

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

const struct keyed_call *keyed_find(const char *name)
{
    size_t i = 0;

    while (strcmp(keyed_calls[i].name, name) != 0) {
        i++;
        REQUIRE(i < keyed_call_count);
    }
    return &keyed_calls[i];
}

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
    (void)psa_mac_abort(&keyed.mac);
    (void)psa_cipher_abort(&keyed.cipher);
    (void)psa_aead_abort(&keyed.aead);
    (void)psa_sign_abort(&keyed.sign);
    (void)psa_verify_abort(&keyed.verify);
    (void)psa_key_derivation_abort(&keyed.derivation);
    EXPECT(PSA_SUCCESS, psa_destroy_key(made));
    made = PSA_KEY_ID_NULL;
    keyed.room = KEYED_ROOM;
    test_destroy_keys();
}
