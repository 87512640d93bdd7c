/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/p256m/entry_points.h>

#include "p256m_glue.h"

#include <corral/driver.h>
#include <p256-m.h>

/* Whether bytes of the right length are a key. */
static bool is_key_valid(bool is_public, const uint8_t *key)
{
    if (is_public) {
        return p256m_has_point_format(key, P256M_POINT_SIZE) &&
               p256_validate_pubkey(key + 1) == P256_SUCCESS;
    }
    const int result = p256_validate_privkey(key);
    p256m_driver_wipe_stack();
    return result == P256_SUCCESS;
}

/*
 * Check a private key (1 to n - 1) or a public key (on the curve) and copy it.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length or format, scalar out of range, point off the curve
 */
psa_status_t p256m_driver_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                     size_t data_length, uint8_t *key_buffer,
                                     size_t key_buffer_size, size_t *key_buffer_length,
                                     size_t *bits)
{
    const bool is_public = PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes));

    if (data_length != (is_public ? P256M_POINT_SIZE : P256M_SCALAR_SIZE)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!is_key_valid(is_public, key_buffer)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = data_length;
    *bits = 256;
    return PSA_SUCCESS;
}

/* Draw a private key (32 bytes); its public key (65 bytes) follows it if there is room for both. */
psa_status_t p256m_driver_generate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                       size_t key_buffer_size, size_t *key_buffer_length)
{
    const bool is_cached = key_buffer_size >= P256M_SCALAR_SIZE + P256M_POINT_SIZE;
    uint8_t dropped[P256M_POINT_SIZE];
    uint8_t *const point = is_cached ? key_buffer + P256M_SCALAR_SIZE : dropped;

    (void)attributes;
    if (key_buffer_size < P256M_SCALAR_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int result = p256_gen_keypair(key_buffer, point + 1);
    p256m_driver_wipe_stack();
    if (result != P256_SUCCESS) {
        corral_wipe(key_buffer, P256M_SCALAR_SIZE); /* it may hold the draw that was refused */
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    point[0] = P256M_POINT_PREFIX;
    *key_buffer_length = is_cached ? P256M_SCALAR_SIZE + P256M_POINT_SIZE : P256M_SCALAR_SIZE;
    return PSA_SUCCESS;
}

/*
 * Compute the public key (04 || X || Y) of a private key.
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored private key is out of range
 */
psa_status_t p256m_driver_export_public_key(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            uint8_t *data, size_t data_size, size_t *data_length)
{
    (void)attributes;
    (void)key_buffer_size;
    if (data_size < P256M_POINT_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int result = p256_public_from_private(data + 1, key_buffer);
    p256m_driver_wipe_stack();
    if (result != P256_SUCCESS) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    data[0] = P256M_POINT_PREFIX;
    *data_length = P256M_POINT_SIZE;
    return PSA_SUCCESS;
}
