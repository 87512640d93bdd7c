/* SPDX-License-Identifier: Apache-2.0 */
/* A key that travels under another: AES key wrap. */
#include "../show.h"

#define WRAP PSA_ALG_KW
#define MAC PSA_ALG_CMAC

static const uint8_t outer[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static psa_key_attributes_t attributes_of(psa_algorithm_t alg, psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_bits(&attributes, 128);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_algorithm(&attributes, alg);
    return attributes;
}

static psa_status_t mac_of(psa_key_id_t key, uint8_t mac[16])
{
    size_t length;

    return psa_mac_compute(key, MAC, outer, sizeof outer, mac, 16, &length);
}

/* Wraps a new key, destroys it, and unwraps it again: both make the same code of a message. */
static psa_status_t travel(psa_key_id_t wrapping)
{
    const psa_key_attributes_t attributes =
        attributes_of(MAC, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_SIGN_MESSAGE);
    uint8_t before[16];
    uint8_t after[16];
    uint8_t wrapped[24];
    size_t length = 0;
    psa_key_id_t key;

    psa_status_t status = psa_generate_key(&attributes, &key);
    status = THEN(status, psa_wrap_key(wrapping, WRAP, key, wrapped, sizeof wrapped, &length));
    status = THEN(status, mac_of(key, before));
    (void)psa_destroy_key(key);
    status = THEN(status, psa_unwrap_key(&attributes, wrapping, WRAP, wrapped, length, &key));
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = mac_of(key, after);
    (void)psa_destroy_key(key);
    show("wrapped", wrapped, length);
    show("before", before, sizeof before);
    show("after", after, sizeof after);
    return status;
}

int main(void)
{
    const psa_key_attributes_t attributes =
        attributes_of(WRAP, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP);
    psa_key_id_t wrapping = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, psa_import_key(&attributes, outer, sizeof outer, &wrapping));
    status = THEN(status, travel(wrapping));
    (void)psa_destroy_key(wrapping);
    return show_end(status);
}
