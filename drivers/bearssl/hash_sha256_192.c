/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256/192: SHA-256, cut (PSA Crypto 1.5, 10.2.1; SP 800-208, 2.3). */
#include <corral/drivers/bearssl/entry_points.h>

#include "stack.h"

#include <string.h>

#include <bearssl_hash.h>
#include <corral/driver.h>

#define SIZE_192 24u

static psa_status_t finish(const br_sha256_context *context, uint8_t *hash, size_t hash_size,
                           size_t *hash_length)
{
    uint8_t whole[br_sha256_SIZE];

    if (hash_size < SIZE_192) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha256_out(context, whole);
    memcpy(hash, whole, SIZE_192);
    bearssl_driver_wipe_stack_hash();
    corral_wipe(whole, sizeof(whole));
    *hash_length = SIZE_192;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha256_192_compute(psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, uint8_t *hash, size_t hash_size,
                                               size_t *hash_length)
{
    br_sha256_context context;
    psa_status_t status;

    (void)alg;
    br_sha256_init(&context);
    br_sha256_update(&context, input, input_length);
    status = finish(&context, hash, hash_size, hash_length);
    corral_wipe(&context, sizeof(context));
    return status;
}

psa_status_t bearssl_driver_sha256_192_finish(bearssl_driver_sha256_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    return finish((const br_sha256_context *)operation, hash, hash_size, hash_length);
}
