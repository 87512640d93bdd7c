/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message that fits the wall's buffer crosses at once; if not, it is left to the core to take in
 * parts. The other side compares the tag, and returns no text if it differs.
 */
#include <corral/aead.h>
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "keys.h"
#include "pieces.h"

/* Whether what goes in and comes out of a whole message has room there. */
static bool fits(size_t nonce_length, size_t ad_length, size_t input_length, size_t output_length)
{
    size_t room = CORRAL_REMOTE_BUFFER_SIZE;
    const size_t lengths[] = {nonce_length, ad_length, input_length, output_length};

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (lengths[i] > room) {
            return false;
        }
        room -= lengths[i];
    }
    return true;
}

/* PSA_ERROR_NOT_SUPPORTED: the message does not fit, and nothing was done. */
psa_status_t remote_aead_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *nonce,
                                 size_t nonce_length, const uint8_t *additional_data,
                                 size_t additional_data_length, const uint8_t *plaintext,
                                 size_t plaintext_length, uint8_t *ciphertext,
                                 size_t ciphertext_size, size_t *ciphertext_length)
{
    const size_t length = plaintext_length + corral_aead_tag_length(alg);

    (void)attributes;
    (void)key_buffer_size;
    if (ciphertext_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!fits(nonce_length, additional_data_length, plaintext_length, length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return corral_remote_aead_encrypt(remote_id(key_buffer), alg, nonce, nonce_length,
                                      additional_data, additional_data_length, plaintext,
                                      plaintext_length, ciphertext, length, ciphertext_length);
}

/* PSA_ERROR_NOT_SUPPORTED: the message does not fit, and nothing was done. */
psa_status_t remote_aead_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *nonce,
                                 size_t nonce_length, const uint8_t *additional_data,
                                 size_t additional_data_length, const uint8_t *ciphertext,
                                 size_t ciphertext_length, uint8_t *plaintext,
                                 size_t plaintext_size, size_t *plaintext_length)
{
    (void)attributes;
    (void)key_buffer_size;
    if (ciphertext_length < corral_aead_tag_length(alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = ciphertext_length - corral_aead_tag_length(alg);
    if (plaintext_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!fits(nonce_length, additional_data_length, ciphertext_length, length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return corral_remote_aead_decrypt(remote_id(key_buffer), alg, nonce, nonce_length,
                                      additional_data, additional_data_length, ciphertext,
                                      ciphertext_length, plaintext, length, plaintext_length);
}

psa_status_t remote_aead_encrypt_setup(remote_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    corral_remote_aead_t there = {0};

    (void)attributes;
    (void)key_buffer_size;
    const psa_status_t status =
        corral_remote_aead_encrypt_setup(&there, remote_id(key_buffer), alg);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_aead_decrypt_setup(remote_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    corral_remote_aead_t there = {0};

    (void)attributes;
    (void)key_buffer_size;
    const psa_status_t status =
        corral_remote_aead_decrypt_setup(&there, remote_id(key_buffer), alg);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_aead_set_lengths(remote_operation_t *operation, size_t ad_length,
                                     size_t plaintext_length)
{
    corral_remote_aead_t there = {operation->handle};

    const psa_status_t status = corral_remote_aead_set_lengths(&there, ad_length, plaintext_length);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_aead_set_nonce(remote_operation_t *operation, const uint8_t *nonce,
                                   size_t nonce_length)
{
    corral_remote_aead_t there = {operation->handle};

    const psa_status_t status = corral_remote_aead_set_nonce(&there, nonce, nonce_length);
    operation->handle = there.handle;
    return status;
}

/* Any length: the wall takes it in pieces. */
psa_status_t remote_aead_update_ad(remote_operation_t *operation, const uint8_t *input,
                                   size_t input_length)
{
    corral_remote_aead_t there = {operation->handle};

    const psa_status_t status = corral_remote_aead_update_ad(&there, input, input_length);
    operation->handle = there.handle;
    return status;
}

static psa_status_t cross(uint32_t *handle, const uint8_t *input, size_t input_length,
                          uint8_t *output, size_t output_size, size_t *output_length)
{
    corral_remote_aead_t there = {*handle};

    const psa_status_t status =
        corral_remote_aead_update(&there, input, input_length, output, output_size, output_length);
    *handle = there.handle;
    return status;
}

psa_status_t remote_aead_update(remote_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length)
{
    return remote_in_pieces(cross, &operation->handle, input, input_length, output, output_size,
                            output_length);
}

/* Of an encryption; all of its text is out. */
psa_status_t remote_aead_finish(remote_operation_t *operation, uint8_t *tag, size_t tag_size,
                                size_t *tag_length)
{
    corral_remote_aead_t there = {operation->handle};
    size_t rest;

    const psa_status_t status =
        corral_remote_aead_finish(&there, tag, 0, &rest, tag, tag_size, tag_length);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_aead_verify(remote_operation_t *operation, const uint8_t *tag,
                                size_t tag_length)
{
    corral_remote_aead_t there = {operation->handle};
    uint8_t nothing;
    size_t rest;

    const psa_status_t status =
        corral_remote_aead_verify(&there, &nothing, 0, &rest, tag, tag_length);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_aead_abort(remote_operation_t *operation)
{
    corral_remote_aead_t there = {operation->handle};

    return corral_remote_aead_abort(&there);
}
