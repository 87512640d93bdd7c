/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/dispatch/mac.h>
#include <corral/driver.h>

#include "../common/multipart.h"
#include "../common/output.h"
#include "../keys/hold.h"
#include "mac_length.h"

/* The shortest truncated MAC that is computed or accepted: 32 bits, as SP 800-107 recommends. */
#define MAC_MIN_LENGTH 4u

/* Length field and wildcard flag of a MAC algorithm (PSA Crypto 1.5, B.1.4). */
#define LENGTH_MASK ((psa_algorithm_t)0x003f0000)
#define LENGTH_SHIFT 16
#define AT_LEAST ((psa_algorithm_t)0x00008000)
/* Category of a key type (B.2), and that of the ciphers' keys. */
#define CATEGORY_MASK ((psa_key_type_t)0x7000)
#define CATEGORY_SYMMETRIC ((psa_key_type_t)0x2000)
#define IS_CIPHER(type) (((type)&CATEGORY_MASK) == CATEGORY_SYMMETRIC)
/* Keys of types that the build does not have cannot exist. */
#define HAS_CIPHERS (CORRAL_ANY_STORED(IS_CIPHER) || CORRAL_ELEMENT_COUNT > 0)
#define IS_BLAKE2(type) ((type) == PSA_KEY_TYPE_BLAKE2)
#define HAS_BLAKE2 (CORRAL_ANY_STORED(IS_BLAKE2) || CORRAL_ELEMENT_COUNT > 0)

static psa_algorithm_t full_length(psa_algorithm_t alg)
{
    return alg & ~LENGTH_MASK;
}

/* Whether a key of this type goes with a MAC algorithm, in any implementation. */
static bool takes_type(psa_algorithm_t alg, psa_key_type_t type)
{
    if (PSA_ALG_IS_BLOCK_CIPHER_MAC(alg)) {
        return HAS_CIPHERS && IS_CIPHER(type) && PSA_BLOCK_CIPHER_BLOCK_LENGTH(type) > 1;
    }
    return PSA_ALG_IS_BLAKE2_MAC(full_length(alg)) ? HAS_BLAKE2 && IS_BLAKE2(type)
                                                   : type == PSA_KEY_TYPE_HMAC;
}

psa_status_t corral_mac_wanted_length(psa_algorithm_t alg, const psa_key_attributes_t *attributes)
{
    const size_t full = corral_mac_length(full_length(alg), attributes->type);
    const size_t truncated = (size_t)((alg & LENGTH_MASK) >> LENGTH_SHIFT);
    const size_t length = truncated != 0 ? truncated : full;

    if (full == 0) {
        return PSA_ALG_IS_MAC(alg) && (alg & AT_LEAST) == 0 && takes_type(alg, attributes->type)
                   ? PSA_ERROR_NOT_SUPPORTED
                   : PSA_ERROR_INVALID_ARGUMENT;
    }
    if (length < MAC_MIN_LENGTH) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return length <= full ? (psa_status_t)length : PSA_ERROR_INVALID_ARGUMENT;
}

/* A truncated MAC is computed whole, in a buffer of its own. */
static psa_status_t compute(struct corral_key *key, psa_algorithm_t alg, const uint8_t *input,
                            size_t input_length, uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    const psa_algorithm_t whole = full_length(alg);
    uint8_t full[CORRAL_MAC_MAX_SIZE];
    uint8_t *output = mac;

    psa_status_t status = corral_mac_wanted_length(alg, &key->attributes);
    if (status < 0) {
        return status;
    }
    const size_t length = (size_t)status;
    if (mac_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (alg != whole) {
        output = full;
        mac_size = sizeof full;
    }
    status = corral_dispatch_mac_compute(&key->attributes, corral_key_data(key), key->length, whole,
                                         input, input_length, output, mac_size, mac_length);
    if (output == full) {
        if (status == PSA_SUCCESS) {
            corral_copy(mac, full, length);
        }
        corral_wipe(full, sizeof full);
    }
    *mac_length = length;
    return status;
}

psa_status_t psa_mac_compute(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                             size_t input_length, uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    struct corral_key *slot;

    *mac_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_SIGN_MESSAGE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = compute(slot, alg, input, input_length, mac, mac_size, mac_length);
    corral_key_release(slot);
    return corral_output_done(status, mac, mac_size, mac_length);
}

static psa_status_t verify(struct corral_key *key, psa_algorithm_t alg, const uint8_t *input,
                           size_t input_length, const uint8_t *mac, size_t mac_length)
{
    uint8_t computed[CORRAL_MAC_MAX_SIZE];
    size_t length;

    if (CORRAL_HAS_OPAQUE_MAC_VERIFY && !corral_attributes_are_local(&key->attributes)) {
        psa_status_t status =
            corral_dispatch_mac_verify(&key->attributes, corral_key_data(key), key->length, alg,
                                       input, input_length, mac, mac_length);
        if (status != PSA_ERROR_NOT_SUPPORTED) {
            return status;
        }
    }
    psa_status_t status =
        compute(key, alg, input, input_length, computed, sizeof computed, &length);
    if (status == PSA_SUCCESS && (length != mac_length || !corral_equal(computed, mac, length))) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    corral_wipe(computed, sizeof computed);
    return status;
}

psa_status_t psa_mac_verify(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                            size_t input_length, const uint8_t *mac, size_t mac_length)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_VERIFY_MESSAGE, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = verify(slot, alg, input, input_length, mac, mac_length);
    corral_key_release(slot);
    return status;
}

