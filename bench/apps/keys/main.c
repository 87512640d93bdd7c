/* SPDX-License-Identifier: Apache-2.0 */
/* Holds one key more each time, and uses the first and the last of them. */
#include <corral/config.h>

#include "../steps/steps.h"

#define MAC_ALG PSA_ALG_HMAC(PSA_ALG_SHA_256)

static psa_status_t authenticate(psa_key_id_t key)
{
    uint8_t mac[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    size_t length;

    return psa_mac_compute(key, MAC_ALG, bench_bytes, TEXT_SIZE, mac, sizeof mac, &length);
}

static psa_status_t hold_more(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_status_t status = PSA_SUCCESS;
    psa_key_id_t first = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, MAC_ALG);
    for (unsigned held = 0; status == PSA_SUCCESS && held < CORRAL_SINGLE_KEY_SLOTS; held++) {
        psa_key_id_t last;
        status = psa_import_key(&attributes, bench_bytes, TEXT_SIZE, &last);
        if (held == 0) {
            first = last;
        }
        if (status == PSA_SUCCESS) {
            status = authenticate(first);
        }
        if (status == PSA_SUCCESS) {
            status = authenticate(last);
        }
    }
    return status;
}

int main(void)
{
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = hold_more();
    }
    return bench_end(status);
}
