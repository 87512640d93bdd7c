/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

/* Load the key for `alg`; mbedtls_rsa_free() must follow. */
static psa_status_t begin(mbedtls_rsa_context *rsa, const psa_key_attributes_t *attributes,
                          const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    int result =
        mbedtls_driver_rsa_open(rsa, psa_get_key_type(attributes), key_buffer, key_buffer_size);
    if (result == 0 && PSA_ALG_IS_RSA_OAEP(alg)) {
        const mbedtls_md_type_t type = mbedtls_driver_rsa_hash(alg);
        if (type == MBEDTLS_MD_NONE) {
            return PSA_ERROR_NOT_SUPPORTED;
        }
        result = mbedtls_rsa_set_padding(rsa, MBEDTLS_RSA_PKCS_V21, type);
    }
    return mbedtls_driver_rsa_status(result);
}

/*
 * The status of a decryption. Between a right and a wrong padding there is no branch; all other
 * results are public.
 */
static psa_status_t decrypted(int result)
{
    const uint32_t failed = (uint32_t)result;
    const uint32_t other = (uint32_t)(result ^ MBEDTLS_ERR_RSA_INVALID_PADDING);
    const volatile uint32_t is_failed = (failed | (0u - failed)) >> 31;
    const volatile uint32_t is_other = (other | (0u - other)) >> 31;

    if ((is_failed & is_other) != 0) {
        return mbedtls_driver_rsa_status(result);
    }
    return -(psa_status_t)is_failed & PSA_ERROR_INVALID_PADDING;
}

/*
 * RSA encryption: PKCS#1 v1.5, and OAEP with `salt` as label. Decryption takes the same
 * steps and time for every padding, right or wrong, and for every length of the text.
 *   PSA_ERROR_INVALID_ARGUMENT      a text too long for the key, a ciphertext of another length
 *   PSA_ERROR_INVALID_PADDING       what is encrypted has no valid padding, or another label
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no padding, or no blinding
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the build does not want this hash, or the library lacks it
 */
psa_status_t mbedtls_driver_rsa_asymmetric_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length)
{
    uint8_t block[CORRAL_RSA_MAX_SIZE]; /* the library writes it before it has read all inputs */
    mbedtls_rsa_context rsa;

    psa_status_t status = begin(&rsa, attributes, key_buffer, key_buffer_size, alg);
    const size_t size = mbedtls_rsa_get_len(&rsa);
    if (status == PSA_SUCCESS && (size > sizeof block || size > output_size)) {
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        const int result =
            PSA_ALG_IS_RSA_OAEP(alg)
                ? mbedtls_rsa_rsaes_oaep_encrypt(&rsa, mbedtls_driver_rsa_draw, NULL, salt,
                                                 salt_length, input_length, input, block)
                : mbedtls_rsa_rsaes_pkcs1_v15_encrypt(&rsa, mbedtls_driver_rsa_draw, NULL,
                                                      input_length, input, block);
        status = mbedtls_driver_rsa_status(result);
    }
    mbedtls_rsa_free(&rsa);
    if (status == PSA_SUCCESS) {
        memcpy(output, block, size);
        *output_length = size;
    }
    corral_wipe(block, sizeof block);
    return mbedtls_driver_rsa_done(status);
}

psa_status_t mbedtls_driver_rsa_asymmetric_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length)
{
    struct corral_rsa_key key;
    mbedtls_rsa_context rsa;

    psa_status_t status = begin(&rsa, attributes, key_buffer, key_buffer_size, alg);
    if (status == PSA_SUCCESS) {
        status = corral_rsa_read(psa_get_key_type(attributes), key_buffer, key_buffer_size, &key);
    }
    if (status == PSA_SUCCESS && input_length != key.numbers[CORRAL_RSA_MODULUS].length) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    /* Not below the modulus: no ciphertext at all. Everybody knows both. */
    if (status == PSA_SUCCESS &&
        memcmp(input, key.numbers[CORRAL_RSA_MODULUS].data, input_length) >= 0) {
        status = PSA_ERROR_INVALID_PADDING;
    }
    if (status == PSA_SUCCESS) {
        const int result =
            PSA_ALG_IS_RSA_OAEP(alg)
                ? mbedtls_rsa_rsaes_oaep_decrypt(&rsa, mbedtls_driver_rsa_draw, NULL, salt,
                                                 salt_length, output_length, input, output,
                                                 output_size)
                : mbedtls_rsa_rsaes_pkcs1_v15_decrypt(&rsa, mbedtls_driver_rsa_draw, NULL,
                                                      output_length, input, output, output_size);
        status = decrypted(result);
    }
    mbedtls_rsa_free(&rsa);
    return mbedtls_driver_rsa_done(status);
}
