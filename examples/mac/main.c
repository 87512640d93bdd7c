/* SPDX-License-Identifier: Apache-2.0 */
/* A message authentication code by a key that both sides know, and its verification. */
#include "../show.h"

#define ALG PSA_ALG_HMAC(PSA_ALG_SHA_256)

static const uint8_t known_to_both[32] = {0x0b, 0x0b, 0x0b};
static const uint8_t message[] = "open the valve";

static psa_status_t import(psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_import_key(&attributes, known_to_both, sizeof known_to_both, key);
}

static psa_status_t authenticate(psa_key_id_t key)
{
    uint8_t mac[PSA_MAC_LENGTH(PSA_KEY_TYPE_HMAC, 256, ALG)];
    size_t length;

    psa_status_t status =
        psa_mac_compute(key, ALG, message, sizeof message - 1, mac, sizeof mac, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    show("mac", mac, length);
    status = psa_mac_verify(key, ALG, message, sizeof message - 1, mac, length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    mac[0] ^= 1;
    status = psa_mac_verify(key, ALG, message, sizeof message - 1, mac, length);
    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : PSA_ERROR_CORRUPTION_DETECTED;
}

int main(void)
{
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, import(&key));
    status = THEN(status, authenticate(key));
    (void)psa_destroy_key(key);
    return show_end(status);
}
