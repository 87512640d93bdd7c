/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/acme/entry_points.h>

#include <string.h>

#include <bearssl_hash.h>
#include <corral/driver.h>

#define BLOCK 64u

static void save(acme_hash_operation_t *operation, br_sha256_context *engine)
{
    operation->count = br_sha256_state(engine, operation->state);
    memcpy(operation->pending, engine->buf, sizeof operation->pending);
    corral_wipe(engine, sizeof *engine);
}

static void restore(const acme_hash_operation_t *operation, br_sha256_context *engine)
{
    const size_t rest = (size_t)(operation->count % BLOCK);

    br_sha256_init(engine);
    br_sha256_set_state(engine, operation->state, operation->count - rest);
    br_sha256_update(engine, operation->pending, rest);
}

psa_status_t acme_hash_setup(acme_hash_operation_t *operation, psa_algorithm_t alg)
{
    br_sha256_context engine;

    (void)alg; /* one algorithm in the description, so no other arrives */
    br_sha256_init(&engine);
    save(operation, &engine);
    return PSA_SUCCESS;
}

psa_status_t acme_hash_update(acme_hash_operation_t *operation, const uint8_t *input,
                              size_t input_length)
{
    br_sha256_context engine;

    restore(operation, &engine);
    br_sha256_update(&engine, input, input_length);
    save(operation, &engine);
    return PSA_SUCCESS;
}

psa_status_t acme_hash_finish(acme_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                              size_t *hash_length)
{
    br_sha256_context engine;

    if (hash_size < br_sha256_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    restore(operation, &engine);
    br_sha256_out(&engine, hash);
    *hash_length = br_sha256_SIZE;
    corral_wipe(&engine, sizeof engine);
    return PSA_SUCCESS;
}

psa_status_t acme_hash_abort(acme_hash_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
