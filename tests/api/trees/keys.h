/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of trees, as tests make and import them. */
#ifndef TREES_KEYS_H
#define TREES_KEYS_H

#include <string.h>

#include "../../harness/harness.h"

#define VERIFY PSA_KEY_USAGE_VERIFY_MESSAGE

static inline psa_status_t try_import(psa_key_type_t type, psa_algorithm_t alg, const uint8_t *data,
                                      size_t size, size_t bits)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, VERIFY);
    const psa_status_t status = psa_import_key(&attributes, test_copy(data, size), size, &key);
    CHECK((key == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    return status;
}

/* A key of which only the types have a meaning. */
static inline void fill_key(uint8_t *key, size_t size, uint8_t type, uint8_t leaf_type)
{
    test_fill(key, size, 0x21);
    memset(key, 0, 8);
    key[3] = type;
    key[7] = leaf_type;
}

#endif
