/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures and their verification. */
#include <string.h>

#include "module.h"

/* The algorithm for data that is signed as it is: of ECDSA the length tells the hash. */
static psa_algorithm_t raw_alg(const struct operation *operation, size_t length)
{
    static const psa_algorithm_t hashes[] = {PSA_ALG_SHA_1, PSA_ALG_SHA_224, PSA_ALG_SHA_256,
                                             PSA_ALG_SHA_384, PSA_ALG_SHA_512};
    const bool is_deterministic = PSA_ALG_IS_DETERMINISTIC_ECDSA(operation->alg);

    if (!PSA_ALG_IS_ECDSA(operation->alg)) {
        return operation->alg;
    }
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        if (PSA_HASH_LENGTH(hashes[i]) == length) {
            return is_deterministic ? PSA_ALG_DETERMINISTIC_ECDSA(hashes[i])
                                    : PSA_ALG_ECDSA(hashes[i]);
        }
    }
    return PSA_ALG_NONE;
}

static size_t signature_size(const struct operation *operation)
{
    return PSA_SIGN_OUTPUT_SIZE(operation->type, operation->bits, operation->alg);
}

/* Of data that is signed or verified as it is, a wrong length is the caller's. */
static CK_RV rv_of_raw(psa_status_t status)
{
    return status == PSA_ERROR_INVALID_ARGUMENT ? CKR_DATA_LEN_RANGE : rv_of(status);
}

static CK_RV keep_raw(struct operation *operation, const uint8_t *data, size_t size)
{
    if (size > sizeof operation->raw - operation->raw_length) {
        return CKR_DATA_LEN_RANGE;
    }
    if (size > 0) {
        memcpy(operation->raw + operation->raw_length, data, size);
    }
    operation->raw_length += size;
    return CKR_OK;
}

static CK_RV sign_raw(const struct operation *operation, const uint8_t *data, size_t size,
                      uint8_t *signature, CK_ULONG *length)
{
    const psa_algorithm_t alg = raw_alg(operation, size);
    size_t made = 0;

    if (alg == PSA_ALG_NONE) {
        return CKR_DATA_LEN_RANGE;
    }
    const psa_status_t status =
        psa_sign_hash(operation->key, alg, data, size, signature, *length, &made);
    *length = made;
    return rv_of_raw(status);
}

/* Check the arguments of a call that ends a signature. */
static bool is_refused(const struct operation *operation, uint8_t *signature, CK_ULONG *length,
                       CK_RV *rv)
{
    if (length == NULL) {
        *rv = CKR_ARGUMENTS_BAD;
        return true;
    }
    return needs_room(signature, length, signature_size(operation), rv);
}

static CK_RV sign(const struct operation *operation, const uint8_t *data, CK_ULONG size,
                  uint8_t *signature, CK_ULONG *length)
{
    size_t made = 0;
    CK_RV rv;

    if (operation->in_parts) {
        return CKR_OPERATION_ACTIVE;
    }
    if (data == NULL && size > 0) {
        return CKR_ARGUMENTS_BAD;
    }
    if (is_refused(operation, signature, length, &rv)) {
        return rv;
    }
    if (!mechanism_is_of_message(operation->mechanism)) {
        return sign_raw(operation, data, size, signature, length);
    }
    const psa_status_t status =
        psa_sign_message(operation->key, operation->alg, data, size, signature, *length, &made);
    *length = made;
    return rv_of(status);
}

static CK_RV sign_update(struct operation *operation, const uint8_t *data, CK_ULONG size)
{
    psa_status_t status = PSA_SUCCESS;

    if (data == NULL && size > 0) {
        return CKR_ARGUMENTS_BAD;
    }
    if (!mechanism_is_of_message(operation->mechanism)) {
        operation->in_parts = true;
        return keep_raw(operation, data, size);
    }
    if (!operation->in_parts) {
        status = psa_sign_setup(&operation->sign, operation->key, operation->alg);
        operation->in_parts = status == PSA_SUCCESS;
    }
    return rv_of(status == PSA_SUCCESS ? psa_sign_update(&operation->sign, data, size) : status);
}

static CK_RV sign_final(struct operation *operation, uint8_t *signature, CK_ULONG *length)
{
    size_t made = 0;
    CK_RV rv;

    if (is_refused(operation, signature, length, &rv)) {
        return rv;
    }
    if (!mechanism_is_of_message(operation->mechanism)) {
        return sign_raw(operation, operation->raw, operation->raw_length, signature, length);
    }
    if (!operation->in_parts) {
        rv = sign_update(operation, NULL, 0);
        if (rv != CKR_OK) {
            return rv;
        }
    }
    const psa_status_t status = psa_sign_finish(&operation->sign, signature, *length, &made);
    *length = made;
    return rv_of(status);
}

CK_RV C_SignInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv
                        : leave(operation_begin(session, &session->operations[SIGN], mechanism,
                                                CKF_SIGN, key));
}

