/* SPDX-License-Identifier: Apache-2.0 */
#include "tpm.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tss2/tss2_sys.h>
#include <tss2/tss2_tctildr.h>

#include <corral/driver.h>
#include <corral/lock.h>

/* First handles of objects and sessions; the macros of tpm2-tss shift into the sign. */
#define FIRST_OBJECT 0x80000000u
#define FIRST_SESSION 0x02000000u
/* A result of the TPM without the number of the parameter, handle or session that it is about. */
#define FORMAT_ONE 0x80u
#define FORMAT_ONE_CODE 0xbfu

static const struct {
    uint16_t result;
    int16_t status;
} statuses[] = {
    {TPM2_RC_ASYMMETRIC, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_HASH, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_VALUE, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_KEY_SIZE, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_TYPE, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_SCHEME, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_CURVE, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_COMMAND_CODE, PSA_ERROR_NOT_SUPPORTED},
    {TPM2_RC_ECC_POINT, PSA_ERROR_INVALID_ARGUMENT},
    {TPM2_RC_INTEGRITY, PSA_ERROR_DATA_CORRUPT},
    {TPM2_RC_BINDING, PSA_ERROR_DATA_CORRUPT},
    {TPM2_RC_AUTH_FAIL, PSA_ERROR_NOT_PERMITTED},
    {TPM2_RC_BAD_AUTH, PSA_ERROR_NOT_PERMITTED},
    {TPM2_RC_HIERARCHY, PSA_ERROR_NOT_PERMITTED},
    {TPM2_RC_DISABLED, PSA_ERROR_NOT_PERMITTED},
    {TPM2_RC_LOCKOUT, PSA_ERROR_NOT_PERMITTED},
    {TPM2_RC_MEMORY, PSA_ERROR_INSUFFICIENT_MEMORY},
    {TPM2_RC_OBJECT_MEMORY, PSA_ERROR_INSUFFICIENT_MEMORY},
    {TPM2_RC_OBJECT_HANDLES, PSA_ERROR_INSUFFICIENT_MEMORY},
    {TPM2_RC_SESSION_MEMORY, PSA_ERROR_INSUFFICIENT_MEMORY},
    {TPM2_RC_SESSION_HANDLES, PSA_ERROR_INSUFFICIENT_MEMORY},
    {TPM2_RC_INITIALIZE, PSA_ERROR_COMMUNICATION_FAILURE},
};

/* The status for a result of the TPM itself. */
static psa_status_t status_of(TSS2_RC result)
{
    const TSS2_RC code = (result & FORMAT_ONE) != 0 ? result & FORMAT_ONE_CODE : result;

    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].result == code) {
            return statuses[i].status;
        }
    }
    return PSA_ERROR_HARDWARE_FAILURE;
}

psa_status_t tpm2_status(struct tpm2_call *call, TSS2_RC result)
{
    const TSS2_RC layer = result & TSS2_RC_LAYER_MASK;
    const TSS2_RC code = result & ~TSS2_RC_LAYER_MASK;

    if (result == TSS2_RC_SUCCESS) {
        return PSA_SUCCESS;
    }
    call->has_failed = true;
    if (layer == TSS2_TPM_RC_LAYER || layer == TSS2_RESMGR_TPM_RC_LAYER) {
        return status_of(code);
    }
    /* The rest are connections that break, and answers that no TPM gives, or that were altered. */
    return code == TSS2_BASE_RC_MEMORY ? PSA_ERROR_INSUFFICIENT_MEMORY
                                       : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t tpm2_status_of_data(struct tpm2_call *call, TSS2_RC result, psa_status_t malformed)
{
    static const uint16_t codes[] = {TPM2_RC_VALUE,  TPM2_RC_SIZE,     TPM2_RC_TYPE,
                                     TPM2_RC_CURVE,  TPM2_RC_HASH,     TPM2_RC_INSUFFICIENT,
                                     TPM2_RC_SCHEME, TPM2_RC_NO_RESULT};
    const psa_status_t status = tpm2_status(call, result);
    const TSS2_RC layer = result & TSS2_RC_LAYER_MASK;
    const TSS2_RC code = (result & FORMAT_ONE) != 0 ? result & FORMAT_ONE_CODE : result;

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (layer == TSS2_TPM_RC_LAYER && codes[i] == code) {
            return malformed;
        }
    }
    return status;
}

void tpm2_free(void *structure, size_t size)
{
    if (structure != NULL) {
        corral_wipe(structure, size);
        Esys_Free(structure);
    }
}

