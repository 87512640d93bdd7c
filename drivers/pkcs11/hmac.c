/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/drivers/pkcs11/entry_points.h>

#include <corral/driver.h>

#include "object.h"

#define MAC_MAX_SIZE 64u

psa_status_t pkcs11_hmac_compute(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                                 size_t input_length, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length)
{
    struct pkcs11_call call;
    CK_OBJECT_HANDLE object;
    uint8_t result[MAC_MAX_SIZE] = {0};
    const size_t size = PSA_HASH_LENGTH(PSA_ALG_GET_HASH(alg));
    struct cryptoki_mechanism mechanism = {size == 32   ? CKM_SHA256_HMAC
                                           : size == 48 ? CKM_SHA384_HMAC
                                                        : CKM_SHA512_HMAC,
                                           NULL, 0};

    (void)key_buffer_size;
    if (mac_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = pkcs11_open_key(&call, attributes, key_buffer, &object);
    if (status == PSA_SUCCESS) {
        status = pkcs11_process(&call, call.functions->C_SignInit, call.functions->C_Sign,
                                &mechanism, object, input, input_length, result, size);
    }
    if (status == PSA_SUCCESS) {
        memcpy(mac, result, size);
        *mac_length = size;
    }
    corral_wipe(result, sizeof result);
    return pkcs11_close(&call, status);
}
