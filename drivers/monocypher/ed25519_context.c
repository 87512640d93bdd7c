/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ed25519ctx, and Ed25519ph with a context (RFC 8032, 5.1): the library has the parts of these
 * signatures, and of the whole ones only those without context.
 */
#include <corral/drivers/monocypher/entry_points.h>

#include "ed25519_point.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>
#include <monocypher-ed25519.h>
#include <monocypher.h>

#define SCALAR_SIZE 32
#define HASH_SIZE 64
#define CONTEXT_MAX_LENGTH 255

/* The input of a signature. The two kinds differ only in a flag: input is a message or its hash.
 */
struct text {
    uint8_t is_hashed;
    const uint8_t *input;
    size_t input_length;
    const uint8_t *context;
    size_t context_length;
};

struct signer {
    uint8_t secret[HASH_SIZE]; /* scalar, and the prefix that makes nonces */
    uint8_t nonce[SCALAR_SIZE];
    uint8_t challenge[SCALAR_SIZE];
    uint8_t public_key[ED25519_KEY_SIZE];
    uint8_t point[ED25519_KEY_SIZE];
};

/* The scalar that a hash of dom2, of two strings and of the input stands for (RFC 8032, 5.1.6). */
static void hash_to_scalar(uint8_t scalar[SCALAR_SIZE], const struct text *text,
                           const uint8_t *first, const uint8_t *second)
{
    static const char domain[] = "SigEd25519 no Ed25519 collisions";
    const uint8_t head[] = {text->is_hashed, (uint8_t)text->context_length};
    crypto_sha512_ctx state;
    uint8_t hash[HASH_SIZE];

    crypto_sha512_init(&state);
    crypto_sha512_update(&state, (const uint8_t *)domain, sizeof(domain) - 1);
    crypto_sha512_update(&state, head, sizeof(head));
    crypto_sha512_update(&state, text->context, text->context_length);
    crypto_sha512_update(&state, first, ED25519_KEY_SIZE);
    if (second != NULL) {
        crypto_sha512_update(&state, second, ED25519_KEY_SIZE);
    }
    crypto_sha512_update(&state, text->input, text->input_length);
    crypto_sha512_final(&state, hash);
    crypto_eddsa_reduce(scalar, hash);
    corral_wipe(hash, sizeof(hash));
}

static void expand(struct signer *signer, const uint8_t *seed)
{
    crypto_sha512(signer->secret, seed, ED25519_KEY_SIZE);
    crypto_eddsa_trim_scalar(signer->secret, signer->secret);
    crypto_eddsa_scalarbase(signer->public_key, signer->secret);
}

static psa_status_t sign(const uint8_t *seed, const struct text *text, uint8_t *signature,
                         size_t signature_size, size_t *signature_length)
{
    struct text own = *text;
    uint8_t context[CONTEXT_MAX_LENGTH];
    uint8_t hash[HASH_SIZE];
    struct signer signer;

    if (text->context_length > CONTEXT_MAX_LENGTH) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_size < ED25519_SIGNATURE_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* Read twice, and if they changed meanwhile, two signatures would have one nonce. */
    corral_copy(context, text->context, text->context_length);
    own.context = context;
    if (text->is_hashed) {
        memcpy(hash, text->input, sizeof hash);
        own.input = hash;
    }
    expand(&signer, seed);
    hash_to_scalar(signer.nonce, &own, signer.secret + SCALAR_SIZE, NULL);
    crypto_eddsa_scalarbase(signer.point, signer.nonce);
    hash_to_scalar(signer.challenge, &own, signer.point, signer.public_key);
    /* All inputs have been read: the signature may lie over them. */
    memcpy(signature, signer.point, ED25519_KEY_SIZE);
    crypto_eddsa_mul_add(signature + ED25519_KEY_SIZE, signer.challenge, signer.secret,
                         signer.nonce);
    monocypher_driver_wipe_stack_ed25519();
    corral_wipe(&signer, sizeof(signer));
    *signature_length = ED25519_SIGNATURE_SIZE;
    return PSA_SUCCESS;
}

static psa_status_t verify(const uint8_t *public_key, const struct text *text,
                           const uint8_t *signature, size_t signature_length)
{
    uint8_t challenge[SCALAR_SIZE];
    uint8_t copy[ED25519_SIGNATURE_SIZE];

    if (text->context_length > CONTEXT_MAX_LENGTH) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!monocypher_driver_take_signature(copy, signature, signature_length)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    hash_to_scalar(challenge, text, copy, public_key);
    return crypto_eddsa_check_equation(copy, public_key, challenge) == 0
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_SIGNATURE;
}

/*
 * Ed25519ctx (of a message) and Ed25519ph (of its SHA-512) signatures with a context of up to 255
 * bytes (RFC 8032, 5.1). Those without the argument have the empty context.
 *   PSA_ERROR_INVALID_ARGUMENT   a longer context; Ed25519ph: the hash has not 64 bytes
 */
psa_status_t monocypher_driver_ed25519ctx_sign_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    const struct text text = {0, input, input_length, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return sign(key_buffer, &text, signature, signature_size, signature_length);
}

psa_status_t monocypher_driver_ed25519ctx_sign_message(const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size, psa_algorithm_t alg,
                                                       const uint8_t *input, size_t input_length,
                                                       uint8_t *signature, size_t signature_size,
                                                       size_t *signature_length)
{
    return monocypher_driver_ed25519ctx_sign_message_with_context(
        attributes, key_buffer, key_buffer_size, alg, input, input_length, NULL, 0, signature,
        signature_size, signature_length);
}

psa_status_t monocypher_driver_ed25519ctx_verify_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    const struct text text = {0, input, input_length, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return verify(key_buffer, &text, signature, signature_length);
}

psa_status_t monocypher_driver_ed25519ctx_verify_message(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *signature,
    size_t signature_length)
{
    return monocypher_driver_ed25519ctx_verify_message_with_context(
        attributes, key_buffer, key_buffer_size, alg, input, input_length, NULL, 0, signature,
        signature_length);
}

psa_status_t monocypher_driver_ed25519ph_sign_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    const struct text text = {1, hash, hash_length, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (hash_length != HASH_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return sign(key_buffer, &text, signature, signature_size, signature_length);
}

psa_status_t monocypher_driver_ed25519ph_verify_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    const struct text text = {1, hash, hash_length, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (hash_length != HASH_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return verify(key_buffer, &text, signature, signature_length);
}
