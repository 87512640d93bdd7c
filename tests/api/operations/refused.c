/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call in parts that is refused before a driver was asked does not touch its output
 * (docs/DECISIONS.md), which may be its input, or what the caller still needs.
 */
#include "../../harness/harness.h"
#include "../../harness/material.h"

#define AES PSA_KEY_TYPE_AES
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define JPAKE PSA_ALG_JPAKE(PSA_ALG_SHA_256)
#define CIPHERS (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define MACS (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)
#define ROOM 96u
#define ALL ROOM

static size_t length;

static psa_key_id_t aes(psa_algorithm_t alg, psa_key_usage_t usage)
{
    return test_import(AES, alg, usage, aes_key, 16);
}

/* Hashes */

static psa_status_t hash_finish(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;

    (void)is_destroyed;
    NEED(psa_hash_setup(&operation, PSA_ALG_SHA_256));
    return psa_hash_finish(&operation, out, room, &length);
}

static psa_status_t hash_suspend(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;

    (void)is_destroyed;
    NEED(psa_hash_setup(&operation, PSA_ALG_SHA_256));
    return psa_hash_suspend(&operation, out, room, &length);
}

/* MAC */

static psa_status_t mac_sign_finish(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CMAC, MACS);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    NEED(psa_mac_sign_setup(&operation, key, PSA_ALG_CMAC));
    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_mac_sign_finish(&operation, out, room, &length);
}

static psa_status_t mac_sign_finish_of_verification(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    (void)is_destroyed;
    NEED(psa_mac_verify_setup(&operation, aes(PSA_ALG_CMAC, MACS), PSA_ALG_CMAC));
    return psa_mac_sign_finish(&operation, out, room, &length);
}

/* Unauthenticated ciphers */

static psa_status_t cipher_generate_iv(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CTR, CIPHERS);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    NEED(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR));
    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_cipher_generate_iv(&operation, out, room, &length);
}

static psa_status_t cipher_generate_iv_to_decrypt(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    (void)is_destroyed;
    NEED(psa_cipher_decrypt_setup(&operation, aes(PSA_ALG_CTR, CIPHERS), PSA_ALG_CTR));
    return psa_cipher_generate_iv(&operation, out, room, &length);
}

static psa_status_t cipher_update(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CTR, CIPHERS);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    NEED(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR));
    NEED(psa_cipher_set_iv(&operation, aes_iv, 16));
    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_cipher_update(&operation, aes_text, 16, out, room, &length);
}

static psa_status_t cipher_update_without_iv(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    (void)is_destroyed;
    NEED(psa_cipher_encrypt_setup(&operation, aes(PSA_ALG_CTR, CIPHERS), PSA_ALG_CTR));
    return psa_cipher_update(&operation, aes_text, 16, out, room, &length);
}

/* With what waits already it would be more than a size can say. */
static psa_status_t cipher_update_of_too_much(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CBC_NO_PADDING, CIPHERS);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    (void)is_destroyed;
    NEED(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CBC_NO_PADDING));
    NEED(psa_cipher_set_iv(&operation, aes_iv, 16));
    NEED(psa_cipher_update(&operation, abc, 3, NULL, 0, &length));
    return psa_cipher_update(&operation, aes_text, SIZE_MAX, out, room, &length);
}

static psa_status_t finish_cipher(psa_algorithm_t alg, uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(alg, CIPHERS);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    NEED(psa_cipher_encrypt_setup(&operation, key, alg));
    NEED(psa_cipher_set_iv(&operation, aes_iv, 16));
    NEED(psa_cipher_update(&operation, abc, 3, NULL, 0, &length));
    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_cipher_finish(&operation, out, room, &length);
}

static psa_status_t cipher_finish_padded(uint8_t *out, size_t room, bool is_destroyed)
{
    return finish_cipher(PSA_ALG_CBC_PKCS7, out, room, is_destroyed);
}

static psa_status_t cipher_finish_within_a_block(uint8_t *out, size_t room, bool is_destroyed)
{
    return finish_cipher(PSA_ALG_CBC_NO_PADDING, out, room, is_destroyed);
}

/* AEAD */

static psa_aead_operation_t aead(psa_key_id_t key, bool is_encrypt, size_t text)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;

    NEED(is_encrypt ? psa_aead_encrypt_setup(&operation, key, PSA_ALG_CCM)
                    : psa_aead_decrypt_setup(&operation, key, PSA_ALG_CCM));
    NEED(psa_aead_set_lengths(&operation, 0, text));
    return operation;
}

static psa_aead_operation_t aead_with_nonce(psa_key_id_t key, bool is_encrypt, size_t text)
{
    psa_aead_operation_t operation = aead(key, is_encrypt, text);

    NEED(psa_aead_set_nonce(&operation, aes_iv, 13));
    return operation;
}

