/* SPDX-License-Identifier: Apache-2.0 */
/* New keys: generated or imported. */
#include <string.h>

#include <corral/driver.h>

#include "template.h"

#define TAG_OCTET_STRING 0x04u
#define TAG_SEQUENCE 0x30u

/* The module numbers its keys in the upper half, at random: programs may share a storage. */
#define FIRST_KEY_ID ((psa_key_id_t)0x20000000)
#define TRIES 16u

#define KEY_DATA_MAX_SIZE 2500u /* RSAPrivateKey of 4,096 bits */

#define SIGN_USAGE (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE)
#define VERIFY_USAGE (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)

/* A key to be made. */
struct request {
    struct session *session;
    const struct templates *templates;
    psa_key_attributes_t attributes;
    struct note note;
    bool is_token;
    uint8_t data[KEY_DATA_MAX_SIZE];
    size_t data_length; /* 0: the key is generated */
};

/* Of a key that cannot be made. */
static CK_RV rv_of_creation(psa_status_t status)
{
    switch (status) {
    case PSA_ERROR_NOT_SUPPORTED:
    case PSA_ERROR_INVALID_ARGUMENT:
        return CKR_TEMPLATE_INCONSISTENT;
    case PSA_ERROR_NOT_PERMITTED:
        return CKR_TOKEN_WRITE_PROTECTED;
    default:
        return rv_of(status);
    }
}

static psa_status_t make(const struct request *request, psa_key_id_t *key)
{
    return request->data_length == 0
               ? psa_generate_key(&request->attributes, key)
               : psa_import_key(&request->attributes, request->data, request->data_length, key);
}

/* A free identifier. */
static psa_status_t draw_id(psa_key_id_t *id)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_status_t status = PSA_SUCCESS;

    for (unsigned i = 0; status == PSA_SUCCESS && i < TRIES; i++) {
        status = psa_generate_random((uint8_t *)id, sizeof *id);
        *id = FIRST_KEY_ID + *id % (PSA_KEY_ID_USER_MAX - FIRST_KEY_ID + 1);
        if (status == PSA_SUCCESS &&
            psa_get_key_attributes(*id, &attributes) == PSA_ERROR_INVALID_HANDLE) {
            return PSA_SUCCESS;
        }
    }
    return status == PSA_SUCCESS ? PSA_ERROR_INSUFFICIENT_STORAGE : status;
}

/* The note is first: a process that is killed leaves no key with another CKA_ID. */
static CK_RV make_stored(struct request *request, psa_key_id_t *key)
{
    psa_key_id_t id;
    psa_status_t status = draw_id(&id);

    if (status != PSA_SUCCESS) {
        return rv_of_creation(status);
    }
    const CK_RV rv = note_write(id, &request->note);
    if (rv != CKR_OK) {
        return rv;
    }
    psa_set_key_id(&request->attributes, id);
    status = make(request, key);
    if (status != PSA_SUCCESS) {
        note_remove(id);
    }
    return rv_of_creation(status);
}

static CK_RV make_volatile(struct request *request, psa_key_id_t *key)
{
    const psa_status_t status = make(request, key);

    if (status != PSA_SUCCESS) {
        return rv_of_creation(status);
    }
    if (!session_key_add(request->session->handle, request->session->slot, *key, &request->note)) {
        (void)psa_destroy_key(*key);
        return CKR_HOST_MEMORY;
    }
    return CKR_OK;
}

/* Create a key of any kind, once its type, size and usage are set. */
static CK_RV create(struct request *request, psa_key_id_t *key)
{
    const psa_key_location_t place = slot_location(request->session->slot);
    const psa_key_type_t type = psa_get_key_type(&request->attributes);
    psa_key_usage_t usage = psa_get_key_usage_flags(&request->attributes);
    psa_algorithm_t policy;
    bool takes_hashes;

    CK_RV rv = template_policy(request->templates, place, type, &policy, &takes_hashes);
    if (rv == CKR_OK) {
        rv = template_note(request->templates, &request->note);
    }
    if (rv != CKR_OK) {
        return rv;
    }
    if (!takes_hashes) {
        usage &= ~PSA_KEY_USAGE_SIGN_HASH;
    }
    psa_set_key_usage_flags(&request->attributes, usage);
    psa_set_key_algorithm(&request->attributes, policy);
    psa_set_key_lifetime(
        &request->attributes,
        PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
            request->is_token ? PSA_KEY_PERSISTENCE_DEFAULT : PSA_KEY_PERSISTENCE_VOLATILE, place));
    return request->is_token ? make_stored(request, key) : make_volatile(request, key);
}