CK_RV C_Sign(CK_SESSION_HANDLE handle, unsigned char *data, CK_ULONG size, unsigned char *signature,
             CK_ULONG *length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, SIGN, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = sign(operation, data, size, signature, length);
    return leave(conclude(operation, rv, signature == NULL));
}

CK_RV C_SignUpdate(CK_SESSION_HANDLE handle, unsigned char *data, CK_ULONG size)
{
    struct operation *operation;
    const CK_RV rv = enter_operation(handle, SIGN, &operation);

    return rv != CKR_OK ? rv : leave(conclude(operation, sign_update(operation, data, size), true));
}

CK_RV C_SignFinal(CK_SESSION_HANDLE handle, unsigned char *signature, CK_ULONG *length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, SIGN, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = sign_final(operation, signature, length);
    return leave(conclude(operation, rv, signature == NULL));
}

static CK_RV verify_raw(const struct operation *operation, const uint8_t *data, size_t size,
                        const uint8_t *signature, CK_ULONG length)
{
    const psa_algorithm_t alg = raw_alg(operation, size);

    return alg == PSA_ALG_NONE
               ? CKR_DATA_LEN_RANGE
               : rv_of_raw(psa_verify_hash(operation->key, alg, data, size, signature, length));
}

/* Check the signature that ends a verification. */
static CK_RV check_signature(const struct operation *operation, const uint8_t *signature,
                             CK_ULONG length)
{
    if (signature == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    return length == signature_size(operation) ? CKR_OK : CKR_SIGNATURE_LEN_RANGE;
}

static CK_RV verify(const struct operation *operation, const uint8_t *data, CK_ULONG size,
                    const uint8_t *signature, CK_ULONG length)
{
    const CK_RV rv = check_signature(operation, signature, length);

    if (operation->in_parts) {
        return CKR_OPERATION_ACTIVE;
    }
    if (rv != CKR_OK || (data == NULL && size > 0)) {
        return rv != CKR_OK ? rv : CKR_ARGUMENTS_BAD;
    }
    if (!mechanism_is_of_message(operation->mechanism)) {
        return verify_raw(operation, data, size, signature, length);
    }
    return rv_of(psa_verify_message(operation->key, operation->alg, data, size, signature, length));
}

/* PSA Crypto takes the signature before the message, so the message is hashed here. */
static CK_RV verify_update(struct operation *operation, const uint8_t *data, CK_ULONG size)
{
    psa_status_t status = PSA_SUCCESS;

    if (data == NULL && size > 0) {
        return CKR_ARGUMENTS_BAD;
    }
    if (!mechanism_is_of_message(operation->mechanism)) {
        operation->in_parts = true;
        return keep_raw(operation, data, size);
    }
    if (!operation->in_parts) {
        status = psa_hash_setup(&operation->hash, PSA_ALG_GET_HASH(operation->alg));
        operation->in_parts = status == PSA_SUCCESS;
    }
    return rv_of(status == PSA_SUCCESS ? psa_hash_update(&operation->hash, data, size) : status);
}

static CK_RV verify_final(struct operation *operation, const uint8_t *signature, CK_ULONG length)
{
    size_t made = 0;
    CK_RV rv = check_signature(operation, signature, length);

    if (rv != CKR_OK) {
        return rv;
    }
    if (!mechanism_is_of_message(operation->mechanism)) {
        return verify_raw(operation, operation->raw, operation->raw_length, signature, length);
    }
    if (!operation->in_parts) {
        rv = verify_update(operation, NULL, 0);
        if (rv != CKR_OK) {
            return rv;
        }
    }
    psa_status_t status =
        psa_hash_finish(&operation->hash, operation->raw, sizeof operation->raw, &made);
    if (status == PSA_SUCCESS) {
        status = psa_verify_hash(operation->key, operation->alg, operation->raw, made, signature,
                                 length);
    }
    return rv_of(status);
}

CK_RV C_VerifyInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv
                        : leave(operation_begin(session, &session->operations[VERIFY], mechanism,
                                                CKF_VERIFY, key));
}

CK_RV C_Verify(CK_SESSION_HANDLE handle, unsigned char *data, CK_ULONG size,
               unsigned char *signature, CK_ULONG length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, VERIFY, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = verify(operation, data, size, signature, length);
    return leave(conclude(operation, rv, false));
}

CK_RV C_VerifyUpdate(CK_SESSION_HANDLE handle, unsigned char *data, CK_ULONG size)
{
    struct operation *operation;
    const CK_RV rv = enter_operation(handle, VERIFY, &operation);

    return rv != CKR_OK ? rv
                        : leave(conclude(operation, verify_update(operation, data, size), true));
}

CK_RV C_VerifyFinal(CK_SESSION_HANDLE handle, unsigned char *signature, CK_ULONG length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, VERIFY, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = verify_final(operation, signature, length);
    return leave(conclude(operation, rv, false));
}
