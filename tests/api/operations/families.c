/* SPDX-License-Identifier: Apache-2.0 */
#include "families.h"

#include <string.h>

#include "../../harness/material.h"

#define AES PSA_KEY_TYPE_AES
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define JPAKE PSA_ALG_JPAKE(PSA_ALG_SHA_256)
#define SHARE PSA_PAKE_STEP_KEY_SHARE
#define SECRET PSA_KEY_DERIVATION_INPUT_SECRET
#define INFO PSA_KEY_DERIVATION_INPUT_INFO
#define UNTOUCHED 0xa5

static psa_hash_operation_t hash;
static psa_hash_operation_t clone;
static psa_xof_operation_t xof;
static psa_mac_operation_t mac;
static psa_cipher_operation_t cipher;
static psa_aead_operation_t aead;
static psa_sign_operation_t sign;
static psa_verify_operation_t verify;
static psa_key_derivation_operation_t derivation;
static psa_pake_operation_t pake;

static psa_key_id_t mac_key, cipher_key, aead_key, pair, secret, expected, password;

static uint8_t out[200];
static size_t length;
static size_t tag_length;

void families_begin(void)
{
    mac_key = test_import(AES, PSA_ALG_CMAC,
                          PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE, aes_key, 16);
    cipher_key = test_import(AES, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT, aes_key, 16);
    aead_key = test_import(AES, PSA_ALG_CCM, PSA_KEY_USAGE_ENCRYPT, aes_key, 16);
    pair = test_import(PAIR, ECDSA, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE,
                       p256_private, 32);
    secret = test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, aes_text, 32);
    expected = test_import(PSA_KEY_TYPE_PASSWORD_HASH, HKDF, PSA_KEY_USAGE_VERIFY_DERIVATION,
                           aes_text, 32);
    password = test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, abc, 3);
    (void)families_output_is_untouched();
}

bool families_output_is_untouched(void)
{
    const bool is_untouched = test_all(out, sizeof out, UNTOUCHED);

    memset(out, UNTOUCHED, sizeof out);
    return is_untouched;
}

/* Hashes */

static psa_status_t hash_setup(void)
{
    return psa_hash_setup(&hash, PSA_ALG_SHA_256);
}

static psa_status_t hash_abort(void)
{
    return psa_hash_abort(&hash);
}

static psa_status_t hash_update(void)
{
    return psa_hash_update(&hash, abc, 3);
}

static psa_status_t hash_finish(void)
{
    return psa_hash_finish(&hash, out, sizeof out, &length);
}

static psa_status_t hash_verify(void)
{
    return psa_hash_verify(&hash, sha256_empty, 32);
}

static psa_status_t hash_clone(void)
{
    const psa_status_t status = psa_hash_clone(&hash, &clone);

    EXPECT(PSA_SUCCESS, psa_hash_abort(&clone));
    return status;
}

static psa_status_t hash_suspend(void)
{
    return psa_hash_suspend(&hash, out, sizeof out, &length);
}

static psa_status_t hash_spoil(void)
{
    return psa_hash_finish(&hash, out, 31, &length);
}

/* Extendable output */

static psa_status_t xof_setup(void)
{
    return psa_xof_setup(&xof, PSA_ALG_SHAKE128);
}

static psa_status_t xof_abort(void)
{
    return psa_xof_abort(&xof);
}

static psa_status_t xof_set_context(void)
{
    return psa_xof_set_context(&xof, abc, 3);
}

static psa_status_t xof_update(void)
{
    return psa_xof_update(&xof, abc, 3);
}

static psa_status_t xof_output(void)
{
    return psa_xof_output(&xof, out, sizeof out);
}

/* MAC */

static psa_status_t mac_setup(void)
{
    return psa_mac_sign_setup(&mac, mac_key, PSA_ALG_CMAC);
}

static psa_status_t mac_abort(void)
{
    return psa_mac_abort(&mac);
}

static psa_status_t mac_update(void)
{
    return psa_mac_update(&mac, abc, 3);
}

static psa_status_t mac_sign_finish(void)
{
    return psa_mac_sign_finish(&mac, out, sizeof out, &length);
}

static psa_status_t mac_verify_finish(void)
{
    return psa_mac_verify_finish(&mac, abc, 16);
}

/* Unauthenticated ciphers */

static psa_status_t cipher_setup(void)
{
    return psa_cipher_encrypt_setup(&cipher, cipher_key, PSA_ALG_CTR);
}

static psa_status_t cipher_abort(void)
{
    return psa_cipher_abort(&cipher);
}

static psa_status_t cipher_generate_iv(void)
{
    return psa_cipher_generate_iv(&cipher, out, sizeof out, &length);
}

static psa_status_t cipher_set_iv(void)
{
    return psa_cipher_set_iv(&cipher, aes_iv, 16);
}

static psa_status_t cipher_update(void)
{
    return psa_cipher_update(&cipher, aes_text, 16, out, sizeof out, &length);
}

static psa_status_t cipher_finish(void)
{
    return psa_cipher_finish(&cipher, out, sizeof out, &length);
}

