/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key from a password: PBKDF2. The password and the derived key stay in key slots. Let the cost
 * be as high as the device can bear, and the salt a random one, kept beside what the key
 * protects.
 */
#include <string.h>

#include "../show.h"

#define ALG PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256)
#define MAC PSA_ALG_CMAC

static psa_status_t import_password(psa_key_id_t *password)
{
    static const char text[] = "correct horse battery staple";
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_PASSWORD);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_import_key(&attributes, (const uint8_t *)text, strlen(text), password);
}

static psa_status_t derive(psa_key_id_t password, psa_key_id_t *key)
{
    static const uint8_t salt[] = "the name of this device";
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_bits(&attributes, 128);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, MAC);
    psa_status_t status = psa_key_derivation_setup(&operation, ALG);
    status = THEN(
        status, psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST, 10000));
    status = THEN(status, psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT,
                                                         salt, sizeof salt - 1));
    status =
        THEN(status,
             psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_PASSWORD, password));
    status = THEN(status, psa_key_derivation_output_key(&attributes, &operation, key));
    (void)psa_key_derivation_abort(&operation);
    return status;
}

int main(void)
{
    psa_key_id_t password = PSA_KEY_ID_NULL;
    psa_key_id_t key = PSA_KEY_ID_NULL;
    uint8_t mac[16];
    size_t length = 0;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, import_password(&password));
    status = THEN(status, derive(password, &key));
    status = THEN(status,
                  psa_mac_compute(key, MAC, (const uint8_t *)"abc", 3, mac, sizeof mac, &length));
    show("mac", mac, length);
    (void)psa_destroy_key(password);
    (void)psa_destroy_key(key);
    return show_end(status);
}
