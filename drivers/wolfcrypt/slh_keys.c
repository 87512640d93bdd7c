/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of SLH-DSA (FIPS 205, 9.1): SK.seed, SK.prf, PK.seed and PK.root, each of n bytes. */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "slh.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

#define SETS_OF_SHA2 6u
#define MAX_N 32u

enum SlhDsaParam wolfcrypt_driver_slh_set(psa_key_type_t type, size_t bits)
{
    const psa_slh_dsa_family_t family = PSA_KEY_TYPE_SLH_DSA_GET_FAMILY(type);
    const bool is_sha2 = family == PSA_SLH_DSA_FAMILY_SHA2_S || family == PSA_SLH_DSA_FAMILY_SHA2_F;
    const bool is_fast =
        family == PSA_SLH_DSA_FAMILY_SHA2_F || family == PSA_SLH_DSA_FAMILY_SHAKE_F;

    return (enum SlhDsaParam)((is_sha2 ? SETS_OF_SHA2 : 0u) + (bits - 128) / 64 * 2 +
                              (is_fast ? 1u : 0u));
}

int wolfcrypt_driver_slh_open(SlhDsaKey *key, const psa_key_attributes_t *attributes,
                              const uint8_t *data, size_t data_length)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    const size_t bits = psa_get_key_bits(attributes);
    int result = wc_SlhDsaKey_Init(key, wolfcrypt_driver_slh_set(type, bits), NULL, INVALID_DEVID);

    if (result == 0) {
        result = PSA_KEY_TYPE_IS_KEY_PAIR(type)
                     ? wc_SlhDsaKey_ImportPrivate(key, data, (word32)data_length)
                     : wc_SlhDsaKey_ImportPublic(key, data, (word32)data_length);
    }
    return result;
}

void wolfcrypt_driver_slh_close(SlhDsaKey *key)
{
    wc_SlhDsaKey_Free(key);
    corral_wipe(key, sizeof *key);
}

/*
 * SLH-DSA (FIPS 205), all twelve sets. A key pair has its public key in it; that they belong
 * together is not checked, because it takes as long as generating one. derive: from SK.seed, SK.prf
 * and PK.seed (9.1).
 *   PSA_ERROR_INVALID_ARGUMENT      import, derive: another length; a context of over 255 bytes
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  generate, and sign unless deterministic: no random bytes
 *   PSA_ERROR_NOT_SUPPORTED         *_hash: a hash without an identifier in FIPS 205
 */
psa_status_t wolfcrypt_driver_slh_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits)
{
    const size_t parts = PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes)) ? 4u : 2u;
    const size_t n = data_length / parts;

    if (data_length % parts != 0 || (n != 16 && n != 24 && n != 32)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < data_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(key_buffer, data, data_length);
    *key_buffer_length = data_length;
    *bits = 8 * n;
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_slh_derive_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *input, size_t input_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length)
{
    const size_t bits = psa_get_key_bits(attributes);
    const word32 n = (word32)(bits / 8);
    const enum SlhDsaParam set = wolfcrypt_driver_slh_set(psa_get_key_type(attributes), bits);
    word32 length = 4 * n;
    SlhDsaKey key;

    if (input_length != (size_t)3 * n) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    int result = wc_SlhDsaKey_Init(&key, set, NULL, INVALID_DEVID);
    if (result == 0) {
        result = wc_SlhDsaKey_MakeKeyWithRandom(&key, input, n, input + n, n, input + 2 * n, n);
    }
    if (result == 0) {
        result = wc_SlhDsaKey_ExportPrivate(&key, key_buffer, &length);
    }
    wolfcrypt_driver_slh_close(&key);
    wolfcrypt_driver_wipe_stack_slh();
    *key_buffer_length = length;
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

psa_status_t wolfcrypt_driver_slh_generate_key(const psa_key_attributes_t *attributes,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length)
{
    const size_t length = 3 * (psa_get_key_bits(attributes) / 8);
    uint8_t seeds[3 * MAX_N];

    psa_status_t status = corral_random(seeds, length);
    if (status == PSA_SUCCESS) {
        status = wolfcrypt_driver_slh_derive_key(attributes, seeds, length, key_buffer,
                                                 key_buffer_size, key_buffer_length);
    }
    corral_wipe(seeds, sizeof seeds);
    return status;
}

psa_status_t wolfcrypt_driver_slh_export_public_key(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, uint8_t *data,
                                                    size_t data_size, size_t *data_length)
{
    const size_t length = key_buffer_size / 2;

    (void)attributes;
    if (data_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(data, key_buffer + length, length);
    *data_length = length;
    return PSA_SUCCESS;
}
