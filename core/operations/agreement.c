/* SPDX-License-Identifier: Apache-2.0 */
#include "agreement.h"

#include <corral/dispatch/agreement.h>
#include <corral/driver.h>

#include "../common/output.h"
#include "../keys/create.h"
#include "../keys/hold.h"

psa_status_t corral_agree(struct corral_key *key, psa_algorithm_t alg, const uint8_t *peer_key,
                          size_t peer_key_length, uint8_t *output, size_t output_size,
                          size_t *output_length)
{
    if (!PSA_KEY_TYPE_IS_KEY_PAIR(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    /* The driver checks the buffer's size: without a driver there is no secret, and no size. */
    psa_status_t status = corral_dispatch_key_agreement(alg, &key->attributes, corral_key_data(key),
                                                        key->length, peer_key, peer_key_length,
                                                        output, output_size, output_length);
    return corral_output_done(status, output, output_size, output_length);
}

psa_status_t psa_raw_key_agreement(psa_algorithm_t alg, psa_key_id_t private_key,
                                   const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                   size_t output_size, size_t *output_length)
{
    struct corral_key *slot;

    *output_length = 0;
    if (!PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_key_hold_for(private_key, PSA_KEY_USAGE_DERIVE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_agree(slot, alg, peer_key, peer_key_length, output, output_size, output_length);
    corral_key_release(slot);
    return status;
}

/* Types that a shared secret may become; it is too biased to be a cipher's key. */
static bool secret_may_become(psa_key_type_t type)
{
    return type == PSA_KEY_TYPE_DERIVE || type == PSA_KEY_TYPE_RAW_DATA ||
           type == PSA_KEY_TYPE_HMAC || type == PSA_KEY_TYPE_PASSWORD;
}

static psa_status_t agree_into(struct corral_key *private_key, psa_algorithm_t alg,
                               const uint8_t *peer_key, size_t peer_key_length,
                               struct corral_key *target)
{
    uint8_t secret[CORRAL_AGREED_MAX_SIZE];
    size_t length;

    if (!secret_may_become(target->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status =
        corral_agree(private_key, alg, peer_key, peer_key_length, secret, sizeof secret, &length);
    if (status == PSA_SUCCESS) {
        status = corral_create_import(target, secret, length);
    }
    corral_wipe(secret, sizeof secret);
    return status;
}

psa_status_t psa_key_agreement(psa_key_id_t private_key, const uint8_t *peer_key,
                               size_t peer_key_length, psa_algorithm_t alg,
                               const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    struct corral_key *slot;
    struct corral_key *target;

    corral_no_key_yet(key);
    if (!PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_key_hold_for(private_key, PSA_KEY_USAGE_DERIVE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_create_begin(attributes, &target);
    if (status == PSA_SUCCESS) {
        status = agree_into(slot, alg, peer_key, peer_key_length, target);
        status = corral_create_end(target, status, key);
    }
    corral_key_release(slot);
    return status;
}
