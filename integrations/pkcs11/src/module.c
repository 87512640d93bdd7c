/* SPDX-License-Identifier: Apache-2.0 */
/* Beginning and end of the module, its lock, and its table of functions. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <string.h>

#include <corral/version.h>

#include "module.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_initialized;
static bool is_prepared_for_fork;

CK_RV enter(void)
{
    if (pthread_mutex_lock(&lock) != 0) {
        return CKR_GENERAL_ERROR;
    }
    return is_initialized ? CKR_OK : leave(CKR_CRYPTOKI_NOT_INITIALIZED);
}

CK_RV leave(CK_RV rv)
{
    (void)pthread_mutex_unlock(&lock);
    return rv;
}

CK_RV enter_session(CK_SESSION_HANDLE handle, struct session **session)
{
    const CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    *session = session_find(handle);
    return *session != NULL ? CKR_OK : leave(CKR_SESSION_HANDLE_INVALID);
}

CK_RV rv_of(psa_status_t status)
{
    switch (status) {
    case PSA_SUCCESS:
        return CKR_OK;
    case PSA_ERROR_NOT_PERMITTED:
        return CKR_KEY_FUNCTION_NOT_PERMITTED;
    case PSA_ERROR_INVALID_HANDLE:
        return CKR_KEY_HANDLE_INVALID;
    case PSA_ERROR_NOT_SUPPORTED:
        return CKR_MECHANISM_INVALID;
    case PSA_ERROR_INVALID_SIGNATURE:
        return CKR_SIGNATURE_INVALID;
    case PSA_ERROR_INSUFFICIENT_MEMORY:
        return CKR_HOST_MEMORY;
    case PSA_ERROR_INSUFFICIENT_STORAGE:
        return CKR_DEVICE_MEMORY;
    case PSA_ERROR_COMMUNICATION_FAILURE:
    case PSA_ERROR_HARDWARE_FAILURE:
    case PSA_ERROR_STORAGE_FAILURE:
    case PSA_ERROR_DATA_CORRUPT:
    case PSA_ERROR_DATA_INVALID:
        return CKR_DEVICE_ERROR;
    case PSA_ERROR_INSUFFICIENT_ENTROPY:
        return CKR_RANDOM_NO_RNG;
    default:
        return CKR_FUNCTION_FAILED;
    }
}

static void before_fork(void)
{
    (void)pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* A child is no user of the module until it initializes it (PKCS#11 base 2.40, 2.5.2). */
static void after_fork_in_child(void)
{
    is_initialized = false;
    (void)pthread_mutex_unlock(&lock);
}

/*
 * After psa_crypto_init(), whose port may have handlers of its own: those that come later run
 * first, and this lock is taken before the port's.
 */
static CK_RV prepare_for_fork(void)
{
    if (!is_prepared_for_fork &&
        pthread_atfork(before_fork, after_fork, after_fork_in_child) != 0) {
        return CKR_HOST_MEMORY;
    }
    is_prepared_for_fork = true;
    return CKR_OK;
}

/* Whether the locks of the system, which this module has, are permitted. */
static CK_RV check_arguments(const CK_C_INITIALIZE_ARGS *arguments)
{
    if (arguments == NULL) {
        return CKR_OK;
    }
    const unsigned functions = (arguments->CreateMutex != NULL) + 0u +
                               (arguments->DestroyMutex != NULL) + (arguments->LockMutex != NULL) +
                               (arguments->UnlockMutex != NULL);
    if (arguments->pReserved != NULL || (functions != 0 && functions != 4)) {
        return CKR_ARGUMENTS_BAD;
    }
    return functions == 4 && (arguments->flags & CKF_OS_LOCKING_OK) == 0 ? CKR_CANT_LOCK : CKR_OK;
}

static CK_RV initialize(void)
{
    if (is_initialized) {
        return CKR_CRYPTOKI_ALREADY_INITIALIZED;
    }
    sessions_close_all(); /* those of the parent of this process */
    const psa_status_t status = psa_crypto_init();
    const CK_RV rv = status == PSA_SUCCESS ? prepare_for_fork() : rv_of(status);
    is_initialized = rv == CKR_OK;
    return rv;
}

CK_RV C_Initialize(void *arguments)
{
    const CK_RV rv = check_arguments(arguments);

    if (rv != CKR_OK) {
        return rv;
    }
    return pthread_mutex_lock(&lock) == 0 ? leave(initialize()) : CKR_GENERAL_ERROR;
}

CK_RV C_Finalize(void *reserved)
{
    if (reserved != NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    const CK_RV rv = enter();
    if (rv != CKR_OK) {
        return rv;
    }
    sessions_close_all();
    is_initialized = false;
    return leave(CKR_OK);
}

CK_RV C_GetInfo(CK_INFO *info)
{
    static const CK_INFO ours = {
        .cryptokiVersion = {2, 40},
        .manufacturerID = "Corral                          ",
        .libraryDescription = "PKCS#11 over PSA Crypto         ",
        .libraryVersion = {CORRAL_VERSION_MAJOR, CORRAL_VERSION_MINOR},
    };
    const CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    if (info == NULL) {
        return leave(CKR_ARGUMENTS_BAD);
    }
    *info = ours;
    return leave(CKR_OK);
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list)
{
    static CK_FUNCTION_LIST functions = {
        {2, 40},
        C_Initialize,
        C_Finalize,
        C_GetInfo,
        C_GetFunctionList,
        C_GetSlotList,
        C_GetSlotInfo,
        C_GetTokenInfo,
        C_GetMechanismList,
        C_GetMechanismInfo,
        C_InitToken,
        C_InitPIN,
        C_SetPIN,
        C_OpenSession,
        C_CloseSession,
        C_CloseAllSessions,
        C_GetSessionInfo,
        C_GetOperationState,
        C_SetOperationState,
        C_Login,
        C_Logout,
        C_CreateObject,
        C_CopyObject,
        C_DestroyObject,
        C_GetObjectSize,
        C_GetAttributeValue,
        C_SetAttributeValue,
        C_FindObjectsInit,
        C_FindObjects,
        C_FindObjectsFinal,
        C_EncryptInit,
        C_Encrypt,
        C_EncryptUpdate,
        C_EncryptFinal,
        C_DecryptInit,
        C_Decrypt,
        C_DecryptUpdate,
        C_DecryptFinal,
        C_DigestInit,
        C_Digest,
        C_DigestUpdate,
        C_DigestKey,
        C_DigestFinal,
        C_SignInit,
        C_Sign,
        C_SignUpdate,
        C_SignFinal,
        C_SignRecoverInit,
        C_SignRecover,
        C_VerifyInit,
        C_Verify,
        C_VerifyUpdate,
        C_VerifyFinal,
        C_VerifyRecoverInit,
        C_VerifyRecover,
        C_DigestEncryptUpdate,
        C_DecryptDigestUpdate,
        C_SignEncryptUpdate,
        C_DecryptVerifyUpdate,
        C_GenerateKey,
        C_GenerateKeyPair,
        C_WrapKey,
        C_UnwrapKey,
        C_DeriveKey,
        C_SeedRandom,
        C_GenerateRandom,
        C_GetFunctionStatus,
        C_CancelFunction,
        C_WaitForSlotEvent,
    };

    if (list == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    *list = &functions;
    return CKR_OK;
}
