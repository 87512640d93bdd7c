/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "group.h"
#include "stack.h"
#include "status.h"

#include <string.h>

#include <corral/driver.h>

/* Bytes that each scalar is derived from, beyond its own (PSA Crypto 1.5, 9.5.9). */
#define SPARE 8u

static psa_ecc_family_t family_of(const psa_key_attributes_t *attributes)
{
    return PSA_KEY_TYPE_SPAKE2P_GET_FAMILY(psa_get_key_type(attributes));
}

/* group->scalar = a number from 1 to the order less one. */
static int read_and_check(struct mbedtls_driver_group *group, const uint8_t *data)
{
    const int result = mbedtls_driver_group_read_scalar(group, &group->scalar, data);

    return result == 0 ? mbedtls_ecp_check_privkey(&group->group, &group->scalar) : result;
}

/* w0 and w1 are scalars, L is a point. */
static int check_key(struct mbedtls_driver_group *group, const uint8_t *data, size_t length,
                     bool is_public)
{
    const int result = read_and_check(group, data);

    if (result != 0) {
        return result;
    }
    return is_public ? mbedtls_driver_group_read(group, &group->point, data + group->size,
                                                 length - group->size)
                     : read_and_check(group, data + group->size);
}

/*
 * Keys of SPAKE2+. Public keys are w0 || L, pairs w0 || w1. *_derive_key: from the size of a scalar
 * and 8 bytes more for each of w0 and w1.
 *   PSA_ERROR_INVALID_ARGUMENT      scalars that are 0 or not below the order, L off the curve, or
 *                                   data of another length
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_spake2p_import_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *data, size_t data_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length, size_t *bits)
{
    const bool is_public = PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes));
    const size_t size = is_public ? data_length / 3 : data_length / 2;
    struct mbedtls_driver_group group;

    if (data_length != (is_public ? 3 * size + 1 : 2 * size)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    int result = mbedtls_driver_group_open(&group, family_of(attributes), size);
    if (result == 0) {
        result = check_key(&group, key_buffer, data_length, is_public);
    }
    if (result == 0) {
        *key_buffer_length = data_length;
        *bits = group.bits;
    } else if (result == MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE) {
        result = MBEDTLS_ERR_ECP_BAD_INPUT_DATA; /* no size that a key of the type has */
    }
    mbedtls_driver_group_close(&group);
    return mbedtls_driver_pake_done(mbedtls_driver_status(result));
}

/* w0, and L = w1 P. */
psa_status_t mbedtls_driver_spake2p_export_public_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, uint8_t *data,
                                                      size_t data_size, size_t *data_length)
{
    const size_t size = key_buffer_size / 2;
    struct mbedtls_driver_group group;

    if (data_size < 3 * size + 1) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    int result = mbedtls_driver_group_open(&group, family_of(attributes), size);
    if (result == 0) {
        result = mbedtls_driver_group_read_scalar(&group, &group.scalar, key_buffer + size);
    }
    if (result == 0) {
        result = mbedtls_driver_group_multiply(&group, &group.point, &group.scalar, &group.group.G);
    }
    if (result == 0) {
        result = mbedtls_driver_group_write(&group, &group.point, data + size);
    }
    mbedtls_driver_group_close(&group);
    if (result == 0) {
        memcpy(data, key_buffer, size);
        *data_length = 3 * size + 1;
    }
    return mbedtls_driver_pake_done(mbedtls_driver_status(result));
}

/* A scalar from more bytes than it has, so that all are equally likely. */
static int derive_scalar(struct mbedtls_driver_group *group, const uint8_t *input, uint8_t *output)
{
    int result = mbedtls_driver_group_reduce(group, &group->scalar, input, group->size + SPARE);

    if (result == 0) {
        result = mbedtls_ecp_check_privkey(&group->group, &group->scalar);
    }
    return result == 0 ? mbedtls_driver_group_write_scalar(group, &group->scalar, output) : result;
}

psa_status_t mbedtls_driver_spake2p_derive_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *input, size_t input_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length)
{
    const size_t size = (psa_get_key_bits(attributes) + 7) / 8;
    struct mbedtls_driver_group group;

    if (input_length != 2 * (size + SPARE)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < 2 * size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    int result = mbedtls_driver_group_open(&group, family_of(attributes), size);
    if (result == 0) {
        result = derive_scalar(&group, input, key_buffer);
    }
    if (result == 0) {
        result = derive_scalar(&group, input + size + SPARE, key_buffer + size);
    }
    mbedtls_driver_group_close(&group);
    *key_buffer_length = 2 * size;
    return mbedtls_driver_pake_done(mbedtls_driver_status(result));
}
