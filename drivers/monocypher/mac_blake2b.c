/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE2b with a key (RFC 7693): the rest is that of the hash. */
#include <corral/drivers/monocypher/entry_points.h>

#include "stack.h"

#include <monocypher.h>

#define MAC_LENGTH 64
#define KEY_MAX_SIZE 64

/*
 * Begin BLAKE2b with a key; later steps are those of the hash.
 *   PSA_ERROR_INVALID_ARGUMENT  a key of more than 64 bytes
 */
psa_status_t monocypher_driver_blake2b_mac_setup(monocypher_driver_blake2b_operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    if (key_buffer_size > KEY_MAX_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    crypto_blake2b_keyed_init((crypto_blake2b_ctx *)operation, MAC_LENGTH, key_buffer,
                              key_buffer_size);
    monocypher_driver_wipe_stack_blake2b();
    return PSA_SUCCESS;
}
