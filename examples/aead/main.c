/* SPDX-License-Identifier: Apache-2.0 */
/* Encryption with authentication, of data and of its header in clear: AES-CCM. */
#include <string.h>

#include "../show.h"

#define ALG PSA_ALG_CCM
#define TEXT_SIZE 5
#define SEALED_SIZE PSA_AEAD_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, ALG, TEXT_SIZE)

static const uint8_t key_data[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t header[] = "sensor 7";
static const uint8_t text[TEXT_SIZE] = "21.5C";

static psa_status_t import(psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_import_key(&attributes, key_data, sizeof key_data, key);
}

static psa_status_t seal_and_open(psa_key_id_t key)
{
    /* No two messages under one key with the same nonce: a counter that is never set back. */
    static const uint8_t nonce[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    uint8_t sealed[SEALED_SIZE];
    uint8_t opened[TEXT_SIZE];
    size_t length;
    size_t opened_length;

    psa_status_t status = psa_aead_encrypt(key, ALG, nonce, sizeof nonce, header, sizeof header - 1,
                                           text, sizeof text, sealed, sizeof sealed, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    show("sealed", sealed, length);
    status = psa_aead_decrypt(key, ALG, nonce, sizeof nonce, header, sizeof header - 1, sealed,
                              length, opened, sizeof opened, &opened_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (opened_length != sizeof text || memcmp(opened, text, sizeof text) != 0) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    sealed[0] ^= 1;
    status = psa_aead_decrypt(key, ALG, nonce, sizeof nonce, header, sizeof header - 1, sealed,
                              length, opened, sizeof opened, &opened_length);
    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : PSA_ERROR_CORRUPTION_DETECTED;
}

int main(void)
{
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, import(&key));
    status = THEN(status, seal_and_open(key));
    (void)psa_destroy_key(key);
    return show_end(status);
}