/* Check templates, and whether the session may create such a key. */
static CK_RV begin(struct request *request, struct session *session,
                   const struct templates *templates)
{
    CK_RV rv = template_check(templates);

    if (rv != CKR_OK) {
        return rv;
    }
    memset(request, 0, sizeof *request);
    request->session = session;
    request->templates = templates;
    request->is_token = template_bool(templates, CKA_TOKEN, false);
    return request->is_token && !session->is_writable ? CKR_SESSION_READ_ONLY : CKR_OK;
}

static psa_key_usage_t usage_of_pair(const struct templates *templates)
{
    return (template_bool(templates, CKA_SIGN, true) ? SIGN_USAGE : 0) |
           (template_bool(templates, CKA_VERIFY, true) ? VERIFY_USAGE : 0);
}

static psa_key_usage_t usage_of_secret(const struct templates *templates)
{
    const bool is_open = template_bool(templates, CKA_EXTRACTABLE, false) &&
                         !template_bool(templates, CKA_SENSITIVE, true);

    return (template_bool(templates, CKA_ENCRYPT, true) ? PSA_KEY_USAGE_ENCRYPT : 0) |
           (template_bool(templates, CKA_DECRYPT, true) ? PSA_KEY_USAGE_DECRYPT : 0) |
           (is_open ? PSA_KEY_USAGE_EXPORT : 0);
}

static CK_RV set_curve(struct request *request, bool is_pair)
{
    const CK_ATTRIBUTE *params = template_find(request->templates, CKA_EC_PARAMS);

    if (params == NULL) {
        return CKR_TEMPLATE_INCOMPLETE;
    }
    const struct curve *curve = curve_of_oid(params->pValue, params->ulValueLen);
    if (curve == NULL) {
        return CKR_CURVE_NOT_SUPPORTED;
    }
    psa_set_key_type(&request->attributes,
                     is_pair ? PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
                             : PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&request->attributes, curve->bits);
    return CKR_OK;
}

/* PSA Crypto has only this exponent for keys that it generates without more parameters. */
static bool is_65537(const CK_ATTRIBUTE *exponent)
{
    static const uint8_t usual[] = {1, 0, 1};
    const uint8_t *bytes = exponent->pValue;
    size_t length = exponent->ulValueLen;

    while (length > sizeof usual && bytes[0] == 0) {
        bytes++;
        length--;
    }
    return length == sizeof usual && memcmp(bytes, usual, sizeof usual) == 0;
}

static CK_RV set_rsa(struct request *request)
{
    const CK_ATTRIBUTE *exponent = template_find(request->templates, CKA_PUBLIC_EXPONENT);
    const CK_ULONG bits = template_number(request->templates, CKA_MODULUS_BITS, 0);

    if (bits == 0) {
        return CKR_TEMPLATE_INCOMPLETE;
    }
    if ((exponent != NULL && !is_65537(exponent)) || bits > UINT16_MAX) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    psa_set_key_type(&request->attributes, PSA_KEY_TYPE_RSA_KEY_PAIR);
    psa_set_key_bits(&request->attributes, bits);
    return CKR_OK;
}

