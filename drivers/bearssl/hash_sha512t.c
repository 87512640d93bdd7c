/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-512/224 and SHA-512/256 (FIPS 180-4): SHA-512 from another start, cut. BearSSL has neither,
 * but lets the state of its SHA-512 be set.
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "hash_state.h"
#include "stack.h"

#include <string.h>

#include <bearssl_hash.h>
#include <corral/driver.h>

#define SIZE_224 28u
#define SIZE_256 32u
/* The mask of SHA-512's state before it hashes the name (FIPS 180-4, 5.3.6). */
#define NAME_MASK 0xa5u
#define NAME_LENGTH 11u

/* The start is computed by the IV generation function of FIPS 180-4: no table. */
static void start(br_sha512_context *context, psa_algorithm_t alg)
{
    uint8_t state[br_sha512_SIZE];
    size_t i;

    br_sha512_init(context);
    (void)br_sha512_state(context, state);
    for (i = 0; i < sizeof(state); i++) {
        state[i] ^= NAME_MASK;
    }
    br_sha512_set_state(context, state, 0);
    br_sha512_update(context, alg == PSA_ALG_SHA_512_224 ? "SHA-512/224" : "SHA-512/256",
                     NAME_LENGTH);
    br_sha512_out(context, state);
    br_sha512_set_state(context, state, 0);
}

static psa_status_t finish(const br_sha512_context *context, uint8_t *hash, size_t hash_size,
                           size_t *hash_length, size_t length)
{
    uint8_t whole[br_sha512_SIZE];

    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha512_out(context, whole);
    memcpy(hash, whole, length);
    bearssl_driver_wipe_stack_hash_long();
    corral_wipe(whole, sizeof(whole));
    *hash_length = length;
    return PSA_SUCCESS;
}

/*
 * Hashes that are cut: SHA-512/224, SHA-512/256, from a start of their own, and SHA-256/192.
 * Other entry points are those of the whole hash; there is no suspend.
 */
psa_status_t bearssl_driver_sha512t_compute(psa_algorithm_t alg, const uint8_t *input,
                                            size_t input_length, uint8_t *hash, size_t hash_size,
                                            size_t *hash_length)
{
    br_sha512_context context;
    psa_status_t status;

    start(&context, alg);
    br_sha512_update(&context, input, input_length);
    status = finish(&context, hash, hash_size, hash_length,
                    alg == PSA_ALG_SHA_512_224 ? SIZE_224 : SIZE_256);
    corral_wipe(&context, sizeof(context));
    return status;
}

psa_status_t bearssl_driver_sha512t_setup(bearssl_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg)
{
    start((br_sha512_context *)operation, alg);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_224_finish(bearssl_driver_sha512_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    return finish((const br_sha512_context *)operation, hash, hash_size, hash_length, SIZE_224);
}

psa_status_t bearssl_driver_sha512_256_finish(bearssl_driver_sha512_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    return finish((const br_sha512_context *)operation, hash, hash_size, hash_length, SIZE_256);
}
