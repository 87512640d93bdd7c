/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of new keys. */
#ifndef CORRAL_PKCS11_TEMPLATE_H
#define CORRAL_PKCS11_TEMPLATE_H

#include "module.h"

/* One template or, for a key pair, two: an attribute of the first counts. */
struct templates {
    const CK_ATTRIBUTE *first;
    CK_ULONG first_count;
    const CK_ATTRIBUTE *second;
    CK_ULONG second_count;
};

/* Whether every attribute is known and has a value. */
CK_RV template_check(const struct templates *templates);

/* An attribute, or null. */
const CK_ATTRIBUTE *template_find(const struct templates *templates, CK_ATTRIBUTE_TYPE type);

/* The value of one attribute, or `otherwise`. */
bool template_bool(const struct templates *templates, CK_ATTRIBUTE_TYPE type, bool otherwise);
CK_ULONG template_number(const struct templates *templates, CK_ATTRIBUTE_TYPE type,
                         CK_ULONG otherwise);

/* Whether one template of a new key names no other class and type of keys. */
bool template_is(const CK_ATTRIBUTE *attributes, CK_ULONG count, CK_OBJECT_CLASS class,
                 CK_KEY_TYPE type);

/* Put CKA_ID and CKA_LABEL, as far as they are there, into a note. */
CK_RV template_note(const struct templates *templates, struct note *note);

/*
 * The algorithm that CKA_ALLOWED_MECHANISMS permits to a key, or the usual one of its place, and
 * whether a mechanism is permitted that signs hashes of the caller.
 */
CK_RV template_policy(const struct templates *templates, psa_key_location_t place,
                      psa_key_type_t type, psa_algorithm_t *policy, bool *takes_hashes);

#endif
