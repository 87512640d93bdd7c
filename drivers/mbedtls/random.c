/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMAC_DRBG with SHA-256 (NIST SP 800-90A). The first entropy instantiates, later entropy reseeds.
 * The library gets no entropy callback, so that it never reseeds by itself.
 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"

#include <corral/driver.h>

#include <mbedtls/hmac_drbg.h>

CORRAL_REPEATS(mbedtls_driver_random_context_t, mbedtls_hmac_drbg_context);

/* The library takes its message digest from the heap; nothing else can fail. */
static psa_status_t drbg_status(int result)
{
    if (result == MBEDTLS_ERR_MD_ALLOC_FAILED) {
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    }
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_CORRUPTION_DETECTED;
}

/*
 * HMAC_DRBG with SHA-256 (NIST SP 800-90A). *_add_entropy: the first call instantiates (entropy and
 * nonce together), later calls reseed. *_get_random: *output_length may be less than output_size.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_get_random before the first *_add_entropy
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_add_entropy(mbedtls_driver_random_context_t *context,
                                        const uint8_t *entropy, size_t entropy_size)
{
    mbedtls_hmac_drbg_context *const drbg = (mbedtls_hmac_drbg_context *)context;
    int result;

    if (context->hmac.info != NULL) {
        result = mbedtls_hmac_drbg_update(drbg, entropy, entropy_size);
        mbedtls_driver_wipe_stack_random();
        return drbg_status(result);
    }
    mbedtls_hmac_drbg_init(drbg);
    result = mbedtls_hmac_drbg_seed_buf(drbg, mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), entropy,
                                        entropy_size);
    mbedtls_driver_wipe_stack_random();
    if (result != 0) {
        mbedtls_hmac_drbg_free(drbg);
        context->hmac.info = NULL;
    }
    return drbg_status(result);
}

psa_status_t mbedtls_driver_get_random(mbedtls_driver_random_context_t *context, uint8_t *output,
                                       size_t output_size, size_t *output_length)
{
    const size_t size =
        output_size < MBEDTLS_HMAC_DRBG_MAX_REQUEST ? output_size : MBEDTLS_HMAC_DRBG_MAX_REQUEST;
    psa_status_t status;

    if (context->hmac.info == NULL) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    status = drbg_status(mbedtls_hmac_drbg_random(context, output, size));
    mbedtls_driver_wipe_stack_random();
    if (status == PSA_SUCCESS) {
        *output_length = size;
    }
    return status;
}
