/* SPDX-License-Identifier: Apache-2.0 */
/* Imports an AES-128 key and encrypts 32 bytes in CBC mode. */
#ifndef BENCH_CBC_H
#define BENCH_CBC_H

#include "steps.h"

#define CBC_KEY_SIZE 16

static inline psa_status_t bench_cbc(psa_key_location_t location)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t encrypted[PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, PSA_ALG_CBC_NO_PADDING,
                                                     TEXT_SIZE)];
    psa_key_id_t key;
    size_t length;

    bench_place(&attributes, location);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT);
    psa_set_key_algorithm(&attributes, PSA_ALG_CBC_NO_PADDING);
    psa_status_t status = psa_import_key(&attributes, bench_bytes, CBC_KEY_SIZE, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_cipher_encrypt(key, PSA_ALG_CBC_NO_PADDING, bench_bytes, TEXT_SIZE, encrypted,
                              sizeof encrypted, &length);
}

#endif
