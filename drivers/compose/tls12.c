/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

/* The other secret was gathered by the core, or is a key. */
#define OTHER_MAX                                                                                  \
    (CORRAL_DERIVATION_INPUT_MAX_SIZE > CORRAL_RAW_KEY_MAX_SIZE ? CORRAL_DERIVATION_INPUT_MAX_SIZE \
                                                                : CORRAL_RAW_KEY_MAX_SIZE)
#define PREMASTER_MAX (2 + OTHER_MAX + 2 + PSA_TLS12_PSK_TO_MS_PSK_MAX_SIZE)

/* A(n + 1) = HMAC(secret, A(n)); A(0) is label and seed. */
static psa_status_t advance(compose_tls12_operation_t *operation, const uint8_t *from,
                            size_t from_length)
{
    uint8_t next[CORRAL_HASH_MAX_LENGTH];

    psa_status_t status =
        compose_prf_compute(&operation->prf, from, from_length, next, sizeof next);
    if (status == PSA_SUCCESS) {
        memcpy(operation->message, next, operation->hash_length);
    }
    corral_wipe(next, sizeof next);
    return status;
}

static psa_status_t start(compose_tls12_operation_t *operation, psa_algorithm_t alg,
                          const psa_crypto_driver_key_derivation_inputs_t *inputs,
                          const struct corral_derivation_input *secret)
{
    const size_t hash_length = corral_hash_length(PSA_ALG_GET_HASH(alg));
    size_t length = hash_length;

    psa_status_t status = compose_prf_set_key(&operation->prf, compose_hmac_of(alg), secret);
    if (status != PSA_SUCCESS) {
        return status;
    }
    compose_append(operation->message, &length,
                   corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_LABEL));
    compose_append(operation->message, &length,
                   corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SEED));
    operation->message_length = (uint16_t)(length - hash_length);
    operation->hash_length = (uint8_t)hash_length;
    operation->used = operation->hash_length;
    return advance(operation, operation->message + hash_length, length - hash_length);
}

psa_status_t compose_tls12_prf_setup(compose_tls12_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    return start(operation, alg, inputs,
                 corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SECRET));
}

/* A length in two bytes and so many bytes, or zeros where `data` is NULL. */
static void append_vector(uint8_t *message, size_t *used, const uint8_t *data, size_t length)
{
    message[*used] = (uint8_t)(length >> 8);
    message[*used + 1] = (uint8_t)length;
    if (data != NULL) {
        memcpy(message + *used + 2, data, length);
    } else {
        memset(message + *used + 2, 0, length);
    }
    *used += 2 + length;
}

psa_status_t compose_tls12_psk_setup(compose_tls12_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    const struct corral_derivation_input *const psk =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SECRET);
    const struct corral_derivation_input *const other =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_OTHER_SECRET);
    const bool is_plain = other->step == 0;
    uint8_t premaster[PREMASTER_MAX];
    struct corral_derivation_input secret = {0, NULL, premaster, 0};

    append_vector(premaster, &secret.length, is_plain ? NULL : other->data,
                  is_plain ? psk->length : other->length);
    append_vector(premaster, &secret.length, psk->data, psk->length);
    const psa_status_t status = start(operation, alg, inputs, &secret);
    corral_wipe(premaster, sizeof premaster);
    return status;
}

/* HMAC(secret, A(n) | label | seed), and A for the block after it. */
static psa_status_t next_block(compose_tls12_operation_t *operation)
{
    const size_t hash_length = operation->hash_length;

    psa_status_t status = compose_prf_compute(&operation->prf, operation->message,
                                              hash_length + operation->message_length,
                                              operation->block, sizeof operation->block);
    if (status == PSA_SUCCESS) {
        operation->used = 0;
        status = advance(operation, operation->message, hash_length);
    }
    return status;
}

psa_status_t compose_tls12_output_bytes(compose_tls12_operation_t *operation, uint8_t *output,
                                        size_t output_length)
{
    psa_status_t status = PSA_SUCCESS;

    while (status == PSA_SUCCESS && output_length > 0) {
        if (operation->used == operation->hash_length) {
            status = next_block(operation);
        }
        if (status == PSA_SUCCESS) {
            compose_take(operation->block, operation->hash_length, &operation->used, &output,
                         &output_length);
        }
    }
    return status;
}

psa_status_t compose_tls12_abort(compose_tls12_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

psa_status_t compose_tls12_ecjpake_setup(compose_tls12_ecjpake_operation_t *operation,
                                         psa_algorithm_t alg,
                                         const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    const struct corral_derivation_input *const point =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SECRET);
    size_t length;

    (void)alg;
    /* The x coordinate, behind the byte that says how the point is written. */
    return corral_dispatch_hash_compute(PSA_ALG_SHA_256, point->data + 1, 32, operation->secret,
                                        sizeof operation->secret, &length);
}

psa_status_t compose_tls12_ecjpake_output_bytes(compose_tls12_ecjpake_operation_t *operation,
                                                uint8_t *output, size_t output_length)
{
    memcpy(output, operation->secret, output_length);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

psa_status_t compose_tls12_ecjpake_abort(compose_tls12_ecjpake_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
