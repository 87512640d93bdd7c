/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/drivers/pkcs11/entry_points.h>

#include <corral/driver.h>

#include "curve.h"
#include "object.h"

/* Errors by which a token says that a point is none: there is no code that all of them use. */
static bool means_bad_point(CK_RV result)
{
    return result == CKR_GENERAL_ERROR || result == CKR_FUNCTION_FAILED ||
           result == CKR_ARGUMENTS_BAD || result == CKR_MECHANISM_PARAM_INVALID ||
           result == CKR_DOMAIN_PARAMS_INVALID || result == CKR_DATA_INVALID ||
           result == CKR_DATA_LEN_RANGE || result == CKR_PUBLIC_KEY_INVALID;
}

/* Whether the module wrote no secret: zeros are the secret of no point that it accepts. */
static bool is_zero(const uint8_t *secret, size_t size)
{
    uint8_t any = 0;

    for (size_t i = 0; i < size; i++) {
        any |= secret[i];
    }
    return any == 0;
}

/* Let the token derive the secret as an object, read it, and destroy the object. */
static psa_status_t derive(struct pkcs11_call *call, CK_OBJECT_HANDLE object, uint8_t *point,
                           uint8_t *secret, size_t size)
{
    struct cryptoki_ecdh parameter = {CKD_NULL, 0, NULL, 1 + 2 * size, point};
    struct cryptoki_mechanism mechanism = {CKM_ECDH1_DERIVE, &parameter, sizeof parameter};
    CK_ULONG key_class = CKO_SECRET_KEY;
    CK_ULONG key_type = CKK_GENERIC_SECRET;
    CK_ULONG length = size;
    CK_BBOOL yes = 1;
    CK_BBOOL no = 0;
    struct cryptoki_attribute template[] = {
        PKCS11_ATTRIBUTE(CKA_CLASS, key_class),  PKCS11_ATTRIBUTE(CKA_KEY_TYPE, key_type),
        PKCS11_ATTRIBUTE(CKA_TOKEN, no),         PKCS11_ATTRIBUTE(CKA_PRIVATE, yes),
        PKCS11_ATTRIBUTE(CKA_SENSITIVE, no),     PKCS11_ATTRIBUTE(CKA_EXTRACTABLE, yes),
        PKCS11_ATTRIBUTE(CKA_VALUE_LEN, length),
    };
    CK_OBJECT_HANDLE derived = CK_INVALID_HANDLE;
    size_t found = 0;

    const CK_RV result = call->functions->C_DeriveKey(call->session, &mechanism, object, template,
                                                      PKCS11_COUNT(template), &derived);
    if (result != CKR_OK) {
        const psa_status_t status =
            means_bad_point(result) ? PSA_ERROR_INVALID_ARGUMENT : pkcs11_status(call, result);
        /* Some modules make the object first. */
        if (derived != CK_INVALID_HANDLE && call->session != CK_INVALID_HANDLE) {
            (void)call->functions->C_DestroyObject(call->session, derived);
        }
        return status;
    }
    if (derived == CK_INVALID_HANDLE) {
        return pkcs11_lied(call);
    }
    psa_status_t status = pkcs11_read(call, derived, CKA_VALUE, secret, size, &found);
    if (status == PSA_SUCCESS && (found != size || is_zero(secret, size))) {
        status = pkcs11_lied(call);
    }
    if (call->session == CK_INVALID_HANDLE) {
        return status; /* the secret ended with it */
    }
    const psa_status_t destroyed =
        pkcs11_status(call, call->functions->C_DestroyObject(call->session, derived));
    /* A secret that cannot be destroyed ends with its session. */
    call->is_lost = call->is_lost || destroyed != PSA_SUCCESS;
    return status == PSA_SUCCESS ? destroyed : status;
}

/*
 * ECDH. The token has to check that the peer's point is on the curve; the secret comes out of it.
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key is no uncompressed point, or the token rejects it
 */
psa_status_t pkcs11_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                  const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                  size_t output_size, size_t *output_length)
{
    struct pkcs11_call call;
    CK_OBJECT_HANDLE object;
    uint8_t point[PKCS11_POINT_MAX_SIZE]; /* the peer's key may change meanwhile */
    uint8_t secret[PKCS11_SCALAR_MAX_SIZE] = {0};
    const size_t size = CORRAL_BITS_TO_BYTES(attributes->bits);

    (void)alg;
    (void)key_buffer_size;
    if (output_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (peer_key_length != 1 + 2 * size) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(point, peer_key, peer_key_length);
    if (point[0] != 0x04) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = pkcs11_open_key(&call, attributes, key_buffer, &object);
    if (status == PSA_SUCCESS) {
        status = derive(&call, object, point, secret, size);
    }
    if (status == PSA_SUCCESS) {
        memcpy(output, secret, size);
        *output_length = size;
    }
    corral_wipe(secret, sizeof secret);
    return pkcs11_close(&call, status);
}
