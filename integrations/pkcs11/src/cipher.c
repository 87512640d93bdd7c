/* SPDX-License-Identifier: Apache-2.0 */
/* Encryption and decryption: CBC at once and in parts, GCM at once. */
#include <stdlib.h>
#include <string.h>

#include <corral/driver.h>

#include "module.h"

#define BLOCK 16u

/* Of GCM: the initialization vector, the data beside the text, and a whole tag. */
static CK_RV set_gcm(struct operation *operation, const CK_MECHANISM *mechanism)
{
    CK_GCM_PARAMS params;

    if (mechanism->pParameter == NULL || mechanism->ulParameterLen != sizeof params) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&params, mechanism->pParameter, sizeof params);
    if (params.pIv == NULL || params.ulIvLen == 0 || params.ulIvLen > IV_MAX_SIZE ||
        params.ulTagBits != 8 * BLOCK || (params.pAAD == NULL && params.ulAADLen > 0)) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    if (params.ulAADLen > 0) {
        operation->additional = malloc(params.ulAADLen);
        if (operation->additional == NULL) {
            return CKR_HOST_MEMORY;
        }
        memcpy(operation->additional, params.pAAD, params.ulAADLen);
        operation->additional_length = params.ulAADLen;
    }
    memcpy(operation->iv, params.pIv, params.ulIvLen);
    operation->iv_length = params.ulIvLen;
    return CKR_OK;
}

CK_RV cipher_set(struct operation *operation, const CK_MECHANISM *mechanism)
{
    if (operation->alg == PSA_ALG_GCM) {
        return set_gcm(operation, mechanism);
    }
    if (mechanism->pParameter == NULL || mechanism->ulParameterLen != BLOCK) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(operation->iv, mechanism->pParameter, BLOCK);
    operation->iv_length = BLOCK;
    return CKR_OK;
}

static bool is_gcm(const struct operation *operation)
{
    return operation->alg == PSA_ALG_GCM;
}

static psa_status_t begin_cbc(struct operation *operation, bool encrypts)
{
    psa_status_t status =
        encrypts ? psa_cipher_encrypt_setup(&operation->cipher, operation->key, operation->alg)
                 : psa_cipher_decrypt_setup(&operation->cipher, operation->key, operation->alg);

    if (status == PSA_SUCCESS) {
        status = psa_cipher_set_iv(&operation->cipher, operation->iv, operation->iv_length);
    }
    return status;
}