static psa_status_t aead_generate_nonce(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CCM, CIPHERS);
    psa_aead_operation_t operation = aead(key, true, 0);

    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_aead_generate_nonce(&operation, out, room, &length);
}

static psa_status_t aead_generate_nonce_to_decrypt(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_aead_operation_t operation = aead(aes(PSA_ALG_CCM, CIPHERS), false, 0);

    (void)is_destroyed;
    return psa_aead_generate_nonce(&operation, out, room, &length);
}

static psa_status_t aead_update(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CCM, CIPHERS);
    psa_aead_operation_t operation = aead_with_nonce(key, true, 16);

    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_aead_update(&operation, aes_text, 16, out, room, &length);
}

static psa_status_t aead_update_of_too_much(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_aead_operation_t operation = aead_with_nonce(aes(PSA_ALG_CCM, CIPHERS), true, 15);

    (void)is_destroyed;
    return psa_aead_update(&operation, aes_text, 16, out, room, &length);
}

static psa_status_t aead_update_without_nonce(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_aead_operation_t operation = aead(aes(PSA_ALG_CCM, CIPHERS), true, 16);

    (void)is_destroyed;
    return psa_aead_update(&operation, aes_text, 16, out, room, &length);
}

static psa_status_t finish_aead(psa_aead_operation_t *operation, uint8_t *out, size_t room)
{
    size_t tag_length;

    return psa_aead_finish(operation, out, ALL - 16, &length, out + ALL - 16, room < 16 ? room : 16,
                           &tag_length);
}

static psa_status_t aead_finish(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CCM, CIPHERS);
    psa_aead_operation_t operation = aead_with_nonce(key, true, 0);

    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return finish_aead(&operation, out, room);
}

static psa_status_t aead_finish_too_early(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_aead_operation_t operation = aead_with_nonce(aes(PSA_ALG_CCM, CIPHERS), true, 1);

    (void)is_destroyed;
    return finish_aead(&operation, out, room);
}

static psa_status_t aead_finish_of_decryption(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_aead_operation_t operation = aead_with_nonce(aes(PSA_ALG_CCM, CIPHERS), false, 0);

    (void)is_destroyed;
    return finish_aead(&operation, out, room);
}

static psa_status_t aead_verify(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = aes(PSA_ALG_CCM, CIPHERS);
    psa_aead_operation_t operation = aead_with_nonce(key, false, 0);

    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_aead_verify(&operation, out, room, &length, aes_text, 16);
}

static psa_status_t aead_verify_of_encryption(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_aead_operation_t operation = aead_with_nonce(aes(PSA_ALG_CCM, CIPHERS), true, 0);

    (void)is_destroyed;
    return psa_aead_verify(&operation, out, room, &length, aes_text, 16);
}

/* Signatures, key derivation, key exchange */

static psa_status_t sign_finish(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), ECDSA,
                                         PSA_KEY_USAGE_SIGN_MESSAGE, p256_private, 32);
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;

    NEED(psa_sign_setup(&operation, key, ECDSA));
    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_sign_finish(&operation, out, room, &length);
}

static psa_key_derivation_operation_t derivation(psa_key_id_t key)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, HKDF));
    if (key != PSA_KEY_ID_NULL) {
        NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key));
        NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, abc, 3));
    }
    length = 0;
    return operation;
}

static psa_status_t derivation_output(uint8_t *out, size_t room, bool is_destroyed)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, aes_text, 32);
    psa_key_derivation_operation_t operation = derivation(key);

    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_key_derivation_output_bytes(&operation, out, room);
}

static psa_status_t derivation_output_without_inputs(uint8_t *out, size_t room, bool is_destroyed)
{
    psa_key_derivation_operation_t operation = derivation(PSA_KEY_ID_NULL);

    (void)is_destroyed;
    return psa_key_derivation_output_bytes(&operation, out, room);
}

static psa_status_t output_pake(bool has_names, psa_pake_step_t step, uint8_t *out, size_t room,
                                bool is_destroyed)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, abc, 3);
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();
    psa_pake_operation_t operation = psa_pake_operation_init();

    psa_pake_cs_set_algorithm(&suite, JPAKE);
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    NEED(psa_pake_setup(&operation, key, &suite));
    if (has_names) {
        NEED(psa_pake_set_user(&operation, abc, 3));
        NEED(psa_pake_set_peer(&operation, abc, 2));
    }
    NEED(psa_destroy_key(is_destroyed ? key : PSA_KEY_ID_NULL));
    return psa_pake_output(&operation, step, out, room, &length);
}

static psa_status_t pake_output(uint8_t *out, size_t room, bool is_destroyed)
{
    return output_pake(true, PSA_PAKE_STEP_KEY_SHARE, out, room, is_destroyed);
}

