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
#define OUT keyed.out, keyed.room, &keyed.length
#define UNTOUCHED 0xa5

static psa_hash_operation_t hash;
static psa_hash_operation_t clone;
static psa_xof_operation_t xof;
static psa_pake_operation_t pake;

static psa_key_id_t keys[FAMILIES], expected;

void families_begin(void)
{
    const psa_key_usage_t ciphers = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
    const psa_key_usage_t signs = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE;

    keys[MAC] = test_import(AES, PSA_ALG_CMAC, signs, aes_key, 16);
    keys[CIPHER] = test_import(AES, PSA_ALG_CTR, ciphers, aes_key, 16);
    keys[AEAD] = test_import(AES, PSA_ALG_CCM, ciphers, aes_key, 16);
    keys[SIGN] = test_import(PAIR, ECDSA, signs, p256_private, 32);
    keys[VERIFY] = keys[SIGN];
    keys[DERIVATION] = test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, aes_text, 32);
    keys[PAKE] = test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, abc, 3);
    expected = test_import(PSA_KEY_TYPE_PASSWORD_HASH, HKDF, PSA_KEY_USAGE_VERIFY_DERIVATION,
                           aes_text, 32);
    (void)families_output_is_untouched();
}

psa_key_id_t families_key(enum family_number family)
{
    return keys[family];
}

bool families_output_is_untouched(void)
{
    const bool is_untouched = test_all(keyed.out, sizeof keyed.out, UNTOUCHED);

    memset(keyed.out, UNTOUCHED, sizeof keyed.out);
    return is_untouched;
}

KEYED_CALL(hash_setup, psa_hash_setup(&hash, PSA_ALG_SHA_256));
KEYED_CALL(hash_abort, psa_hash_abort(&hash));
KEYED_CALL(hash_update, psa_hash_update(&hash, abc, 3));
KEYED_CALL(hash_finish, psa_hash_finish(&hash, OUT));
KEYED_CALL(hash_verify, psa_hash_verify(&hash, sha256_empty, 32));
KEYED_CALL(hash_suspend, psa_hash_suspend(&hash, OUT));
KEYED_CALL(hash_spoil, psa_hash_finish(&hash, keyed.out, 31, &keyed.length));

static psa_status_t hash_clone(psa_key_id_t key)
{
    const psa_status_t status = psa_hash_clone(&hash, &clone);

    (void)key;
    EXPECT(PSA_SUCCESS, psa_hash_abort(&clone));
    return status;
}

KEYED_CALL(xof_setup, psa_xof_setup(&xof, PSA_ALG_SHAKE128));
KEYED_CALL(xof_abort, psa_xof_abort(&xof));
KEYED_CALL(xof_set_context, psa_xof_set_context(&xof, abc, 3));
KEYED_CALL(xof_update, psa_xof_update(&xof, abc, 3));
KEYED_CALL(xof_output, psa_xof_output(&xof, keyed.out, sizeof keyed.out));

KEYED_CALL(mac_abort, psa_mac_abort(&keyed.mac));
KEYED_CALL(cipher_abort, psa_cipher_abort(&keyed.cipher));
KEYED_CALL(aead_abort, psa_aead_abort(&keyed.aead));
KEYED_CALL(aead_set_lengths, psa_aead_set_lengths(&keyed.aead, 0, 0));
KEYED_CALL(sign_abort, psa_sign_abort(&keyed.sign));
KEYED_CALL(sign_spoil, psa_sign_set_context(&keyed.sign, abc, 3));
KEYED_CALL(verify_abort, psa_verify_abort(&keyed.verify));
KEYED_CALL(verify_update_rightly, psa_verify_update(&keyed.verify, p256_message, 6));
KEYED_CALL(verify_spoil, psa_verify_finish(&keyed.verify));

KEYED_CALL(derivation_setup, psa_key_derivation_setup(&keyed.derivation, HKDF));
KEYED_CALL(derivation_abort, psa_key_derivation_abort(&keyed.derivation));
KEYED_CALL(get_capacity, psa_key_derivation_get_capacity(&keyed.derivation, &keyed.length));
KEYED_CALL(set_capacity, psa_key_derivation_set_capacity(&keyed.derivation, 32));
KEYED_CALL(input_bytes, psa_key_derivation_input_bytes(&keyed.derivation,
                                                       PSA_KEY_DERIVATION_INPUT_INFO, abc, 3));