static psa_status_t all_of_cbc(struct operation *operation, bool encrypts, const uint8_t *input,
                               size_t size, uint8_t *output, size_t room, size_t *length)
{
    size_t more = 0;

    psa_status_t status = begin_cbc(operation, encrypts);
    if (status == PSA_SUCCESS) {
        status = psa_cipher_update(&operation->cipher, input, size, output, room, length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_finish(&operation->cipher, output + *length, room - *length, &more);
    }
    *length += more;
    (void)psa_cipher_abort(&operation->cipher);
    return status;
}

static psa_status_t all_of(struct operation *operation, bool encrypts, const uint8_t *input,
                           size_t size, uint8_t *output, size_t room, size_t *length)
{
    if (!is_gcm(operation)) {
        return all_of_cbc(operation, encrypts, input, size, output, room, length);
    }
    return encrypts
               ? psa_aead_encrypt(operation->key, operation->alg, operation->iv,
                                  operation->iv_length, operation->additional,
                                  operation->additional_length, input, size, output, room, length)
               : psa_aead_decrypt(operation->key, operation->alg, operation->iv,
                                  operation->iv_length, operation->additional,
                                  operation->additional_length, input, size, output, room, length);
}

/* The value for a text that could not be encrypted or decrypted. */
static CK_RV rv_of_text(psa_status_t status, bool encrypts)
{
    switch (status) {
    case PSA_ERROR_INVALID_SIGNATURE:
    case PSA_ERROR_INVALID_PADDING:
        return CKR_ENCRYPTED_DATA_INVALID;
    case PSA_ERROR_INVALID_ARGUMENT:
        return encrypts ? CKR_DATA_LEN_RANGE : CKR_ENCRYPTED_DATA_LEN_RANGE;
    default:
        return rv_of(status);
    }
}

/* The most bytes that a whole text becomes. */
static size_t bound(const struct operation *operation, bool encrypts, size_t size)
{
    if (!encrypts) {
        return is_gcm(operation) && size >= BLOCK ? size - BLOCK : size;
    }
    if (is_gcm(operation)) {
        return size + BLOCK;
    }
    return operation->alg == PSA_ALG_CBC_PKCS7 ? size / BLOCK * BLOCK + BLOCK : size;
}

/*
 * The text is made in memory of the module: only then is its length known, and a caller that has
 * too little room may call again.
 */
static CK_RV crypt(struct operation *operation, bool encrypts, const uint8_t *input, CK_ULONG size,
                   uint8_t *output, CK_ULONG *length)
{
    size_t made = 0;
    CK_RV rv;

    if (length == NULL || (input == NULL && size > 0) || size > SIZE_MAX - 2 * BLOCK) {
        return CKR_ARGUMENTS_BAD;
    }
    if (operation->in_parts) {
        return CKR_OPERATION_ACTIVE;
    }
    const size_t most = bound(operation, encrypts, size);
    if (output == NULL) {
        *length = most;
        return CKR_OK;
    }
    uint8_t *text = malloc(most + BLOCK);
    if (text == NULL) {
        return CKR_HOST_MEMORY;
    }
    rv = rv_of_text(all_of(operation, encrypts, input, size, text, most + BLOCK, &made), encrypts);
    if (rv == CKR_OK && !needs_room(output, length, made, &rv)) {
        memcpy(output, text, made);
        *length = made;
    }
    corral_wipe(text, most + BLOCK);
    free(text);
    return rv;
}

/* The bytes that the next part becomes; the rest is held for later. */
static size_t size_of_part(const struct operation *operation, bool encrypts, size_t size,
                           size_t *held)
{
    const size_t total = operation->held + size;
    const bool keeps_last = !encrypts && operation->alg == PSA_ALG_CBC_PKCS7;

    *held = keeps_last && total > 0 ? (total - 1) % BLOCK + 1 : total % BLOCK;
    return total - *held;
}

static CK_RV crypt_update(struct operation *operation, bool encrypts, const uint8_t *input,
                          CK_ULONG size, uint8_t *output, CK_ULONG *length)
{
    psa_status_t status = PSA_SUCCESS;
    size_t made = 0;
    size_t held;
    CK_RV rv;

    if (is_gcm(operation)) {
        return CKR_FUNCTION_NOT_SUPPORTED;
    }
    if (length == NULL || (input == NULL && size > 0) || size > SIZE_MAX - 2 * BLOCK) {
        return CKR_ARGUMENTS_BAD;
    }
    if (needs_room(output, length, size_of_part(operation, encrypts, size, &held), &rv)) {
        return rv;
    }
    if (!operation->in_parts) {
        status = begin_cbc(operation, encrypts);
        operation->in_parts = true;
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_update(&operation->cipher, input, size, output, *length, &made);
    }
    operation->held = held;
    *length = made;
    return rv_of_text(status, encrypts);
}

static CK_RV crypt_final(struct operation *operation, bool encrypts, uint8_t *output,
                         CK_ULONG *length)
{
    psa_status_t status = PSA_SUCCESS;
    size_t made = 0;
    CK_RV rv;

    if (is_gcm(operation)) {
        return CKR_FUNCTION_NOT_SUPPORTED;
    }
    if (length == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    if (needs_room(output, length, operation->alg == PSA_ALG_CBC_PKCS7 ? BLOCK : 0, &rv)) {
        return rv;
    }
    if (!operation->in_parts) {
        status = begin_cbc(operation, encrypts);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_finish(&operation->cipher, output, *length, &made);
    }
    *length = made;
    return rv_of_text(status, encrypts);
}

static CK_RV init(CK_SESSION_HANDLE handle, enum operation_kind kind, const CK_MECHANISM *mechanism,
                  CK_OBJECT_HANDLE key)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv
                        : leave(operation_begin(session, &session->operations[kind], mechanism,
                                                kind == ENCRYPT ? CKF_ENCRYPT : CKF_DECRYPT, key));
}

static CK_RV whole(CK_SESSION_HANDLE handle, enum operation_kind kind, const uint8_t *input,
                   CK_ULONG size, uint8_t *output, CK_ULONG *length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, kind, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = crypt(operation, kind == ENCRYPT, input, size, output, length);
    return leave(conclude(operation, rv, output == NULL));
}

static CK_RV update(CK_SESSION_HANDLE handle, enum operation_kind kind, const uint8_t *input,
                    CK_ULONG size, uint8_t *output, CK_ULONG *length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, kind, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = crypt_update(operation, kind == ENCRYPT, input, size, output, length);
    return leave(conclude(operation, rv, true));
}

static CK_RV final(CK_SESSION_HANDLE handle, enum operation_kind kind, uint8_t *output,
                   CK_ULONG *length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, kind, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = crypt_final(operation, kind == ENCRYPT, output, length);
    return leave(conclude(operation, rv, output == NULL));
}

CK_RV C_EncryptInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return init(handle, ENCRYPT, mechanism, key);
}

CK_RV C_Encrypt(CK_SESSION_HANDLE handle, unsigned char *input, CK_ULONG size,
                unsigned char *output, CK_ULONG *length)
{
    return whole(handle, ENCRYPT, input, size, output, length);
}

CK_RV C_EncryptUpdate(CK_SESSION_HANDLE handle, unsigned char *input, CK_ULONG size,
                      unsigned char *output, CK_ULONG *length)
{
    return update(handle, ENCRYPT, input, size, output, length);
}

CK_RV C_EncryptFinal(CK_SESSION_HANDLE handle, unsigned char *output, CK_ULONG *length)
{
    return final(handle, ENCRYPT, output, length);
}

CK_RV C_DecryptInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return init(handle, DECRYPT, mechanism, key);
}

CK_RV C_Decrypt(CK_SESSION_HANDLE handle, unsigned char *input, CK_ULONG size,
                unsigned char *output, CK_ULONG *length)
{
    return whole(handle, DECRYPT, input, size, output, length);
}

CK_RV C_DecryptUpdate(CK_SESSION_HANDLE handle, unsigned char *input, CK_ULONG size,
                      unsigned char *output, CK_ULONG *length)
{
    return update(handle, DECRYPT, input, size, output, length);
}

CK_RV C_DecryptFinal(CK_SESSION_HANDLE handle, unsigned char *output, CK_ULONG *length)
{
    return final(handle, DECRYPT, output, length);
}
