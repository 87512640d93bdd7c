/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the time depend on a secret? Secrets are marked as undefined memory, and Valgrind's memcheck
 * reports every branch and every address that comes to depend on one: in the core, in the glue, in
 * constructions, and in the libraries that promise it. Public values, such as a ciphertext or the
 * result of a comparison, are declared public before any code reads them.
 *
 * With the argument "leaky" a comparison that stops at the first difference is run instead, which
 * must be reported: else this test would see nothing.
 */
#include <stdio.h>
#include <string.h>

#include <corral/driver.h>
#include <psa/crypto.h>
#include <valgrind/memcheck.h>

#include "../../core/operations/padding.h"

#define BLOCK 16
#define TEXT 48
#define SAE PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_256)
#define X25519_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)

#define SECRET(place, size) ((void)VALGRIND_MAKE_MEM_UNDEFINED((place), (size)))
#define PUBLIC(place, size) ((void)VALGRIND_MAKE_MEM_DEFINED((place), (size)))

static unsigned failures;

static void check(int ok, const char *what)
{
    PUBLIC(&ok, sizeof ok);
    if (!ok) {
        printf("not so: %s\n", what);
        failures++;
    }
}

#define CHECK(expression) check((expression), #expression)
#define NEED(call) check((call) == PSA_SUCCESS, #call)
static void fill(uint8_t *data, size_t size, uint8_t seed)
{
    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)(seed + 7 * i);
    }
}

static psa_key_id_t secret_key(psa_key_type_t type, size_t size, psa_algorithm_t alg,
                               psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[32];
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    fill(data, sizeof data, 3);
    SECRET(data, sizeof data);
    NEED(psa_import_key(&attributes, data, size, &key));
    return key;
}

static void comparisons(void)
{
    uint8_t secret[40];
    uint8_t other[40];

    for (size_t at = 0; at <= sizeof secret; at++) {
        fill(secret, sizeof secret, 9);
        fill(other, sizeof other, 9);
        if (at < sizeof secret) {
            other[at] ^= 1;
        }
        SECRET(secret, sizeof secret);
        bool equal = corral_equal(secret, other, sizeof secret);
        PUBLIC(&equal, sizeof equal);
        CHECK(equal == (at == sizeof secret));
    }
}

static void padding(void)
{
    for (unsigned value = 0; value < 256; value++) {
        uint8_t block[BLOCK];
        size_t used = 99;

        memset(block, (int)value, sizeof block);
        SECRET(block, sizeof block);
        psa_status_t status = corral_padding_check(block, BLOCK, &used);
        PUBLIC(&status, sizeof status);
        PUBLIC(&used, sizeof used);
        CHECK((status == PSA_SUCCESS) == (value >= 1 && value <= BLOCK));
        CHECK(used == (status == PSA_SUCCESS ? BLOCK - value : 0));
    }
}

