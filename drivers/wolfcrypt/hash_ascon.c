/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-Hash256 (NIST SP 800-232, 5.1). */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "part.h"
#include "stack.h"

#include <corral/driver.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/ascon.h>

CORRAL_REPEATS(wolfcrypt_driver_ascon_hash_operation_t, wc_AsconHash256);

static wc_AsconHash256 *state_of(wolfcrypt_driver_ascon_hash_operation_t *operation)
{
    return (wc_AsconHash256 *)(void *)operation;
}

/*
 * Ascon-Hash256 (NIST SP 800-232, 5.1), 32 bytes. *_finish wipes the context too.
 */
psa_status_t wolfcrypt_driver_ascon_hash_setup(wolfcrypt_driver_ascon_hash_operation_t *operation,
                                               psa_algorithm_t alg)
{
    (void)alg;
    (void)wc_AsconHash256_Init(state_of(operation)); /* fails without a state only */
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_ascon_hash_update(wolfcrypt_driver_ascon_hash_operation_t *operation,
                                                const uint8_t *input, size_t input_length)
{
    while (input_length > 0) {
        const uint32_t part = wolfcrypt_driver_part(input_length);
        (void)wc_AsconHash256_Update(state_of(operation), input, part);
        input += part;
        input_length -= part;
    }
    wolfcrypt_driver_wipe_stack_ascon();
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_ascon_hash_finish(wolfcrypt_driver_ascon_hash_operation_t *operation,
                                                uint8_t *hash, size_t hash_size,
                                                size_t *hash_length)
{
    if (hash_size < ASCON_HASH256_SZ) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    (void)wc_AsconHash256_Final(state_of(operation), hash);
    wolfcrypt_driver_wipe_stack_ascon();
    *hash_length = ASCON_HASH256_SZ;
    return wolfcrypt_driver_ascon_hash_abort(operation);
}

psa_status_t wolfcrypt_driver_ascon_hash_abort(wolfcrypt_driver_ascon_hash_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
