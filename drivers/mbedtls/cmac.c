/* SPDX-License-Identifier: Apache-2.0 */
/* CMAC with AES by the library's cipher layer, which keeps its state on the heap. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <corral/driver.h>

#include <mbedtls/cipher.h>
#include <mbedtls/cmac.h>

#define MAC_SIZE 16

CORRAL_REPEATS(mbedtls_driver_cmac_operation_t, mbedtls_cipher_context_t);

static const mbedtls_cipher_info_t *info_of(size_t key_length)
{
    return mbedtls_cipher_info_from_values(MBEDTLS_CIPHER_ID_AES, (int)(8 * key_length),
                                           MBEDTLS_MODE_ECB);
}

psa_status_t mbedtls_driver_cmac_compute(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length)
{
    mbedtls_driver_cmac_operation_t operation;
    psa_status_t status;

    /* mbedtls_cipher_cmac() refuses an empty input, so the multi-part calls are used here too. */
    status = mbedtls_driver_cmac_setup(&operation, attributes, key_buffer, key_buffer_size, alg);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = mbedtls_driver_cmac_update(&operation, input, input_length);
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_cmac_finish(&operation, mac, mac_size, mac_length);
    }
    mbedtls_driver_cmac_abort(&operation);
    return status;
}

psa_status_t mbedtls_driver_cmac_setup(mbedtls_driver_cmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    mbedtls_cipher_context_t *const context = (mbedtls_cipher_context_t *)operation;
    const mbedtls_cipher_info_t *const info = info_of(key_buffer_size);
    int result;

    (void)attributes;
    (void)alg;
    if (info == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    mbedtls_cipher_init(context);
    result = mbedtls_cipher_setup(context, info);
    if (result == 0) {
        result = mbedtls_cipher_cmac_starts(context, key_buffer, 8 * key_buffer_size);
    }
    if (result != 0) {
        mbedtls_cipher_free(context); /* a failed setup is not followed by an abort */
    }
    mbedtls_driver_wipe_stack_cmac();
    return mbedtls_driver_status(result);
}

psa_status_t mbedtls_driver_cmac_update(mbedtls_driver_cmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    if (input_length == 0) {
        return PSA_SUCCESS; /* the library refuses a null pointer */
    }
    const int result =
        mbedtls_cipher_cmac_update((mbedtls_cipher_context_t *)operation, input, input_length);
    mbedtls_driver_wipe_stack_cmac();
    return mbedtls_driver_status(result);
}

psa_status_t mbedtls_driver_cmac_finish(mbedtls_driver_cmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length)
{
    mbedtls_cipher_context_t *const context = (mbedtls_cipher_context_t *)operation;
    psa_status_t status;

    if (mac_size < MAC_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    status = mbedtls_driver_status(mbedtls_cipher_cmac_finish(context, mac));
    mbedtls_driver_wipe_stack_cmac();
    if (status == PSA_SUCCESS) {
        *mac_length = MAC_SIZE;
        mbedtls_cipher_free(context); /* no abort follows success */
    }
    return status;
}

psa_status_t mbedtls_driver_cmac_abort(mbedtls_driver_cmac_operation_t *operation)
{
    mbedtls_cipher_free((mbedtls_cipher_context_t *)operation);
    return PSA_SUCCESS;
}
