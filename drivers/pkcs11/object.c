/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

/* Modules declare inputs as not constant, and do not write to them. */
#define INPUT(pointer) ((void *)(uintptr_t)(pointer))

#define ID_MAX_SIZE 64u /* of a CKA_ID: tokens have numbers, or hashes */

CK_ULONG pkcs11_key_type(const psa_key_attributes_t *attributes)
{
    if (PSA_KEY_TYPE_IS_ECC(attributes->type)) {
        return CKK_EC;
    }
    if (PSA_KEY_TYPE_IS_RSA(attributes->type)) {
        return CKK_RSA;
    }
    return attributes->type == PSA_KEY_TYPE_AES ? CKK_AES : CKK_GENERIC_SECRET;
}

CK_ULONG pkcs11_class(const psa_key_attributes_t *attributes)
{
    return PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type) ? CKO_PRIVATE_KEY : CKO_SECRET_KEY;
}

/* Search for objects with all of a template. `found`: two of them at most. */
static psa_status_t search(struct pkcs11_call *call, struct cryptoki_attribute *template,
                           CK_ULONG size, CK_OBJECT_HANDLE found[2], CK_ULONG *count)
{
    psa_status_t status =
        pkcs11_status(call, call->functions->C_FindObjectsInit(call->session, template, size));
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = pkcs11_status(call, call->functions->C_FindObjects(call->session, found, 2, count));
    if (call->session != CK_INVALID_HANDLE) {
        const CK_RV ended = call->functions->C_FindObjectsFinal(call->session);
        status = status == PSA_SUCCESS ? pkcs11_status(call, ended) : status;
    }
    return status;
}

/* pkcs11_find(), by the attribute that names the key. */
static psa_status_t find_by(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                            struct cryptoki_attribute name, CK_ULONG of_class,
                            CK_OBJECT_HANDLE *object)
{
    CK_ULONG key_type = pkcs11_key_type(attributes);
    struct cryptoki_attribute template[] = {
        PKCS11_ATTRIBUTE(CKA_CLASS, of_class),
        PKCS11_ATTRIBUTE(CKA_KEY_TYPE, key_type),
        name,
    };
    CK_OBJECT_HANDLE found[2] = {CK_INVALID_HANDLE, CK_INVALID_HANDLE};
    CK_ULONG count = 0;

    psa_status_t status = search(call, template, PKCS11_COUNT(template), found, &count);
    if (status == PSA_ERROR_INVALID_HANDLE) {
        status = pkcs11_lied(call); /* no object was named: it would mean that there is none */
    }
    if (status == PSA_SUCCESS && count != 1) {
        status = count == 0   ? PSA_ERROR_INVALID_HANDLE
                 : count == 2 ? PSA_ERROR_NOT_PERMITTED
                              : pkcs11_lied(call);
    }
    if (status == PSA_SUCCESS && found[0] == CK_INVALID_HANDLE) {
        status = pkcs11_lied(call);
    }
    *object = found[0];
    return status;
}

psa_status_t pkcs11_find(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                         const struct pkcs11_key *key, CK_ULONG of_class, CK_OBJECT_HANDLE *object)
{
    const struct cryptoki_attribute name = {key->kind == PKCS11_KEY_ATTACHED ? CKA_LABEL : CKA_ID,
                                            INPUT(key->name), key->length};

    return key->length <= sizeof key->name ? find_by(call, attributes, name, of_class, object)
                                           : PSA_ERROR_DATA_INVALID;
}

psa_status_t pkcs11_find_public(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                                const struct pkcs11_key *key, CK_OBJECT_HANDLE *object)
{
    uint8_t id[ID_MAX_SIZE];
    CK_OBJECT_HANDLE of_private;
    size_t length = 0;

    psa_status_t status = pkcs11_find(call, attributes, key, CKO_PRIVATE_KEY, &of_private);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = pkcs11_read(call, of_private, CKA_ID, id, sizeof id, &length);
    if (status == PSA_SUCCESS) {
        const struct cryptoki_attribute name = {CKA_ID, id, length};
        status = length > 0 ? find_by(call, attributes, name, CKO_PUBLIC_KEY, object)
                            : PSA_ERROR_NOT_SUPPORTED;
    }
    if (status == PSA_ERROR_NOT_SUPPORTED) {
        status = pkcs11_find(call, attributes, key, CKO_PUBLIC_KEY, object);
    }
    if (status == PSA_ERROR_INVALID_HANDLE) {
        *object = of_private;
        status = PSA_SUCCESS;
    }
    return status;
}

psa_status_t pkcs11_open_key(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                             const uint8_t *key_buffer, CK_OBJECT_HANDLE *object)
{
    const psa_status_t status = pkcs11_open(call, corral_pkcs11_device_index(attributes));

    return status == PSA_SUCCESS
               ? pkcs11_find(call, attributes, (const struct pkcs11_key *)key_buffer,
                             pkcs11_class(attributes), object)
               : status;
}

psa_status_t pkcs11_read(struct pkcs11_call *call, CK_OBJECT_HANDLE object, CK_ULONG type,
                         void *value, size_t size, size_t *length)
{
    struct cryptoki_attribute attribute = {type, value, size};

    CK_RV result = call->functions->C_GetAttributeValue(call->session, object, &attribute, 1);
    if (result == CKR_BUFFER_TOO_SMALL) {
        return PSA_ERROR_NOT_SUPPORTED; /* no operation that goes on */
    }
    const psa_status_t status = pkcs11_status(call, result);
    if (status == PSA_SUCCESS && attribute.length == CK_UNAVAILABLE_INFORMATION) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (status == PSA_SUCCESS && attribute.length > size) {
        return pkcs11_lied(call);
    }
    *length = attribute.length;
    return status;
}

bool pkcs11_is_true(struct pkcs11_call *call, CK_OBJECT_HANDLE object, CK_ULONG type)
{
    CK_BBOOL value = 0;
    size_t length = 0;

    return pkcs11_read(call, object, type, &value, sizeof value, &length) == PSA_SUCCESS &&
           length == sizeof value && value != 0;
}

psa_status_t pkcs11_process(struct pkcs11_call *call, cryptoki_begin *begin,
                            cryptoki_process *process, struct cryptoki_mechanism *mechanism,
                            CK_OBJECT_HANDLE object, const uint8_t *input, size_t input_length,
                            uint8_t *output, size_t size)
{
    static const uint8_t nothing[1];
    /* Modules reject null pointers, also with a length of 0. */
    void *const data = INPUT(input_length > 0 ? input : nothing);
    CK_ULONG length = size;

    psa_status_t status = pkcs11_status(call, begin(call->session, mechanism, object));
    if (status != PSA_SUCCESS) {
        return status;
    }
    CK_RV result = process(call->session, data, input_length, output, &length);
    if (result == CKR_USER_NOT_LOGGED_IN && pkcs11_is_true(call, object, CKA_ALWAYS_AUTHENTICATE)) {
        status = pkcs11_status(call, begin(call->session, mechanism, object));
        status = status == PSA_SUCCESS ? pkcs11_authenticate(call) : status;
        if (status != PSA_SUCCESS) {
            return status;
        }
        length = size;
        result = process(call->session, data, input_length, output, &length);
    }
    status = pkcs11_status(call, result);
    return status == PSA_SUCCESS && length != size ? pkcs11_lied(call) : status;
}