psa_status_t tpm2_number(uint8_t *output, size_t size, const uint8_t *number, size_t length)
{
    uint8_t any = 0;

    if (length > size) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    memset(output, 0, size - length);
    memcpy(output + (size - length), number, length);
    for (size_t i = 0; i < length; i++) {
        any |= number[i];
    }
    return any != 0 ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

/*
 * Block the thread's signals. tpm2-tss writes to sockets, and one that is closed must not end the
 * process. It also takes a wait that a handler interrupts for a failure. Signals of errors and
 * those that end a program stay.
 */
static void hold_signals(struct tpm2_call *call)
{
    static const int stay[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGINT, SIGQUIT, SIGTERM};
    sigset_t held;
    sigset_t pending;

    sigfillset(&held);
    for (size_t i = 0; i < sizeof stay / sizeof stay[0]; i++) {
        sigdelset(&held, stay[i]);
    }
    sigemptyset(&pending);
    (void)sigpending(&pending);
    call->is_pipe_ours = sigismember(&pending, SIGPIPE) == 0;
    (void)pthread_sigmask(SIG_BLOCK, &held, &call->mask);
}

static void release_signals(struct tpm2_call *call)
{
    const struct timespec now = {0};
    sigset_t pipe;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (call->is_pipe_ours) {
        (void)sigtimedwait(&pipe, NULL, &now);
    }
    (void)pthread_sigmask(SIG_SETMASK, &call->mask, NULL);
}

/* Whether others use the TPM at the same time, so that not all in it is of this driver. */
static bool is_shared(const char *tcti)
{
    return strstr(tcti, "tpmrm") != NULL || strstr(tcti, "tabrmd") != NULL;
}

/*
 * The string for tpm2-tss; null: the variable that has it is not set, or the program has more
 * rights than its user, who could name a library to load. An empty string is not passed on:
 * tpm2-tss would look for any TPM, and in the end for a server on this computer.
 */
static const char *tcti_of(const struct tpm2_device *device)
{
    const char *found = device->tcti[0] == '$' ? secure_getenv(device->tcti + 1) : device->tcti;

    return found == NULL || found[0] == '\0' ? NULL : found;
}

/* Remove all objects or sessions from `first` on. */
static void flush_from(struct tpm2_call *call, TSS2_SYS_CONTEXT *sys, TPM2_HANDLE first)
{
    TPMI_YES_NO has_more = TPM2_NO;
    TPMS_CAPABILITY_DATA found = {0};

    if (tpm2_status(call, Tss2_Sys_GetCapability(sys, NULL, TPM2_CAP_HANDLES, first,
                                                 TPM2_MAX_CAP_HANDLES, &has_more, &found, NULL)) !=
            PSA_SUCCESS ||
        found.capability != TPM2_CAP_HANDLES) {
        return;
    }
    for (UINT32 i = 0; i < found.data.handles.count && i < TPM2_MAX_CAP_HANDLES; i++) {
        (void)tpm2_status(call, Tss2_Sys_FlushContext(sys, found.data.handles.handle[i]));
    }
}

/* Remove what a process that was killed, or a call that failed, left in the TPM. */
static void flush_all(struct tpm2_call *call)
{
    TSS2_SYS_CONTEXT *sys = NULL;

    if (Esys_GetSysContext(call->esys, &sys) == TSS2_RC_SUCCESS) {
        flush_from(call, sys, FIRST_OBJECT);
        flush_from(call, sys, FIRST_SESSION);
    }
}

/*
 * Derive the storage key. It depends on the owner's seed and on this template only, which is that
 * of the TCG's "SRK" for ECC.
 */
static psa_status_t derive_storage_key(struct tpm2_call *call)
{
    static const TPM2B_SENSITIVE_CREATE sensitive = {0};
    static const TPM2B_DATA outside = {0};
    static const TPML_PCR_SELECTION registers = {0};
    static const TPM2B_PUBLIC template = {
        .publicArea =
            {
                .type = TPM2_ALG_ECC,
                .nameAlg = TPM2_ALG_SHA256,
                .objectAttributes = TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT |
                                    TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                                    TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH |
                                    TPMA_OBJECT_NODA,
                .parameters.eccDetail =
                    {
                        .symmetric = {.algorithm = TPM2_ALG_AES,
                                      .keyBits.aes = 128,
                                      .mode.aes = TPM2_ALG_CFB},
                        .scheme.scheme = TPM2_ALG_NULL,
                        .curveID = TPM2_ECC_NIST_P256,
                        .kdf.scheme = TPM2_ALG_NULL,
                    },
                .unique.ecc = {.x.size = 32, .y.size = 32},
            },
    };
    TPM2B_NAME *name = NULL;

    psa_status_t status = tpm2_status(
        call, Esys_CreatePrimary(call->esys, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                                 ESYS_TR_NONE, &sensitive, &template, &outside, &registers,
                                 &call->storage, NULL, NULL, NULL, NULL));
    if (status != PSA_SUCCESS) {
        call->storage = ESYS_TR_NONE;
        return status;
    }
    status = tpm2_status(call, Esys_TR_GetName(call->esys, call->storage, &name));
    if (status == PSA_SUCCESS && name->size != sizeof call->name) {
        call->has_failed = true;
        status = PSA_ERROR_COMMUNICATION_FAILURE;
    }
    if (status == PSA_SUCCESS) {
        memcpy(call->name, name->name, sizeof call->name);
    }
    Esys_Free(name);
    return status;
}

/* Open the session by which answers are authentic, and the first parameters secret. */
static psa_status_t open_session(struct tpm2_call *call)
{
    static const TPMT_SYM_DEF cipher = {
        .algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};
    const TPMA_SESSION uses =
        TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT;

    const psa_status_t status = tpm2_status(
        call, Esys_StartAuthSession(call->esys, call->storage, ESYS_TR_NONE, ESYS_TR_NONE,
                                    ESYS_TR_NONE, ESYS_TR_NONE, NULL, TPM2_SE_HMAC, &cipher,
                                    TPM2_ALG_SHA256, &call->session));
    if (status != PSA_SUCCESS) {
        call->session = ESYS_TR_NONE;
        return status;
    }
    return tpm2_status(call, Esys_TRSess_SetAttributes(call->esys, call->session, uses, 0xff));
}

/*
 * Keep the connection from programs that another thread starts: tpm2-tss opens it for them, too.
 * Not every module of it names its descriptors.
 */
static void close_on_exec(TSS2_TCTI_CONTEXT *tcti)
{
    TSS2_TCTI_POLL_HANDLE handles[4];
    size_t count = sizeof handles / sizeof handles[0];

    if (Tss2_Tcti_GetPollHandles(tcti, handles, &count) == TSS2_RC_SUCCESS) {
        for (size_t i = 0; i < count; i++) {
            (void)fcntl(handles[i].fd, F_SETFD, FD_CLOEXEC);
        }
    }
}

static psa_status_t begin_connection(struct tpm2_call *call)
{
    if (call->name_of_tcti == NULL ||
        Tss2_TctiLdr_Initialize(call->name_of_tcti, &call->tcti) != TSS2_RC_SUCCESS) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    close_on_exec(call->tcti);
    return tpm2_status(call, Esys_Initialize(&call->esys, call->tcti, NULL));
}

static void end_connection(struct tpm2_call *call)
{
    TSS2_SYS_CONTEXT *sys = NULL;

    if (call->esys != NULL) {
        /* It has the last command and answer, decrypted, and tpm2-tss only frees it. */
        if (Esys_GetSysContext(call->esys, &sys) == TSS2_RC_SUCCESS) {
            corral_wipe(sys, Tss2_Sys_GetContextSize(0));
        }
        Esys_Finalize(&call->esys);
    }
    if (call->tcti != NULL) {
        Tss2_TctiLdr_Finalize(&call->tcti);
    }
}

psa_status_t tpm2_open(struct tpm2_call *call, size_t index)
{
    *call = (struct tpm2_call){
        .device = &corral_tpm2_devices[index],
        .storage = ESYS_TR_NONE,
        .session = ESYS_TR_NONE,
        .key = ESYS_TR_NONE,
        .lock = CORRAL_LOCK_DEVICE(index),
    };
    corral_lock_enter(call->lock);
    hold_signals(call);
    call->name_of_tcti = tcti_of(call->device);
    psa_status_t status = begin_connection(call);
    if (status == PSA_SUCCESS && !is_shared(call->name_of_tcti)) {
        flush_all(call);
    }
    if (status == PSA_SUCCESS) {
        status = derive_storage_key(call);
    }
    return status == PSA_SUCCESS ? open_session(call) : status;
}

static void flush(struct tpm2_call *call, ESYS_TR object)
{
    if (object != ESYS_TR_NONE) {
        (void)tpm2_status(call, Esys_FlushContext(call->esys, object));
    }
}

/*
 * Remove what a call that failed may have left: an answer that was lost or altered may have been
 * about an object that is there now. The connection may be of no use any more.
 */
static void clean_up(struct tpm2_call *call)
{
    end_connection(call);
    if (begin_connection(call) == PSA_SUCCESS) {
        flush_all(call);
    }
}

psa_status_t tpm2_close(struct tpm2_call *call, psa_status_t status)
{
    const unsigned lock = call->lock;

    if (call->esys != NULL) {
        flush(call, call->key);
        flush(call, call->session);
        flush(call, call->storage);
        if (call->has_failed && !is_shared(call->name_of_tcti)) {
            clean_up(call);
        }
    }
    end_connection(call);
    release_signals(call);
    corral_wipe(call, sizeof *call);
    corral_lock_leave(lock);
    return status;
}