static psa_status_t cipher_complete(void)
{
    const psa_status_t status = cipher_set_iv();

    return status == PSA_SUCCESS ? cipher_finish() : status;
}

/* AEAD */

static psa_status_t aead_setup(void)
{
    return psa_aead_encrypt_setup(&aead, aead_key, PSA_ALG_CCM);
}

static psa_status_t aead_abort(void)
{
    return psa_aead_abort(&aead);
}

static psa_status_t aead_set_lengths(void)
{
    return psa_aead_set_lengths(&aead, 0, 0);
}

static psa_status_t aead_generate_nonce(void)
{
    return psa_aead_generate_nonce(&aead, out, sizeof out, &length);
}

static psa_status_t aead_set_nonce(void)
{
    return psa_aead_set_nonce(&aead, aes_iv, 13);
}

static psa_status_t aead_update_ad(void)
{
    return psa_aead_update_ad(&aead, abc, 3);
}

static psa_status_t aead_update(void)
{
    return psa_aead_update(&aead, abc, 3, out, sizeof out, &length);
}

static psa_status_t aead_finish(void)
{
    return psa_aead_finish(&aead, out, 16, &length, out + 16, 16, &tag_length);
}

static psa_status_t aead_verify(void)
{
    return psa_aead_verify(&aead, out, 16, &length, abc, 16);
}

static psa_status_t aead_complete(void)
{
    psa_status_t status = aead_set_lengths();

    if (status == PSA_SUCCESS) {
        status = aead_set_nonce();
    }
    return status == PSA_SUCCESS ? aead_finish() : status;
}

/* Signatures of messages */

static psa_status_t sign_setup(void)
{
    return psa_sign_setup(&sign, pair, ECDSA);
}

static psa_status_t sign_abort(void)
{
    return psa_sign_abort(&sign);
}

static psa_status_t sign_set_context(void)
{
    return psa_sign_set_context(&sign, NULL, 0);
}

static psa_status_t sign_update(void)
{
    return psa_sign_update(&sign, abc, 3);
}

static psa_status_t sign_finish(void)
{
    return psa_sign_finish(&sign, out, sizeof out, &length);
}

static psa_status_t sign_spoil(void)
{
    return psa_sign_set_context(&sign, abc, 3);
}

static psa_status_t verify_setup(void)
{
    return psa_verify_setup(&verify, pair, ECDSA, p256_signature, 64);
}

static psa_status_t verify_abort(void)
{
    return psa_verify_abort(&verify);
}

static psa_status_t verify_set_context(void)
{
    return psa_verify_set_context(&verify, NULL, 0);
}

static psa_status_t verify_update(void)
{
    return psa_verify_update(&verify, p256_message, 6);
}

static psa_status_t verify_finish(void)
{
    return psa_verify_finish(&verify);
}

static psa_status_t verify_complete(void)
{
    const psa_status_t status = verify_update();

    return status == PSA_SUCCESS ? verify_finish() : status;
}

/* Key derivation, which only an abort makes inactive again */

static psa_status_t derivation_setup(void)
{
    return psa_key_derivation_setup(&derivation, HKDF);
}

static psa_status_t derivation_abort(void)
{
    return psa_key_derivation_abort(&derivation);
}

static psa_status_t get_capacity(void)
{
    return psa_key_derivation_get_capacity(&derivation, &length);
}

static psa_status_t set_capacity(void)
{
    return psa_key_derivation_set_capacity(&derivation, 32);
}

static psa_status_t input_bytes(void)
{
    return psa_key_derivation_input_bytes(&derivation, INFO, abc, 3);
}

static psa_status_t input_integer(void)
{
    return psa_key_derivation_input_integer(&derivation, PSA_KEY_DERIVATION_INPUT_COST, 3);
}

static psa_status_t input_key(void)
{
    return psa_key_derivation_input_key(&derivation, SECRET, secret);
}

static psa_status_t key_agreement(void)
{
    return psa_key_derivation_key_agreement(&derivation, SECRET, pair, p256_public, 65);
}

static psa_status_t output_bytes(void)
{
    return psa_key_derivation_output_bytes(&derivation, out, 32);
}