static void cipher(psa_algorithm_t alg, size_t key_size)
{
    const psa_key_id_t key =
        secret_key(PSA_KEY_TYPE_AES, key_size, alg, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t text[TEXT];
    uint8_t output[TEXT + 2 * BLOCK];
    uint8_t back[TEXT + 2 * BLOCK];
    size_t length = 0;
    size_t done = 0;

    fill(text, sizeof text, 1);
    SECRET(text, sizeof text);
    NEED(psa_cipher_encrypt(key, alg, text, sizeof text, output, sizeof output, &length));
    PUBLIC(output, sizeof output);
    if (alg == PSA_ALG_CBC_PKCS7) {
        /* whether the padding is right is public, and the core must look: see padding() */
        NEED(psa_destroy_key(key));
        return;
    }
    NEED(psa_cipher_decrypt(key, alg, output, length, back, sizeof back, &done));
    CHECK(done == sizeof text);
    NEED(psa_cipher_encrypt_setup(&operation, key, alg));
    if (alg != PSA_ALG_ECB_NO_PADDING) {
        NEED(psa_cipher_set_iv(&operation, output, BLOCK));
    }
    NEED(psa_cipher_update(&operation, text, 20, back, sizeof back, &done));
    NEED(psa_cipher_update(&operation, text + 20, 28, back + done, sizeof back - done, &length));
    NEED(psa_cipher_finish(&operation, back + done + length, BLOCK, &length));
    NEED(psa_destroy_key(key));
}

static void mac(psa_key_type_t type, psa_algorithm_t alg, size_t key_size)
{
    const psa_key_id_t key = secret_key(type, key_size, alg, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t text[150];
    uint8_t output[PSA_MAC_MAX_SIZE];
    size_t length = 0;

    fill(text, sizeof text, 2);
    SECRET(text, sizeof text);
    NEED(psa_mac_compute(key, alg, text, sizeof text, output, sizeof output, &length));
    NEED(psa_mac_sign_setup(&operation, key, alg));
    NEED(psa_mac_update(&operation, text, 70));
    NEED(psa_mac_update(&operation, text + 70, 80));
    NEED(psa_mac_sign_finish(&operation, output, sizeof output, &length));
    NEED(psa_destroy_key(key));
}

static void aead(size_t key_size)
{
    const psa_key_id_t key = secret_key(PSA_KEY_TYPE_AES, key_size, PSA_ALG_GCM,
                                        PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    static const uint8_t nonce[12] = {1, 2, 3};
    uint8_t text[TEXT];
    uint8_t output[TEXT + BLOCK];
    size_t length = 0;

    fill(text, sizeof text, 1);
    SECRET(text, sizeof text);
    NEED(psa_aead_encrypt(key, PSA_ALG_GCM, nonce, sizeof nonce, nonce, sizeof nonce, text,
                          sizeof text, output, sizeof output, &length));
    PUBLIC(output, sizeof output);
    CHECK(length == sizeof output);
    NEED(psa_destroy_key(key));
}

static void agreement(void)
{
    const psa_key_id_t key = secret_key(X25519_PAIR, 32, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
    uint8_t point[32];
    uint8_t output[32];
    size_t length = 0;

    NEED(psa_export_public_key(key, point, sizeof point, &length));
    PUBLIC(point, sizeof point);
    NEED(psa_raw_key_agreement(PSA_ALG_ECDH, key, point, 32, output, sizeof output, &length));
    NEED(psa_destroy_key(key));
}

/* Leaks that must be reported. */
static int leaky(void)
{
    uint8_t secret[8];
    uint8_t other[8];
    size_t i = 0;

    fill(secret, sizeof secret, 1);
    fill(other, sizeof other, 1);
    other[5] ^= 1;
    SECRET(secret, sizeof secret);
    while (i < sizeof secret && secret[i] == other[i]) {
        i++;
    }
    return i == sizeof secret ? 1 : 0;
}

/* Each side's commitment and confirmation, from a secret password or its token. */
static void exchange_by_password(psa_key_id_t key)
{
    static const uint8_t addresses[2][6] = {{0x4d, 0x3f, 0x2f, 0xff, 0xe3, 0x87},
                                            {0xa5, 0xd8, 0xaa, 0x95, 0x8e, 0x3c}};
    psa_pake_operation_t sides[2] = {PSA_PAKE_OPERATION_INIT, PSA_PAKE_OPERATION_INIT};
    psa_pake_cipher_suite_t suite = PSA_PAKE_CIPHER_SUITE_INIT;
    uint8_t message[2][PSA_PAKE_OUTPUT_MAX_SIZE];
    size_t length = 0;

    psa_pake_cs_set_algorithm(&suite, SAE);
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    for (unsigned i = 0; i < 2; i++) {
        NEED(psa_pake_setup(&sides[i], key, &suite));
        NEED(psa_pake_set_user(&sides[i], addresses[i], sizeof addresses[i]));
        NEED(psa_pake_set_peer(&sides[i], addresses[1 - i], sizeof addresses[1 - i]));
        NEED(psa_pake_output(&sides[i], PSA_PAKE_STEP_COMMIT, message[i], sizeof message[i],
                             &length));
        PUBLIC(message[i], length);
    }
    for (unsigned i = 0; i < 2; i++) {
        NEED(psa_pake_input(&sides[i], PSA_PAKE_STEP_COMMIT, message[1 - i], length));
        NEED(psa_pake_input(&sides[i], PSA_PAKE_STEP_SALT, addresses[0], 0));
        NEED(psa_pake_input(&sides[i], PSA_PAKE_STEP_CONFIRM_COUNT, addresses[0], 2));
    }
    for (unsigned i = 0; i < 2; i++) {
        NEED(psa_pake_output(&sides[i], PSA_PAKE_STEP_CONFIRM, message[i], sizeof message[i],
                             &length));
        PUBLIC(message[i], length);
        NEED(psa_pake_abort(&sides[i]));
    }
}

/* By looping, and by a token, on P-256. */
static void password(void)
{
    const psa_key_id_t key =
        secret_key(PSA_KEY_TYPE_PASSWORD, 14, PSA_ALG_WPA3_SAE_ANY, PSA_KEY_USAGE_DERIVE);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t token = PSA_KEY_ID_NULL;

    exchange_by_password(key);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_WPA3_SAE_ECC(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_algorithm(&attributes, SAE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    NEED(psa_key_derivation_setup(&operation, PSA_ALG_WPA3_SAE_H2E(PSA_ALG_SHA_256)));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT,
                                        (const uint8_t *)"a network", 9));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_PASSWORD, key));
    NEED(psa_key_derivation_output_key(&attributes, &operation, &token));
    NEED(psa_key_derivation_abort(&operation));
    exchange_by_password(token);
    NEED(psa_destroy_key(token));
    NEED(psa_destroy_key(key));
}

int main(int argc, char **argv)
{
    if (RUNNING_ON_VALGRIND == 0) {
        printf("run it under Valgrind\n");
        return 2;
    }
    if (argc > 1 && strcmp(argv[1], "leaky") == 0) {
        return leaky();
    }
    NEED(psa_crypto_init());
    comparisons();
    padding();
    for (size_t size = 16; size <= 32; size += 16) {
        cipher(PSA_ALG_ECB_NO_PADDING, size);
        cipher(PSA_ALG_CBC_NO_PADDING, size);
        cipher(PSA_ALG_CBC_PKCS7, size);
        cipher(PSA_ALG_CTR, size);
        aead(size);
        mac(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, size);
        mac(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256), size);
        mac(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_512), size);
    }
    agreement();
    password();
    printf("%u failed\n", failures);
    return failures == 0 ? 0 : 1;
}
