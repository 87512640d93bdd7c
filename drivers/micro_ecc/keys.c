/* SPDX-License-Identifier: Apache-2.0 */
#include "ecc.h"
#include "stack.h"

#include <stdbool.h>
#include <string.h>

#include <corral/driver.h>

/* Coordinates of the largest curve, in bytes. */
#define COORDINATE_MAX_SIZE 32

/* Is the scalar in 1 to n - 1? Every byte is read, whatever the answer. */
static bool is_scalar_valid(const uint8_t *order, const uint8_t *scalar, size_t size)
{
    unsigned borrow = 0;
    unsigned any = 0;
    size_t i;

    for (i = size; i > 0; i--) {
        borrow = (((unsigned)scalar[i - 1] - order[i - 1] - borrow) >> 8) & 1U;
        any |= scalar[i - 1];
    }
    return borrow != 0 && any != 0;
}

psa_status_t micro_ecc_driver_curve_import(uECC_Curve curve, const uint8_t *order,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length)
{
    const size_t size = (size_t)uECC_curve_private_key_size(curve);
    bool is_valid;

    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes))) {
        is_valid = data_length == 1 + 2 * size && data[0] == 0x04 &&
                   uECC_valid_public_key(data + 1, curve) == 1;
    } else {
        is_valid = data_length == size && is_scalar_valid(order, data, size);
    }
    if (!is_valid) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < data_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(key_buffer, data, data_length);
    *key_buffer_length = data_length;
    return PSA_SUCCESS;
}

psa_status_t micro_ecc_driver_curve_generate(uECC_Curve curve, uint8_t *key_buffer,
                                             size_t key_buffer_size, size_t *key_buffer_length)
{
    const size_t size = (size_t)uECC_curve_private_key_size(curve);
    uint8_t point[2 * COORDINATE_MAX_SIZE];
    int is_made;

    if (key_buffer_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    is_made = uECC_make_key(point, key_buffer, curve);
    micro_ecc_driver_wipe_stack();
    if (is_made != 1) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *key_buffer_length = size;
    if (key_buffer_size >= 3 * size + 1) {
        key_buffer[size] = 0x04;
        memcpy(key_buffer + size + 1, point, 2 * size);
        *key_buffer_length = 3 * size + 1;
    }
    return PSA_SUCCESS;
}

psa_status_t micro_ecc_driver_curve_export_public(uECC_Curve curve, const uint8_t *key_buffer,
                                                  uint8_t *data, size_t data_size,
                                                  size_t *data_length)
{
    const size_t length = 1 + (size_t)uECC_curve_public_key_size(curve);
    int is_computed;

    if (data_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    is_computed = uECC_compute_public_key(key_buffer, data + 1, curve);
    micro_ecc_driver_wipe_stack();
    if (is_computed != 1) {
        return PSA_ERROR_NOT_SUPPORTED; /* 1, n - 2 and n - 1: its ladder meets infinity */
    }
    data[0] = 0x04;
    *data_length = length;
    return PSA_SUCCESS;
}
