/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mlkem_native/entry_points.h>

#include <corral/driver.h>

#define SEEDS_SIZE 64u

psa_status_t mlkem_native_driver_generate_key(const psa_key_attributes_t *attributes,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length)
{
    (void)attributes;
    if (key_buffer_size < SEEDS_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = corral_random(key_buffer, SEEDS_SIZE);
    if (status == PSA_SUCCESS) {
        *key_buffer_length = SEEDS_SIZE;
    }
    return status;
}
