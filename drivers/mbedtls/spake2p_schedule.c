/* SPDX-License-Identifier: Apache-2.0 */
#include "spake2p.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/dispatch/mac.h>
#include <corral/driver.h>

/* Bytes of a CMAC key, of half a hash in Matter, and of the longest label of the key derivation. */
#define CMAC_KEY_SIZE 16u
#define MATTER_KEY_SIZE 16u
#define MAX_LABEL 16u

static bool is_matter(psa_algorithm_t alg)
{
    return CORRAL_WANT_ALG_SPAKE2P_MATTER && alg == PSA_ALG_SPAKE2P_MATTER;
}

static bool is_cmac(psa_algorithm_t alg)
{
    return CORRAL_WANT_ALG_SPAKE2P_CMAC && PSA_ALG_IS_SPAKE2P_CMAC(alg);
}

/* A part of the transcript, behind its length in eight bytes, the lowest first. */
static psa_status_t append(psa_status_t status, corral_hash_context_t *context, const uint8_t *data,
                           size_t length)
{
    const uint8_t prefix[8] = {(uint8_t)length, (uint8_t)(length >> 8)};

    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_update(context, prefix, sizeof prefix);
    }
    return status == PSA_SUCCESS ? corral_dispatch_hash_update(context, data, length) : status;
}

/* TT, as RFC 9383, 3.3, has it; a context that was not set leaves no trace. */
static psa_status_t append_all(corral_hash_context_t *context,
                               const mbedtls_driver_spake2p_operation_t *operation,
                               const psa_crypto_driver_pake_inputs_t *inputs, size_t scalar_size,
                               const struct mbedtls_driver_spake2p_secrets *secrets)
{
    const bool is_prover = mbedtls_driver_is_prover(inputs);
    const struct corral_pake_bytes *const prover = is_prover ? &inputs->user : &inputs->peer;
    const struct corral_pake_bytes *const verifier = is_prover ? &inputs->peer : &inputs->user;
    const size_t point_size = 2 * scalar_size + 1;
    psa_status_t status = PSA_SUCCESS;

    if (inputs->has_context) {
        status = append(status, context, inputs->context.data, inputs->context.length);
    }
    status = append(status, context, prover->data, prover->length);
    status = append(status, context, verifier->data, verifier->length);
    status = append(status, context, mbedtls_driver_spake2p_m(scalar_size), point_size);
    status = append(status, context, mbedtls_driver_spake2p_n(scalar_size), point_size);
    status = append(status, context, is_prover ? operation->own : operation->peer, point_size);
    status = append(status, context, is_prover ? operation->peer : operation->own, point_size);
    status = append(status, context, secrets->z, point_size);
    status = append(status, context, secrets->v, point_size);
    return append(status, context, inputs->key, scalar_size);
}

static psa_status_t hash_transcript(const mbedtls_driver_spake2p_operation_t *operation,
                                    const psa_crypto_driver_pake_inputs_t *inputs,
                                    size_t scalar_size,
                                    const struct mbedtls_driver_spake2p_secrets *secrets,
                                    uint8_t hash[CORRAL_HASH_MAX_LENGTH], size_t *length)
{
    corral_hash_context_t context;

    corral_wipe(&context, sizeof context);
    psa_status_t status = corral_dispatch_hash_setup(&context, PSA_ALG_GET_HASH(inputs->alg));
    if (status == PSA_SUCCESS) {
        status = append_all(&context, operation, inputs, scalar_size, secrets);
        if (status == PSA_SUCCESS) {
            status = corral_dispatch_hash_finish(&context, hash, CORRAL_HASH_MAX_LENGTH, length);
        }
        if (status != PSA_SUCCESS) {
            corral_dispatch_hash_abort(&context);
        }
    }
    corral_wipe(&context, sizeof context);
    return status;
}

static psa_status_t compute_mac(psa_key_type_t type, psa_algorithm_t alg, const uint8_t *key,
                                size_t key_length, const uint8_t *input, size_t input_length,
                                uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, 8 * key_length);
    return corral_dispatch_mac_compute(&attributes, key, key_length, alg, input, input_length, mac,
                                       mac_size, mac_length);
}

/* The pseudorandom key of HKDF without salt, and the hash that it is computed with. */
struct prk {
    psa_algorithm_t hmac;
    size_t length; /* of the hash, too */
    uint8_t key[CORRAL_HASH_MAX_LENGTH];
};

static psa_status_t extract(struct prk *prk, psa_algorithm_t alg, const uint8_t *secret,
                            size_t secret_length, size_t hash_length)
{
    static const uint8_t zeros[CORRAL_HASH_MAX_LENGTH];

    prk->hmac = PSA_ALG_HMAC(PSA_ALG_GET_HASH(alg));
    return compute_mac(PSA_KEY_TYPE_HMAC, prk->hmac, zeros, hash_length, secret, secret_length,
                       prk->key, sizeof prk->key, &prk->length);
}

