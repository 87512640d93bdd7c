/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys in local memory and in every element of the board at the same time, used in turn. Prints the
 * status of each step with the place of its key; the caller decides which steps had to fail.
 */
#include <string.h>

#include <corral/builtin_keys.h>

#include "places.h"

#define ROUNDS 3

static const uint8_t message[] = "one message, signed in several places";
static psa_key_id_t pairs[COUNT];
static psa_key_id_t ciphers[COUNT];

static void create(size_t place)
{
    psa_key_attributes_t attributes = attributes_at(
        place, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256,
        PSA_ALG_ECDSA(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);

    report(place, "generate", psa_generate_key(&attributes, &pairs[place]));
    attributes = attributes_at(place, PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR,
                               PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    report(place, "generate-aes", psa_generate_key(&attributes, &ciphers[place]));
}

/* Whether the signature is that of the public key, decided in local memory. */
static psa_status_t verify_locally(const uint8_t *public_key, size_t length,
                                   const uint8_t *signature)
{
    psa_key_attributes_t attributes =
        attributes_at(0, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 256,
                      PSA_ALG_ECDSA(PSA_ALG_SHA_256), PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_key_id_t key;

    psa_status_t status = psa_import_key(&attributes, public_key, length, &key);
    if (status == PSA_SUCCESS) {
        status = psa_verify_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                                    signature, 64);
        (void)psa_destroy_key(key);
    }
    return status;
}

static void sign(size_t place)
{
    uint8_t public_key[65];
    uint8_t signature[64];
    size_t length;

    psa_status_t status = psa_export_public_key(pairs[place], public_key, 65, &length);
    report(place, "export", status);
    if (status != PSA_SUCCESS) {
        return;
    }
    size_t signature_length;
    status = psa_sign_message(pairs[place], PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                              signature, sizeof signature, &signature_length);
    report(place, "sign", status);
    if (status == PSA_SUCCESS) {
        report(place, "verify-elsewhere", verify_locally(public_key, length, signature));
    }
}

static void encrypt(size_t place)
{
    uint8_t text[sizeof message + 16];
    uint8_t back[sizeof message];
    size_t length;

    psa_status_t status = psa_cipher_encrypt(ciphers[place], PSA_ALG_CTR, message, sizeof message,
                                             text, sizeof text, &length);
    report(place, "encrypt", status);
    if (status != PSA_SUCCESS) {
        return;
    }
    status =
        psa_cipher_decrypt(ciphers[place], PSA_ALG_CTR, text, length, back, sizeof back, &length);
    report(place, "decrypt", status);
    if (status == PSA_SUCCESS) {
        report_text(place, memcmp(back, message, sizeof message));
    }
}

/* The key that SE0 came with signs, and its public half verifies. */
static void use_identity(void)
{
    uint8_t public_key[65];
    uint8_t signature[64];
    size_t length = 0;

    report(1, "sign-by-identity",
           psa_sign_message(CORRAL_KEY_IDENTITY, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message,
                            sizeof message, signature, sizeof signature, &length));
    report(1, "public-identity",
           psa_export_public_key(CORRAL_KEY_IDENTITY, public_key, sizeof public_key, &length));
    report(1, "verify-identity", verify_locally(public_key, length, signature));
}

int main(void)
{
    if (psa_crypto_init() != PSA_SUCCESS) {
        return 1;
    }
    for (size_t place = 0; place < COUNT; place++) {
        create(place);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t place = 0; place < COUNT; place++) {
            sign(place);
            encrypt(place);
        }
    }
    use_identity();
    for (size_t place = 0; place < COUNT; place++) {
        report(place, "destroy", psa_destroy_key(pairs[place]));
        report(place, "destroy-aes", psa_destroy_key(ciphers[place]));
    }
    printf("holds %u\n", corral_holds());
    return 0;
}
