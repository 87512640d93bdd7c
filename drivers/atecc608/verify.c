/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "p256.h"
#include "slots.h"

#define OPCODE_VERIFY 0x45
#define VERIFY_EXTERNAL 0x02 /* the public key comes with the command, the digest is in TempKey */
#define CURVE_P256 0x0004
#define SIGNATURE_SIZE (2 * ATECC608_SCALAR_SIZE)

/* Begin a session and find the public point of a public key or of a pair in the chip. */
static psa_status_t open_public(struct atecc608_session *session,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                uint8_t point[ATECC608_POINT_SIZE])
{
    const size_t device = corral_atecc608_device_index(attributes);
    const uint8_t *source = key_buffer;
    psa_status_t status;

    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(attributes->type)) {
        status = atecc608_open(session, device);
    } else {
        status = atecc608_open_key(session, device, key_buffer);
        if (status == PSA_SUCCESS) {
            status = atecc608_public_point(session);
        }
        source = atecc608_output(session);
    }
    memcpy(point, source, ATECC608_POINT_SIZE);
    return status;
}

/*
 * Verify an ECDSA signature in the chip, with a public key or with the public key of a pair.
 *   PSA_ERROR_INVALID_SIGNATURE  it is wrong: length, range of r or s, or value
 */
psa_status_t atecc608_verify_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                  size_t hash_length, const uint8_t *signature,
                                  size_t signature_length)
{
    struct atecc608_session session;
    uint8_t point[ATECC608_POINT_SIZE];

    (void)key_buffer_size;
    (void)alg;
    if (signature_length != SIGNATURE_SIZE || !atecc608_is_scalar(signature) ||
        !atecc608_is_scalar(signature + ATECC608_SCALAR_SIZE)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    psa_status_t status = open_public(&session, attributes, key_buffer, point);
    if (status == PSA_SUCCESS) {
        status = atecc608_load_digest(&session, hash, hash_length);
    }
    if (status == PSA_SUCCESS) {
        memcpy(atecc608_input(&session), signature, SIGNATURE_SIZE);
        memcpy(atecc608_input(&session) + SIGNATURE_SIZE, point, ATECC608_POINT_SIZE);
        status = atecc608_continued(
            atecc608_execute(&session, ATECC608_COMMAND(OPCODE_VERIFY, VERIFY_EXTERNAL, CURVE_P256),
                             SIGNATURE_SIZE + ATECC608_POINT_SIZE, 0));
    }
    return atecc608_close(&session, status);
}
