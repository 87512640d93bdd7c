/* SPDX-License-Identifier: Apache-2.0 */
/* Digests, and random numbers. */
#include "module.h"

static CK_RV digest_init(const struct session *session, struct operation *operation,
                         const CK_MECHANISM *mechanism)
{
    if (operation->mechanism != NULL) {
        return CKR_OPERATION_ACTIVE;
    }
    if (mechanism == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    const struct mechanism *found =
        mechanism_find(slot_location(session->slot), mechanism->mechanism, CKF_DIGEST);
    if (found == NULL) {
        return CKR_MECHANISM_INVALID;
    }
    if (mechanism->ulParameterLen != 0) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    const psa_status_t status = psa_hash_setup(&operation->hash, found->alg);
    if (status == PSA_SUCCESS) {
        operation->mechanism = found;
    }
    return rv_of(status);
}

CK_RV C_DigestInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv : leave(digest_init(session, &session->operations[DIGEST], mechanism));
}

/* Add data, if there is any, and finish. */
static CK_RV digest(struct operation *operation, const uint8_t *data, CK_ULONG size,
                    uint8_t *output, CK_ULONG *length)
{
    size_t made = 0;
    CK_RV rv;

    if (length == NULL || (data == NULL && size > 0)) {
        return CKR_ARGUMENTS_BAD;
    }
    if (needs_room(output, length, PSA_HASH_LENGTH(operation->mechanism->alg), &rv)) {
        return rv;
    }
    psa_status_t status = psa_hash_update(&operation->hash, data, size);
    if (status == PSA_SUCCESS) {
        status = psa_hash_finish(&operation->hash, output, *length, &made);
    }
    *length = made;
    return rv_of(status);
}

CK_RV C_Digest(CK_SESSION_HANDLE handle, unsigned char *data, CK_ULONG size, unsigned char *output,
               CK_ULONG *length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, DIGEST, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = operation->in_parts ? CKR_OPERATION_ACTIVE : digest(operation, data, size, output, length);
    return leave(conclude(operation, rv, output == NULL));
}

CK_RV C_DigestUpdate(CK_SESSION_HANDLE handle, unsigned char *data, CK_ULONG size)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, DIGEST, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = data == NULL && size > 0 ? CKR_ARGUMENTS_BAD
                                  : rv_of(psa_hash_update(&operation->hash, data, size));
    operation->in_parts = true;
    return leave(conclude(operation, rv, true));
}

CK_RV C_DigestFinal(CK_SESSION_HANDLE handle, unsigned char *output, CK_ULONG *length)
{
    struct operation *operation;
    CK_RV rv = enter_operation(handle, DIGEST, &operation);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = digest(operation, NULL, 0, output, length);
    return leave(conclude(operation, rv, output == NULL));
}

CK_RV C_GenerateRandom(CK_SESSION_HANDLE handle, unsigned char *output, CK_ULONG size)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (output == NULL && size > 0) {
        return leave(CKR_ARGUMENTS_BAD);
    }
    return leave(rv_of(psa_generate_random(output, size)));
}

/* The generator takes entropy only from the port. */
CK_RV C_SeedRandom(CK_SESSION_HANDLE handle, unsigned char *seed, CK_ULONG length)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    return leave(seed == NULL && length > 0 ? CKR_ARGUMENTS_BAD : CKR_RANDOM_SEED_NOT_SUPPORTED);
}
