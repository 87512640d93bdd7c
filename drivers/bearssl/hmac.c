/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMAC (RFC 2104). BearSSL hashes the two padded keys once and keeps both states, so the context
 * never holds the key itself; the expanded key is wiped here as soon as the MAC has begun.
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "stack.h"

#include <stdbool.h>

#include <bearssl_hmac.h>
#include <corral/config.h>
#include <corral/driver.h>

CORRAL_REPEATS(bearssl_driver_hmac_operation_t, br_hmac_context);

#define HAS_LONG (CORRAL_WANT_ALG_SHA_384 || CORRAL_WANT_ALG_SHA_512)

/* SHA-384 and SHA-512 have larger frames. */
static inline bool is_long(const br_hash_class *hash)
{
    return HAS_LONG && (hash->desc >> BR_HASHDESC_LBLEN_OFF & BR_HASHDESC_LBLEN_MASK) > 6;
}

static inline void wipe_stack(const br_hash_class *hash)
{
    if (is_long(hash)) {
        bearssl_driver_wipe_stack_hmac_long();
    } else {
        bearssl_driver_wipe_stack_hmac();
    }
}

static void begin(br_hmac_context *context, const br_hash_class *hash, const uint8_t *key,
                  size_t key_length)
{
    br_hmac_key_context expanded;

    br_hmac_key_init(&expanded, hash, key, key_length);
    br_hmac_init(context, &expanded, 0);
    corral_wipe(&expanded, sizeof(expanded));
}

static psa_status_t end(br_hmac_context *context, uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    if (mac_size < br_hmac_size(context)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *mac_length = br_hmac_out(context, mac);
    return PSA_SUCCESS;
}

/*
 * HMAC (RFC 2104) over each of these hashes, always at full length; a key longer than a block is
 * hashed first. The context holds the two keyed states, not the key.
 */
psa_status_t bearssl_driver_hmac_compute(const br_hash_class *hash,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length)
{
    psa_status_t status;
    br_hmac_context context;

    (void)attributes;
    (void)alg;
    begin(&context, hash, key_buffer, key_buffer_size);
    br_hmac_update(&context, input, input_length);
    status = end(&context, mac, mac_size, mac_length);
    wipe_stack(hash);
    corral_wipe(&context, sizeof(context));
    return status;
}

psa_status_t bearssl_driver_hmac_setup(const br_hash_class *hash,
                                       bearssl_driver_hmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    begin((br_hmac_context *)operation, hash, key_buffer, key_buffer_size);
    wipe_stack(hash);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_hmac_update(bearssl_driver_hmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    br_hmac_context *const context = (br_hmac_context *)operation;

    br_hmac_update(context, input, input_length);
    if (is_long(context->dig.vtable)) {
        bearssl_driver_wipe_stack_digest_long();
    } else {
        bearssl_driver_wipe_stack_digest();
    }
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_hmac_finish(bearssl_driver_hmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length)
{
    br_hmac_context *const context = (br_hmac_context *)operation;
    const psa_status_t status = end(context, mac, mac_size, mac_length);

    wipe_stack(context->dig.vtable);
    return status;
}

psa_status_t bearssl_driver_hmac_abort(bearssl_driver_hmac_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
