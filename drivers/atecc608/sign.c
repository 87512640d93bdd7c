/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "p256.h"
#include "random.h"
#include "slots.h"

#define OPCODE_SIGN 0x41
#define SIGN_EXTERNAL 0x80 /* the content of TempKey, from the host */
#define SIGNATURE_SIZE (2 * ATECC608_SCALAR_SIZE)

/*
 * ECDSA with a key in the chip. `hash` of another length than 32 is cut or filled up as FIPS 186-5,
 * 6.4.1, says. The signature is r || s, 64 bytes.
 */
psa_status_t atecc608_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                size_t hash_length, uint8_t *signature, size_t signature_size,
                                size_t *signature_length)
{
    struct atecc608_session session;

    (void)key_buffer_size;
    (void)alg;
    if (signature_size < SIGNATURE_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status =
        atecc608_open_key(&session, corral_atecc608_device_index(attributes), key_buffer);
    if (status == PSA_SUCCESS) {
        status = atecc608_update_seed(&session);
    }
    if (status == PSA_SUCCESS) {
        status = atecc608_load_digest(&session, hash, hash_length);
    }
    if (status == PSA_SUCCESS) {
        status = atecc608_continued(
            atecc608_execute(&session, ATECC608_COMMAND(OPCODE_SIGN, SIGN_EXTERNAL, session.slot),
                             0, SIGNATURE_SIZE));
    }
    return atecc608_deliver(&session, status, signature, SIGNATURE_SIZE, signature_length);
}
