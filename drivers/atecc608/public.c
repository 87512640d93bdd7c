/* SPDX-License-Identifier: Apache-2.0 */
/* Public keys: the context is the point. */
#include <string.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "p256.h"

/*
 * Take in a P-256 public key: 65 bytes, 0x04 || X || Y. It stays in the context; the chip is not
 * asked. *bits: 256.
 *   PSA_ERROR_INVALID_ARGUMENT  not of this form, or not a point of the curve
 */
psa_status_t atecc608_import_public_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                        size_t data_length, uint8_t *key_buffer,
                                        size_t key_buffer_size, size_t *key_buffer_length,
                                        size_t *bits)
{
    uint8_t copy[1 + ATECC608_POINT_SIZE]; /* the data may change meanwhile */

    (void)attributes;
    if (key_buffer_size < ATECC608_POINT_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (data_length != sizeof copy) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(copy, data, sizeof copy);
    if (!atecc608_is_public_key(copy, sizeof copy)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(key_buffer, copy + 1, ATECC608_POINT_SIZE);
    *key_buffer_length = ATECC608_POINT_SIZE;
    *bits = 256;
    return PSA_SUCCESS;
}

/* Copy a public key within its location. */
psa_status_t atecc608_copy_public_key(const psa_key_attributes_t *attributes,
                                      const uint8_t *source_key_buffer,
                                      size_t source_key_buffer_size, uint8_t *key_buffer,
                                      size_t key_buffer_size, size_t *key_buffer_length)
{
    (void)attributes;
    if (key_buffer_size < source_key_buffer_size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(key_buffer, source_key_buffer, source_key_buffer_size);
    *key_buffer_length = source_key_buffer_size;
    return PSA_SUCCESS;
}
