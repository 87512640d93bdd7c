/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMAC_DRBG with SHA-256 (NIST SP 800-90A). The first entropy instantiates, later entropy reseeds.
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "stack.h"

#include <corral/driver.h>

#include <bearssl_rand.h>

/* SP 800-90A, table 2: at most 2^19 bits per request. */
#define REQUEST_MAX_SIZE 65535U

CORRAL_REPEATS(bearssl_driver_random_context_t, br_hmac_drbg_context);

/*
 * HMAC_DRBG with SHA-256 (NIST SP 800-90A). *_add_entropy: the first call instantiates (entropy and
 * nonce together), later calls reseed. *_get_random: *output_length may be less than output_size.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_get_random before the first *_add_entropy
 */
psa_status_t bearssl_driver_add_entropy(bearssl_driver_random_context_t *context,
                                        const uint8_t *entropy, size_t entropy_size)
{
    br_hmac_drbg_context *const drbg = (br_hmac_drbg_context *)context;

    if (context->hash == NULL) {
        br_hmac_drbg_init(drbg, &br_sha256_vtable, entropy, entropy_size);
    } else {
        br_hmac_drbg_update(drbg, entropy, entropy_size);
    }
    bearssl_driver_wipe_stack_random();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_get_random(bearssl_driver_random_context_t *context, uint8_t *output,
                                       size_t output_size, size_t *output_length)
{
    const size_t size = output_size < REQUEST_MAX_SIZE ? output_size : REQUEST_MAX_SIZE;

    if (context->hash == NULL) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    br_hmac_drbg_generate((br_hmac_drbg_context *)context, output, size);
    bearssl_driver_wipe_stack_random();
    *output_length = size;
    return PSA_SUCCESS;
}
