/* SPDX-License-Identifier: Apache-2.0 */
/* SLH-DSA and HashSLH-DSA (FIPS 205, 10), hedged and deterministic, with and without context. */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "part.h"
#include "slh.h"
#include "stack.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

#define CONTEXT_MAX 255u
#define HASH_MAX 64u
#define MAX_N 32u
#define DOMAIN_HASH 1

/* The object identifier of a hash but for its end. */
static const uint8_t identifier[] = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};

/* The signed input in place of a hash: domain, context, identifier, hash. */
#define PREHASH_MAX (2 + CONTEXT_MAX + sizeof identifier + 1 + HASH_MAX)

struct signed_input {
    psa_algorithm_t alg;
    const uint8_t *data;
    size_t length;
    const uint8_t *context;
    size_t context_length;
};

/* Below 2.16.840.1.101.3.4.2 (NIST's hash algorithms); 0: none, or not wanted. */
static uint8_t arc_of(psa_algorithm_t hash_alg)
{
    static const psa_algorithm_t hashes[] = {
        PSA_ALG_SHA_256,     PSA_ALG_SHA_384,     PSA_ALG_SHA_512,      PSA_ALG_SHA_224,
        PSA_ALG_SHA_512_224, PSA_ALG_SHA_512_256, PSA_ALG_SHA3_224,     PSA_ALG_SHA3_256,
        PSA_ALG_SHA3_384,    PSA_ALG_SHA3_512,    PSA_ALG_SHAKE128_256, PSA_ALG_SHAKE256_512};

    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        if (hashes[i] == hash_alg && corral_hash_length(hash_alg) != 0) {
            return (uint8_t)(i + 1);
        }
    }
    return 0;
}

/* Returns the length of the signed input in place of the hash. */
static size_t write_prehash(const struct signed_input *input, uint8_t prehash[PREHASH_MAX])
{
    uint8_t *end = prehash;

    *end++ = DOMAIN_HASH;
    *end++ = (uint8_t)input->context_length;
    if (input->context_length > 0) {
        memcpy(end, input->context, input->context_length);
    }
    end += input->context_length;
    memcpy(end, identifier, sizeof identifier);
    end += sizeof identifier;
    *end++ = arc_of(PSA_ALG_GET_HASH(input->alg));
    memcpy(end, input->data, input->length);
    return (size_t)(end - prehash) + input->length;
}

static bool is_pure(const struct signed_input *input)
{
    return PSA_ALG_IS_SLH_DSA(input->alg);
}

