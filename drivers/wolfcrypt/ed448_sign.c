/* SPDX-License-Identifier: Apache-2.0 */
/* Ed448 and Ed448ph signatures (RFC 8032, 5.2), with and without context. */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "part.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/ed448.h>

#define CONTEXT_MAX 255u

/* The input of a signature, and its context. */
struct message {
    const uint8_t *data;
    size_t length;
    const uint8_t *context;
    size_t context_length;
};

static byte type_of(psa_algorithm_t alg)
{
    return alg == PSA_ALG_ED448PH ? Ed448ph : Ed448;
}

static psa_status_t check(psa_algorithm_t alg, const struct message *message)
{
    if (alg == PSA_ALG_ED448PH && message->length != ED448_PREHASH_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (message->context_length > CONTEXT_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return wolfcrypt_driver_is_whole(message->length) ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

/* The library signs with the public key at hand; a slot keeps only the private one. */
static int sign_with(ed448_key *key, const uint8_t *secret, psa_algorithm_t alg,
                     const struct message *message, uint8_t signature[ED448_SIG_SIZE])
{
    word32 length = ED448_SIG_SIZE;
    byte public_key[ED448_PUB_KEY_SIZE];

    int result = wc_ed448_init(key);
    if (result == 0) {
        result = wc_ed448_import_private_only(secret, ED448_KEY_SIZE, key);
    }
    if (result == 0) {
        result = wc_ed448_make_public(key, public_key, sizeof public_key);
    }
    if (result == 0) {
        result =
            wc_ed448_sign_msg_ex(message->data, (word32)message->length, signature, &length, key,
                                 type_of(alg), message->context, (byte)message->context_length);
    }
    return result;
}

static psa_status_t sign(const uint8_t *secret, psa_algorithm_t alg, const struct message *message,
                         uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    uint8_t result[ED448_SIG_SIZE]; /* the message may lie where the signature will */
    struct message own = *message;
    uint8_t context[CONTEXT_MAX];
    uint8_t hash[ED448_PREHASH_SIZE];
    ed448_key key;

    psa_status_t status = check(alg, message);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (signature_size < ED448_SIG_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* Read twice, and if they changed meanwhile, two signatures would have one nonce. */
    corral_copy(context, message->context, message->context_length);
    own.context = context;
    if (alg == PSA_ALG_ED448PH) {
        memcpy(hash, message->data, sizeof hash);
        own.data = hash;
    }
    const int error = sign_with(&key, secret, alg, &own, result);
    corral_wipe(&key, sizeof key);
    wolfcrypt_driver_wipe_stack_448();
    if (error != 0) {
        corral_wipe(result, sizeof result);
        return PSA_ERROR_GENERIC_ERROR;
    }
    memcpy(signature, result, sizeof result);
    *signature_length = sizeof result;
    return PSA_SUCCESS;
}

static psa_status_t verify(const uint8_t *public_key, psa_algorithm_t alg,
                           const struct message *message, const uint8_t *signature,
                           size_t signature_length)
{
    ed448_key key;
    uint8_t copy[ED448_SIG_SIZE];
    int is_valid = 0;

    psa_status_t status = check(alg, message);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (signature_length != sizeof copy) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    /* The library reads it twice, and another thread may change it meanwhile. */
    memcpy(copy, signature, sizeof copy);
    /* Import has checked the key. */
    if (wc_ed448_init(&key) != 0 ||
        wc_ed448_import_public_ex(public_key, ED448_PUB_KEY_SIZE, &key, 1) != 0 ||
        wc_ed448_verify_msg_ex(copy, sizeof copy, message->data, (word32)message->length, &is_valid,
                               &key, type_of(alg), message->context,
                               (byte)message->context_length) != 0 ||
        is_valid != 1) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return PSA_SUCCESS;
}

/*
 * Ed448 (of a message) and Ed448ph (of 64 bytes of its SHAKE256) signatures of 114 bytes. Without a
 * context it is empty, which is the same. The message may overlap the signature.
 *   PSA_ERROR_INVALID_ARGUMENT   Ed448ph: the hash has not 64 bytes; a context of more than 255
 *   PSA_ERROR_NOT_SUPPORTED      a message of 4 GB or more
 */
psa_status_t wolfcrypt_driver_ed448_sign(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *signature,
                                         size_t signature_size, size_t *signature_length)
{
    const struct message message = {input, input_length, NULL, 0};

    (void)attributes;
    (void)key_buffer_size;
    return sign(key_buffer, alg, &message, signature, signature_size, signature_length);
}

psa_status_t wolfcrypt_driver_ed448_sign_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    const struct message message = {input, input_length, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    return sign(key_buffer, alg, &message, signature, signature_size, signature_length);
}

psa_status_t wolfcrypt_driver_ed448_verify(const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, const uint8_t *signature,
                                           size_t signature_length)
{
    const struct message message = {input, input_length, NULL, 0};

    (void)attributes;
    (void)key_buffer_size;
    return verify(key_buffer, alg, &message, signature, signature_length);
}

psa_status_t wolfcrypt_driver_ed448_verify_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    const struct message message = {input, input_length, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    return verify(key_buffer, alg, &message, signature, signature_length);
}
