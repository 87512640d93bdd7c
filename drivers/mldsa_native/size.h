/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entry points of one parameter set. Included once by each mldsa<size>.c, which defines
 * MLD_CONFIG_PARAMETER_SET, the sizes and depths of stack; the library comes with it, as one unit
 * in which everything is static. A key pair is its seed, and is expanded each time that it is used
 * (FIPS 204, 5.1). Statuses beside those of every driver:
 *   import     PSA_ERROR_INVALID_ARGUMENT  a pair without a size: seeds do not tell it
 *   *_hash     PSA_ERROR_NOT_SUPPORTED     a hash without an identifier in FIPS 204
 *   *_context  PSA_ERROR_INVALID_ARGUMENT  a context of more than 255 bytes
 */
#define MLD_CONFIG_FILE "corral_mldsa_config.h"

#include <corral/drivers/mldsa_native/entry_points.h>

#include <string.h>

#include <corral/driver.h>
#include <corral/stack.h>
#include <mldsa_native.c> /* NOLINT(bugprone-suspicious-include) */

#include "prefix.h"

#define PASTE(a, b, c) a##b##c
#define NAME_OF(size, entry_point) PASTE(mldsa_native_driver_, size, _##entry_point)
#define ENTRY_POINT(name) NAME_OF(MLD_CONFIG_PARAMETER_SET, name)

#define SEED_SIZE 32u
#define RANDOM_SIZE 32u

/*
 * The library wipes its buffers, but not what Keccak and the compiler leave in frames. Inlined into
 * a caller of a wiper, its frame would be above the wiper's range; so they stay separate.
 */
static CORRAL_STACK_APART int expand(uint8_t *public_key, uint8_t *private_key, const uint8_t *seed)
{
    return mldsa_native_keypair_internal(public_key, private_key, seed);
}

/*
 * Sign what begins with `prefix`; `coins` are random bytes or zeros. The library hashes bytes that
 * it has written to the signature, and writes parts of attempts that it rejects. Another thread
 * that reads or changes either learns the key. So the library works on a copy.
 */
static CORRAL_STACK_APART int expand_and_sign(const uint8_t *seed, const uint8_t *coins,
                                              const uint8_t *prefix, size_t prefix_length,
                                              const uint8_t *input, size_t input_length,
                                              uint8_t *signature, size_t *signature_length)
{
    uint8_t private_key[PRIVATE_SIZE];
    union {
        uint8_t public_key[PUBLIC_SIZE];
        uint8_t signature[SIGNATURE_SIZE];
    } made;

    int failed = mldsa_native_keypair_internal(made.public_key, private_key, seed);
    if (failed == 0) {
        failed =
            mldsa_native_signature_internal(made.signature, signature_length, input, input_length,
                                            prefix, prefix_length, coins, private_key, 0);
    }
    if (failed == 0) {
        memcpy(signature, made.signature, sizeof made.signature);
    }
    return failed;
}

CORRAL_STACK_LOCAL_WIPER(wipe_stack_expand, EXPAND_STACK)
CORRAL_STACK_LOCAL_WIPER(wipe_stack_sign, SIGN_STACK)

