/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A boot loader's calls of PSA Crypto, in the order in which MCUboot's bootutil makes them. Each
 * command takes hexadecimal words, and prints "yes", "no" or the bytes of a key.
 *
 * - hash DATA: the hash of an image
 * - verify KEY HASH SIGNATURE: a signature by the key of the image's vendor
 * - unwrap KEY TLV: the key of an encrypted image
 * - stream KEY COUNTER OFFSET DATA: data of an image, with that key
 */
#include <psa/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootutil/crypto/aes_ctr_psa.h"

#define MAX_SIZE 2048
#define TAG_SIZE 32

struct bytes {
    uint8_t data[MAX_SIZE];
    size_t size;
};

/* The type that MCUboot's source of random bytes for Mbed TLS declares. */
static mbedtls_psa_external_random_context_t *unused_context;

static struct bytes read_hex(const char *text)
{
    struct bytes out = {.size = strlen(text) / 2};

    if (out.size > sizeof out.data) {
        abort();
    }
    for (size_t i = 0; i < out.size; i++) {
        unsigned value = 0;

        if (sscanf(&text[2 * i], "%2x", &value) != 1) {
            abort();
        }
        out.data[i] = (uint8_t)value;
    }
    return out;
}

static int print_hex(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        printf("%02x", (unsigned)data[i]);
    }
    puts("");
    return 0;
}

static psa_key_id_t imported(psa_key_type_t type, psa_algorithm_t alg, psa_key_usage_t usage,
                             const uint8_t *data, size_t size)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    const psa_status_t status = psa_import_key(&attributes, data, size, &key);

    if (status != PSA_SUCCESS) {
        fprintf(stderr, "psa_import_key: %d\n", (int)status);
    }
    return key;
}

/* The hash as bootutil makes it, in parts. */
static int hash(psa_algorithm_t alg, const struct bytes *data)
{
    psa_hash_operation_t operation = psa_hash_operation_init();
    uint8_t out[PSA_HASH_MAX_SIZE];
    size_t length = 0;

    psa_status_t status = psa_hash_setup(&operation, alg);
    for (size_t i = 0; status == PSA_SUCCESS && i < data->size; i += 5) {
        const size_t rest = data->size - i;

        status = psa_hash_update(&operation, &data->data[i], rest < 5 ? rest : 5);
    }
    if (status == PSA_SUCCESS) {
        status = psa_hash_finish(&operation, out, PSA_HASH_LENGTH(alg), &length);
    }
    (void)psa_hash_abort(&operation);
    return status == PSA_SUCCESS ? print_hex(out, length) : EXIT_FAILURE;
}

#if defined(MCUBOOT_SIGN_ED25519)
#define HASH PSA_ALG_SHA_256
#define SIGNED_BY PSA_ALG_PURE_EDDSA
#define KEY_TYPE PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define KEY_USAGE PSA_KEY_USAGE_VERIFY_MESSAGE
#define verify_with psa_verify_message
#elif defined(MCUBOOT_SIGN_RSA)
#define HASH PSA_ALG_SHA_256
#define SIGNED_BY PSA_ALG_RSA_PSS(HASH)
#define KEY_TYPE PSA_KEY_TYPE_RSA_PUBLIC_KEY
#elif defined(MCUBOOT_SIGN_EC384)
#define HASH PSA_ALG_SHA_384
#define SIGNED_BY PSA_ALG_ECDSA(HASH)
#define KEY_TYPE PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#else
#define HASH PSA_ALG_SHA_256
#define SIGNED_BY PSA_ALG_ECDSA(HASH)
#define KEY_TYPE PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#endif
#ifndef verify_with
#define KEY_USAGE PSA_KEY_USAGE_VERIFY_HASH
#define verify_with psa_verify_hash
#endif

static int verify(const struct bytes *data, const struct bytes *digest,
                  const struct bytes *signature)
{
    const psa_key_id_t key = imported(KEY_TYPE, SIGNED_BY, KEY_USAGE, data->data, data->size);
    const psa_status_t status =
        verify_with(key, SIGNED_BY, digest->data, digest->size, signature->data, signature->size);

    if (psa_destroy_key(key) != PSA_SUCCESS) {
        return EXIT_FAILURE;
    }
    puts(status == PSA_SUCCESS ? "yes" : "no");
    return status == PSA_SUCCESS || status == PSA_ERROR_INVALID_SIGNATURE ? 0 : EXIT_FAILURE;
}

#if defined(MCUBOOT_ENCRYPT_RSA)
static int unwrap(const struct bytes *pair, const struct bytes *tlv)
{
    psa_key_attributes_t attributes = psa_key_attributes_init();
    const psa_algorithm_t alg = PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256);
    const psa_key_id_t key =
        imported(PSA_KEY_TYPE_RSA_KEY_PAIR, alg, PSA_KEY_USAGE_DECRYPT, pair->data, pair->size);
    /* Exactly as long as the key is. */
    uint8_t out[BOOT_ENC_KEY_SIZE];
    size_t length = 0;

    psa_status_t status = psa_get_key_attributes(key, &attributes);
    if (PSA_BITS_TO_BYTES(psa_get_key_bits(&attributes)) != tlv->size) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status == PSA_SUCCESS) {
        status = psa_asymmetric_decrypt(key, alg, tlv->data, tlv->size, NULL, 0, out, sizeof out,
                                        &length);
    }
    if (psa_destroy_key(key) != PSA_SUCCESS) {
        return EXIT_FAILURE;
    }
    if (status != PSA_SUCCESS) {
        puts("no");
        return 0;
    }
    return print_hex(out, length);
}

