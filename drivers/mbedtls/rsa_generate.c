/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <limits.h>
#include <string.h>

#include <corral/driver.h>

#include <rsa_internal.h>

/* Generate a pair and write it at the end of the buffer, as the library does, then at its start. */
static psa_status_t generate(size_t bits, int exponent, uint8_t *key_buffer, size_t size,
                             size_t *length)
{
    uint8_t *start = key_buffer + size;
    mbedtls_rsa_context rsa;

    mbedtls_rsa_init(&rsa);
    int result = mbedtls_rsa_gen_key(&rsa, mbedtls_driver_rsa_draw, NULL, (unsigned)bits, exponent);
    psa_status_t status = mbedtls_driver_rsa_status(result);
    if (status == PSA_SUCCESS) {
        result = mbedtls_rsa_write_key(&rsa, key_buffer, &start);
        status = result > 0 ? PSA_SUCCESS : PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        *length = (size_t)(key_buffer + size - start);
        memmove(key_buffer, start, *length);
        corral_wipe(key_buffer + *length, size - *length);
    }
    mbedtls_rsa_free(&rsa);
    return mbedtls_driver_rsa_done(status);
}

psa_status_t mbedtls_driver_rsa_generate_key(const psa_key_attributes_t *attributes,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length)
{
    /* An int of 16 bits has no room for 2^16 + 1. */
    return generate(psa_get_key_bits(attributes), INT_MAX > 65537 ? (int)65537 : 257, key_buffer,
                    key_buffer_size, key_buffer_length);
}

psa_status_t mbedtls_driver_rsa_generate_key_custom(const psa_key_attributes_t *attributes,
                                                    const psa_custom_key_parameters_t *custom,
                                                    const uint8_t *custom_data,
                                                    size_t custom_data_length, uint8_t *key_buffer,
                                                    size_t key_buffer_size,
                                                    size_t *key_buffer_length)
{
    int exponent = 0;

    (void)custom;
    for (size_t i = custom_data_length; i > 0; i--) {
        if (exponent > (INT_MAX >> 8)) {
            return PSA_ERROR_NOT_SUPPORTED; /* the library takes an int */
        }
        exponent = exponent * 256 + custom_data[i - 1];
    }
    return generate(psa_get_key_bits(attributes), exponent, key_buffer, key_buffer_size,
                    key_buffer_length);
}
