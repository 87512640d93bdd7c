/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "p256.h"
#include "slots.h"

#define OPCODE_ECDH 0x43
#define ECDH_AS_CONFIGURED 0x00 /* private key in the slot; output where SlotConfig says */

/*
 * ECDH with a key in the chip. `peer_key` is 65 bytes, 0x04 || X || Y; the output is the shared
 * X coordinate, 32 bytes, which crosses the bus in clear.
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key is not a point of the curve; nothing was sent
 */
psa_status_t atecc608_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    const uint8_t *peer_key, size_t peer_key_length,
                                    uint8_t *output, size_t output_size, size_t *output_length)
{
    struct atecc608_session session;
    uint8_t point[1 + ATECC608_POINT_SIZE]; /* the peer's key may change meanwhile */

    (void)alg;
    (void)key_buffer_size;
    if (output_size < ATECC608_SCALAR_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (peer_key_length != sizeof point) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(point, peer_key, sizeof point);
    if (!atecc608_is_public_key(point, sizeof point)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status =
        atecc608_open_key(&session, corral_atecc608_device_index(attributes), key_buffer);
    if (status == PSA_SUCCESS) {
        memcpy(atecc608_input(&session), point + 1, ATECC608_POINT_SIZE);
        status = atecc608_execute(&session,
                                  ATECC608_COMMAND(OPCODE_ECDH, ECDH_AS_CONFIGURED, session.slot),
                                  ATECC608_POINT_SIZE, ATECC608_SCALAR_SIZE);
    }
    return atecc608_deliver(&session, status, output, ATECC608_SCALAR_SIZE, output_length);
}