static psa_status_t pake_output_without_names(uint8_t *out, size_t room, bool is_destroyed)
{
    return output_pake(false, PSA_PAKE_STEP_KEY_SHARE, out, room, is_destroyed);
}

static psa_status_t pake_output_of_no_step(uint8_t *out, size_t room, bool is_destroyed)
{
    return output_pake(true, PSA_PAKE_STEP_CONFIRM, out, room, is_destroyed);
}

static const struct row {
    const char *name;
    psa_status_t (*call)(uint8_t *out, size_t room, bool is_destroyed);
    size_t room;
    bool is_destroyed; /* the key, before the call */
    psa_status_t wanted;
} rows[] = {
    {"hash_finish", hash_finish, 31, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"hash_suspend", hash_suspend, 3, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"mac_sign_finish", mac_sign_finish, 15, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"mac_sign_finish", mac_sign_finish, ALL, true, PSA_ERROR_BAD_STATE},
    {"mac_sign_finish of a verification", mac_sign_finish_of_verification, ALL, false,
     PSA_ERROR_BAD_STATE},
    {"cipher_generate_iv", cipher_generate_iv, 15, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"cipher_generate_iv", cipher_generate_iv, ALL, true, PSA_ERROR_BAD_STATE},
    {"cipher_generate_iv to decrypt", cipher_generate_iv_to_decrypt, ALL, false,
     PSA_ERROR_BAD_STATE},
    {"cipher_update", cipher_update, 15, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"cipher_update", cipher_update, ALL, true, PSA_ERROR_BAD_STATE},
    {"cipher_update without IV", cipher_update_without_iv, ALL, false, PSA_ERROR_BAD_STATE},
    {"cipher_update of too much", cipher_update_of_too_much, ALL, false,
     PSA_ERROR_BUFFER_TOO_SMALL},
    {"cipher_finish with padding", cipher_finish_padded, 15, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"cipher_finish with padding", cipher_finish_padded, ALL, true, PSA_ERROR_BAD_STATE},
    {"cipher_finish within a block", cipher_finish_within_a_block, ALL, false,
     PSA_ERROR_INVALID_ARGUMENT},
    {"aead_generate_nonce", aead_generate_nonce, 12, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"aead_generate_nonce", aead_generate_nonce, ALL, true, PSA_ERROR_BAD_STATE},
    {"aead_generate_nonce to decrypt", aead_generate_nonce_to_decrypt, ALL, false,
     PSA_ERROR_BAD_STATE},
    {"aead_update", aead_update, 15, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"aead_update", aead_update, ALL, true, PSA_ERROR_BAD_STATE},
    {"aead_update of too much", aead_update_of_too_much, ALL, false, PSA_ERROR_INVALID_ARGUMENT},
    {"aead_update without nonce", aead_update_without_nonce, ALL, false, PSA_ERROR_BAD_STATE},
    {"aead_finish", aead_finish, 15, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"aead_finish", aead_finish, ALL, true, PSA_ERROR_BAD_STATE},
    {"aead_finish too early", aead_finish_too_early, ALL, false, PSA_ERROR_INVALID_ARGUMENT},
    {"aead_finish of a decryption", aead_finish_of_decryption, ALL, false, PSA_ERROR_BAD_STATE},
    {"aead_verify", aead_verify, ALL, true, PSA_ERROR_BAD_STATE},
    {"aead_verify of an encryption", aead_verify_of_encryption, ALL, false, PSA_ERROR_BAD_STATE},
    {"sign_finish", sign_finish, ALL, true, PSA_ERROR_BAD_STATE},
    {"derivation_output", derivation_output, ALL, true, PSA_ERROR_BAD_STATE},
    {"derivation_output without inputs", derivation_output_without_inputs, ALL, false,
     PSA_ERROR_BAD_STATE},
    {"pake_output", pake_output, 64, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {"pake_output", pake_output, ALL, true, PSA_ERROR_BAD_STATE},
    {"pake_output without names", pake_output_without_names, ALL, false, PSA_ERROR_BAD_STATE},
    {"pake_output of no step", pake_output_of_no_step, ALL, false, PSA_ERROR_INVALID_ARGUMENT},
};

static void output__call_refused_before_a_driver_was_asked__is_untouched(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t *const out = test_buffer(ROOM);

        test_context(rows[i].name, i);
        EXPECT(rows[i].wanted, rows[i].call(out, rows[i].room, rows[i].is_destroyed));
        CHECK(length == 0 && test_all(out, ROOM, 0xa5));
        test_destroy_keys();
    }
}

static const struct test_case tests[] = {
    TEST(output__call_refused_before_a_driver_was_asked__is_untouched),
};
TEST_SUITE(refused, tests);
