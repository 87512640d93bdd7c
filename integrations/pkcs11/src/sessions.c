/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions. A user is logged in to each, because there is no PIN. */
#include <stdlib.h>

#include "module.h"

static struct session *sessions;
static CK_SESSION_HANDLE last_handle;

struct session *session_find(CK_SESSION_HANDLE handle)
{
    struct session *session = sessions;

    while (session != NULL && session->handle != handle) {
        session = session->next;
    }
    return session;
}

/* End a session that is in no list any more. */
static void end(struct session *session)
{
    for (size_t i = 0; i < OPERATIONS; i++) {
        operation_end(&session->operations[i]);
    }
    session_keys_destroy(session->handle);
    free(session->found);
    free(session);
}

/* Close the sessions that are wanted: one of this handle or, if it is 0, all of the slot. */
static bool close_sessions(CK_SESSION_HANDLE handle, CK_SLOT_ID slot)
{
    struct session **at = &sessions;
    bool is_any = false;

    while (*at != NULL) {
        struct session *session = *at;
        if (handle != 0 ? session->handle == handle : session->slot == slot) {
            *at = session->next;
            end(session);
            is_any = true;
        } else {
            at = &session->next;
        }
    }
    return is_any;
}

void sessions_close_all(void)
{
    while (sessions != NULL) {
        (void)close_sessions(sessions->handle, 0);
    }
}

static CK_RV open_session(CK_SLOT_ID slot, CK_FLAGS flags, CK_SESSION_HANDLE *handle)
{
    if (!slot_exists(slot)) {
        return CKR_SLOT_ID_INVALID;
    }
    if (handle == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    if (!token_is_present()) {
        return CKR_TOKEN_NOT_PRESENT;
    }
    if ((flags & CKF_SERIAL_SESSION) == 0) {
        return CKR_SESSION_PARALLEL_NOT_SUPPORTED;
    }
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return CKR_HOST_MEMORY;
    }
    session->handle = ++last_handle;
    session->slot = slot;
    session->is_writable = (flags & CKF_RW_SESSION) != 0;
    session->next = sessions;
    sessions = session;
    *handle = session->handle;
    return CKR_OK;
}

CK_RV C_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
                    CK_SESSION_HANDLE *handle)
{
    const CK_RV rv = enter();

    (void)application;
    (void)notify; /* nothing is ever reported */
    return rv != CKR_OK ? rv : leave(open_session(slot, flags, handle));
}

CK_RV C_CloseSession(CK_SESSION_HANDLE handle)
{
    const CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    return leave(handle != 0 && close_sessions(handle, 0) ? CKR_OK : CKR_SESSION_HANDLE_INVALID);
}

CK_RV C_CloseAllSessions(CK_SLOT_ID slot)
{
    const CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    if (!slot_exists(slot)) {
        return leave(CKR_SLOT_ID_INVALID);
    }
    (void)close_sessions(0, slot);
    return leave(CKR_OK);
}

CK_RV C_GetSessionInfo(CK_SESSION_HANDLE handle, CK_SESSION_INFO *info)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (info == NULL) {
        return leave(CKR_ARGUMENTS_BAD);
    }
    info->slotID = session->slot;
    info->state = session->is_writable ? CKS_RW_USER_FUNCTIONS : CKS_RO_USER_FUNCTIONS;
    info->flags = CKF_SERIAL_SESSION | (session->is_writable ? CKF_RW_SESSION : 0);
    info->ulDeviceError = 0;
    return leave(CKR_OK);
}

CK_RV C_Login(CK_SESSION_HANDLE handle, CK_USER_TYPE user, unsigned char *pin, CK_ULONG length)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    (void)pin;
    (void)length;
    if (rv != CKR_OK) {
        return rv;
    }
    if (user != CKU_USER && user != CKU_SO && user != CKU_CONTEXT_SPECIFIC) {
        return leave(CKR_USER_TYPE_INVALID);
    }
    return leave(user == CKU_USER ? CKR_USER_ALREADY_LOGGED_IN : CKR_FUNCTION_NOT_SUPPORTED);
}

CK_RV C_Logout(CK_SESSION_HANDLE handle)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv : leave(CKR_OK);
}
