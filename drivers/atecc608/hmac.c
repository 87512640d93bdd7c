/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "sha256.h"
#include "slots.h"

/* HMAC-SHA-256 with a key in the chip: 32 bytes. */
psa_status_t atecc608_hmac_compute(const psa_key_attributes_t *attributes,
                                   const uint8_t *key_buffer, size_t key_buffer_size,
                                   psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                   uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    struct atecc608_session session;

    (void)key_buffer_size;
    (void)alg;
    if (mac_size < ATECC608_SHA256_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status =
        atecc608_open_key(&session, corral_atecc608_device_index(attributes), key_buffer);
    if (status == PSA_SUCCESS) {
        status = atecc608_sha256(&session, ATECC608_HMAC_START, session.slot, input, input_length);
    }
    return atecc608_deliver(&session, status, mac, ATECC608_SHA256_SIZE, mac_length);
}
