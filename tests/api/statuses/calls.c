/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "status_call.h"

#define ROW const struct status_row *row, psa_key_id_t key
#define ROOM 300u
#define OUT out, ROOM, &n

static uint8_t out[ROOM];
static const uint8_t zeros[ROOM];
static size_t n;
static psa_key_id_t made;
static const psa_custom_key_parameters_t ordinary = PSA_CUSTOM_KEY_PARAMETERS_INIT;

static const psa_key_attributes_t *attributes_of(const struct status_row *row)
{
    static psa_key_attributes_t attributes;

    attributes = test_attributes(row->type, row->bits, PSA_ALG_NONE,
                                 row->key_type == PSA_KEY_TYPE_NONE ? row->usage : 0);
    return &attributes;
}

static size_t length_of(const struct status_row *row, size_t fitting)
{
    return row->length == FITTING ? fitting : row->length;
}

/* A function of one call. */
#define CALL(name, call)                                                                           \
    static psa_status_t name(ROW)                                                                  \
    {                                                                                              \
        (void)row;                                                                                 \
        (void)key;                                                                                 \
        return (call);                                                                             \
    }                                                                                              \
    struct status_row

/* One that sets an operation up, and ends it again. */
#define SETUP(name, family, ...)                                                                   \
    static psa_status_t name(ROW)                                                                  \
    {                                                                                              \
        psa_##family##_operation_t operation = psa_##family##_operation_init();                    \
        const psa_status_t status = psa_##name(&operation, __VA_ARGS__);                           \
                                                                                                   \
        (void)key;                                                                                 \
        NEED(psa_##family##_abort(&operation));                                                    \
        return status;                                                                             \
    }                                                                                              \
    struct status_row

/* Keys */

CALL(import_key, psa_import_key(attributes_of(row), aes_text, row->length, &made));
CALL(generate_key, psa_generate_key(attributes_of(row), &made));
CALL(generate_key_custom, psa_generate_key_custom(attributes_of(row), &ordinary, NULL, 0, &made));
CALL(check_key_usage, psa_check_key_usage(key, row->alg, row->usage));
CALL(export_public_key, psa_export_public_key(key, OUT));

/* SP 800-38F has no key of zeros; this one wraps one of its own, and leaves the type to the row. */
static psa_status_t unwrap_key(ROW)
{
    const psa_key_id_t plain =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT, aes_key, sizeof aes_key);

    NEED(psa_wrap_key(key, row->alg, plain, OUT));
    return psa_unwrap_key(attributes_of(row), key, row->alg, out, n, &made);
}

CALL(key_agreement,
     psa_key_agreement(key, p256_public, sizeof p256_public, row->alg, attributes_of(row), &made));

/* Hashes */

SETUP(hash_setup, hash, row->alg);
CALL(hash_compute, psa_hash_compute(row->alg, abc, sizeof abc, OUT));
CALL(hash_compare, psa_hash_compare(row->alg, abc, sizeof abc, zeros, 32));

/* MACs */

CALL(mac_compute, psa_mac_compute(key, row->alg, abc, sizeof abc, OUT));
CALL(mac_verify, psa_mac_verify(key, row->alg, abc, sizeof abc, zeros, 32));
SETUP(mac_sign_setup, mac, key, row->alg);
SETUP(mac_verify_setup, mac, key, row->alg);

/* Ciphers */

CALL(cipher_encrypt, psa_cipher_encrypt(key, row->alg, zeros, 16, OUT));
CALL(cipher_decrypt, psa_cipher_decrypt(key, row->alg, zeros, 32, OUT));
SETUP(cipher_encrypt_setup, cipher, key, row->alg);
SETUP(cipher_decrypt_setup, cipher, key, row->alg);
CALL(aead_encrypt, psa_aead_encrypt(key, row->alg, zeros, 13, NULL, 0, zeros, 16, OUT));
CALL(aead_decrypt, psa_aead_decrypt(key, row->alg, zeros, 13, NULL, 0, zeros, 32, OUT));
SETUP(aead_encrypt_setup, aead, key, row->alg);
SETUP(aead_decrypt_setup, aead, key, row->alg);

/* Asymmetric encryption */

CALL(asymmetric_encrypt,
     psa_asymmetric_encrypt(key, row->alg, abc, sizeof abc, zeros, length_of(row, 0), OUT));
CALL(asymmetric_decrypt,
     psa_asymmetric_decrypt(key, row->alg, zeros, 128, zeros, length_of(row, 0), OUT));

/* Signatures */

