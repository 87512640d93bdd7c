/* SPDX-License-Identifier: Apache-2.0 */
#include "asymmetric_encryption.h"

#include <corral/dispatch/asymmetric.h>

#include <corral/driver.h>

#include "../common/output.h"
#include "../common/secret.h"
#include "../keys/hold.h"
#include "../keys/public_half.h"

/* The inputs of an operation besides its key. */
struct text {
    psa_algorithm_t alg;
    const uint8_t *input;
    size_t input_length;
    const uint8_t *salt;
    size_t salt_length;
};

/* Bytes of an RSA modulus, and so of a ciphertext. */
static inline size_t rsa_size(const psa_key_attributes_t *attributes)
{
    return ((size_t)attributes->bits + 7) / 8;
}

/* Bytes of a block that the padding takes at least (RFC 8017, 7.1.1 and 7.2.1). */
static size_t padding_size(psa_algorithm_t alg)
{
    return alg == PSA_ALG_RSA_PKCS1V15_CRYPT ? 11 : 2 * PSA_HASH_LENGTH(PSA_ALG_GET_HASH(alg)) + 2;
}

psa_status_t corral_asymmetric_room(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                    size_t *room)
{
    const size_t padding = padding_size(alg);
    const size_t size = rsa_size(attributes);

    if (PSA_KEY_TYPE_IS_ASYMMETRIC(attributes->type) && !PSA_KEY_TYPE_IS_RSA(attributes->type)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (!PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg) || !PSA_KEY_TYPE_IS_RSA(attributes->type) ||
        size < padding) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *room = size - padding;
    return PSA_SUCCESS;
}

/* Check what both operations have in common. Only OAEP takes a label. */
static psa_status_t check_text(const struct corral_key *key, const struct text *text, size_t *room)
{
    psa_status_t status = corral_asymmetric_room(&key->attributes, text->alg, room);

    return status == PSA_SUCCESS && text->salt_length != 0 && !PSA_ALG_IS_RSA_OAEP(text->alg)
               ? PSA_ERROR_INVALID_ARGUMENT
               : status;
}

static psa_status_t dispatch_encrypt(struct corral_key *key, const struct text *text,
                                     uint8_t *output, size_t output_size, size_t *output_length)
{
    return corral_dispatch_asymmetric_encrypt(
        &key->attributes, corral_key_data(key), key->length, text->alg, text->input,
        text->input_length, text->salt, text->salt_length, output, output_size, output_length);
}

static psa_status_t encrypt(struct corral_key *key, const struct text *text, uint8_t *output,
                            size_t output_size, size_t *output_length)
{
    struct corral_public_half half;
    size_t room;

    psa_status_t status = check_text(key, text, &room);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (text->input_length > room) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (output_size < rsa_size(&key->attributes)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (corral_is_used_directly(key)) {
        status = dispatch_encrypt(key, text, output, output_size, output_length);
        if (!corral_is_left_to_memory(key, status)) {
            return status;
        }
    }
    status = corral_public_half(key, &half);
    return status == PSA_SUCCESS
               ? dispatch_encrypt(&half.key, text, output, output_size, output_length)
               : status;
}

psa_status_t psa_asymmetric_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *salt, size_t salt_length,
                                    uint8_t *output, size_t output_size, size_t *output_length)
{
    const struct text text = {alg, input, input_length, salt, salt_length};
    struct corral_key *slot;

    *output_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_ENCRYPT, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = encrypt(slot, &text, output, output_size, output_length);
    corral_key_release(slot);
    return corral_output_done(status, output, output_size, output_length);
}

/* *length bytes of `plain`, which has room for the longest text of any key. */
static psa_status_t decrypt(struct corral_key *key, const struct text *text,
                            uint8_t plain[PSA_ASYMMETRIC_DECRYPT_OUTPUT_MAX_SIZE], size_t *length)
{
    size_t room;

    if (!PSA_KEY_TYPE_IS_KEY_PAIR(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = check_text(key, text, &room);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (text->input_length != rsa_size(&key->attributes)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return corral_dispatch_asymmetric_decrypt(&key->attributes, corral_key_data(key), key->length,
                                              text->alg, text->input, text->input_length,
                                              text->salt, text->salt_length, plain,
                                              PSA_ASYMMETRIC_DECRYPT_OUTPUT_MAX_SIZE, length);
}

/*
 * Give the caller the text. The instructions are the same whether the padding was right, how long
 * the text is, and whether it fits: an attacker who finds out one of the three for PKCS#1 v1.5 can
 * decrypt. Decryption therefore has one status for all failures.
 */
static psa_status_t give(psa_algorithm_t alg, psa_status_t status, const uint8_t *plain,
                         size_t length, uint8_t *output, size_t output_size, size_t *output_length)
{
    const psa_status_t refusal =
        PSA_ALG_IS_RSA_OAEP(alg) ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_ERROR_INVALID_PADDING;
    const psa_status_t failed = corral_secret_failed(status);
    const size_t is_too_long = corral_secret_less(output_size, length);

    *output_length = length & ~is_too_long & ~(size_t)failed;
    corral_secret_write(output, output_size, plain, PSA_ASYMMETRIC_DECRYPT_OUTPUT_MAX_SIZE,
                        *output_length);
    return (status & failed) | corral_secret_status_if(is_too_long, refusal & ~failed);
}

psa_status_t psa_asymmetric_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *salt, size_t salt_length,
                                    uint8_t *output, size_t output_size, size_t *output_length)
{
    const struct text text = {alg, input, input_length, salt, salt_length};
    uint8_t plain[PSA_ASYMMETRIC_DECRYPT_OUTPUT_MAX_SIZE];
    struct corral_key *slot;
    size_t length = 0;

    *output_length = 0;
    psa_status_t status = corral_key_hold_for(key, PSA_KEY_USAGE_DECRYPT, alg, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = decrypt(slot, &text, plain, &length);
    corral_key_release(slot);
    if (corral_secret_is_other(status)) {
        corral_output_discard(output, output_size, output_length);
    } else {
        status = give(alg, status, plain, length, output, output_size, output_length);
    }
    corral_wipe(plain, sizeof plain);
    return status;
}
