/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/awslc/entry_points.h>

#include "ec.h"
#include "stack.h"

#include <corral/driver.h>
#include <openssl/bn.h>
#include <openssl/ec.h>

/* Write a point with its format; the buffer has room for it. */
static bool write_point(const struct awslc_curve *curve, const EC_POINT *point, uint8_t *bytes)
{
    const size_t size = awslc_ec_point_size(curve);

    return EC_POINT_point2oct(curve->group(), point, POINT_CONVERSION_UNCOMPRESSED, bytes, size,
                              NULL) == size;
}

/*
 * Check a private key (1 to the order - 1) or a public key (on the curve) and copy it.
 *   PSA_ERROR_INVALID_ARGUMENT     wrong length or format, scalar out of range, point off the curve
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the heap is exhausted
 */
psa_status_t awslc_curve_import_key(const struct awslc_curve *curve,
                                    const psa_key_attributes_t *attributes, const uint8_t *data,
                                    size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                                    size_t *key_buffer_length, size_t *bits)
{
    const bool is_public = PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes));
    bool is_valid;

    if (data_length != (is_public ? awslc_ec_point_size(curve) : curve->size)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    awslc_ec_begin();
    if (is_public) {
        EC_POINT *const point = awslc_ec_read_point(curve, key_buffer, data_length);

        is_valid = point != NULL;
        EC_POINT_free(point);
    } else {
        EC_KEY *const key = awslc_ec_read_private(curve, key_buffer);

        is_valid = key != NULL;
        EC_KEY_free(key);
        awslc_wipe_stack_ec();
    }
    if (!is_valid) {
        return awslc_ec_failed(PSA_ERROR_INVALID_ARGUMENT);
    }
    *key_buffer_length = data_length;
    *bits = curve->bits;
    return PSA_SUCCESS;
}

/*
 * Draw a private key; the public key follows it if key_buffer_size has room for both.
 * A failure of corral_random() is passed on.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() gave nothing in range in 99 draws
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t awslc_curve_generate_key(const struct awslc_curve *curve,
                                      const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                      size_t key_buffer_size, size_t *key_buffer_length)
{
    const size_t both = curve->size + awslc_ec_point_size(curve);
    const bool is_cached = key_buffer_size >= both;

    (void)attributes;
    if (key_buffer_size < curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    awslc_ec_begin();
    EC_KEY *const key = EC_KEY_new();
    const bool is_made =
        key != NULL && EC_KEY_set_group(key, curve->group()) == 1 &&
        EC_KEY_generate_key(key) == 1 &&
        BN_bn2bin_padded(key_buffer, curve->size, EC_KEY_get0_private_key(key)) == 1 &&
        (!is_cached || write_point(curve, EC_KEY_get0_public_key(key), key_buffer + curve->size));
    EC_KEY_free(key);
    awslc_wipe_stack_ec();
    *key_buffer_length = is_cached ? both : curve->size;
    return is_made ? PSA_SUCCESS : awslc_ec_failed(PSA_ERROR_INSUFFICIENT_ENTROPY);
}

/*
 * Compute the public key.
 *   PSA_ERROR_CORRUPTION_DETECTED  the private key is not in range
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the heap is exhausted
 */
psa_status_t awslc_curve_export_public_key(const struct awslc_curve *curve,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           uint8_t *data, size_t data_size, size_t *data_length)
{
    (void)attributes;
    (void)key_buffer_size;
    if (data_size < awslc_ec_point_size(curve)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    awslc_ec_begin();
    EC_KEY *const key = awslc_ec_read_private(curve, key_buffer);
    EC_POINT *const point = EC_POINT_new(curve->group());
    const bool is_made =
        key != NULL && point != NULL &&
        EC_POINT_mul(curve->group(), point, EC_KEY_get0_private_key(key), NULL, NULL, NULL) == 1 &&
        write_point(curve, point, data);
    EC_POINT_free(point);
    EC_KEY_free(key);
    awslc_wipe_stack_ec();
    *data_length = awslc_ec_point_size(curve);
    return is_made ? PSA_SUCCESS : awslc_ec_failed(PSA_ERROR_CORRUPTION_DETECTED);
}
