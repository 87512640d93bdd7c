/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <string.h>

#include <bearssl_rand.h>
#include <corral/driver.h>

/* A generator as the library takes one; it cannot fail there, so it remembers that it did. */
struct generator {
    const br_prng_class *methods; /* the first member, by which the library finds the rest */
    psa_status_t status;
};

static void draw(const br_prng_class **methods, void *output, size_t size)
{
    struct generator *const generator = (struct generator *)(void *)methods;

    generator->status = corral_random(output, size);
}

static const br_prng_class drawing = {sizeof(struct generator), NULL, draw, NULL};

/* Only the hashes that the build wants are linked. */
static const br_hash_class *find_hash(psa_algorithm_t alg)
{
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(alg);

    if (CORRAL_WANT_ALG_SHA_256 && hash == PSA_ALG_SHA_256) {
        return &br_sha256_vtable;
    }
    if (CORRAL_WANT_ALG_SHA_384 && hash == PSA_ALG_SHA_384) {
        return &br_sha384_vtable;
    }
    if (CORRAL_WANT_ALG_SHA_512 && hash == PSA_ALG_SHA_512) {
        return &br_sha512_vtable;
    }
    if (CORRAL_WANT_ALG_SHA_224 && hash == PSA_ALG_SHA_224) {
        return &br_sha224_vtable;
    }
    return CORRAL_WANT_ALG_SHA_1 && hash == PSA_ALG_SHA_1 ? &br_sha1_vtable : NULL;
}

psa_status_t bearssl_driver_rsa_asymmetric_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length)
{
    static const uint8_t nothing;
    uint8_t block[CORRAL_RSA_MAX_SIZE]; /* written before label and text have been read */
    struct generator generator = {&drawing, PSA_SUCCESS};
    const br_hash_class *const hash = find_hash(alg);
    br_rsa_public_key public_key;
    struct corral_rsa_key key;

    if (hash == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (corral_rsa_read(psa_get_key_type(attributes), key_buffer, key_buffer_size, &key) !=
        PSA_SUCCESS) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    if (output_size < key.numbers[CORRAL_RSA_MODULUS].length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    bearssl_driver_rsa_public(&key, &public_key);
    /* The library moves the text even if there is none, and so from somewhere. */
    const size_t length =
        BEARSSL_RSA_ENCRYPT(&generator.methods, hash, salt, salt_length, &public_key, block,
                            sizeof block, input_length > 0 ? input : &nothing, input_length);
    bearssl_driver_wipe_stack_rsa(); /* the text, and its padding */
    psa_status_t status = generator.status;
    if (status == PSA_SUCCESS && length == 0) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status == PSA_SUCCESS) {
        memcpy(output, block, length);
        *output_length = length;
    }
    corral_wipe(block, sizeof block);
    return status;
}

psa_status_t bearssl_driver_rsa_asymmetric_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length)
{
    const br_hash_class *const hash = find_hash(alg);
    uint8_t block[CORRAL_RSA_MAX_SIZE];
    br_rsa_private_key private_key;
    struct corral_rsa_key key;
    size_t length = input_length;

    if (hash == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (corral_rsa_read(psa_get_key_type(attributes), key_buffer, key_buffer_size, &key) !=
        PSA_SUCCESS) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    if (input_length != key.numbers[CORRAL_RSA_MODULUS].length || input_length > sizeof block) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(block, input, input_length);
    bearssl_driver_rsa_private(&key, &private_key);
    const uint32_t is_valid =
        BEARSSL_RSA_DECRYPT(hash, salt, salt_length, &private_key, block, &length);
    bearssl_driver_wipe_stack_rsa();
    /*
     * Only whether all of the padding is right decides here, which the status says anyway. Without
     * knowing the text, no attacker makes a ciphertext for which it is (RFC 8017, 7.1).
     */
    psa_status_t status = PSA_ERROR_INVALID_PADDING;
    if (is_valid == 1) {
        status = length <= output_size ? PSA_SUCCESS : PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        memcpy(output, block, length);
        *output_length = length;
    }
    corral_wipe(block, sizeof block);
    return status;
}
