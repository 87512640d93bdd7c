/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChaCha20-Poly1305 (RFC 8439). The library takes a message as a whole, in place, and reads the
 * nonce again and again: so a nonce and a text may lie anywhere in the output.
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "stack.h"

#include <limits.h>
#include <string.h>

#include <bearssl_block.h>
#include <corral/driver.h>

#define NONCE_SIZE 12u
#define TAG_SIZE 16u

/* ctmul32 shifts a message's bytes by up to 12 bits in an int: with 16 bits it loses some. */
static const br_poly1305_run run =
    UINT_MAX == 0xffff ? br_poly1305_i15_run : br_poly1305_ctmul32_run;

psa_status_t bearssl_driver_chachapoly_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length)
{
    uint8_t its_nonce[NONCE_SIZE];

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (ciphertext_size < TAG_SIZE || ciphertext_size - TAG_SIZE < plaintext_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (nonce_length != NONCE_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    memcpy(its_nonce, nonce, sizeof its_nonce);
    if (plaintext_length > 0 && plaintext != ciphertext) {
        memmove(ciphertext, plaintext, plaintext_length);
    }
    run(key_buffer, its_nonce, ciphertext, plaintext_length, additional_data,
        additional_data_length, ciphertext + plaintext_length, br_chacha20_ct_run, 1);
    bearssl_driver_wipe_stack_chacha20();
    *ciphertext_length = plaintext_length + TAG_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_chachapoly_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length)
{
    uint8_t its_nonce[NONCE_SIZE];
    uint8_t wanted[TAG_SIZE];
    uint8_t tag[TAG_SIZE];

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (ciphertext_length < TAG_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = ciphertext_length - TAG_SIZE;
    if (plaintext_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (nonce_length != NONCE_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    memcpy(its_nonce, nonce, sizeof its_nonce);
    memcpy(wanted, ciphertext + length, sizeof wanted);
    if (length > 0 && ciphertext != plaintext) {
        memmove(plaintext, ciphertext, length);
    }
    run(key_buffer, its_nonce, plaintext, length, additional_data, additional_data_length, tag,
        br_chacha20_ct_run, 0);
    bearssl_driver_wipe_stack_chacha20();
    const bool is_right = corral_equal(tag, wanted, TAG_SIZE);
    corral_wipe(tag, sizeof tag);
    *plaintext_length = length;
    return is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}