static CORRAL_DEFINE_FAIL(fail, psa_mac_operation_t,
                          corral_dispatch_mac_abort(&operation->context));

/* Hold the key of an operation that must be active and of the given direction. */
static psa_status_t hold_active(psa_mac_operation_t *operation, bool is_right,
                                struct corral_key **key)
{
    psa_status_t status = is_right ? corral_key_hold_to_go_on(operation->alg, &operation->key, key)
                                   : PSA_ERROR_BAD_STATE;
    return status == PSA_SUCCESS ? PSA_SUCCESS : fail(operation, status);
}

static psa_status_t setup(psa_mac_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg,
                          psa_key_usage_t usage)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_to_begin(operation->alg, key, usage, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_mac_wanted_length(alg, &slot->attributes);
    if (status >= 0) {
        const uint8_t length = (uint8_t)status;
        corral_wipe(operation, sizeof *operation);
        status = corral_dispatch_mac_setup(&operation->context, &slot->attributes,
                                           corral_key_data(slot), slot->length, full_length(alg));
        if (status == PSA_SUCCESS) {
            operation->alg = alg;
            operation->key = corral_key_bind(slot);
            operation->mac_length = length;
            operation->is_sign = usage == PSA_KEY_USAGE_SIGN_MESSAGE;
        } else {
            corral_wipe(operation, sizeof *operation);
        }
    }
    corral_key_release(slot);
    return status;
}

psa_status_t psa_mac_sign_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                psa_algorithm_t alg)
{
    return setup(operation, key, alg, PSA_KEY_USAGE_SIGN_MESSAGE);
}

psa_status_t psa_mac_verify_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                  psa_algorithm_t alg)
{
    return setup(operation, key, alg, PSA_KEY_USAGE_VERIFY_MESSAGE);
}

psa_status_t psa_mac_update(psa_mac_operation_t *operation, const uint8_t *input,
                            size_t input_length)
{
    struct corral_key *slot;

    psa_status_t status = hold_active(operation, true, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_dispatch_mac_update(&operation->context, input, input_length);
    if (status != PSA_SUCCESS) {
        (void)fail(operation, status);
    }
    corral_key_release(slot);
    return status;
}

/* Finish into `full` and release the key; the operation ends, or has failed. */
static psa_status_t finish(psa_mac_operation_t *operation, struct corral_key *slot,
                           uint8_t full[CORRAL_MAC_MAX_SIZE])
{
    size_t length;

    psa_status_t status =
        corral_dispatch_mac_finish(&operation->context, full, CORRAL_MAC_MAX_SIZE, &length);
    if (status == PSA_SUCCESS) {
        corral_wipe(operation, sizeof *operation);
    } else {
        corral_wipe(full, CORRAL_MAC_MAX_SIZE);
        (void)fail(operation, status);
    }
    corral_key_release(slot);
    return status;
}

psa_status_t psa_mac_sign_finish(psa_mac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length)
{
    uint8_t full[CORRAL_MAC_MAX_SIZE];
    const size_t length = operation->mac_length;
    struct corral_key *slot;

    *mac_length = 0;
    if (operation->is_sign && mac_size < length) {
        return fail(operation, PSA_ERROR_BUFFER_TOO_SMALL);
    }
    psa_status_t status = hold_active(operation, operation->is_sign, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = finish(operation, slot, full);
    if (status != PSA_SUCCESS) {
        corral_wipe(mac, mac_size);
        return status;
    }
    memcpy(mac, full, length);
    *mac_length = length;
    corral_wipe(full, sizeof full);
    return PSA_SUCCESS;
}

psa_status_t psa_mac_verify_finish(psa_mac_operation_t *operation, const uint8_t *mac,
                                   size_t mac_length)
{
    uint8_t full[CORRAL_MAC_MAX_SIZE];
    const size_t length = operation->mac_length;
    struct corral_key *slot;

    psa_status_t status = hold_active(operation, !operation->is_sign, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = finish(operation, slot, full);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (length != mac_length || !corral_equal(full, mac, length)) {
        /* It has ended; a wrong MAC nevertheless leaves it failed (3.3.2). */
        operation->alg = CORRAL_OPERATION_FAILED;
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    corral_wipe(full, sizeof full);
    return status;
}

psa_status_t psa_mac_abort(psa_mac_operation_t *operation)
{
    (void)fail(operation, PSA_SUCCESS);
    operation->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}