static CK_RV check_generation(const struct session *session, const CK_MECHANISM *mechanism,
                              CK_FLAGS flag, const struct mechanism **found)
{
    if (mechanism == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    *found = mechanism_find(slot_location(session->slot), mechanism->mechanism, flag);
    if (*found == NULL) {
        return CKR_MECHANISM_INVALID;
    }
    return mechanism->ulParameterLen == 0 ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
}

/* Whether the templates of a pair are for such keys, and both for the same storage. */
static bool is_of_pair(const struct templates *templates, CK_KEY_TYPE type)
{
    const struct templates of_public = {templates->second, templates->second_count, NULL, 0};

    return template_is(templates->first, templates->first_count, CKO_PRIVATE_KEY, type) &&
           template_is(templates->second, templates->second_count, CKO_PUBLIC_KEY, type) &&
           (template_find(&of_public, CKA_TOKEN) == NULL ||
            template_bool(&of_public, CKA_TOKEN, false) ==
                template_bool(templates, CKA_TOKEN, false));
}

static CK_RV generate_pair(struct session *session, const CK_MECHANISM *mechanism,
                           const struct templates *templates, psa_key_id_t *key)
{
    const struct mechanism *found;
    struct request request;

    CK_RV rv = check_generation(session, mechanism, CKF_GENERATE_KEY_PAIR, &found);
    if (rv == CKR_OK) {
        rv = begin(&request, session, templates);
    }
    if (rv == CKR_OK && !is_of_pair(templates, found->key_type)) {
        rv = CKR_TEMPLATE_INCONSISTENT;
    }
    if (rv == CKR_OK) {
        rv = found->key_type == CKK_EC ? set_curve(&request, true) : set_rsa(&request);
    }
    if (rv != CKR_OK) {
        return rv;
    }
    request.note.is_generated = true;
    psa_set_key_usage_flags(&request.attributes, usage_of_pair(templates));
    return create(&request, key);
}

CK_RV C_GenerateKeyPair(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_ATTRIBUTE *of_public,
                        CK_ULONG public_count, CK_ATTRIBUTE *of_private, CK_ULONG private_count,
                        CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key)
{
    const struct templates templates = {of_private, private_count, of_public, public_count};
    struct session *session;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    CK_RV rv = enter_session(handle, &session);
    if (rv != CKR_OK) {
        return rv;
    }
    if (public_key == NULL || private_key == NULL) {
        return leave(CKR_ARGUMENTS_BAD);
    }
    rv = generate_pair(session, mechanism, &templates, &key);
    if (rv == CKR_OK) {
        *public_key = object_handle(key, CKO_PUBLIC_KEY);
        *private_key = object_handle(key, CKO_PRIVATE_KEY);
    }
    return leave(rv);
}

static CK_RV generate_secret(struct session *session, const CK_MECHANISM *mechanism,
                             const struct templates *templates, psa_key_id_t *key)
{
    const struct mechanism *found;
    struct request request;

    CK_RV rv = check_generation(session, mechanism, CKF_GENERATE, &found);
    if (rv == CKR_OK) {
        rv = begin(&request, session, templates);
    }
    if (rv == CKR_OK &&
        !template_is(templates->first, templates->first_count, CKO_SECRET_KEY, found->key_type)) {
        rv = CKR_TEMPLATE_INCONSISTENT;
    }
    if (rv != CKR_OK) {
        return rv;
    }
    const CK_ULONG size = template_number(templates, CKA_VALUE_LEN, 0);
    if (size == 0 || size > 32) {
        return size == 0 ? CKR_TEMPLATE_INCOMPLETE : CKR_ATTRIBUTE_VALUE_INVALID;
    }
    request.note.is_generated = true;
    psa_set_key_type(&request.attributes, PSA_KEY_TYPE_AES);
    psa_set_key_bits(&request.attributes, 8 * size);
    psa_set_key_usage_flags(&request.attributes, usage_of_secret(templates));
    return create(&request, key);
}

CK_RV C_GenerateKey(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_ATTRIBUTE *attributes,
                    CK_ULONG count, CK_OBJECT_HANDLE *object)
{
    const struct templates templates = {attributes, count, NULL, 0};
    struct session *session;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    CK_RV rv = enter_session(handle, &session);
    if (rv != CKR_OK) {
        return rv;
    }
    if (object == NULL) {
        return leave(CKR_ARGUMENTS_BAD);
    }
    rv = generate_secret(session, mechanism, &templates, &key);
    if (rv == CKR_OK) {
        *object = object_handle(key, CKO_SECRET_KEY);
    }
    return leave(rv);
}

static CK_RV set_data(struct request *request, const uint8_t *data, size_t length)
{
    if (length == 0 || length > sizeof request->data) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    memcpy(request->data, data, length);
    request->data_length = length;
    return CKR_OK;
}

/* The point of a public key; some programs leave out the octet string around it. */
static CK_RV read_point(struct request *request)
{
    const CK_ATTRIBUTE *point = template_find(request->templates, CKA_EC_POINT);
    size_t length;

    if (point == NULL) {
        return CKR_TEMPLATE_INCOMPLETE;
    }
    const uint8_t *at = point->pValue;
    const uint8_t *end = at + point->ulValueLen;
    if (!der_take(&at, end, TAG_OCTET_STRING, &length) || at + length != end) {
        at = point->pValue;
        length = point->ulValueLen;
    }
    return set_data(request, at, length);
}

/* The number of a private key, in as many bytes as the order of its curve. */
static CK_RV read_scalar(struct request *request)
{
    const CK_ATTRIBUTE *value = template_find(request->templates, CKA_VALUE);
    const size_t size = (psa_get_key_bits(&request->attributes) + 7) / 8;

    if (value == NULL) {
        return CKR_TEMPLATE_INCOMPLETE;
    }
    const uint8_t *bytes = value->pValue;
    size_t length = value->ulValueLen;
    while (length > size && bytes[0] == 0) {
        bytes++;
        length--;
    }
    if (length == 0 || length > size) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    memset(request->data, 0, size);
    memcpy(request->data + size - length, bytes, length);
    request->data_length = size;
    return CKR_OK;
}

/* RSAPublicKey or RSAPrivateKey (RFC 8017, A.1). */
static CK_RV read_rsa(struct request *request, bool is_pair)
{
    static const CK_ATTRIBUTE_TYPE parts[] = {
        CKA_MODULUS, CKA_PUBLIC_EXPONENT, CKA_PRIVATE_EXPONENT, CKA_PRIME_1,
        CKA_PRIME_2, CKA_EXPONENT_1,      CKA_EXPONENT_2,       CKA_COEFFICIENT};
    static const uint8_t version = 0;
    const size_t room = sizeof request->data - 4; /* for the head */
    size_t length = is_pair ? der_put_number(request->data, room, &version, 1) : 0;

    for (size_t i = 0; i < (is_pair ? sizeof parts / sizeof parts[0] : 2); i++) {
        const CK_ATTRIBUTE *part = template_find(request->templates, parts[i]);
        if (part == NULL) {
            return CKR_TEMPLATE_INCOMPLETE;
        }
        const size_t more =
            der_put_number(request->data + length, room - length, part->pValue, part->ulValueLen);
        if (more == 0) {
            return CKR_ATTRIBUTE_VALUE_INVALID;
        }
        length += more;
    }
    request->data_length =
        der_put(request->data, sizeof request->data, TAG_SEQUENCE, request->data, length);
    psa_set_key_type(&request->attributes,
                     is_pair ? PSA_KEY_TYPE_RSA_KEY_PAIR : PSA_KEY_TYPE_RSA_PUBLIC_KEY);
    return CKR_OK;
}

static CK_RV read_secret(struct request *request)
{
    const CK_ATTRIBUTE *value = template_find(request->templates, CKA_VALUE);

    psa_set_key_type(&request->attributes, PSA_KEY_TYPE_AES);
    return value == NULL ? CKR_TEMPLATE_INCOMPLETE
                         : set_data(request, value->pValue, value->ulValueLen);
}

/* Read the key itself: type, size and data. */
static CK_RV read_key(struct request *request, CK_OBJECT_CLASS class)
{
    const CK_KEY_TYPE type = template_number(request->templates, CKA_KEY_TYPE, NO_KEY_TYPE);
    const bool is_pair = class == CKO_PRIVATE_KEY;

    if (class == CKO_SECRET_KEY) {
        psa_set_key_usage_flags(&request->attributes, usage_of_secret(request->templates));
        return type == CKK_AES ? read_secret(request) : CKR_TEMPLATE_INCONSISTENT;
    }
    psa_set_key_usage_flags(&request->attributes,
                            is_pair ? usage_of_pair(request->templates) : VERIFY_USAGE);
    if (type == CKK_RSA) {
        return read_rsa(request, is_pair);
    }
    if (type != CKK_EC) {
        return CKR_TEMPLATE_INCONSISTENT;
    }
    const CK_RV rv = set_curve(request, is_pair);
    if (rv != CKR_OK) {
        return rv;
    }
    return is_pair ? read_scalar(request) : read_point(request);
}

static CK_RV import(struct session *session, const struct templates *templates,
                    CK_OBJECT_HANDLE *object)
{
    struct request request;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    CK_RV rv = begin(&request, session, templates);
    if (rv != CKR_OK) {
        return rv;
    }
    const CK_OBJECT_CLASS class = template_number(templates, CKA_CLASS, CKO_DATA);
    if (class != CKO_PUBLIC_KEY && class != CKO_PRIVATE_KEY && class != CKO_SECRET_KEY) {
        return template_find(templates, CKA_CLASS) == NULL ? CKR_TEMPLATE_INCOMPLETE
                                                           : CKR_TEMPLATE_INCONSISTENT;
    }
    rv = read_key(&request, class);
    if (rv == CKR_OK) {
        rv = create(&request, &key);
    }
    if (rv == CKR_OK) {
        *object = object_handle(key, class);
    }
    corral_wipe(&request, sizeof request);
    return rv;
}

CK_RV C_CreateObject(CK_SESSION_HANDLE handle, CK_ATTRIBUTE *attributes, CK_ULONG count,
                     CK_OBJECT_HANDLE *object)
{
    const struct templates templates = {attributes, count, NULL, 0};
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    return leave(object == NULL ? CKR_ARGUMENTS_BAD : import(session, &templates, object));
}
