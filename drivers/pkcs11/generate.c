/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that the token makes. No secret part ever leaves it. */
#include <corral/drivers/pkcs11/entry_points.h>

#include "curve.h"
#include "template.h"

/* Make a pair. `more`: the attribute of the public key that says which. */
static psa_status_t generate_pair(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  CK_ULONG mechanism_type, const struct cryptoki_attribute *more,
                                  size_t more_count)
{
    struct pkcs11_call call;
    struct pkcs11_wishes wishes = pkcs11_wishes(attributes);
    const struct pkcs11_key *key = (const struct pkcs11_key *)key_buffer;
    struct cryptoki_mechanism mechanism = {mechanism_type, NULL, 0};
    struct cryptoki_attribute of_private[PKCS11_SECRET_WISHES];
    struct cryptoki_attribute of_public[PKCS11_PUBLIC_WISHES + 2];
    CK_OBJECT_HANDLE public_key = CK_INVALID_HANDLE;
    CK_OBJECT_HANDLE private_key = CK_INVALID_HANDLE;

    const CK_ULONG count = pkcs11_secret_template(of_private, &wishes, key);
    pkcs11_public_template(of_public, &wishes, key);
    for (size_t i = 0; i < more_count; i++) {
        of_public[PKCS11_PUBLIC_WISHES + i] = more[i];
    }
    psa_status_t status = pkcs11_open(&call, corral_pkcs11_device_index(attributes));
    if (status == PSA_SUCCESS) {
        status = pkcs11_status(
            &call, call.functions->C_GenerateKeyPair(call.session, &mechanism, of_public,
                                                     PKCS11_PUBLIC_WISHES + more_count, of_private,
                                                     count, &public_key, &private_key));
    }
    if (status == PSA_SUCCESS &&
        (public_key == CK_INVALID_HANDLE || private_key == CK_INVALID_HANDLE)) {
        status = pkcs11_lied(&call);
    }
    return pkcs11_close(&call, status);
}

psa_status_t pkcs11_generate_ec_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                    size_t key_buffer_size, size_t *key_buffer_length)
{
    const struct pkcs11_curve *curve = pkcs11_curve(attributes->bits);
    const struct cryptoki_attribute more[] = {
        {CKA_EC_PARAMS, (void *)(uintptr_t)curve->parameters, curve->length},
    };

    (void)key_buffer_size;
    *key_buffer_length = sizeof(struct pkcs11_key);
    return generate_pair(attributes, key_buffer, CKM_EC_KEY_PAIR_GEN, more, PKCS11_COUNT(more));
}

/* The public exponent is 65537. */
psa_status_t pkcs11_generate_rsa_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                     size_t key_buffer_size, size_t *key_buffer_length)
{
    uint8_t exponent[] = {1, 0, 1};
    CK_ULONG bits = attributes->bits;
    const struct cryptoki_attribute more[] = {
        PKCS11_ATTRIBUTE(CKA_MODULUS_BITS, bits),
        PKCS11_ATTRIBUTE(CKA_PUBLIC_EXPONENT, exponent),
    };

    (void)key_buffer_size;
    *key_buffer_length = sizeof(struct pkcs11_key);
    return generate_pair(attributes, key_buffer, CKM_RSA_PKCS_KEY_PAIR_GEN, more,
                         PKCS11_COUNT(more));
}
