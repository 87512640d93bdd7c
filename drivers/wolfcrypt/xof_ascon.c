/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-XOF128 and Ascon-CXOF128 (NIST SP 800-232, 5.2 and 5.3). The library has neither, but its
 * hash is the same sponge from another start: it absorbs, and permutes when it absorbs zeros.
 */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "stack.h"

#include <corral/driver.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/ascon.h>

#define RATE 8u
#define CONTEXT_MAX 256u
/* Table 13. */
#define XOF_IV ((uint64_t)0x0000080000cc0003)
#define CXOF_IV ((uint64_t)0x0000080000cc0004)

static wc_AsconHash256 *sponge_of(wolfcrypt_driver_ascon_xof_operation_t *operation)
{
    return (wc_AsconHash256 *)(void *)&operation->sponge;
}

static void permute(wc_AsconHash256 *sponge)
{
    static const uint8_t zeros[RATE];

    sponge->lastBlkSz = 0;
    (void)wc_AsconHash256_Update(sponge, zeros, sizeof zeros);
}

/* Behind the last byte of input, a one and zeros up to the end of the block. */
static void end_input(wc_AsconHash256 *sponge)
{
    sponge->state.s8[sponge->lastBlkSz] ^= 1;
    permute(sponge);
}

/*
 * Ascon-XOF128 and Ascon-CXOF128 (NIST SP 800-232, 5.2 and 5.3), by the library's permutation.
 * *_set_context: once, before all input, for Ascon-CXOF128.
 *   PSA_ERROR_INVALID_ARGUMENT  a context of more than 256 bytes
 */
psa_status_t wolfcrypt_driver_ascon_xof_setup(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                              psa_algorithm_t alg)
{
    wc_AsconHash256 *const sponge = sponge_of(operation);

    corral_wipe(operation, sizeof *operation);
    sponge->state.s64[0] = PSA_ALG_XOF_HAS_CONTEXT(alg) ? CXOF_IV : XOF_IV;
    permute(sponge);
    return PSA_SUCCESS;
}

psa_status_t
wolfcrypt_driver_ascon_xof_set_context(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                       const uint8_t *value, size_t value_length)
{
    wc_AsconHash256 *const sponge = sponge_of(operation);

    if (value_length > CONTEXT_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    sponge->state.s64[0] ^= 8 * (uint64_t)value_length;
    permute(sponge);
    (void)wc_AsconHash256_Update(sponge, value, (uint32_t)value_length);
    end_input(sponge);
    wolfcrypt_driver_wipe_stack_ascon();
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_ascon_xof_update(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                               const uint8_t *input, size_t input_length)
{
    return wolfcrypt_driver_ascon_hash_update(&operation->sponge, input, input_length);
}

psa_status_t wolfcrypt_driver_ascon_xof_output(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                               uint8_t *output, size_t output_length)
{
    wc_AsconHash256 *const sponge = sponge_of(operation);

    if (!operation->is_squeezing) {
        end_input(sponge);
        operation->is_squeezing = 1;
    }
    for (size_t i = 0; i < output_length; i++) {
        if (sponge->lastBlkSz == RATE) {
            permute(sponge);
        }
        output[i] = sponge->state.s8[sponge->lastBlkSz];
        sponge->lastBlkSz++;
    }
    wolfcrypt_driver_wipe_stack_ascon();
    return PSA_SUCCESS;
}

psa_status_t wolfcrypt_driver_ascon_xof_abort(wolfcrypt_driver_ascon_xof_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