static psa_status_t check(const struct signed_input *input)
{
    if (input->context_length > CONTEXT_MAX || (!is_pure(input) && input->length > HASH_MAX)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!is_pure(input) && arc_of(PSA_ALG_GET_HASH(input->alg)) == 0) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return wolfcrypt_driver_is_whole(input->length) ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

/* `random` is NULL for a deterministic signature. */
static int sign_with(SlhDsaKey *key, const struct signed_input *input, const uint8_t *random,
                     uint8_t *signature, word32 *length)
{
    uint8_t prehash[PREHASH_MAX];
    const byte context_length = (byte)input->context_length;
    word32 size;

    if (is_pure(input)) {
        return random != NULL
                   ? wc_SlhDsaKey_SignWithRandom(key, input->context, context_length, input->data,
                                                 (word32)input->length, signature, length, random)
                   : wc_SlhDsaKey_SignDeterministic(key, input->context, context_length,
                                                    input->data, (word32)input->length, signature,
                                                    length);
    }
    size = (word32)write_prehash(input, prehash);
    return random != NULL
               ? wc_SlhDsaKey_SignMsgWithRandom(key, prehash, size, signature, length, random)
               : wc_SlhDsaKey_SignMsgDeterministic(key, prehash, size, signature, length);
}

/*
 * The library computes the number that a tree signs from the signature of the tree below. If
 * another thread changed that, a one-time key would sign a second value. So the library works on a
 * copy.
 */
static psa_status_t sign(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                         size_t key_buffer_size, const struct signed_input *input,
                         uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    const bool is_hedged =
        input->alg == PSA_ALG_SLH_DSA || PSA_ALG_IS_HEDGED_HASH_SLH_DSA(input->alg);
    const size_t n = psa_get_key_bits(attributes) / 8;
    word32 length = (word32)wc_SlhDsaKey_SigSizeFromParam(
        wolfcrypt_driver_slh_set(psa_get_key_type(attributes), psa_get_key_bits(attributes)));
    struct signed_input kept = *input;
    uint8_t made[CORRAL_SLH_DSA_SIGNATURE_MAX_SIZE];
    uint8_t context[CONTEXT_MAX];
    uint8_t random[MAX_N];
    SlhDsaKey key;

    if (signature_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = check(input);
    if (status == PSA_SUCCESS && is_hedged) {
        status = corral_random(random, n);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* The library reads the context twice. */
    corral_copy(context, input->context, input->context_length);
    kept.context = context;
    int result = wolfcrypt_driver_slh_open(&key, attributes, key_buffer, key_buffer_size);
    if (result == 0) {
        result = sign_with(&key, &kept, is_hedged ? random : NULL, made, &length);
    }
    wolfcrypt_driver_slh_close(&key);
    wolfcrypt_driver_wipe_stack_slh();
    corral_wipe(random, sizeof random);
    if (result != 0) {
        corral_wipe(made, sizeof made);
        return PSA_ERROR_GENERIC_ERROR;
    }
    memcpy(signature, made, length);
    *signature_length = length;
    return PSA_SUCCESS;
}

static psa_status_t verify(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                           size_t key_buffer_size, const struct signed_input *input,
                           const uint8_t *signature, size_t signature_length)
{
    uint8_t prehash[PREHASH_MAX];
    SlhDsaKey key;

    psa_status_t status = check(input);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (signature_length > UINT32_MAX) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    int result = wolfcrypt_driver_slh_open(&key, attributes, key_buffer, key_buffer_size);
    if (result == 0 && is_pure(input)) {
        result = wc_SlhDsaKey_Verify(&key, input->context, (byte)input->context_length, input->data,
                                     (word32)input->length, signature, (word32)signature_length);
    } else if (result == 0) {
        const word32 size = (word32)write_prehash(input, prehash);
        result = wc_SlhDsaKey_VerifyMsg(&key, prehash, size, signature, (word32)signature_length);
    }
    wolfcrypt_driver_slh_close(&key);
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t wolfcrypt_driver_slh_sign_message(const psa_key_attributes_t *attributes,
                                               const uint8_t *key_buffer, size_t key_buffer_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, uint8_t *signature,
                                               size_t signature_size, size_t *signature_length)
{
    const struct signed_input signed_input = {alg, input, input_length, NULL, 0};

    return sign(attributes, key_buffer, key_buffer_size, &signed_input, signature, signature_size,
                signature_length);
}

psa_status_t wolfcrypt_driver_slh_verify_message(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *signature,
                                                 size_t signature_length)
{
    const struct signed_input signed_input = {alg, input, input_length, NULL, 0};

    return verify(attributes, key_buffer, key_buffer_size, &signed_input, signature,
                  signature_length);
}

psa_status_t wolfcrypt_driver_slh_sign_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, uint8_t *signature,
                                            size_t signature_size, size_t *signature_length)
{
    const struct signed_input signed_input = {alg, hash, hash_length, NULL, 0};

    return sign(attributes, key_buffer, key_buffer_size, &signed_input, signature, signature_size,
                signature_length);
}

psa_status_t wolfcrypt_driver_slh_verify_hash(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *hash,
                                              size_t hash_length, const uint8_t *signature,
                                              size_t signature_length)
{
    const struct signed_input signed_input = {alg, hash, hash_length, NULL, 0};

    return verify(attributes, key_buffer, key_buffer_size, &signed_input, signature,
                  signature_length);
}

psa_status_t wolfcrypt_driver_slh_sign_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    const struct signed_input signed_input = {alg, input, input_length, context, context_length};

    return sign(attributes, key_buffer, key_buffer_size, &signed_input, signature, signature_size,
                signature_length);
}

psa_status_t wolfcrypt_driver_slh_verify_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    const struct signed_input signed_input = {alg, input, input_length, context, context_length};

    return verify(attributes, key_buffer, key_buffer_size, &signed_input, signature,
                  signature_length);
}

psa_status_t wolfcrypt_driver_slh_sign_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    const struct signed_input signed_input = {alg, hash, hash_length, context, context_length};

    return sign(attributes, key_buffer, key_buffer_size, &signed_input, signature, signature_size,
                signature_length);
}

psa_status_t wolfcrypt_driver_slh_verify_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    const struct signed_input signed_input = {alg, hash, hash_length, context, context_length};

    return verify(attributes, key_buffer, key_buffer_size, &signed_input, signature,
                  signature_length);
}
