/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "ecc.h"
#include "stack.h"
#include "status.h"

#include <corral/driver.h>

/*
 * Check that a private key is in range; keys of Montgomery curves get the forced bits of RFC 7748,
 * which the library sets when it reads the key.
 */
static int normalise_private(const struct mbedtls_driver_curve *curve, uint8_t *key)
{
    mbedtls_ecp_keypair pair;
    size_t length;
    int result;

    mbedtls_ecp_keypair_init(&pair);
    result = mbedtls_ecp_read_key((mbedtls_ecp_group_id)curve->id, &pair, key, curve->size);
    if (result == 0) {
        result = mbedtls_ecp_write_key_ext(&pair, &length, key, curve->size);
    }
    mbedtls_ecp_keypair_free(&pair);
    return result;
}

/* Check that a public key lies on the curve; any string is a key of a Montgomery curve. */
static int check_public(const struct mbedtls_driver_curve *curve, const uint8_t *data,
                        size_t length)
{
    mbedtls_ecp_group group;
    mbedtls_ecp_point point;
    int result;

    if (curve->family == PSA_ECC_FAMILY_MONTGOMERY) {
        return 0;
    }
    mbedtls_ecp_group_init(&group);
    mbedtls_ecp_point_init(&point);
    result = mbedtls_ecp_group_load(&group, (mbedtls_ecp_group_id)curve->id);
    if (result == 0) {
        result = mbedtls_driver_read_point(curve, &group, &point, data, length);
    }
    if (result == 0) {
        result = mbedtls_ecp_check_pubkey(&group, &point);
    }
    mbedtls_ecp_point_free(&point);
    mbedtls_ecp_group_free(&group);
    return result;
}

/*
 * Keys of the curves in ecc.c.
 * *_import_key: a private key in range (stored with its forced bits on Montgomery curves), a public
 *   key on its curve (any string on Montgomery curves). The size comes from the data's length.
 * *_generate_key: the public key follows the private key if there is room for both.
 *   PSA_ERROR_INVALID_ARGUMENT      not a key of a curve of this family
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no usable scalar in 30 draws
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the library was configured without this curve
 */
psa_status_t mbedtls_driver_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                       size_t data_length, uint8_t *key_buffer,
                                       size_t key_buffer_size, size_t *key_buffer_length,
                                       size_t *bits)
{
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(attributes, data_length);
    const size_t wanted_bits = psa_get_key_bits(attributes);
    int result;

    if (curve == NULL || (wanted_bits != 0 && wanted_bits != curve->bits)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes))) {
        result = check_public(curve, key_buffer, data_length);
    } else {
        result = normalise_private(curve, key_buffer);
    }
    if (result == 0) {
        *key_buffer_length = data_length;
        *bits = curve->bits;
    }
    return mbedtls_driver_curve_done(mbedtls_driver_status(result));
}

psa_status_t mbedtls_driver_generate_key(const psa_key_attributes_t *attributes,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length)
{
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(attributes, (psa_get_key_bits(attributes) + 7) / 8);
    mbedtls_ecp_keypair pair;
    size_t public_length = 0;
    size_t length = 0;
    int result;

    if (curve == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (key_buffer_size < curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    mbedtls_ecp_keypair_init(&pair);
    result = mbedtls_ecp_gen_key((mbedtls_ecp_group_id)curve->id, &pair, mbedtls_driver_draw, NULL);
    if (result == 0) {
        result = mbedtls_ecp_write_key_ext(&pair, &length, key_buffer, curve->size);
    }
    if (result == 0 && key_buffer_size >= length + mbedtls_driver_public_size(curve)) {
        result = mbedtls_ecp_write_public_key(&pair, MBEDTLS_ECP_PF_UNCOMPRESSED, &public_length,
                                              key_buffer + length, key_buffer_size - length);
    }
    mbedtls_ecp_keypair_free(&pair);
    if (result == 0) {
        *key_buffer_length = length + public_length;
    }
    return mbedtls_driver_curve_done(mbedtls_driver_status(result));
}

psa_status_t mbedtls_driver_export_public_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              uint8_t *data, size_t data_size, size_t *data_length)
{
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(attributes, key_buffer_size);
    mbedtls_ecp_keypair pair;
    int result;

    if (curve == NULL) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    if (data_size < mbedtls_driver_public_size(curve)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    mbedtls_ecp_keypair_init(&pair);
    result =
        mbedtls_ecp_read_key((mbedtls_ecp_group_id)curve->id, &pair, key_buffer, key_buffer_size);
    if (result == 0) {
        result = mbedtls_ecp_keypair_calc_public(&pair, mbedtls_driver_draw, NULL);
    }
    if (result == 0) {
        result = mbedtls_ecp_write_public_key(&pair, MBEDTLS_ECP_PF_UNCOMPRESSED, data_length, data,
                                              data_size);
    }
    mbedtls_ecp_keypair_free(&pair);
    return mbedtls_driver_curve_done(mbedtls_driver_status(result));
}
