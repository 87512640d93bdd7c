/* SPDX-License-Identifier: Apache-2.0 */
#include "p256.h"

#include <string.h>

#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "slots.h"

#define OPCODE_GENKEY 0x40
#define GENKEY_PUBLIC 0x00
#define GENKEY_PRIVATE 0x04

psa_status_t atecc608_renew_pair(struct atecc608_session *session)
{
    return atecc608_execute(session, ATECC608_COMMAND(OPCODE_GENKEY, GENKEY_PRIVATE, session->slot),
                            0, ATECC608_POINT_SIZE);
}

psa_status_t atecc608_public_point(struct atecc608_session *session)
{
    return atecc608_execute(session, ATECC608_COMMAND(OPCODE_GENKEY, GENKEY_PUBLIC, session->slot),
                            0, ATECC608_POINT_SIZE);
}

/* Let the chip generate a P-256 pair in the allocated slot. The private key never leaves it. */
psa_status_t atecc608_generate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size, size_t *key_buffer_length)
{
    struct atecc608_session session;

    (void)key_buffer_size;
    psa_status_t status =
        atecc608_open_key(&session, corral_atecc608_device_index(attributes), key_buffer);
    if (status == PSA_SUCCESS) {
        key_buffer[0] |= ATECC608_KEY_WRITTEN; /* from now on, also if the answer is lost */
        status = atecc608_renew_pair(&session);
    }
    if (status == PSA_SUCCESS) {
        key_buffer[0] |= ATECC608_KEY_CREATED;
        *key_buffer_length = sizeof(struct atecc608_key);
    }
    return atecc608_close(&session, status);
}

/*
 * Write the P-256 public key of a pair (the chip computes it) or of a public key: 65 bytes,
 * 0x04 || X || Y.
 */
psa_status_t atecc608_export_public_key(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        uint8_t *data, size_t data_size, size_t *data_length)
{
    struct atecc608_session session;
    psa_status_t status = PSA_SUCCESS;

    (void)key_buffer_size;
    if (data_size < 1 + ATECC608_POINT_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(attributes->type)) {
        memcpy(data + 1, key_buffer, ATECC608_POINT_SIZE);
    } else {
        status = atecc608_open_key(&session, corral_atecc608_device_index(attributes), key_buffer);
        if (status == PSA_SUCCESS) {
            status = atecc608_public_point(&session);
        }
        if (status == PSA_SUCCESS) {
            memcpy(data + 1, atecc608_output(&session), ATECC608_POINT_SIZE);
        }
        status = atecc608_close(&session, status);
    }
    if (status == PSA_SUCCESS) {
        data[0] = 0x04;
        *data_length = 1 + ATECC608_POINT_SIZE;
    }
    return status;
}
