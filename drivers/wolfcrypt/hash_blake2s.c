/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE2s-256 (RFC 7693). */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "part.h"
#include "stack.h"

#include <corral/bindings.h>
#include <corral/driver.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/blake2.h>

#define HASH_SIZE 32u

CORRAL_REPEATS(wolfcrypt_driver_blake2s_operation_t, Blake2s);

static Blake2s *state_of(wolfcrypt_driver_blake2s_operation_t *operation)
{
    return (Blake2s *)(void *)operation;
}

/* The input may be a key, if constructions hash keys, or the MAC does. */
static void wipe_stack(void)
{
    if (CORRAL_HASHES_TAKE_KEYS || CORRAL_WOLFCRYPT_SERVES_BLAKE2_MAC_BLAKE2S_HASH256) {
        wolfcrypt_driver_wipe_stack_blake2s();
    }
}

/* BLAKE2s-256 (RFC 7693), 32 bytes. *_finish wipes the context too. */
psa_status_t wolfcrypt_driver_blake2s_setup(wolfcrypt_driver_blake2s_operation_t *operation,
                                            psa_algorithm_t alg)
{
    (void)alg;
    return wc_InitBlake2s(state_of(operation), HASH_SIZE) == 0 ? PSA_SUCCESS
                                                               : PSA_ERROR_GENERIC_ERROR;
}

psa_status_t wolfcrypt_driver_blake2s_update(wolfcrypt_driver_blake2s_operation_t *operation,
                                             const uint8_t *input, size_t input_length)
{
    int result = 0;

    while (input_length > 0 && result == 0) {
        const uint32_t part = wolfcrypt_driver_part(input_length);
        result = wc_Blake2sUpdate(state_of(operation), input, part);
        input += part;
        input_length -= part;
    }
    wipe_stack();
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

psa_status_t wolfcrypt_driver_blake2s_finish(wolfcrypt_driver_blake2s_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < HASH_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int result = wc_Blake2sFinal(state_of(operation), hash, HASH_SIZE);
    wipe_stack();
    *hash_length = HASH_SIZE;
    corral_wipe(operation, sizeof *operation);
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

psa_status_t wolfcrypt_driver_blake2s_abort(wolfcrypt_driver_blake2s_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
