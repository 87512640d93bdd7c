/* SPDX-License-Identifier: Apache-2.0 */
/* Imports a 32-byte key and authenticates 32 bytes with HMAC-SHA-256. */
#ifndef BENCH_HMAC_H
#define BENCH_HMAC_H

#include "steps.h"

static inline psa_status_t bench_hmac(psa_key_location_t location)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t mac[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    psa_key_id_t key;
    size_t length;

    bench_place(&attributes, location);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, PSA_ALG_HMAC(PSA_ALG_SHA_256));
    psa_status_t status = psa_import_key(&attributes, bench_bytes, TEXT_SIZE, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_mac_compute(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), bench_bytes, TEXT_SIZE, mac,
                           sizeof mac, &length);
}

#endif
