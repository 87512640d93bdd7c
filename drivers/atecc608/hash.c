/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "session.h"
#include "sha256.h"

/* SHA-256: 32 bytes. */
psa_status_t atecc608_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                   uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    struct atecc608_session session;

    (void)alg;
    if (hash_size < ATECC608_SHA256_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = atecc608_open(&session, corral_atecc608_keyless_device());
    if (status == PSA_SUCCESS) {
        status = atecc608_sha256(&session, ATECC608_SHA256_START, 0, input, input_length);
    }
    return atecc608_deliver(&session, status, hash, ATECC608_SHA256_SIZE, hash_length);
}
