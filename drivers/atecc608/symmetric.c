/* SPDX-License-Identifier: Apache-2.0 */
/* AES and HMAC keys: written into their slot in clear, by import or from the chip's generator. */
#include "symmetric.h"

#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "random.h"
#include "slots.h"

#define AES_128_SIZE 16u

/* Also checks the requested size. If a later check found it wrong, the key in the chip
 * would have to be overwritten, and if that failed, its slot would never be released. */
static psa_status_t check_size(const psa_key_attributes_t *attributes, size_t size)
{
    if (attributes->type == PSA_KEY_TYPE_AES && size != AES_128_SIZE) {
        return size == 24 || size == 32 ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
    }
    if (size > ATECC608_KEY_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return attributes->bits == 0 || size == attributes->bits / 8u ? PSA_SUCCESS
                                                                  : PSA_ERROR_INVALID_ARGUMENT;
}

/* Put a key of `size` bytes into its slot: `data`, or random bytes if that is NULL. */
static psa_status_t create(const psa_key_attributes_t *attributes, const uint8_t *data, size_t size,
                           uint8_t *key_buffer, size_t *key_buffer_length)
{
    struct atecc608_session session;

    psa_status_t status = check_size(attributes, size);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = atecc608_open_key(&session, corral_atecc608_device_index(attributes), key_buffer);
    if (status == PSA_SUCCESS && data == NULL) {
        status = atecc608_draw(&session);
        data = atecc608_output(&session);
    }
    if (status == PSA_SUCCESS) {
        key_buffer[0] |= ATECC608_KEY_WRITTEN; /* from now on, also if the answer is lost */
        status = atecc608_write_key(&session, data, size);
    }
    if (status == PSA_SUCCESS) {
        key_buffer[0] |= ATECC608_KEY_CREATED;
        *key_buffer_length = sizeof(struct atecc608_key);
    }
    return atecc608_close(&session, status);
}

/*
 * Write an AES-128 key (16 bytes) or an HMAC key (1 to 32 bytes) into the allocated slot. It
 * crosses the bus in clear. *bits: of the key as given.
 *   PSA_ERROR_NOT_SUPPORTED     AES of 192 or 256 bits, HMAC key of more than 32 bytes
 *   PSA_ERROR_INVALID_ARGUMENT  no size of an AES key, or not the one in the attributes
 */
psa_status_t atecc608_import_symmetric_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits)
{
    (void)key_buffer_size;
    psa_status_t status = create(attributes, data, data_length, key_buffer, key_buffer_length);
    if (status == PSA_SUCCESS) {
        *bits = 8 * data_length;
    }
    return status;
}

/*
 * Draw a key of the size in the attributes from the chip's generator and write it into the
 * allocated slot. It crosses the bus in clear, twice. Statuses as for import.
 */
psa_status_t atecc608_generate_symmetric_key(const psa_key_attributes_t *attributes,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length)
{
    (void)key_buffer_size;
    return create(attributes, NULL, attributes->bits / 8u, key_buffer, key_buffer_length);
}