psa_status_t ENTRY_POINT(import_key)(const psa_key_attributes_t *attributes, const uint8_t *data,
                                     size_t data_length, uint8_t *key_buffer,
                                     size_t key_buffer_size, size_t *key_buffer_length,
                                     size_t *bits)
{
    const bool is_pair = PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type);

    if (data_length != (is_pair ? SEED_SIZE : PUBLIC_SIZE) || (is_pair && attributes->bits == 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *key_buffer_length = data_length;
    *bits = STRENGTH;
    return PSA_SUCCESS;
}

psa_status_t ENTRY_POINT(export_public_key)(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            uint8_t *data, size_t data_size, size_t *data_length)
{
    uint8_t private_key[PRIVATE_SIZE];

    (void)attributes;
    if (key_buffer_size != SEED_SIZE) {
        return PSA_ERROR_DATA_INVALID;
    }
    if (data_size < PUBLIC_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int failed = expand(data, private_key, key_buffer);
    wipe_stack_expand();
    corral_wipe(private_key, sizeof private_key);
    if (failed != 0) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    *data_length = PUBLIC_SIZE;
    return PSA_SUCCESS;
}

/* Sign what begins with `prefix`, by random bytes or, deterministically, by zeros. */
static psa_status_t sign(const uint8_t *seed, bool is_random, const uint8_t *prefix,
                         size_t prefix_length, const uint8_t *input, size_t input_length,
                         uint8_t *signature, size_t *signature_length)
{
    uint8_t coins[RANDOM_SIZE] = {0};
    psa_status_t status = is_random ? corral_random(coins, sizeof coins) : PSA_SUCCESS;

    if (status == PSA_SUCCESS) {
        const int failed = expand_and_sign(seed, coins, prefix, prefix_length, input, input_length,
                                           signature, signature_length);
        wipe_stack_sign();
        status = failed == 0 ? PSA_SUCCESS : PSA_ERROR_CORRUPTION_DETECTED;
    }
    corral_wipe(coins, sizeof coins);
    return status;
}

/* The common part of the entry points that sign; `prefix_length` 0: the hash cannot be signed. */
static psa_status_t checked_sign(size_t key_buffer_size, const uint8_t *key_buffer, bool is_random,
                                 const uint8_t *prefix, size_t prefix_length, const uint8_t *input,
                                 size_t input_length, uint8_t *signature, size_t signature_size,
                                 size_t *signature_length)
{
    if (key_buffer_size != SEED_SIZE) {
        return PSA_ERROR_DATA_INVALID;
    }
    if (signature_size < SIGNATURE_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (prefix_length == 0) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return sign(key_buffer, is_random, prefix, prefix_length, input, input_length, signature,
                signature_length);
}

/* The library unpacks a signature several times: it reads a copy, which cannot change meanwhile. */
static psa_status_t checked_verify(size_t key_buffer_size, const uint8_t *key_buffer,
                                   const uint8_t *prefix, size_t prefix_length,
                                   const uint8_t *input, size_t input_length,
                                   const uint8_t *signature, size_t signature_length)
{
    uint8_t copy[SIGNATURE_SIZE];

    if (key_buffer_size != PUBLIC_SIZE) {
        return PSA_ERROR_DATA_INVALID;
    }
    if (prefix_length == 0) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (signature_length != SIGNATURE_SIZE) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    memcpy(copy, signature, sizeof copy);
    return mldsa_native_verify_internal(copy, sizeof copy, input, input_length, prefix,
                                        prefix_length, key_buffer, 0) == 0
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t ENTRY_POINT(sign_message)(const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg, const uint8_t *input,
                                       size_t input_length, uint8_t *signature,
                                       size_t signature_size, size_t *signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_MESSAGE_PREFIX];

    (void)attributes;
    const size_t length = mldsa_native_driver_message_prefix(NULL, 0, prefix);
    return checked_sign(key_buffer_size, key_buffer, alg == PSA_ALG_ML_DSA, prefix, length, input,
                        input_length, signature, signature_size, signature_length);
}

psa_status_t ENTRY_POINT(verify_message)(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, const uint8_t *signature,
                                         size_t signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_MESSAGE_PREFIX];

    (void)attributes;
    (void)alg;
    const size_t length = mldsa_native_driver_message_prefix(NULL, 0, prefix);
    return checked_verify(key_buffer_size, key_buffer, prefix, length, input, input_length,
                          signature, signature_length);
}

psa_status_t ENTRY_POINT(sign_hash)(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                    uint8_t *signature, size_t signature_size,
                                    size_t *signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_HASH_PREFIX];

    (void)attributes;
    const size_t length = mldsa_native_driver_hash_prefix(alg, NULL, 0, prefix);
    return checked_sign(key_buffer_size, key_buffer, PSA_ALG_IS_HEDGED_HASH_ML_DSA(alg), prefix,
                        length, hash, hash_length, signature, signature_size, signature_length);
}

psa_status_t ENTRY_POINT(verify_hash)(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                      const uint8_t *signature, size_t signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_HASH_PREFIX];

    (void)attributes;
    const size_t length = mldsa_native_driver_hash_prefix(alg, NULL, 0, prefix);
    return checked_verify(key_buffer_size, key_buffer, prefix, length, hash, hash_length, signature,
                          signature_length);
}

psa_status_t ENTRY_POINT(sign_message_with_context)(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_MESSAGE_PREFIX + MLDSA_NATIVE_DRIVER_CONTEXT_MAX];

    (void)attributes;
    if (context_length > MLDSA_NATIVE_DRIVER_CONTEXT_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = mldsa_native_driver_message_prefix(context, context_length, prefix);
    return checked_sign(key_buffer_size, key_buffer, alg == PSA_ALG_ML_DSA, prefix, length, input,
                        input_length, signature, signature_size, signature_length);
}

psa_status_t ENTRY_POINT(verify_message_with_context)(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_MESSAGE_PREFIX + MLDSA_NATIVE_DRIVER_CONTEXT_MAX];

    (void)attributes;
    (void)alg;
    if (context_length > MLDSA_NATIVE_DRIVER_CONTEXT_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = mldsa_native_driver_message_prefix(context, context_length, prefix);
    return checked_verify(key_buffer_size, key_buffer, prefix, length, input, input_length,
                          signature, signature_length);
}

psa_status_t ENTRY_POINT(sign_hash_with_context)(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *hash,
                                                 size_t hash_length, const uint8_t *context,
                                                 size_t context_length, uint8_t *signature,
                                                 size_t signature_size, size_t *signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_HASH_PREFIX + MLDSA_NATIVE_DRIVER_CONTEXT_MAX];

    (void)attributes;
    if (context_length > MLDSA_NATIVE_DRIVER_CONTEXT_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = mldsa_native_driver_hash_prefix(alg, context, context_length, prefix);
    return checked_sign(key_buffer_size, key_buffer, PSA_ALG_IS_HEDGED_HASH_ML_DSA(alg), prefix,
                        length, hash, hash_length, signature, signature_size, signature_length);
}

psa_status_t ENTRY_POINT(verify_hash_with_context)(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    uint8_t prefix[MLDSA_NATIVE_DRIVER_HASH_PREFIX + MLDSA_NATIVE_DRIVER_CONTEXT_MAX];

    (void)attributes;
    if (context_length > MLDSA_NATIVE_DRIVER_CONTEXT_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = mldsa_native_driver_hash_prefix(alg, context, context_length, prefix);
    return checked_verify(key_buffer_size, key_buffer, prefix, length, hash, hash_length, signature,
                          signature_length);
}