static int stream(const struct bytes *key, struct bytes *counter, const struct bytes *offset,
                  const struct bytes *data)
{
    bootutil_aes_ctr_context context;
    uint8_t out[MAX_SIZE];
    uint8_t back[MAX_SIZE];
    const size_t skipped = offset->data[0];

    bootutil_aes_ctr_init(&context);
    bootutil_aes_ctr_drop(&context);
    if (bootutil_aes_ctr_decrypt(&context, counter->data, data->data, 1, 0, out) == 0) {
        return EXIT_FAILURE;
    }
    /* The second key takes the place of the first. */
    for (int i = 0; i < 4; i++) {
        if (bootutil_aes_ctr_set_key(&context, key->data) != 0) {
            return EXIT_FAILURE;
        }
    }
    const uint32_t size = (uint32_t)data->size;
    if (bootutil_aes_ctr_encrypt(&context, counter->data, data->data, size, skipped, out) != 0 ||
        bootutil_aes_ctr_decrypt(&context, counter->data, out, size, skipped, back) != 0 ||
        memcmp(back, data->data, size) != 0) {
        return EXIT_FAILURE;
    }
    bootutil_aes_ctr_drop(&context);
    return print_hex(out, size);
}
#elif defined(MCUBOOT_ENCRYPT_EC256) || defined(MCUBOOT_ENCRYPT_X25519)
#if defined(MCUBOOT_ENCRYPT_EC256)
#define PAIR_TYPE PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC_SIZE 65
#else
#define PAIR_TYPE PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define PUBLIC_SIZE 32
#endif
#define AGREED PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(PSA_ALG_SHA_256))
#define MAC PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define IV_SIZE PSA_CIPHER_IV_LENGTH(PSA_KEY_TYPE_AES, PSA_ALG_CTR)

/* A public key, a tag, and the encrypted key. */
static int unwrap(const struct bytes *pair, const struct bytes *tlv)
{
    const uint8_t *tag = &tlv->data[PUBLIC_SIZE];
    const uint8_t *wrapped = &tag[TAG_SIZE];
    psa_key_derivation_operation_t derivation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t derived[BOOT_ENC_KEY_SIZE + TAG_SIZE];
    uint8_t input[IV_SIZE + BOOT_ENC_KEY_SIZE] = {0};
    uint8_t out[BOOT_ENC_KEY_SIZE];
    size_t length = 0;

    psa_key_id_t key =
        imported(PAIR_TYPE, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, pair->data, pair->size);
    psa_status_t status = psa_key_derivation_setup(&derivation, AGREED);
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_key_agreement(&derivation, PSA_KEY_DERIVATION_INPUT_SECRET, key,
                                                  tlv->data, PUBLIC_SIZE);
    }
    (void)psa_destroy_key(key);
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_INFO,
                                                (const uint8_t *)"MCUBoot_ECIES_v1", 16);
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_output_bytes(&derivation, derived, sizeof derived);
    }
    (void)psa_key_derivation_abort(&derivation);
    if (status == PSA_SUCCESS) {
        key = imported(PSA_KEY_TYPE_HMAC, MAC, PSA_KEY_USAGE_VERIFY_MESSAGE,
                       &derived[BOOT_ENC_KEY_SIZE], TAG_SIZE);
        status = psa_mac_verify(key, MAC, wrapped, BOOT_ENC_KEY_SIZE, tag, TAG_SIZE);
        (void)psa_destroy_key(key);
    }
    if (status != PSA_SUCCESS) {
        puts("no");
        return 0;
    }
    memcpy(&input[IV_SIZE], wrapped, BOOT_ENC_KEY_SIZE);
    key =
        imported(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_DECRYPT, derived, BOOT_ENC_KEY_SIZE);
    status = psa_cipher_decrypt(key, PSA_ALG_CTR, input, sizeof input, out, sizeof out, &length);
    (void)psa_destroy_key(key);
    return status == PSA_SUCCESS ? print_hex(out, length) : EXIT_FAILURE;
}
#endif

int main(int count, char **words)
{
    static struct bytes in[4];

    (void)unused_context;
    for (int i = 2; i < count && i < 6; i++) {
        in[i - 2] = read_hex(words[i]);
    }
    if (count < 3 || psa_crypto_init() != PSA_SUCCESS) {
        return EXIT_FAILURE;
    }
    if (strcmp(words[1], "hash") == 0) {
        return hash(HASH, &in[0]);
    }
    if (strcmp(words[1], "verify") == 0) {
        return verify(&in[0], &in[1], &in[2]);
    }
#if defined(MCUBOOT_ENC_IMAGES)
    if (strcmp(words[1], "unwrap") == 0) {
        return unwrap(&in[0], &in[1]);
    }
#endif
#if defined(MCUBOOT_ENCRYPT_RSA)
    if (strcmp(words[1], "stream") == 0) {
        return stream(&in[0], &in[1], &in[2], &in[3]);
    }
#endif
    return EXIT_FAILURE;
}
