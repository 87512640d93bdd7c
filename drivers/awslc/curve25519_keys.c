/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of X25519 (RFC 7748) and of Ed25519 (RFC 8032), whose private keys are seeds. */
#include <corral/drivers/awslc/entry_points.h>

#include "curve25519.h"
#include "stack.h"

#include <corral/driver.h>

#define SIZE AWSLC_KEY25519_SIZE
#define BITS 255

/*
 * Copy a key: a private one in the form in which it is stored, or a public one.
 *   PSA_ERROR_INVALID_ARGUMENT  it has not 32 bytes, or is no public key
 */
psa_status_t awslc_curve25519_import_key(const struct awslc_use25519 *use,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits)
{
    if (data_length != SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, SIZE)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes))) {
        use->set_bits(key_buffer);
    } else if (!use->is_public(key_buffer)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = SIZE;
    *bits = BITS;
    return PSA_SUCCESS;
}

/*
 * Draw a private key; the public key follows it if key_buffer_size has room for both.
 * A failure of corral_random() is passed on.
 */
psa_status_t awslc_curve25519_generate_key(const struct awslc_use25519 *use,
                                           const psa_key_attributes_t *attributes,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length)
{
    const bool is_cached = key_buffer_size >= (size_t)2 * SIZE;
    psa_status_t status;

    (void)attributes;
    if (key_buffer_size < SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    status = corral_random(key_buffer, SIZE);
    if (status != PSA_SUCCESS) {
        return status;
    }
    use->set_bits(key_buffer);
    if (is_cached) {
        use->derive_public(key_buffer + SIZE, key_buffer);
        awslc_wipe_stack_curve25519();
    }
    *key_buffer_length = is_cached ? (size_t)2 * SIZE : SIZE;
    return PSA_SUCCESS;
}

psa_status_t awslc_curve25519_export_public_key(const struct awslc_use25519 *use,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                uint8_t *data, size_t data_size,
                                                size_t *data_length)
{
    (void)attributes;
    (void)key_buffer_size;
    if (data_size < SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    use->derive_public(data, key_buffer);
    awslc_wipe_stack_curve25519();
    *data_length = SIZE;
    return PSA_SUCCESS;
}
