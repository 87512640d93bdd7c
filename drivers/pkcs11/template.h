/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of the keys that the driver makes. */
#ifndef PKCS11_TEMPLATE_H
#define PKCS11_TEMPLATE_H

#include "object.h"

/* The values that a template points to: permitted uses of a key, and its lifetime. */
struct pkcs11_wishes {
    CK_ULONG key_class;
    CK_ULONG key_type;
    CK_BBOOL yes;
    CK_BBOOL no;
    CK_BBOOL is_persistent; /* kept in the token; otherwise gone with the session */
    CK_BBOOL may_sign;
    CK_BBOOL may_encrypt;
    CK_BBOOL may_decrypt;
    CK_BBOOL may_derive;
};

#define PKCS11_SECRET_WISHES 11u
#define PKCS11_PUBLIC_WISHES 5u

/* The values that a key with these attributes needs. */
struct pkcs11_wishes pkcs11_wishes(const psa_key_attributes_t *attributes);

/* Write the template of a private or secret key: up to PKCS11_SECRET_WISHES attributes. Returns how
 * many. */
CK_ULONG pkcs11_secret_template(struct cryptoki_attribute *template, struct pkcs11_wishes *wishes,
                                const struct pkcs11_key *key);

/* Write the template of a public key beside it: PKCS11_PUBLIC_WISHES attributes. */
void pkcs11_public_template(struct cryptoki_attribute *template, struct pkcs11_wishes *wishes,
                            const struct pkcs11_key *key);

#endif
