/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of objects, from those of PSA Crypto. */
#include <string.h>

#include <corral/driver.h>

#include "module.h"

#define TAG_OCTET_STRING 0x04u
#define TAG_SEQUENCE 0x30u
#define TAG_INTEGER 0x02u

#define SIGN_USAGE (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE)
#define VERIFY_USAGE (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)

CK_KEY_TYPE attribute_key_type(psa_key_type_t type)
{
    if (PSA_KEY_TYPE_IS_RSA(type)) {
        return CKK_RSA;
    }
    if (PSA_KEY_TYPE_IS_ECC(type) && PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_SECP_R1) {
        return CKK_EC;
    }
    return type == PSA_KEY_TYPE_AES ? CKK_AES : NO_KEY_TYPE;
}

static CK_RV put_bool(bool is_set, uint8_t *value, size_t *length)
{
    value[0] = is_set ? CK_TRUE : CK_FALSE;
    *length = 1;
    return CKR_OK;
}

static CK_RV put_number(CK_ULONG number, uint8_t *value, size_t *length)
{
    memcpy(value, &number, sizeof number);
    *length = sizeof number;
    return CKR_OK;
}

static CK_RV put_bytes(const uint8_t *bytes, size_t size, uint8_t *value, size_t *length)
{
    if (size > 0) {
        memcpy(value, bytes, size);
    }
    *length = size;
    return CKR_OK;
}

static bool may(const struct object *object, psa_key_usage_t usage)
{
    return (psa_get_key_usage_flags(&object->attributes) & usage) != 0;
}

/* Private keys stay inside, whatever PSA Crypto permits. */
static bool is_extractable(const struct object *object)
{
    return object->class == CKO_PUBLIC_KEY ||
           (object->class == CKO_SECRET_KEY && may(object, PSA_KEY_USAGE_EXPORT));
}

