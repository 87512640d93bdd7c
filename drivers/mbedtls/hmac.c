/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMAC by the library's message digest layer, which keeps its state on the heap. The low byte
 * of an HMAC algorithm, as of the hash in it, is the library's digest type.
 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <corral/driver.h>

#include <mbedtls/md.h>

CORRAL_REPEATS(mbedtls_driver_hmac_operation_t, mbedtls_md_context_t);
_Static_assert((PSA_ALG_SHA_256 & 0xff) == MBEDTLS_MD_SHA256, "PSA's numbers are the library's");

static const mbedtls_md_info_t *info_of(psa_algorithm_t alg)
{
    return mbedtls_md_info_from_type((mbedtls_md_type_t)(alg & 0xff));
}

/*
 * HMAC over these hashes and CMAC with AES, always at full length.
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED        the library was configured without this hash
 */
psa_status_t mbedtls_driver_hmac_compute(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length)
{
    const mbedtls_md_info_t *const info = info_of(alg);
    psa_status_t status;

    (void)attributes;
    if (info == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (mac_size < mbedtls_md_get_size(info)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    status = mbedtls_driver_status(
        mbedtls_md_hmac(info, key_buffer, key_buffer_size, input, input_length, mac));
    mbedtls_driver_wipe_stack_hmac();
    if (status == PSA_SUCCESS) {
        *mac_length = mbedtls_md_get_size(info);
    }
    return status;
}

psa_status_t mbedtls_driver_hmac_setup(mbedtls_driver_hmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    mbedtls_md_context_t *const context = (mbedtls_md_context_t *)operation;
    const mbedtls_md_info_t *const info = info_of(alg);
    int result;

    (void)attributes;
    if (info == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    mbedtls_md_init(context);
    result = mbedtls_md_setup(context, info, 1);
    if (result == 0) {
        result = mbedtls_md_hmac_starts(context, key_buffer, key_buffer_size);
        mbedtls_driver_wipe_stack_hmac();
    }
    if (result != 0) {
        mbedtls_md_free(context); /* a failed setup is not followed by an abort */
    }
    return mbedtls_driver_status(result);
}

psa_status_t mbedtls_driver_hmac_update(mbedtls_driver_hmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    const int result =
        mbedtls_md_hmac_update((mbedtls_md_context_t *)operation, input, input_length);

    mbedtls_driver_wipe_stack_hmac();
    return mbedtls_driver_status(result);
}

psa_status_t mbedtls_driver_hmac_finish(mbedtls_driver_hmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length)
{
    mbedtls_md_context_t *const context = (mbedtls_md_context_t *)operation;
    const size_t length = mbedtls_md_get_size(mbedtls_md_info_from_ctx(context));
    psa_status_t status;

    if (mac_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    status = mbedtls_driver_status(mbedtls_md_hmac_finish(context, mac));
    mbedtls_driver_wipe_stack_hmac();
    if (status == PSA_SUCCESS) {
        *mac_length = length;
        mbedtls_md_free(context); /* no abort follows success */
    }
    return status;
}

psa_status_t mbedtls_driver_hmac_abort(mbedtls_driver_hmac_operation_t *operation)
{
    mbedtls_md_free((mbedtls_md_context_t *)operation);
    return PSA_SUCCESS;
}
