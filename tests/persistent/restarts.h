/* SPDX-License-Identifier: Apache-2.0 */
/* A device that is switched off and on, as an application of it can see that. */
#ifndef TESTS_PERSISTENT_RESTARTS_H
#define TESTS_PERSISTENT_RESTARTS_H

#include <string.h>

#include <corral/port.h>

#include "../harness/harness.h"

/* A start with a storage in which no key is: of this geometry, if the program can choose it. */
void device_fresh(const struct corral_flash_geometry *geometry);
/* Everything in memory is lost, and psa_crypto_init() has succeeded. */
void device_restart(void);

/* Attributes with an identifier. */
static inline psa_key_attributes_t device_attributes(psa_key_id_t id, psa_key_type_t type,
                                                     size_t bits, psa_algorithm_t alg,
                                                     psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = test_attributes(type, bits, alg, usage);

    psa_set_key_id(&attributes, id);
    return attributes;
}

/* A key of these bytes. */
static inline psa_status_t device_import(psa_key_id_t id, psa_key_usage_t usage,
                                         const uint8_t *data, size_t size)
{
    psa_key_attributes_t attributes =
        device_attributes(id, PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, usage);
    psa_key_id_t key = 99;

    psa_status_t status = psa_import_key(&attributes, data, size, &key);
    CHECK(key == (status == PSA_SUCCESS ? id : PSA_KEY_ID_NULL));
    return status;
}

/* Whether a key has these bytes. */
static inline bool device_exports(psa_key_id_t id, const uint8_t *data, size_t size)
{
    uint8_t got[64];
    size_t length = 0;

    return psa_export_key(id, got, sizeof got, &length) == PSA_SUCCESS && length == size &&
           memcmp(got, data, size) == 0;
}

#endif