KEYED_CALL(input_integer,
           psa_key_derivation_input_integer(&keyed.derivation, PSA_KEY_DERIVATION_INPUT_COST, 3));
KEYED_CALL(agree_derivation, psa_key_derivation_key_agreement(&keyed.derivation, SECRET, keys[SIGN],
                                                              p256_public, 65));
KEYED_CALL(verify_key, psa_key_derivation_verify_key(&keyed.derivation, expected));

static psa_status_t pake_setup(psa_key_id_t key)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();

    psa_pake_cs_set_algorithm(&suite, JPAKE);
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    return psa_pake_setup(&pake, key, &suite);
}

KEYED_CALL(pake_abort, psa_pake_abort(&pake));
KEYED_CALL(pake_set_role, psa_pake_set_role(&pake, PSA_PAKE_ROLE_NONE));
KEYED_CALL(pake_set_user, psa_pake_set_user(&pake, abc, 3));
KEYED_CALL(pake_set_peer, psa_pake_set_peer(&pake, abc, 2));
KEYED_CALL(pake_set_context, psa_pake_set_context(&pake, abc, 3));
KEYED_CALL(pake_output, psa_pake_output(&pake, SHARE, OUT));
KEYED_CALL(pake_output_of_no_step, psa_pake_output(&pake, PSA_PAKE_STEP_CONFIRM, OUT));
KEYED_CALL(pake_input, psa_pake_input(&pake, SHARE, p256_public, 65));