/* Attributes that every object has. */
static CK_RV get_common(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                        size_t *length)
{
    const psa_key_lifetime_t lifetime = psa_get_key_lifetime(&object->attributes);

    switch (type) {
    case CKA_CLASS:
        return put_number(object->class, value, length);
    case CKA_KEY_TYPE:
        return put_number(attribute_key_type(psa_get_key_type(&object->attributes)), value, length);
    case CKA_TOKEN:
        return put_bool(object_is_stored(object), value, length);
    case CKA_PRIVATE:
        return put_bool(object->class != CKO_PUBLIC_KEY, value, length);
    case CKA_MODIFIABLE:
        return put_bool(true, value, length); /* CKA_ID and CKA_LABEL */
    case CKA_COPYABLE:
        return put_bool(false, value, length);
    case CKA_DESTROYABLE:
        return put_bool(PSA_KEY_LIFETIME_GET_PERSISTENCE(lifetime) != PSA_KEY_PERSISTENCE_READ_ONLY,
                        value, length);
    case CKA_LABEL:
        return put_bytes(object->note.label, object->note.label_length, value, length);
    case CKA_ID:
        return put_bytes(object->note.id, object->note.id_length, value, length);
    case CKA_LOCAL:
        return put_bool(object->note.is_generated, value, length);
    case CKA_START_DATE:
    case CKA_END_DATE:
        return put_bytes(NULL, 0, value, length);
    default:
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
}

/* Whether the usage of a private key permits a mechanism, if it signs hashes of the caller. */
static bool takes(const struct object *object, const struct mechanism *mechanism)
{
    return object->class != CKO_PRIVATE_KEY || mechanism_is_of_message(mechanism) ||
           may(object, PSA_KEY_USAGE_SIGN_HASH);
}

/* CKA_ALLOWED_MECHANISMS: those that the policy permits. */
static CK_RV get_mechanisms(const struct object *object, uint8_t *value, size_t *length)
{
    const struct mechanism *mechanism;

    *length = 0;
    for (size_t i = 0; (mechanism = mechanism_at(object_location(object), i)) != NULL; i++) {
        if (takes(object, mechanism) &&
            mechanism_is_allowed(mechanism, psa_get_key_type(&object->attributes),
                                 psa_get_key_algorithm(&object->attributes))) {
            memcpy(value + *length, &mechanism->type, sizeof mechanism->type);
            *length += sizeof mechanism->type;
        }
    }
    return CKR_OK;
}

/* Attributes about use. */
static CK_RV get_use(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                     size_t *length)
{
    const bool is_public = object->class == CKO_PUBLIC_KEY;
    const bool is_secret = object->class == CKO_SECRET_KEY;

    switch (type) {
    case CKA_SIGN:
        return put_bool(!is_public && !is_secret && may(object, SIGN_USAGE), value, length);
    case CKA_VERIFY:
        return put_bool(is_public && may(object, VERIFY_USAGE), value, length);
    case CKA_ENCRYPT:
        return put_bool(is_secret && may(object, PSA_KEY_USAGE_ENCRYPT), value, length);
    case CKA_DECRYPT:
        return put_bool(is_secret && may(object, PSA_KEY_USAGE_DECRYPT), value, length);
    case CKA_DERIVE:
    case CKA_WRAP:
    case CKA_UNWRAP:
    case CKA_SIGN_RECOVER:
    case CKA_VERIFY_RECOVER:
    case CKA_TRUSTED:
    case CKA_WRAP_WITH_TRUSTED:
    case CKA_ALWAYS_AUTHENTICATE:
        return put_bool(false, value, length);
    case CKA_ALLOWED_MECHANISMS:
        return get_mechanisms(object, value, length);
    default:
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
}

/* Attributes about secrecy, of private and secret keys. */
static CK_RV get_secrecy(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                         size_t *length)
{
    const bool is_open = is_extractable(object);

    switch (type) {
    case CKA_SENSITIVE:
        return put_bool(!is_open, value, length);
    case CKA_EXTRACTABLE:
        return put_bool(is_open, value, length);
    case CKA_ALWAYS_SENSITIVE:
    case CKA_NEVER_EXTRACTABLE:
        return put_bool(!is_open && !may(object, PSA_KEY_USAGE_EXPORT) && object->note.is_generated,
                        value, length);
    default:
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
}

/* One of the two numbers of RSAPublicKey. */
static CK_RV get_rsa(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                     size_t *length)
{
    const psa_status_t status =
        psa_export_public_key(object->key, value, ATTRIBUTE_MAX_SIZE, length);
    const uint8_t *at = value;
    const uint8_t *end = value + *length;

    if (status != PSA_SUCCESS) {
        return rv_of(status);
    }
    if (!der_take(&at, end, TAG_SEQUENCE, length) || !der_take(&at, end, TAG_INTEGER, length)) {
        return CKR_DEVICE_ERROR;
    }
    if (type == CKA_PUBLIC_EXPONENT) {
        at += *length;
        if (!der_take(&at, end, TAG_INTEGER, length)) {
            return CKR_DEVICE_ERROR;
        }
    }
    if (*length > 1 && at[0] == 0) {
        at++;
        (*length)--;
    }
    memmove(value, at, *length);
    return CKR_OK;
}

static CK_RV get_of_rsa(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                        size_t *length)
{
    switch (type) {
    case CKA_MODULUS:
    case CKA_PUBLIC_EXPONENT:
        return get_rsa(object, type, value, length);
    case CKA_MODULUS_BITS:
        return object->class == CKO_PUBLIC_KEY
                   ? put_number(psa_get_key_bits(&object->attributes), value, length)
                   : CKR_ATTRIBUTE_TYPE_INVALID;
    case CKA_PRIVATE_EXPONENT:
    case CKA_PRIME_1:
    case CKA_PRIME_2:
    case CKA_EXPONENT_1:
    case CKA_EXPONENT_2:
    case CKA_COEFFICIENT:
        return object->class == CKO_PRIVATE_KEY ? CKR_ATTRIBUTE_SENSITIVE
                                                : CKR_ATTRIBUTE_TYPE_INVALID;
    default:
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
}

static CK_RV get_point(const struct object *object, uint8_t *value, size_t *length)
{
    const psa_status_t status =
        psa_export_public_key(object->key, value, ATTRIBUTE_MAX_SIZE, length);

    if (status != PSA_SUCCESS) {
        return rv_of(status);
    }
    *length = der_put(value, ATTRIBUTE_MAX_SIZE, TAG_OCTET_STRING, value, *length);
    return CKR_OK;
}

static CK_RV get_of_curve(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                          size_t *length)
{
    const struct curve *curve = curve_of_bits(psa_get_key_bits(&object->attributes));

    if (curve == NULL) {
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
    switch (type) {
    case CKA_EC_PARAMS:
        return put_bytes(curve->oid, curve->oid_length, value, length);
    case CKA_EC_POINT:
        return object->class == CKO_PUBLIC_KEY ? get_point(object, value, length)
                                               : CKR_ATTRIBUTE_TYPE_INVALID;
    case CKA_VALUE:
        return object->class == CKO_PRIVATE_KEY ? CKR_ATTRIBUTE_SENSITIVE
                                                : CKR_ATTRIBUTE_TYPE_INVALID;
    default:
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
}

static CK_RV get_of_secret(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                           size_t *length)
{
    switch (type) {
    case CKA_VALUE_LEN:
        return put_number(psa_get_key_bits(&object->attributes) / 8, value, length);
    case CKA_VALUE:
        return is_extractable(object)
                   ? rv_of(psa_export_key(object->key, value, ATTRIBUTE_MAX_SIZE, length))
                   : CKR_ATTRIBUTE_SENSITIVE;
    default:
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
}

static CK_RV get_of_type(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                         size_t *length)
{
    if (object->class != CKO_SECRET_KEY && type == CKA_SUBJECT) {
        return put_bytes(NULL, 0, value, length);
    }
    switch (attribute_key_type(psa_get_key_type(&object->attributes))) {
    case CKK_RSA:
        return get_of_rsa(object, type, value, length);
    case CKK_EC:
        return get_of_curve(object, type, value, length);
    default:
        return get_of_secret(object, type, value, length);
    }
}

CK_RV attribute_get(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                    size_t *length)
{
    *length = 0;
    if (type == CKA_KEY_GEN_MECHANISM) {
        return put_number(CK_UNAVAILABLE_INFORMATION, value, length);
    }
    CK_RV rv = get_common(object, type, value, length);
    if (rv == CKR_ATTRIBUTE_TYPE_INVALID) {
        rv = get_use(object, type, value, length);
    }
    if (rv == CKR_ATTRIBUTE_TYPE_INVALID && object->class != CKO_PUBLIC_KEY) {
        rv = get_secrecy(object, type, value, length);
    }
    return rv == CKR_ATTRIBUTE_TYPE_INVALID ? get_of_type(object, type, value, length) : rv;
}

/* Give one attribute to the caller. */
static CK_RV give(const struct object *object, CK_ATTRIBUTE *attribute)
{
    uint8_t value[ATTRIBUTE_MAX_SIZE];
    size_t length;
    CK_RV rv = attribute_get(object, attribute->type, value, &length);

    if (rv == CKR_OK && attribute->pValue != NULL) {
        if (attribute->ulValueLen < length) {
            rv = CKR_BUFFER_TOO_SMALL;
        } else if (length > 0) {
            memcpy(attribute->pValue, value, length);
        }
    }
    attribute->ulValueLen = rv == CKR_OK ? length : CK_UNAVAILABLE_INFORMATION;
    corral_wipe(value, sizeof value);
    return rv;
}

static CK_RV get_all(const struct session *session, CK_OBJECT_HANDLE handle,
                     CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    struct object object;
    CK_RV first = CKR_OK;

    if (!object_open(session, handle, &object)) {
        return CKR_OBJECT_HANDLE_INVALID;
    }
    if (attributes == NULL) {
        return count == 0 ? CKR_OK : CKR_ARGUMENTS_BAD;
    }
    for (CK_ULONG i = 0; i < count; i++) {
        const CK_RV rv = give(&object, &attributes[i]);
        first = first == CKR_OK ? rv : first;
    }
    return first;
}

CK_RV C_GetAttributeValue(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object,
                          CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv : leave(get_all(session, object, attributes, count));
}
