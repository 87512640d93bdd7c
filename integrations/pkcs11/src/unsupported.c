/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the module does not have. */
#include "module.h"

/* Parameters have names only because C11 demands it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

typedef CK_SESSION_HANDLE session_t;
typedef CK_OBJECT_HANDLE object_t;
typedef unsigned char byte;

#define UNSUPPORTED(name, parameters)                                                              \
    CK_RV name parameters                                                                          \
    {                                                                                              \
        return CKR_FUNCTION_NOT_SUPPORTED;                                                         \
    }

UNSUPPORTED(C_InitToken, (CK_SLOT_ID slot, byte *pin, CK_ULONG length, byte *label))
UNSUPPORTED(C_InitPIN, (session_t session, byte *pin, CK_ULONG length))
UNSUPPORTED(C_SetPIN,
            (session_t session, byte *old, CK_ULONG old_length, byte *pin, CK_ULONG length))
UNSUPPORTED(C_GetOperationState, (session_t session, byte *state, CK_ULONG *length))
UNSUPPORTED(C_SetOperationState, (session_t session, byte *state, CK_ULONG length,
                                  object_t encryption, object_t authentication))
UNSUPPORTED(C_CopyObject, (session_t session, object_t object, CK_ATTRIBUTE *attributes,
                           CK_ULONG count, object_t *copy))
UNSUPPORTED(C_GetObjectSize, (session_t session, object_t object, CK_ULONG *size))
UNSUPPORTED(C_DigestKey, (session_t session, object_t key))
UNSUPPORTED(C_SignRecoverInit, (session_t session, CK_MECHANISM *mechanism, object_t key))
UNSUPPORTED(C_SignRecover,
            (session_t session, byte *data, CK_ULONG size, byte *signature, CK_ULONG *length))
UNSUPPORTED(C_VerifyRecoverInit, (session_t session, CK_MECHANISM *mechanism, object_t key))
UNSUPPORTED(C_VerifyRecover,
            (session_t session, byte *signature, CK_ULONG size, byte *data, CK_ULONG *length))
UNSUPPORTED(C_DigestEncryptUpdate,
            (session_t session, byte *part, CK_ULONG size, byte *output, CK_ULONG *length))
UNSUPPORTED(C_DecryptDigestUpdate,
            (session_t session, byte *part, CK_ULONG size, byte *output, CK_ULONG *length))
UNSUPPORTED(C_SignEncryptUpdate,
            (session_t session, byte *part, CK_ULONG size, byte *output, CK_ULONG *length))
UNSUPPORTED(C_DecryptVerifyUpdate,
            (session_t session, byte *part, CK_ULONG size, byte *output, CK_ULONG *length))
UNSUPPORTED(C_WrapKey, (session_t session, CK_MECHANISM *mechanism, object_t wrapping, object_t key,
                        byte *wrapped, CK_ULONG *length))
UNSUPPORTED(C_UnwrapKey,
            (session_t session, CK_MECHANISM *mechanism, object_t unwrapping, byte *wrapped,
             CK_ULONG size, CK_ATTRIBUTE *attributes, CK_ULONG count, object_t *key))
UNSUPPORTED(C_DeriveKey, (session_t session, CK_MECHANISM *mechanism, object_t base,
                          CK_ATTRIBUTE *attributes, CK_ULONG count, object_t *key))

CK_RV C_GetFunctionStatus(session_t session)
{
    return CKR_FUNCTION_NOT_PARALLEL;
}

CK_RV C_CancelFunction(session_t session)
{
    return CKR_FUNCTION_NOT_PARALLEL;
}