CALL(sign_hash, psa_sign_hash(key, row->alg, zeros, length_of(row, 32), OUT));
CALL(verify_hash, psa_verify_hash(key, row->alg, zeros, length_of(row, 32), zeros, 128));
CALL(verify_hash_with_context,
     psa_verify_hash_with_context(key, row->alg, zeros, length_of(row, 64), abc, 3, zeros, 64));
CALL(sign_message, psa_sign_message(key, row->alg, abc, sizeof abc, OUT));
CALL(verify_message, psa_verify_message(key, row->alg, abc, sizeof abc, zeros, 128));
CALL(sign_message_with_context,
     psa_sign_message_with_context(key, row->alg, abc, sizeof abc, abc, 3, OUT));
CALL(verify_message_with_context,
     psa_verify_message_with_context(key, row->alg, abc, sizeof abc, abc, 3, zeros, 128));
SETUP(sign_setup, sign, key, row->alg);
SETUP(verify_setup, verify, key, row->alg, zeros, 128);

/* Key derivation */

static psa_key_derivation_operation_t derivation;

/* With information, unless the row has a length. */
static void derivation_begin(ROW)
{
    derivation = psa_key_derivation_operation_init();
    NEED(psa_key_derivation_setup(&derivation, row->alg));
    NEED(psa_key_derivation_input_key(&derivation, PSA_KEY_DERIVATION_INPUT_SECRET, key));
    if (row->length == FITTING) {
        NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    }
}

/* A function that reads from a derivation, which it ends. */
#define READ(name, call)                                                                           \
    static psa_status_t name(ROW)                                                                  \
    {                                                                                              \
        derivation_begin(row, key);                                                                \
        const psa_status_t status = (call);                                                        \
        NEED(psa_key_derivation_abort(&derivation));                                               \
        return status;                                                                             \
    }                                                                                              \
    struct status_row

SETUP(key_derivation_setup, key_derivation, row->alg);
READ(output_bytes, psa_key_derivation_output_bytes(&derivation, out, 16));
READ(output_key, psa_key_derivation_output_key(attributes_of(row), &derivation, &made));
READ(output_key_custom, psa_key_derivation_output_key_custom(attributes_of(row), &derivation,
                                                             &ordinary, NULL, 0, &made));
READ(verify_bytes, psa_key_derivation_verify_bytes(&derivation, zeros, 16));
READ(verify_key,
     psa_key_derivation_verify_key(&derivation,
                                   test_import(PSA_KEY_TYPE_PASSWORD_HASH, row->alg,
                                               PSA_KEY_USAGE_VERIFY_DERIVATION, zeros, 16)));

#define DERIVES PSA_KEY_USAGE_DERIVE
#define ENCRYPTS PSA_KEY_USAGE_ENCRYPT
#define DECRYPTS PSA_KEY_USAGE_DECRYPT

/* Key exchange by password */

static const psa_pake_cipher_suite_t *suite_of(const struct status_row *row)
{
    static psa_pake_cipher_suite_t suite;

    suite = psa_pake_cipher_suite_init();
    psa_pake_cs_set_algorithm(&suite, row->alg);
    psa_pake_cs_set_primitive(&suite, row->primitive);
    psa_pake_cs_set_key_confirmation(&suite, row->confirmation);
    return &suite;
}

static psa_status_t pake_end(psa_pake_operation_t *operation, psa_status_t status)
{
    NEED(psa_pake_abort(operation));
    return status;
}

SETUP(pake_setup, pake, key, suite_of(row));

static psa_status_t pake_set(ROW,
                             psa_status_t (*set)(psa_pake_operation_t *, const uint8_t *, size_t))
{
    psa_pake_operation_t operation = PSA_PAKE_OPERATION_INIT;

    NEED(psa_pake_setup(&operation, key, suite_of(row)));
    return pake_end(&operation, set(&operation, aes_text, row->length));
}

CALL(pake_set_user, pake_set(row, key, psa_pake_set_user));
CALL(pake_set_peer, pake_set(row, key, psa_pake_set_peer));
CALL(pake_set_context, pake_set(row, key, psa_pake_set_context));

static void pake_side(ROW, psa_pake_operation_t *operation, const char *user, const char *peer)
{
    NEED(psa_pake_setup(operation, key, suite_of(row)));
    NEED(psa_pake_set_user(operation, (const uint8_t *)user, strlen(user)));
    NEED(psa_pake_set_peer(operation, (const uint8_t *)peer, strlen(peer)));
}

