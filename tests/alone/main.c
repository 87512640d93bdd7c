/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "alone.h"

bool did(psa_status_t status, const char *call)
{
    if (status != PSA_SUCCESS) {
        printf("%s = %d\n", call, (int)status);
    }
    return status == PSA_SUCCESS;
}

bool holds(bool is_true, const char *what)
{
    if (!is_true) {
        printf("not so: %s\n", what);
    }
    return is_true;
}

static const uint8_t material[] = {MATERIAL};

bool create(psa_key_usage_t usage, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, TYPE);
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_algorithm(&attributes, POLICY);
    /* One byte stands for none: C has no empty arrays. */
    if (sizeof material == 1) {
        return DID(psa_generate_key(&attributes, key));
    }
    return DID(psa_import_key(&attributes, material, sizeof material, key));
}

int main(void)
{
    return DID(psa_crypto_init()) && use() ? 0 : 1;
}