static psa_status_t output_key(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key = 1;

    const psa_status_t status = psa_key_derivation_output_key(&attributes, &derivation, &key);
    CHECK((key == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    return status;
}

static psa_status_t output_key_custom(void)
{
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key = 1;

    const psa_status_t status =
        psa_key_derivation_output_key_custom(&attributes, &derivation, &custom, NULL, 0, &key);
    CHECK((key == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    return status;
}

static psa_status_t verify_bytes(void)
{
    return psa_key_derivation_verify_bytes(&derivation, abc, 3);
}

static psa_status_t verify_key(void)
{
    return psa_key_derivation_verify_key(&derivation, expected);
}

static psa_status_t derivation_complete(void)
{
    psa_status_t status = input_key();

    if (status == PSA_SUCCESS) {
        status = input_bytes();
    }
    if (status == PSA_SUCCESS) {
        status = output_bytes();
    }
    return status == PSA_SUCCESS ? derivation_abort() : status;
}

/* Key exchange by password, which needs the other side to come to an end */

static psa_status_t pake_setup(void)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();

    psa_pake_cs_set_algorithm(&suite, JPAKE);
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    return psa_pake_setup(&pake, password, &suite);
}

static psa_status_t pake_abort(void)
{
    return psa_pake_abort(&pake);
}

static psa_status_t pake_set_role(void)
{
    return psa_pake_set_role(&pake, PSA_PAKE_ROLE_NONE);
}

static psa_status_t pake_set_user(void)
{
    return psa_pake_set_user(&pake, abc, 3);
}

static psa_status_t pake_set_peer(void)
{
    return psa_pake_set_peer(&pake, abc, 2);
}

static psa_status_t pake_set_context(void)
{
    return psa_pake_set_context(&pake, abc, 3);
}

static psa_status_t pake_output(void)
{
    return psa_pake_output(&pake, SHARE, out, sizeof out, &length);
}

static psa_status_t pake_input(void)
{
    return psa_pake_input(&pake, SHARE, p256_public, 65);
}

static psa_status_t pake_get_shared_key(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    const psa_status_t status = psa_pake_get_shared_key(&pake, &attributes, &key);
    CHECK((key == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    return status;
}

static psa_status_t pake_complete(void)
{
    psa_status_t status = pake_set_user();

    if (status == PSA_SUCCESS) {
        status = pake_set_peer();
    }
    if (status == PSA_SUCCESS) {
        status = pake_output();
    }
    return status == PSA_SUCCESS ? pake_abort() : status;
}

#define FAMILY(name, complete, spoil)                                                              \
    {                                                                                              \
#name, &name, sizeof name, name##_setup, name##_abort, complete, spoil                     \
    }

const struct family families[] = {
    FAMILY(hash, hash_finish, hash_spoil),
    FAMILY(xof, xof_abort, xof_set_context),
    FAMILY(mac, mac_sign_finish, mac_verify_finish),
    FAMILY(cipher, cipher_complete, cipher_update),
    FAMILY(aead, aead_complete, aead_verify),
    FAMILY(sign, sign_finish, sign_spoil),
    FAMILY(verify, verify_complete, verify_finish),
    FAMILY(derivation, derivation_complete, output_bytes),
    FAMILY(pake, pake_complete, pake_get_shared_key),
};
const size_t family_count = sizeof families / sizeof families[0];

enum { HASH, XOF, MAC, CIPHER, AEAD, SIGN, VERIFY, DERIVATION, PAKE };

#define FUNCTION(family, name)                                                                     \
    {                                                                                              \
#name, &families[family], name                                                             \
    }

const struct function functions[] = {
    FUNCTION(HASH, hash_update),
    FUNCTION(HASH, hash_finish),
    FUNCTION(HASH, hash_verify),
    FUNCTION(HASH, hash_clone),
    FUNCTION(HASH, hash_suspend),
    FUNCTION(XOF, xof_set_context),
    FUNCTION(XOF, xof_update),
    FUNCTION(XOF, xof_output),
    FUNCTION(MAC, mac_update),
    FUNCTION(MAC, mac_sign_finish),
    FUNCTION(MAC, mac_verify_finish),
    FUNCTION(CIPHER, cipher_generate_iv),
    FUNCTION(CIPHER, cipher_set_iv),
    FUNCTION(CIPHER, cipher_update),
    FUNCTION(CIPHER, cipher_finish),
    FUNCTION(AEAD, aead_set_lengths),
    FUNCTION(AEAD, aead_generate_nonce),
    FUNCTION(AEAD, aead_set_nonce),
    FUNCTION(AEAD, aead_update_ad),
    FUNCTION(AEAD, aead_update),
    FUNCTION(AEAD, aead_finish),
    FUNCTION(AEAD, aead_verify),
    FUNCTION(SIGN, sign_set_context),
    FUNCTION(SIGN, sign_update),
    FUNCTION(SIGN, sign_finish),
    FUNCTION(VERIFY, verify_set_context),
    FUNCTION(VERIFY, verify_update),
    FUNCTION(VERIFY, verify_finish),
    FUNCTION(DERIVATION, get_capacity),
    FUNCTION(DERIVATION, set_capacity),
    FUNCTION(DERIVATION, input_bytes),
    FUNCTION(DERIVATION, input_integer),
    FUNCTION(DERIVATION, input_key),
    FUNCTION(DERIVATION, key_agreement),
    FUNCTION(DERIVATION, output_bytes),
    FUNCTION(DERIVATION, output_key),
    FUNCTION(DERIVATION, output_key_custom),
    FUNCTION(DERIVATION, verify_bytes),
    FUNCTION(DERIVATION, verify_key),
    FUNCTION(PAKE, pake_set_role),
    FUNCTION(PAKE, pake_set_user),
    FUNCTION(PAKE, pake_set_peer),
    FUNCTION(PAKE, pake_set_context),
    FUNCTION(PAKE, pake_output),
    FUNCTION(PAKE, pake_input),
    FUNCTION(PAKE, pake_get_shared_key),
};
const size_t function_count = sizeof functions / sizeof functions[0];