static psa_status_t pake_get_shared_key(psa_key_id_t key)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t shared = 1;

    (void)key;
    const psa_status_t status = psa_pake_get_shared_key(&pake, &attributes, &shared);
    CHECK((shared == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    EXPECT(PSA_SUCCESS, psa_destroy_key(shared));
    return status;
}

/* What keyed.h does not have, or not as it is needed here. */
static const struct {
    const char *name;
    psa_status_t (*run)(psa_key_id_t key);
} calls[] = {
    {"hash_setup", hash_setup},
    {"hash_abort", hash_abort},
    {"hash_update", hash_update},
    {"hash_finish", hash_finish},
    {"hash_verify", hash_verify},
    {"hash_clone", hash_clone},
    {"hash_suspend", hash_suspend},
    {"hash_spoil", hash_spoil},
    {"xof_setup", xof_setup},
    {"xof_abort", xof_abort},
    {"xof_set_context", xof_set_context},
    {"xof_update", xof_update},
    {"xof_output", xof_output},
    {"mac_abort", mac_abort},
    {"cipher_abort", cipher_abort},
    {"aead_abort", aead_abort},
    {"aead_set_lengths", aead_set_lengths},
    {"sign_abort", sign_abort},
    {"sign_spoil", sign_spoil},
    {"verify_abort", verify_abort},
    {"verify_update_rightly", verify_update_rightly},
    {"verify_spoil", verify_spoil},
    {"key_derivation_setup", derivation_setup},
    {"key_derivation_abort", derivation_abort},
    {"key_derivation_get_capacity", get_capacity},
    {"key_derivation_set_capacity", set_capacity},
    {"key_derivation_input_bytes", input_bytes},
    {"key_derivation_input_integer", input_integer},
    {"key_derivation_key_agreement", agree_derivation},
    {"key_derivation_verify_key", verify_key},
    {"pake_setup", pake_setup},
    {"pake_abort", pake_abort},
    {"pake_set_role", pake_set_role},
    {"pake_set_user", pake_set_user},
    {"pake_set_peer", pake_set_peer},
    {"pake_set_context", pake_set_context},
    {"pake_output", pake_output},
    {"pake_output_of_no_step", pake_output_of_no_step},
    {"pake_input", pake_input},
    {"pake_get_shared_key", pake_get_shared_key},
};

const struct family families[FAMILIES] = {
    {"hash", &hash, sizeof hash, "hash_setup", "hash_abort", {"hash_finish"}, "hash_spoil"},
    {"xof", &xof, sizeof xof, "xof_setup", "xof_abort", {"xof_abort"}, "xof_set_context"},
    {"mac",
     &keyed.mac,
     sizeof keyed.mac,
     "mac_sign_setup",
     "mac_abort",
     {"mac_sign_finish"},
     "mac_verify_finish"},
    {"cipher",
     &keyed.cipher,
     sizeof keyed.cipher,
     "cipher_encrypt_setup",
     "cipher_abort",
     {"cipher_set_iv", "cipher_finish"},
     "cipher_update"},
    {"aead",
     &keyed.aead,
     sizeof keyed.aead,
     "aead_encrypt_setup",
     "aead_abort",
     {"aead_set_lengths", "aead_set_nonce", "aead_finish"},
     "aead_verify"},
    {"sign",
     &keyed.sign,
     sizeof keyed.sign,
     "sign_setup",
     "sign_abort",
     {"sign_finish"},
     "sign_spoil"},
    {"verify",
     &keyed.verify,
     sizeof keyed.verify,
     "verify_setup",
     "verify_abort",
     {"verify_update_rightly", "verify_finish"},
     "verify_spoil"},
    {"derivation",
     &keyed.derivation,
     sizeof keyed.derivation,
     "key_derivation_setup",
     "key_derivation_abort",
     {"key_derivation_input_key", "key_derivation_input_bytes", "key_derivation_output_bytes",
      "key_derivation_abort"},
     "key_derivation_output_bytes"},
    {"pake",
     &pake,
     sizeof pake,
     "pake_setup",
     "pake_abort",
     {"pake_set_user", "pake_set_peer", "pake_output", "pake_abort"},
     "pake_get_shared_key"},
};

const struct function functions[] = {
    {"hash_update", HASH},
    {"hash_finish", HASH},
    {"hash_verify", HASH},
    {"hash_clone", HASH},
    {"hash_suspend", HASH},
    {"xof_set_context", XOF},
    {"xof_update", XOF},
    {"xof_output", XOF},
    {"mac_update", MAC},
    {"mac_sign_finish", MAC},
    {"mac_verify_finish", MAC},
    {"cipher_generate_iv", CIPHER},
    {"cipher_set_iv", CIPHER},
    {"cipher_update", CIPHER},
    {"cipher_finish", CIPHER},
    {"aead_set_lengths", AEAD},
    {"aead_generate_nonce", AEAD},
    {"aead_set_nonce", AEAD},
    {"aead_update_ad", AEAD},
    {"aead_update", AEAD},
    {"aead_finish", AEAD},
    {"aead_verify", AEAD},
    {"sign_set_context", SIGN},
    {"sign_update", SIGN},
    {"sign_finish", SIGN},
    {"verify_set_context", VERIFY},
    {"verify_update", VERIFY},
    {"verify_finish", VERIFY},
    {"key_derivation_get_capacity", DERIVATION},
    {"key_derivation_set_capacity", DERIVATION},
    {"key_derivation_input_bytes", DERIVATION},
    {"key_derivation_input_integer", DERIVATION},
    {"key_derivation_input_key", DERIVATION},
    {"key_derivation_key_agreement", DERIVATION},
    {"key_derivation_output_bytes", DERIVATION},
    {"key_derivation_output_key", DERIVATION},
    {"key_derivation_output_key_custom", DERIVATION},
    {"key_derivation_verify_bytes", DERIVATION},
    {"key_derivation_verify_key", DERIVATION},
    {"pake_set_role", PAKE},
    {"pake_set_user", PAKE},
    {"pake_set_peer", PAKE},
    {"pake_set_context", PAKE},
    {"pake_output", PAKE},
    {"pake_input", PAKE},
    {"pake_get_shared_key", PAKE},
};
const size_t function_count = sizeof functions / sizeof functions[0];

psa_status_t families_do(const struct family *family, const char *call)
{
    const psa_key_id_t key = keys[family - families];

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(calls[i].name, call) == 0) {
            return calls[i].run(key);
        }
    }
    return keyed_find(call)->run(key);
}