/* HKDF-Expand (RFC 5869, 2.3). */
static psa_status_t expand(const struct prk *prk, const char *label, uint8_t *output, size_t length)
{
    uint8_t message[CORRAL_HASH_MAX_LENGTH + MAX_LABEL + 1];
    uint8_t block[CORRAL_HASH_MAX_LENGTH];
    const size_t label_length = strlen(label);
    const size_t last = prk->length + label_length;
    size_t skipped = prk->length;
    psa_status_t status = PSA_SUCCESS;

    memcpy(message + prk->length, label, label_length);
    message[last] = 0;
    while (status == PSA_SUCCESS && length > 0) {
        size_t part;

        message[last]++;
        status = compute_mac(PSA_KEY_TYPE_HMAC, prk->hmac, prk->key, prk->length, message + skipped,
                             last + 1 - skipped, block, sizeof block, &part);
        if (status == PSA_SUCCESS) {
            memcpy(message, block, part);
            part = part < length ? part : length;
            memcpy(output, block, part);
            output += part;
            length -= part;
            skipped = 0;
        }
    }
    corral_wipe(message, sizeof message);
    corral_wipe(block, sizeof block);
    return status;
}

/* The prover confirms the verifier's share by the first key, and the other way round. */
static psa_status_t confirm(mbedtls_driver_spake2p_operation_t *operation,
                            const psa_crypto_driver_pake_inputs_t *inputs, size_t point_size,
                            const uint8_t *keys, size_t key_length)
{
    const bool is_prover = mbedtls_driver_is_prover(inputs);
    const psa_key_type_t type = is_cmac(inputs->alg) ? PSA_KEY_TYPE_AES : PSA_KEY_TYPE_HMAC;
    const psa_algorithm_t alg =
        is_cmac(inputs->alg) ? PSA_ALG_CMAC : PSA_ALG_HMAC(PSA_ALG_GET_HASH(inputs->alg));
    const uint8_t *const mine = is_prover ? keys : keys + key_length;
    const uint8_t *const other = is_prover ? keys + key_length : keys;
    size_t length = 0;

    psa_status_t status =
        compute_mac(type, alg, mine, key_length, operation->peer, point_size,
                    operation->own_confirmation, sizeof operation->own_confirmation, &length);
    if (status == PSA_SUCCESS) {
        status =
            compute_mac(type, alg, other, key_length, operation->own, point_size,
                        operation->peer_confirmation, sizeof operation->peer_confirmation, &length);
    }
    operation->confirmation_length = (uint8_t)length;
    return status;
}

/* All keys from K_main; in Matter half of it is the shared key, and the other half takes its part.
 */
static psa_status_t derive(mbedtls_driver_spake2p_operation_t *operation,
                           const psa_crypto_driver_pake_inputs_t *inputs, size_t point_size,
                           const uint8_t *main, size_t main_length)
{
    uint8_t keys[2 * CORRAL_HASH_MAX_LENGTH];
    struct prk prk = {0};
    const size_t secret_length = is_matter(inputs->alg) ? MATTER_KEY_SIZE : main_length;
    const size_t key_length = is_matter(inputs->alg) ? MATTER_KEY_SIZE
                              : is_cmac(inputs->alg) ? CMAC_KEY_SIZE
                                                     : main_length;

    operation->shared_length = (uint8_t)secret_length;
    psa_status_t status = extract(&prk, inputs->alg, main, secret_length, main_length);
    if (status == PSA_SUCCESS) {
        status = expand(&prk, "ConfirmationKeys", keys, 2 * key_length);
    }
    if (status == PSA_SUCCESS) {
        status = confirm(operation, inputs, point_size, keys, key_length);
    }
    if (status == PSA_SUCCESS && is_matter(inputs->alg)) {
        memcpy(operation->shared, main + MATTER_KEY_SIZE, MATTER_KEY_SIZE);
    } else if (status == PSA_SUCCESS) {
        status = expand(&prk, "SharedKey", operation->shared, secret_length);
    }
    corral_wipe(keys, sizeof keys);
    corral_wipe(&prk, sizeof prk);
    return status;
}

psa_status_t mbedtls_driver_spake2p_schedule(mbedtls_driver_spake2p_operation_t *operation,
                                             const psa_crypto_driver_pake_inputs_t *inputs,
                                             size_t scalar_size,
                                             const struct mbedtls_driver_spake2p_secrets *secrets)
{
    uint8_t main[CORRAL_HASH_MAX_LENGTH];
    size_t length = 0;

    psa_status_t status = hash_transcript(operation, inputs, scalar_size, secrets, main, &length);
    if (status == PSA_SUCCESS) {
        status = derive(operation, inputs, 2 * scalar_size + 1, main, length);
    }
    corral_wipe(main, sizeof main);
    return status;
}
