/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mldsa_native/entry_points.h>

#include <corral/driver.h>

#define SEED_SIZE 32u

psa_status_t mldsa_native_driver_generate_key(const psa_key_attributes_t *attributes,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length)
{
    (void)attributes;
    if (key_buffer_size < SEED_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = corral_random(key_buffer, SEED_SIZE);
    if (status == PSA_SUCCESS) {
        *key_buffer_length = SEED_SIZE;
    }
    return status;
}
