/* SPDX-License-Identifier: Apache-2.0 */
/* Beginning and end of operations of all kinds. */
#include <stdlib.h>
#include <string.h>

#include <corral/driver.h>

#include "module.h"

void operation_end(struct operation *operation)
{
    (void)psa_hash_abort(&operation->hash);
    (void)psa_sign_abort(&operation->sign);
    (void)psa_cipher_abort(&operation->cipher);
    free(operation->additional);
    corral_wipe(operation, sizeof *operation);
}

bool needs_room(const uint8_t *output, CK_ULONG *length, size_t needed, CK_RV *rv)
{
    const CK_ULONG room = *length;

    *rv = CKR_OK;
    if (output != NULL && room >= needed) {
        return false;
    }
    *length = needed;
    *rv = output == NULL ? CKR_OK : CKR_BUFFER_TOO_SMALL;
    return true;
}

/* The hash of PSS, from its parameters. The salt must be as long as the hash, as in PSA Crypto. */
static CK_RV read_pss(const CK_MECHANISM *mechanism, psa_algorithm_t *hash)
{
    static const struct {
        CK_MECHANISM_TYPE hash;
        CK_RSA_PKCS_MGF_TYPE mask;
    } masks[] = {{CKM_SHA_1, CKG_MGF1_SHA1},
                 {CKM_SHA224, CKG_MGF1_SHA224},
                 {CKM_SHA256, CKG_MGF1_SHA256},
                 {CKM_SHA384, CKG_MGF1_SHA384},
                 {CKM_SHA512, CKG_MGF1_SHA512}};
    CK_RSA_PKCS_PSS_PARAMS params;

    if (mechanism->pParameter == NULL || mechanism->ulParameterLen != sizeof params) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&params, mechanism->pParameter, sizeof params);
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        if (masks[i].hash == params.hashAlg && masks[i].mask == params.mgf) {
            *hash = hash_of(params.hashAlg);
            return *hash != PSA_ALG_NONE && params.sLen == PSA_HASH_LENGTH(*hash)
                       ? CKR_OK
                       : CKR_MECHANISM_PARAM_INVALID;
        }
    }
    return CKR_MECHANISM_PARAM_INVALID;
}

/* The algorithm of a signature: the mechanism's, in the variant of the key's policy. */
static CK_RV set_signature(struct operation *operation, const CK_MECHANISM *mechanism,
                           psa_algorithm_t policy)
{
    psa_algorithm_t hash = PSA_ALG_GET_HASH(operation->alg);

    if (PSA_ALG_IS_RSA_PSS(operation->alg)) {
        psa_algorithm_t named;
        const CK_RV rv = read_pss(mechanism, &named);
        if (rv != CKR_OK) {
            return rv;
        }
        if (hash != PSA_ALG_ANY_HASH && hash != named) {
            return CKR_MECHANISM_PARAM_INVALID;
        }
        operation->alg = PSA_ALG_IS_RSA_PSS_ANY_SALT(policy) ? PSA_ALG_RSA_PSS_ANY_SALT(named)
                                                             : PSA_ALG_RSA_PSS(named);
        return CKR_OK;
    }
    if (PSA_ALG_IS_ECDSA(operation->alg) && PSA_ALG_IS_DETERMINISTIC_ECDSA(policy)) {
        operation->alg = PSA_ALG_DETERMINISTIC_ECDSA(hash);
    }
    return mechanism->ulParameterLen == 0 ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
}

/* The uses of a key that an operation may need; one of them is enough. */
static psa_key_usage_t usage_of(const struct mechanism *mechanism, CK_FLAGS flag)
{
    const bool is_of_message = mechanism_is_of_message(mechanism);

    switch (flag) {
    case CKF_SIGN:
        return PSA_KEY_USAGE_SIGN_HASH | (is_of_message ? PSA_KEY_USAGE_SIGN_MESSAGE : 0);
    case CKF_VERIFY:
        return PSA_KEY_USAGE_VERIFY_HASH | (is_of_message ? PSA_KEY_USAGE_VERIFY_MESSAGE : 0);
    case CKF_ENCRYPT:
        return PSA_KEY_USAGE_ENCRYPT;
    default:
        return PSA_KEY_USAGE_DECRYPT;
    }
}

CK_RV operation_begin(const struct session *session, struct operation *operation,
                      const CK_MECHANISM *mechanism, CK_FLAGS flag, CK_OBJECT_HANDLE key)
{
    const CK_OBJECT_CLASS class = flag == CKF_SIGN     ? CKO_PRIVATE_KEY
                                  : flag == CKF_VERIFY ? CKO_PUBLIC_KEY
                                                       : CKO_SECRET_KEY;
    struct object object;

    if (operation->mechanism != NULL) {
        return CKR_OPERATION_ACTIVE;
    }
    if (mechanism == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    const struct mechanism *found =
        mechanism_find(slot_location(session->slot), mechanism->mechanism, flag);
    if (found == NULL) {
        return CKR_MECHANISM_INVALID;
    }
    if (!object_open(session, key, &object)) {
        return CKR_KEY_HANDLE_INVALID;
    }
    const psa_algorithm_t policy = psa_get_key_algorithm(&object.attributes);
    operation->type = psa_get_key_type(&object.attributes);
    if (object.class != class || attribute_key_type(operation->type) != found->key_type) {
        return CKR_KEY_TYPE_INCONSISTENT;
    }
    if ((psa_get_key_usage_flags(&object.attributes) & usage_of(found, flag)) == 0 ||
        !mechanism_is_allowed(found, operation->type, policy)) {
        return CKR_KEY_FUNCTION_NOT_PERMITTED;
    }
    operation->key = object.key;
    operation->bits = psa_get_key_bits(&object.attributes);
    operation->alg = found->alg;
    const CK_RV rv = (flag & (CKF_SIGN | CKF_VERIFY)) != 0
                         ? set_signature(operation, mechanism, policy)
                         : cipher_set(operation, mechanism);
    if (rv == CKR_OK) {
        operation->mechanism = found;
    } else {
        operation_end(operation);
    }
    return rv;
}

CK_RV conclude(struct operation *operation, CK_RV rv, bool is_query)
{
    if (rv != CKR_BUFFER_TOO_SMALL && !(rv == CKR_OK && is_query)) {
        operation_end(operation);
    }
    return rv;
}

CK_RV enter_operation(CK_SESSION_HANDLE handle, enum operation_kind kind,
                      struct operation **operation)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    *operation = &session->operations[kind];
    return (*operation)->mechanism != NULL ? CKR_OK : leave(CKR_OPERATION_NOT_INITIALIZED);
}
