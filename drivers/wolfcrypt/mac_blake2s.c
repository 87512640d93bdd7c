/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE2s with a key (RFC 7693): the rest is that of the hash. */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "stack.h"

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/blake2.h>

#define MAC_SIZE 32u
#define KEY_MAX_SIZE 32u

/*
 * Begin BLAKE2s with a key; later steps are those of the hash.
 *   PSA_ERROR_INVALID_ARGUMENT  a key of more than 32 bytes
 */
psa_status_t wolfcrypt_driver_blake2s_mac_setup(wolfcrypt_driver_blake2s_operation_t *operation,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                psa_algorithm_t alg)
{
    Blake2s *const state = (Blake2s *)(void *)operation;

    (void)attributes;
    (void)alg;
    if (key_buffer_size > KEY_MAX_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const int result = wc_InitBlake2s_WithKey(state, MAC_SIZE, key_buffer, (word32)key_buffer_size);
    wolfcrypt_driver_wipe_stack_blake2s();
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}
