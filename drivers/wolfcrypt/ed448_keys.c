/* SPDX-License-Identifier: Apache-2.0 */
/* Ed448 keys (RFC 8032, 5.2.5): the private key is a string of 57 bytes, any string. */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "stack.h"

#include <corral/driver.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/ed448.h>

static bool is_point_valid(const uint8_t *point)
{
    ed448_key key;

    return wc_ed448_init(&key) == 0 && wc_ed448_import_public(point, ED448_PUB_KEY_SIZE, &key) == 0;
}

static psa_status_t derive_public(const uint8_t *secret, uint8_t *public_key)
{
    ed448_key key;
    int result = wc_ed448_init(&key);

    if (result == 0) {
        result = wc_ed448_import_private_only(secret, ED448_KEY_SIZE, &key);
    }
    if (result == 0) {
        result = wc_ed448_make_public(&key, public_key, ED448_PUB_KEY_SIZE);
    }
    corral_wipe(&key, sizeof key);
    wolfcrypt_driver_wipe_stack_448();
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

/*
 * Ed448 keys of 57 bytes: the private key of RFC 8032, or a point of the curve in canonical
 * encoding. *_generate: the public key follows the private one if there is room for both.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length, not such a point, or one of small order
 */
psa_status_t wolfcrypt_driver_ed448_import_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *data, size_t data_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length, size_t *bits)
{
    if (data_length != ED448_KEY_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, ED448_KEY_SIZE)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes)) && !is_point_valid(key_buffer)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = ED448_KEY_SIZE;
    *bits = 448;
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_ed448_generate_key(const psa_key_attributes_t *attributes,
                                                 uint8_t *key_buffer, size_t key_buffer_size,
                                                 size_t *key_buffer_length)
{
    psa_status_t status = PSA_SUCCESS;

    (void)attributes;
    if (key_buffer_size < ED448_KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (corral_random(key_buffer, ED448_KEY_SIZE) != PSA_SUCCESS) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *key_buffer_length = ED448_KEY_SIZE;
    if (key_buffer_size >= ED448_PRV_KEY_SIZE) {
        status = derive_public(key_buffer, key_buffer + ED448_KEY_SIZE);
        *key_buffer_length = ED448_PRV_KEY_SIZE;
    }
    return status;
}

psa_status_t wolfcrypt_driver_ed448_export_public_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, uint8_t *data,
                                                      size_t data_size, size_t *data_length)
{
    (void)attributes;
    (void)key_buffer_size;
    if (data_size < ED448_PUB_KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *data_length = ED448_PUB_KEY_SIZE;
    return derive_public(key_buffer, data);
}
