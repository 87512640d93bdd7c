/* SPDX-License-Identifier: Apache-2.0 */
/* AES and HMAC keys: made by the token, or given to it. */
#include <corral/drivers/pkcs11/entry_points.h>

#include <corral/driver.h>

#include "template.h"

#define VALUE_MAX_SIZE 64u

/* Let the token make the key, or take `value` if there is one. */
static psa_status_t create(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                           uint8_t *value, size_t size)
{
    struct pkcs11_call call;
    struct pkcs11_wishes wishes = pkcs11_wishes(attributes);
    struct cryptoki_attribute template[PKCS11_SECRET_WISHES + 1];
    struct cryptoki_mechanism mechanism = {
        attributes->type == PSA_KEY_TYPE_AES ? CKM_AES_KEY_GEN : CKM_GENERIC_SECRET_KEY_GEN, NULL,
        0};
    CK_ULONG length = size;
    CK_OBJECT_HANDLE object = CK_INVALID_HANDLE;
    CK_RV result;

    CK_ULONG count =
        pkcs11_secret_template(template, &wishes, (const struct pkcs11_key *)key_buffer);
    psa_status_t status = pkcs11_open(&call, corral_pkcs11_device_index(attributes));
    if (status == PSA_SUCCESS) {
        if (value != NULL) {
            template[count++] = (struct cryptoki_attribute){CKA_VALUE, value, size};
            result = call.functions->C_CreateObject(call.session, template, count, &object);
        } else {
            template[count++] = (struct cryptoki_attribute)PKCS11_ATTRIBUTE(CKA_VALUE_LEN, length);
            result =
                call.functions->C_GenerateKey(call.session, &mechanism, template, count, &object);
        }
        status = pkcs11_status(&call, result);
    }
    if (status == PSA_SUCCESS && object == CK_INVALID_HANDLE) {
        status = pkcs11_lied(&call);
    }
    return pkcs11_close(&call, status);
}

psa_status_t pkcs11_generate_symmetric_key(const psa_key_attributes_t *attributes,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length)
{
    (void)key_buffer_size;
    *key_buffer_length = sizeof(struct pkcs11_key);
    return create(attributes, key_buffer, NULL, CORRAL_BITS_TO_BYTES(attributes->bits));
}

/* Whether a key of this type can have so many bytes. */
static bool is_size(psa_key_type_t type, size_t size)
{
    return type == PSA_KEY_TYPE_AES ? size == 16 || size == 24 || size == 32
                                    : size > 0 && size <= VALUE_MAX_SIZE;
}

/*
 * Give the token a key. It leaves this process in clear, unless the module encrypts it.
 *   PSA_ERROR_INVALID_ARGUMENT  no size of a key of this type
 *   PSA_ERROR_NOT_SUPPORTED     a size that the driver does not list, or the token does not have
 *   PSA_ERROR_NOT_PERMITTED     the token accepts no keys
 */
psa_status_t pkcs11_import_symmetric_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits)
{
    uint8_t value[VALUE_MAX_SIZE];

    (void)key_buffer_size;
    if (!is_size(attributes->type, data_length)) {
        return attributes->type == PSA_KEY_TYPE_AES || data_length == 0 ? PSA_ERROR_INVALID_ARGUMENT
                                                                        : PSA_ERROR_NOT_SUPPORTED;
    }
    if (attributes->bits != 0 && attributes->bits != 8 * data_length) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    corral_copy(value, data, data_length);
    const psa_status_t status = create(attributes, key_buffer, value, data_length);
    corral_wipe(value, sizeof value);
    if (status == PSA_SUCCESS) {
        *key_buffer_length = sizeof(struct pkcs11_key);
        *bits = 8 * data_length;
    }
    return status;
}
