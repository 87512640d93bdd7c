/* SPDX-License-Identifier: Apache-2.0 */
#include "template.h"

#include <string.h>

/* Modes that run the block cipher backwards to decrypt; all others run it forwards only. */
static bool runs_backwards(psa_algorithm_t alg)
{
    return alg == PSA_ALG_ECB_NO_PADDING || alg == PSA_ALG_CBC_NO_PADDING ||
           alg == PSA_ALG_CBC_PKCS7 || PSA_ALG_IS_KEY_WRAP(alg);
}

static void set_uses(struct pkcs11_wishes *wishes, const psa_key_attributes_t *attributes)
{
    const psa_key_usage_t usage = attributes->usage;
    const psa_algorithm_t alg = attributes->algorithm;
    const psa_key_usage_t signs = PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE |
                                  PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE;

    if (attributes->type == PSA_KEY_TYPE_AES) {
        /* The core computes other mechanisms from the block cipher. */
        const bool is_forwards = !runs_backwards(alg);
        const bool encrypts = (usage & (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_WRAP)) != 0;
        const bool decrypts = (usage & (PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_UNWRAP)) != 0;
        wishes->may_encrypt = alg != PSA_ALG_NONE && (is_forwards || encrypts);
        wishes->may_decrypt = !is_forwards && decrypts;
        return;
    }
    wishes->may_sign = PSA_ALG_IS_KEY_AGREEMENT(alg) ? 0 : (usage & signs) != 0;
    wishes->may_derive =
        PSA_KEY_TYPE_IS_ECC(attributes->type) && (usage & PSA_KEY_USAGE_DERIVE) != 0;
    if (attributes->type == PSA_KEY_TYPE_HMAC) {
        wishes->may_sign = alg != PSA_ALG_NONE;
    }
}

struct pkcs11_wishes pkcs11_wishes(const psa_key_attributes_t *attributes)
{
    struct pkcs11_wishes wishes = {
        .key_class = pkcs11_class(attributes),
        .key_type = pkcs11_key_type(attributes),
        .yes = 1,
        .is_persistent = !PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime),
    };

    set_uses(&wishes, attributes);
    return wishes;
}

CK_ULONG pkcs11_secret_template(struct cryptoki_attribute *template, struct pkcs11_wishes *wishes,
                                const struct pkcs11_key *key)
{
    const struct cryptoki_attribute attributes[PKCS11_SECRET_WISHES] = {
        PKCS11_ATTRIBUTE(CKA_CLASS, wishes->key_class),
        PKCS11_ATTRIBUTE(CKA_KEY_TYPE, wishes->key_type),
        {CKA_ID, (void *)(uintptr_t)key->name, key->length},
        PKCS11_ATTRIBUTE(CKA_TOKEN, wishes->is_persistent),
        PKCS11_ATTRIBUTE(CKA_PRIVATE, wishes->yes),
        PKCS11_ATTRIBUTE(CKA_SENSITIVE, wishes->yes),
        PKCS11_ATTRIBUTE(CKA_EXTRACTABLE, wishes->no),
        PKCS11_ATTRIBUTE(CKA_SIGN, wishes->may_sign),
        PKCS11_ATTRIBUTE(CKA_DECRYPT, wishes->may_decrypt),
        PKCS11_ATTRIBUTE(CKA_DERIVE, wishes->may_derive),
        PKCS11_ATTRIBUTE(CKA_ENCRYPT, wishes->may_encrypt), /* no attribute of private keys */
    };

    memcpy(template, attributes, sizeof attributes);
    return PKCS11_SECRET_WISHES - (wishes->key_class == CKO_PRIVATE_KEY);
}

void pkcs11_public_template(struct cryptoki_attribute *template, struct pkcs11_wishes *wishes,
                            const struct pkcs11_key *key)
{
    const struct cryptoki_attribute attributes[PKCS11_PUBLIC_WISHES] = {
        {CKA_ID, (void *)(uintptr_t)key->name, key->length},
        PKCS11_ATTRIBUTE(CKA_TOKEN, wishes->is_persistent),
        PKCS11_ATTRIBUTE(CKA_PRIVATE, wishes->no),
        PKCS11_ATTRIBUTE(CKA_KEY_TYPE, wishes->key_type),
        PKCS11_ATTRIBUTE(CKA_VERIFY, wishes->may_sign),
    };

    memcpy(template, attributes, sizeof attributes);
}
