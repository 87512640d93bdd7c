/* SPDX-License-Identifier: Apache-2.0 */
/* Imports an AES-128 key and seals 32 bytes with CCM, without additional data. */
#ifndef BENCH_CCM_H
#define BENCH_CCM_H

#include "steps.h"

#define CCM_KEY_SIZE 16
#define CCM_NONCE_SIZE 13

static inline psa_status_t bench_ccm(psa_key_location_t location)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t sealed[PSA_AEAD_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, PSA_ALG_CCM, TEXT_SIZE)];
    psa_key_id_t key;
    size_t length;

    bench_place(&attributes, location);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT);
    psa_set_key_algorithm(&attributes, PSA_ALG_CCM);
    psa_status_t status = psa_import_key(&attributes, bench_bytes, CCM_KEY_SIZE, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_aead_encrypt(key, PSA_ALG_CCM, bench_bytes, CCM_NONCE_SIZE, NULL, 0, bench_bytes,
                            TEXT_SIZE, sealed, sizeof sealed, &length);
}

#endif
