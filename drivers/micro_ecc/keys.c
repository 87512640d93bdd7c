/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/micro_ecc/entry_points.h>

#include "order.h"
#include "stack.h"

#include <stdbool.h>

#include <corral/driver.h>

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

/*
 * Check a private key against the order n of the curve (1 to n - 1, in a time that does not depend
 * on it) or a public key (on the curve) and copy it.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length or format, scalar out of range, point off the curve
 */
psa_status_t micro_ecc_driver_import_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits)
{
    const bool is_public = PSA_KEY_TYPE_IS_PUBLIC_KEY(attributes->type);
    /* The size may be left to the data. */
    const size_t size = is_public ? data_length / 2 : data_length;
    const uECC_Curve curve = micro_ecc_curve(attributes->type, 8 * size);

    if (size != (size_t)uECC_curve_private_key_size(curve) ||
        data_length != (is_public ? 1 + 2 * size : size)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const bool is_valid =
        is_public ? key_buffer[0] == 0x04 && uECC_valid_public_key(key_buffer + 1, curve) == 1
                  : is_scalar_valid(micro_ecc_order(attributes->type, 8 * size), key_buffer, size);
    if (!is_valid) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = data_length;
    *bits = 8 * size;
    return PSA_SUCCESS;
}

/*
 * Draw a private key; the public key follows it if key_buffer_size has room for both.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no valid scalar in 64 draws
 */
psa_status_t micro_ecc_driver_generate_key(const psa_key_attributes_t *attributes,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length)
{
    const uECC_Curve curve = micro_ecc_curve_of(attributes);
    const size_t size = attributes->bits / 8;
    const bool is_cached = key_buffer_size >= 3 * size + 1;
    uint8_t dropped[1 + 2 * MICRO_ECC_SCALAR_MAX_SIZE];
    uint8_t *const point = is_cached ? key_buffer + size : dropped;

    if (key_buffer_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int is_made = uECC_make_key(point + 1, key_buffer, curve);
    micro_ecc_driver_wipe_stack_keys();
    point[0] = 0x04;
    *key_buffer_length = is_cached ? 3 * size + 1 : size;
    return is_made == 1 ? PSA_SUCCESS : PSA_ERROR_INSUFFICIENT_ENTROPY;
}

/*
 * Compute the public key of a private key.
 *   PSA_ERROR_NOT_SUPPORTED     the library cannot compute with this private key: 1, n - 2, n - 1
 */
psa_status_t micro_ecc_driver_export_public_key(const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                uint8_t *data, size_t data_size,
                                                size_t *data_length)
{
    const size_t length = 1 + 2 * key_buffer_size;

    if (data_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int is_computed =
        uECC_compute_public_key(key_buffer, data + 1, micro_ecc_curve_of(attributes));
    micro_ecc_driver_wipe_stack_keys();
    data[0] = 0x04;
    *data_length = length;
    /* 1, n - 2 and n - 1: the library's ladder meets infinity. */
    return is_computed == 1 ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}
