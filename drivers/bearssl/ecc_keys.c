/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "ecc.h"

#include <string.h>

#include <bearssl_rand.h>
#include <corral/driver.h>

/* A generator in the shape that br_ec_keygen() calls, with room for the failure it cannot report.
 */
struct draw {
    const br_prng_class *methods;
    psa_status_t status;
};

/*
 * Fills from the core. br_ec_keygen() repeats until it has a valid scalar, so after a failure it
 * gets the scalar 1, to make it return; the caller looks at `status` and throws the scalar away.
 */
static void draw_bytes(const br_prng_class **context, void *output, size_t size)
{
    struct draw *const draw = (struct draw *)context;

    draw->status = corral_random(output, size);
    if (draw->status != PSA_SUCCESS) {
        memset(output, 0, size);
        ((uint8_t *)output)[size - 1] = 1;
    }
}

static const br_prng_class draw_methods = {sizeof(struct draw), NULL, draw_bytes, NULL};

/* Is the scalar in 1 to n - 1? Every byte is read, whatever the answer. */
static bool is_scalar_valid(const struct bearssl_driver_curve *curve, const uint8_t *scalar)
{
    size_t length;
    const uint8_t *const order = curve->methods->order(curve->id, &length);
    unsigned borrow = 0;
    unsigned any = 0;
    size_t i;

    for (i = length; i > 0; i--) {
        borrow = (((unsigned)scalar[i - 1] - order[i - 1] - borrow) >> 8) & 1U;
        any |= scalar[i - 1];
    }
    return borrow != 0 && any != 0;
}

/* BearSSL decodes and checks a point when it multiplies it; the factor 1 makes that cheap. */
static bool is_point_valid(const struct bearssl_driver_curve *curve, const uint8_t *point,
                           size_t length)
{
    static const uint8_t one = 1;
    uint8_t copy[BEARSSL_POINT_MAX_SIZE];

    memcpy(copy, point, length);
    return curve->methods->mul(copy, length, &one, 1, curve->id) == 1;
}

/*
 * Check a private key (1 to n - 1, in a time that does not depend on it) or a public key (on the
 * curve) and copy it.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length or format, scalar out of range, point off the curve
 */
psa_status_t bearssl_driver_curve_import_key(const struct bearssl_driver_curve *curve,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits)
{
    const bool is_public = PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes));

    if (data_length != (is_public ? 1 + 2 * curve->size : curve->size)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (is_public ? !is_point_valid(curve, key_buffer, data_length)
                  : !is_scalar_valid(curve, key_buffer)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = data_length;
    *bits = curve->bits;
    return PSA_SUCCESS;
}

/* Draw a private key; the public key follows it if key_buffer_size has room for both. */
psa_status_t bearssl_driver_curve_generate_key(const struct bearssl_driver_curve *curve,
                                               const psa_key_attributes_t *attributes,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length)
{
    struct draw draw = {&draw_methods, PSA_ERROR_INSUFFICIENT_ENTROPY};
    const size_t both = 3 * curve->size + 1;

    (void)attributes;
    if (key_buffer_size < curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_ec_keygen(&draw.methods, curve->methods, NULL, key_buffer, curve->id);
    if (draw.status == PSA_SUCCESS && key_buffer_size >= both) {
        curve->methods->mulgen(key_buffer + curve->size, key_buffer, curve->size, curve->id);
    }
    bearssl_driver_wipe_stack_curve_agree(curve);
    if (draw.status != PSA_SUCCESS) {
        corral_wipe(key_buffer, curve->size);
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *key_buffer_length = key_buffer_size >= both ? both : curve->size;
    return PSA_SUCCESS;
}

/* Compute the public key of a private key. */
psa_status_t bearssl_driver_curve_export_public_key(const struct bearssl_driver_curve *curve,
                                                    const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, uint8_t *data,
                                                    size_t data_size, size_t *data_length)
{
    (void)attributes;
    if (data_size < 1 + 2 * curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *data_length = curve->methods->mulgen(data, key_buffer, key_buffer_size, curve->id);
    bearssl_driver_wipe_stack_curve_agree(curve);
    return PSA_SUCCESS;
}
