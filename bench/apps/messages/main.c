/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes, authenticates and encrypts messages from 16 bytes to 64 KB. */
#include "../steps/steps.h"

#define SMALLEST 16u
#define LARGEST 65536u
#define FACTOR 4u
#define MAC_ALG PSA_ALG_HMAC(PSA_ALG_SHA_256)

static uint8_t message[LARGEST];
static uint8_t encrypted[LARGEST + PSA_CIPHER_IV_MAX_SIZE];

static psa_status_t import(psa_key_type_t type, psa_key_usage_t usage, psa_algorithm_t alg,
                           size_t size, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_algorithm(&attributes, alg);
    return psa_import_key(&attributes, bench_bytes, size, key);
}

static psa_status_t process(psa_key_id_t mac_key, psa_key_id_t cipher_key, size_t size)
{
    uint8_t short_output[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    size_t length;

    psa_status_t status = psa_hash_compute(PSA_ALG_SHA_256, message, size, short_output,
                                           sizeof short_output, &length);
    if (status == PSA_SUCCESS) {
        status = psa_mac_compute(mac_key, MAC_ALG, message, size, short_output, sizeof short_output,
                                 &length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_encrypt(cipher_key, PSA_ALG_CBC_NO_PADDING, message, size, encrypted,
                                    sizeof encrypted, &length);
    }
    return status;
}

int main(void)
{
    psa_key_id_t mac_key = PSA_KEY_ID_NULL;
    psa_key_id_t cipher_key = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status =
            import(PSA_KEY_TYPE_HMAC, PSA_KEY_USAGE_SIGN_MESSAGE, MAC_ALG, TEXT_SIZE, &mac_key);
    }
    if (status == PSA_SUCCESS) {
        status = import(PSA_KEY_TYPE_AES, PSA_KEY_USAGE_ENCRYPT, PSA_ALG_CBC_NO_PADDING, 16,
                        &cipher_key);
    }
    for (size_t size = SMALLEST; status == PSA_SUCCESS && size <= LARGEST; size *= FACTOR) {
        status = process(mac_key, cipher_key, size);
    }
    return bench_end(status);
}
