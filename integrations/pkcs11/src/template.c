/* SPDX-License-Identifier: Apache-2.0 */
#include "template.h"

#include <string.h>

enum kind { FLAG, NUMBER, BYTES };

static const struct {
    CK_ATTRIBUTE_TYPE type;
    enum kind kind;
} known[] = {
    {CKA_CLASS, NUMBER},
    {CKA_KEY_TYPE, NUMBER},
    {CKA_TOKEN, FLAG},
    {CKA_PRIVATE, FLAG},
    {CKA_LABEL, BYTES},
    {CKA_ID, BYTES},
    {CKA_SUBJECT, BYTES},
    {CKA_START_DATE, BYTES},
    {CKA_END_DATE, BYTES},
    {CKA_MODIFIABLE, FLAG},
    {CKA_COPYABLE, FLAG},
    {CKA_DESTROYABLE, FLAG},
    {CKA_SENSITIVE, FLAG},
    {CKA_EXTRACTABLE, FLAG},
    {CKA_SIGN, FLAG},
    {CKA_VERIFY, FLAG},
    {CKA_ENCRYPT, FLAG},
    {CKA_DECRYPT, FLAG},
    {CKA_DERIVE, FLAG},
    {CKA_WRAP, FLAG},
    {CKA_UNWRAP, FLAG},
    {CKA_SIGN_RECOVER, FLAG},
    {CKA_VERIFY_RECOVER, FLAG},
    {CKA_WRAP_WITH_TRUSTED, FLAG},
    {CKA_TRUSTED, FLAG},
    {CKA_ALWAYS_AUTHENTICATE, FLAG},
    {CKA_ALLOWED_MECHANISMS, BYTES},
    {CKA_EC_PARAMS, BYTES},
    {CKA_EC_POINT, BYTES},
    {CKA_VALUE, BYTES},
    {CKA_VALUE_LEN, NUMBER},
    {CKA_MODULUS_BITS, NUMBER},
    {CKA_MODULUS, BYTES},
    {CKA_PUBLIC_EXPONENT, BYTES},
    {CKA_PRIVATE_EXPONENT, BYTES},
    {CKA_PRIME_1, BYTES},
    {CKA_PRIME_2, BYTES},
    {CKA_EXPONENT_1, BYTES},
    {CKA_EXPONENT_2, BYTES},
    {CKA_COEFFICIENT, BYTES},
};

static CK_RV check_attribute(const CK_ATTRIBUTE *attribute)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].type != attribute->type) {
            continue;
        }
        const size_t size = known[i].kind == FLAG ? sizeof(CK_BBOOL) : sizeof(CK_ULONG);
        const bool has_length = known[i].kind == BYTES
                                    ? attribute->ulValueLen != CK_UNAVAILABLE_INFORMATION
                                    : attribute->ulValueLen == size;
        return has_length && (attribute->pValue != NULL || attribute->ulValueLen == 0)
                   ? CKR_OK
                   : CKR_ATTRIBUTE_VALUE_INVALID;
    }
    return CKR_ATTRIBUTE_TYPE_INVALID;
}

/* Whether the first attribute of the same type has the same value. */
static bool agrees(const CK_ATTRIBUTE *attributes, const CK_ATTRIBUTE *last)
{
    while (attributes->type != last->type) {
        attributes++;
    }
    return attributes->ulValueLen == last->ulValueLen &&
           (last->ulValueLen == 0 ||
            memcmp(attributes->pValue, last->pValue, last->ulValueLen) == 0);
}

static CK_RV check_all(const CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    CK_RV rv = attributes == NULL && count > 0 ? CKR_ARGUMENTS_BAD : CKR_OK;

    for (CK_ULONG i = 0; rv == CKR_OK && i < count; i++) {
        rv = check_attribute(&attributes[i]);
        if (rv == CKR_OK && !agrees(attributes, &attributes[i])) {
            rv = CKR_TEMPLATE_INCONSISTENT;
        }
    }
    return rv;
}

