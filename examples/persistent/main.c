/* SPDX-License-Identifier: Apache-2.0 */
/* A key that is there again after a restart: made by the first run, used by each. */
#include "../show.h"

/* Persistent keys are named by the application: PSA_KEY_ID_USER_MIN to PSA_KEY_ID_USER_MAX. */
#define DEVICE_KEY ((psa_key_id_t)1)
#define ALG PSA_ALG_CMAC

static psa_status_t generate(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_id(&attributes, DEVICE_KEY);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_PERSISTENT);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_bits(&attributes, 128);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_generate_key(&attributes, &key);
}

static psa_status_t find_or_make(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_status_t status = psa_get_key_attributes(DEVICE_KEY, &attributes);
    const bool is_there = status != PSA_ERROR_INVALID_HANDLE;
    if (!is_there) {
        status = generate();
    }
    if (status == PSA_SUCCESS) {
        corral_board_print(is_there ? "found\n" : "made\n");
    }
    return status;
}

int main(void)
{
    uint8_t mac[16];
    size_t length = 0;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, find_or_make());
    status = THEN(status, psa_mac_compute(DEVICE_KEY, ALG, (const uint8_t *)"who am I?", 9, mac,
                                          sizeof mac, &length));
    show("mac", mac, length);
    return show_end(status);
}
