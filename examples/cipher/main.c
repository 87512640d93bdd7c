/* SPDX-License-Identifier: Apache-2.0 */
/* Encryption without authentication, for formats that ask for it: AES in counter mode. */
#include <string.h>

#include "../show.h"

#define ALG PSA_ALG_CTR

#define SIZE 21

static const uint8_t text[SIZE] = "twenty-one bytes here";

static psa_status_t generate(psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_bits(&attributes, 128);
    /* It is exported to check this example; leave that out. */
    psa_set_key_usage_flags(&attributes,
                            PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_EXPORT);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_generate_key(&attributes, key);
}

static psa_status_t there_and_back(psa_key_id_t key)
{
    uint8_t sent[PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, ALG, sizeof text)];
    uint8_t received[sizeof sent];
    uint8_t raw[16];
    size_t length;

    /* The initialisation vector precedes the ciphertext; it is drawn anew each time. */
    psa_status_t status =
        psa_cipher_encrypt(key, ALG, text, sizeof text, sent, sizeof sent, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    show("ciphertext", sent, length);
    status = psa_cipher_decrypt(key, ALG, sent, length, received, sizeof received, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (length != sizeof text || memcmp(received, text, length) != 0) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    status = psa_export_key(key, raw, sizeof raw, &length);
    show("key", raw, length);
    return status;
}

int main(void)
{
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, generate(&key));
    status = THEN(status, there_and_back(key));
    (void)psa_destroy_key(key);
    return show_end(status);
}