CK_RV template_check(const struct templates *templates)
{
    CK_RV rv = check_all(templates->first, templates->first_count);

    if (rv == CKR_OK) {
        rv = check_all(templates->second, templates->second_count);
    }
    /* Promises that the module cannot keep: a question for each use, and no change. */
    if (rv == CKR_OK && (template_bool(templates, CKA_ALWAYS_AUTHENTICATE, false) ||
                         !template_bool(templates, CKA_MODIFIABLE, true) ||
                         !template_bool(templates, CKA_DESTROYABLE, true))) {
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    return rv;
}

const CK_ATTRIBUTE *template_find(const struct templates *templates, CK_ATTRIBUTE_TYPE type)
{
    for (CK_ULONG i = 0; i < templates->first_count; i++) {
        if (templates->first[i].type == type) {
            return &templates->first[i];
        }
    }
    for (CK_ULONG i = 0; i < templates->second_count; i++) {
        if (templates->second[i].type == type) {
            return &templates->second[i];
        }
    }
    return NULL;
}

bool template_bool(const struct templates *templates, CK_ATTRIBUTE_TYPE type, bool otherwise)
{
    const CK_ATTRIBUTE *found = template_find(templates, type);

    return found == NULL ? otherwise : *(const CK_BBOOL *)found->pValue != CK_FALSE;
}

CK_ULONG template_number(const struct templates *templates, CK_ATTRIBUTE_TYPE type,
                         CK_ULONG otherwise)
{
    const CK_ATTRIBUTE *found = template_find(templates, type);
    CK_ULONG number = otherwise;

    if (found != NULL) {
        memcpy(&number, found->pValue, sizeof number);
    }
    return number;
}

static CK_RV copy(const CK_ATTRIBUTE *attribute, uint8_t *to, size_t size, uint8_t *length)
{
    if (attribute == NULL) {
        return CKR_OK;
    }
    if (attribute->ulValueLen > size) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (attribute->ulValueLen > 0) {
        memcpy(to, attribute->pValue, attribute->ulValueLen);
    }
    *length = (uint8_t)attribute->ulValueLen;
    return CKR_OK;
}

CK_RV template_note(const struct templates *templates, struct note *note)
{
    const CK_RV rv =
        copy(template_find(templates, CKA_ID), note->id, sizeof note->id, &note->id_length);

    return rv != CKR_OK ? rv
                        : copy(template_find(templates, CKA_LABEL), note->label, sizeof note->label,
                               &note->label_length);
}

/* The same family of algorithms with any hash. */
static psa_algorithm_t widen(psa_algorithm_t alg)
{
    if (alg == PSA_ALG_RSA_PKCS1V15_SIGN_RAW || PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg)) {
        return PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH);
    }
    if (PSA_ALG_IS_RSA_PSS(alg)) {
        return PSA_ALG_RSA_PSS(PSA_ALG_ANY_HASH);
    }
    return PSA_ALG_IS_ECDSA(alg) ? PSA_ALG_ECDSA(PSA_ALG_ANY_HASH) : alg;
}

static psa_algorithm_t usual_policy(psa_key_location_t place, psa_key_type_t type)
{
    switch (attribute_key_type(type)) {
    case CKK_EC:
        return PSA_ALG_ECDSA(PSA_ALG_ANY_HASH);
    case CKK_RSA:
        return PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH);
    default:
        return mechanism_find(place, CKM_AES_GCM, CKF_ENCRYPT) != NULL ? PSA_ALG_GCM
                                                                       : PSA_ALG_CBC_PKCS7;
    }
}

bool template_is(const CK_ATTRIBUTE *attributes, CK_ULONG count, CK_OBJECT_CLASS class,
                 CK_KEY_TYPE type)
{
    const struct templates one = {attributes, count, NULL, 0};

    return template_number(&one, CKA_CLASS, class) == class &&
           template_number(&one, CKA_KEY_TYPE, type) == type;
}

CK_RV template_policy(const struct templates *templates, psa_key_location_t place,
                      psa_key_type_t type, psa_algorithm_t *policy, bool *takes_hashes)
{
    const CK_ATTRIBUTE *list = template_find(templates, CKA_ALLOWED_MECHANISMS);
    const size_t count = list != NULL ? list->ulValueLen / sizeof(CK_MECHANISM_TYPE) : 0;

    if (list != NULL && list->ulValueLen % sizeof(CK_MECHANISM_TYPE) != 0) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    *policy = count == 0 ? usual_policy(place, type) : PSA_ALG_NONE;
    *takes_hashes = count == 0;
    for (size_t i = 0; i < count; i++) {
        CK_MECHANISM_TYPE wanted;
        memcpy(&wanted, (const uint8_t *)list->pValue + i * sizeof wanted, sizeof wanted);
        const struct mechanism *mechanism = mechanism_find(place, wanted, ~0ul);
        if (mechanism == NULL) {
            return CKR_ATTRIBUTE_VALUE_INVALID;
        }
        if (i > 0 && widen(*policy) != widen(mechanism->alg)) {
            return CKR_TEMPLATE_INCONSISTENT; /* a key has one algorithm */
        }
        *policy = count == 1 ? mechanism->alg : widen(mechanism->alg);
        if (!mechanism_is_allowed(mechanism, type, *policy)) {
            return CKR_TEMPLATE_INCONSISTENT;
        }
        *takes_hashes = *takes_hashes || !mechanism_is_of_message(mechanism);
    }
    return CKR_OK;
}