/* A proof of J-PAKE with a changed bit, and as many bytes as the row says. */
static psa_status_t pake_input(ROW)
{
    psa_pake_operation_t client = PSA_PAKE_OPERATION_INIT;
    psa_pake_operation_t server = PSA_PAKE_OPERATION_INIT;

    pake_side(row, key, &client, "client", "server");
    pake_side(row, key, &server, "server", "client");
    for (psa_pake_step_t step = PSA_PAKE_STEP_KEY_SHARE; step < PSA_PAKE_STEP_ZK_PROOF; step++) {
        NEED(psa_pake_output(&client, step, OUT));
        NEED(psa_pake_input(&server, step, out, n));
    }
    NEED(psa_pake_output(&client, PSA_PAKE_STEP_ZK_PROOF, OUT));
    out[9] ^= 1;
    const psa_status_t status = psa_pake_input(&server, PSA_PAKE_STEP_ZK_PROOF, out, row->length);
    NEED(psa_pake_abort(&client));
    return pake_end(&server, status);
}

const struct status_call status_calls[] = {
    {"psa_import_key", 0, import_key},
    {"psa_generate_key", 0, generate_key},
    {"psa_generate_key_custom", 0, generate_key_custom},
    {"psa_check_key_usage", 0, check_key_usage},
    {"psa_export_public_key", PSA_KEY_USAGE_EXPORT, export_public_key},
    {"psa_unwrap_key", PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP, unwrap_key},
    {"psa_key_agreement", DERIVES, key_agreement},
    {"psa_hash_setup", 0, hash_setup},
    {"psa_hash_compute", 0, hash_compute},
    {"psa_hash_compare", 0, hash_compare},
    {"psa_mac_compute", PSA_KEY_USAGE_SIGN_MESSAGE, mac_compute},
    {"psa_mac_verify", PSA_KEY_USAGE_VERIFY_MESSAGE, mac_verify},
    {"psa_mac_sign_setup", PSA_KEY_USAGE_SIGN_MESSAGE, mac_sign_setup},
    {"psa_mac_verify_setup", PSA_KEY_USAGE_VERIFY_MESSAGE, mac_verify_setup},
    {"psa_cipher_encrypt", ENCRYPTS, cipher_encrypt},
    {"psa_cipher_decrypt", DECRYPTS, cipher_decrypt},
    {"psa_cipher_encrypt_setup", ENCRYPTS, cipher_encrypt_setup},
    {"psa_cipher_decrypt_setup", DECRYPTS, cipher_decrypt_setup},
    {"psa_aead_encrypt", ENCRYPTS, aead_encrypt},
    {"psa_aead_decrypt", DECRYPTS, aead_decrypt},
    {"psa_aead_encrypt_setup", ENCRYPTS, aead_encrypt_setup},
    {"psa_aead_decrypt_setup", DECRYPTS, aead_decrypt_setup},
    {"psa_asymmetric_encrypt", ENCRYPTS, asymmetric_encrypt},
    {"psa_asymmetric_decrypt", DECRYPTS, asymmetric_decrypt},
    {"psa_sign_hash", PSA_KEY_USAGE_SIGN_HASH, sign_hash},
    {"psa_verify_hash", PSA_KEY_USAGE_VERIFY_HASH, verify_hash},
    {"psa_verify_hash_with_context", PSA_KEY_USAGE_VERIFY_HASH, verify_hash_with_context},
    {"psa_sign_message", PSA_KEY_USAGE_SIGN_MESSAGE, sign_message},
    {"psa_verify_message", PSA_KEY_USAGE_VERIFY_MESSAGE, verify_message},
    {"psa_sign_message_with_context", PSA_KEY_USAGE_SIGN_MESSAGE, sign_message_with_context},
    {"psa_verify_message_with_context", PSA_KEY_USAGE_VERIFY_MESSAGE, verify_message_with_context},
    {"psa_sign_setup", PSA_KEY_USAGE_SIGN_MESSAGE, sign_setup},
    {"psa_verify_setup", PSA_KEY_USAGE_VERIFY_MESSAGE, verify_setup},
    {"psa_key_derivation_setup", 0, key_derivation_setup},
    {"psa_key_derivation_output_bytes", DERIVES, output_bytes},
    {"psa_key_derivation_output_key", DERIVES, output_key},
    {"psa_key_derivation_output_key_custom", DERIVES, output_key_custom},
    {"psa_key_derivation_verify_bytes", DERIVES, verify_bytes},
    {"psa_key_derivation_verify_key", DERIVES, verify_key},
    {"psa_pake_setup", DERIVES, pake_setup},
    {"psa_pake_set_user", DERIVES, pake_set_user},
    {"psa_pake_set_peer", DERIVES, pake_set_peer},
    {"psa_pake_set_context", DERIVES, pake_set_context},
    {"psa_pake_input", DERIVES, pake_input},
};
const size_t status_call_count = sizeof status_calls / sizeof status_calls[0];
