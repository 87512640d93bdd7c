/* SPDX-License-Identifier: Apache-2.0 */
#include "token.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/port.h>

#define MAX_SLOTS 64u
/* Failed logins after which a token does not see the PIN again. Some lock at the third. */
#define MAX_TRIES 2u

/* Which process this is. */
struct process {
    uint32_t forks; /* since the first one */
    pid_t id;       /* tells children that were made without the handlers of fork() */
};

/* State of a module. The first of the elements that share a module has it. */
struct module {
    const struct cryptoki_functions *functions; /* null: not loaded */
    struct process process;                     /* that it was initialised in */
    bool is_initialised;
    bool was_initialised; /* stays, also in children, and if another part ends the module */
};

/* State of a token. */
struct token {
    CK_SESSION_HANDLE session; /* CK_INVALID_HANDLE: none is open */
    CK_SLOT_ID slot;           /* of the session */
    CK_ULONG flags;            /* CKF_* of the token */
    unsigned tries[2];         /* failed logins, up to MAX_TRIES: of sessions, of signatures */
};

static struct module modules[CORRAL_PKCS11_DEVICE_COUNT];
static struct token tokens[CORRAL_PKCS11_DEVICE_COUNT];

static uint32_t forks;

static const struct {
    uint16_t result;
    int16_t status;
    bool is_lost;
} statuses[] = {
    {CKR_OK, PSA_SUCCESS, false},
    {CKR_HOST_MEMORY, PSA_ERROR_INSUFFICIENT_MEMORY, false},
    {CKR_SLOT_ID_INVALID, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_ATTRIBUTE_READ_ONLY, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_ATTRIBUTE_SENSITIVE, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_ATTRIBUTE_TYPE_INVALID, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_ATTRIBUTE_VALUE_INVALID, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_ACTION_PROHIBITED, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_DATA_INVALID, PSA_ERROR_INVALID_ARGUMENT, false},
    {CKR_DATA_LEN_RANGE, PSA_ERROR_INVALID_ARGUMENT, false},
    {CKR_DEVICE_MEMORY, PSA_ERROR_INSUFFICIENT_STORAGE, false},
    {CKR_DEVICE_REMOVED, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_ENCRYPTED_DATA_INVALID, PSA_ERROR_INVALID_ARGUMENT, false},
    {CKR_ENCRYPTED_DATA_LEN_RANGE, PSA_ERROR_INVALID_ARGUMENT, false},
    {CKR_FUNCTION_NOT_SUPPORTED, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_KEY_HANDLE_INVALID, PSA_ERROR_INVALID_HANDLE, false},
    {CKR_KEY_SIZE_RANGE, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_KEY_TYPE_INCONSISTENT, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_KEY_FUNCTION_NOT_PERMITTED, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_MECHANISM_INVALID, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_MECHANISM_PARAM_INVALID, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_OBJECT_HANDLE_INVALID, PSA_ERROR_INVALID_HANDLE, false},
    {CKR_OPERATION_ACTIVE, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_OPERATION_NOT_INITIALIZED, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_PIN_INCORRECT, PSA_ERROR_NOT_PERMITTED, true},
    {CKR_PIN_INVALID, PSA_ERROR_NOT_PERMITTED, true},
    {CKR_PIN_LEN_RANGE, PSA_ERROR_NOT_PERMITTED, true},
    {CKR_PIN_EXPIRED, PSA_ERROR_NOT_PERMITTED, true},
    {CKR_PIN_LOCKED, PSA_ERROR_NOT_PERMITTED, true},
    {CKR_SESSION_CLOSED, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_SESSION_COUNT, PSA_ERROR_COMMUNICATION_FAILURE, false},
    {CKR_SESSION_HANDLE_INVALID, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_SESSION_READ_ONLY, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_TEMPLATE_INCOMPLETE, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_TEMPLATE_INCONSISTENT, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_TOKEN_NOT_PRESENT, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_TOKEN_NOT_RECOGNIZED, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_TOKEN_WRITE_PROTECTED, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_USER_ANOTHER_ALREADY_LOGGED_IN, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_USER_NOT_LOGGED_IN, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_USER_PIN_NOT_INITIALIZED, PSA_ERROR_NOT_PERMITTED, true},
    {CKR_RANDOM_NO_RNG, PSA_ERROR_INSUFFICIENT_ENTROPY, false},
    {CKR_DOMAIN_PARAMS_INVALID, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_CURVE_NOT_SUPPORTED, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_BUFFER_TOO_SMALL, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_CRYPTOKI_NOT_INITIALIZED, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_FUNCTION_REJECTED, PSA_ERROR_NOT_PERMITTED, false},
};

/* Whether a result says that the session has ended. Its number may be another session's by now. */
static bool has_ended(CK_RV result)
{
    return result == CKR_SESSION_CLOSED || result == CKR_SESSION_HANDLE_INVALID ||
           result == CKR_DEVICE_REMOVED || result == CKR_TOKEN_NOT_PRESENT ||
           result == CKR_TOKEN_NOT_RECOGNIZED || result == CKR_SLOT_ID_INVALID ||
           result == CKR_CRYPTOKI_NOT_INITIALIZED;
}

/* The first element with the same module: its lock and its state are for all of them. */
static size_t module_of(size_t index)
{
    size_t first = 0;

    while (strcmp(corral_pkcs11_devices[first].module, corral_pkcs11_devices[index].module) != 0) {
        first++;
    }
    return first;
}

psa_status_t pkcs11_status(struct pkcs11_call *call, CK_RV result)
{
    if (has_ended(result)) {
        call->session = CK_INVALID_HANDLE;
    }
    if (result == CKR_CRYPTOKI_NOT_INITIALIZED) {
        /* Another part of this program ended the module; the next call begins anew. */
        modules[module_of(call->device->index)].is_initialised = false;
    }
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].result == result) {
            call->is_lost = call->is_lost || statuses[i].is_lost;
            return statuses[i].status;
        }
    }
    return PSA_ERROR_HARDWARE_FAILURE;
}

psa_status_t pkcs11_lied(struct pkcs11_call *call)
{
    call->is_lost = true;
    return PSA_ERROR_COMMUNICATION_FAILURE;
}

static bool is_complete(const struct cryptoki_functions *functions)
{
    return functions->C_Initialize != NULL && functions->C_Finalize != NULL &&
           functions->C_GetSlotList != NULL && functions->C_GetTokenInfo != NULL &&
           functions->C_OpenSession != NULL && functions->C_CloseSession != NULL &&
           functions->C_GetSessionInfo != NULL && functions->C_Login != NULL &&
           functions->C_CreateObject != NULL && functions->C_DestroyObject != NULL &&
           functions->C_GetAttributeValue != NULL && functions->C_FindObjectsInit != NULL &&
           functions->C_FindObjects != NULL && functions->C_FindObjectsFinal != NULL &&
           functions->C_EncryptInit != NULL && functions->C_Encrypt != NULL &&
           functions->C_DecryptInit != NULL && functions->C_Decrypt != NULL &&
           functions->C_SignInit != NULL && functions->C_Sign != NULL &&
           functions->C_GenerateKey != NULL && functions->C_GenerateKeyPair != NULL &&
           functions->C_DeriveKey != NULL && functions->C_GenerateRandom != NULL;
}

static void count_fork(void)
{
    forks++;
}

/*
 * Count forks from the program's start on: calls of the driver may have locks, for which fork() in
 * another thread waits while it keeps the list of handlers. If there is no memory for the handler,
 * the process's number remains.
 */
__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, count_fork);
}

static struct process this_process(void)
{
    return (struct process){forks, getpid()};
}

static bool is_here(const struct process *process)
{
    return process->forks == forks && process->id == getpid();
}

/* Load a module. It stays loaded, because modules leave threads and handlers behind. */
static const struct cryptoki_functions *load(const char *path)
{
    struct cryptoki_functions *functions = NULL;
    cryptoki_get_functions *get_functions;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        return NULL;
    }
    void *symbol = dlsym(library, "C_GetFunctionList");
    /* C has no conversion between the two kinds of pointers, and POSIX makes them alike. */
    memcpy(&get_functions, &symbol, sizeof get_functions);
    if (symbol == NULL || get_functions(&functions) != CKR_OK || functions == NULL ||
        !is_complete(functions)) {
        dlclose(library);
        return NULL;
    }
    return functions;
}

/* Sessions of before are gone, or are those of a parent process. Their numbers may come again. */
static void forget_sessions(size_t first)
{
    for (size_t i = first; i < CORRAL_PKCS11_DEVICE_COUNT; i++) {
        if (module_of(i) == first) {
            tokens[i].session = CK_INVALID_HANDLE;
        }
    }
}

/*
 * Let the module begin. In a child of the process that did, a module that does not know of fork()
 * believes that it has begun already: it has to end before it begins anew. If it cannot, the child
 * does not use it, because its connections are those of the parent.
 */
static psa_status_t initialise(struct module *module, struct pkcs11_call *call)
{
    struct cryptoki_initialize arguments = {.flags = CKF_OS_LOCKING_OK};
    const bool was_here = module->was_initialised && is_here(&module->process);

    if (module->is_initialised && was_here) {
        return PSA_SUCCESS;
    }
    CK_RV result = module->functions->C_Initialize(&arguments);
    if (result == CKR_CRYPTOKI_ALREADY_INITIALIZED) {
        if (!module->was_initialised || was_here) {
            result = CKR_OK; /* another part of this program uses the module, too */
        } else if (module->functions->C_Finalize(NULL) == CKR_OK) {
            result = module->functions->C_Initialize(&arguments);
        }
    }
    if (result != CKR_OK) {
        const psa_status_t status = pkcs11_status(call, result);
        return status == PSA_ERROR_HARDWARE_FAILURE ? PSA_ERROR_COMMUNICATION_FAILURE : status;
    }
    forget_sessions(module_of(call->device->index));
    module->process = this_process();
    module->is_initialised = true;
    module->was_initialised = true;
    return PSA_SUCCESS;
}

static bool has_label(const struct cryptoki_token_info *info, const char *label)
{
    const size_t length = strlen(label);

    for (size_t i = 0; i < sizeof info->label; i++) {
        if (info->label[i] != (i < length ? (CK_BYTE)label[i] : ' ')) {
            return false;
        }
    }
    return length <= sizeof info->label;
}

/* Find the one slot with the token, and read the information about it. */
static psa_status_t find_slot(struct pkcs11_call *call, CK_SLOT_ID *slot,
                              struct cryptoki_token_info *found)
{
    CK_SLOT_ID slots[MAX_SLOTS];
    CK_ULONG count = 0;
    struct cryptoki_token_info info;
    size_t matches = 0;

    /* Modules look for tokens that were plugged in only if they are asked for a number. */
    psa_status_t status = pkcs11_status(call, call->functions->C_GetSlotList(1, NULL, &count));
    if (status == PSA_SUCCESS) {
        count = MAX_SLOTS;
        status = pkcs11_status(call, call->functions->C_GetSlotList(1, slots, &count));
    }
    if (status == PSA_SUCCESS && count > MAX_SLOTS) {
        status = pkcs11_lied(call);
    }
    for (CK_ULONG i = 0; status == PSA_SUCCESS && i < count; i++) {
        memset(&info, 0, sizeof info);
        if (call->functions->C_GetTokenInfo(slots[i], &info) == CKR_OK &&
            has_label(&info, call->device->token)) {
            *slot = slots[i];
            *found = info;
            matches++;
        }
    }
    if (status == PSA_SUCCESS && matches != 1) {
        status = matches == 0 ? PSA_ERROR_COMMUNICATION_FAILURE : PSA_ERROR_NOT_PERMITTED;
    }
    return status;
}

/* Show the token the PIN as one of CKU_*, and wipe it. */
static CK_RV show_pin(struct pkcs11_call *call, CK_ULONG user, psa_status_t *status)
{
    uint8_t pin[CORRAL_PIN_MAX_SIZE];
    size_t length = 0;
    CK_RV result = CKR_OK;

    *status = corral_port_element_pin(call->device->location, pin, &length);
    if (*status == PSA_SUCCESS && length > sizeof pin) {
        *status = PSA_ERROR_NOT_PERMITTED;
    }
    if (*status == PSA_SUCCESS) {
        result = call->functions->C_Login(call->session, user, pin, length);
    }
    corral_wipe(pin, sizeof pin);
    return result;
}

/* Count a login as one of CKU_*: a result that is not known may be a rejected PIN, too. */
static void count_try(struct token *token, CK_ULONG user, CK_RV result)
{
    unsigned *const tries = &token->tries[user == CKU_USER ? 0 : 1];

    switch (result) {
    case CKR_OK:
        *tries = 0;
        break;
    case CKR_DEVICE_REMOVED: /* of these the PIN was not looked at */
    case CKR_TOKEN_NOT_PRESENT:
    case CKR_SESSION_CLOSED:
    case CKR_SESSION_HANDLE_INVALID:
    case CKR_CRYPTOKI_NOT_INITIALIZED:
    case CKR_HOST_MEMORY:
    case CKR_USER_ANOTHER_ALREADY_LOGGED_IN:
        break;
    case CKR_PIN_INCORRECT:
    case CKR_PIN_INVALID:
    case CKR_PIN_LEN_RANGE:
    case CKR_PIN_EXPIRED:
    case CKR_PIN_LOCKED:
    case CKR_USER_PIN_NOT_INITIALIZED:
        *tries = MAX_TRIES;
        break;
    default:
        ++*tries;
        break;
    }
}

/* Whether a login by the port's PIN is not tried: it could lock the token. */
static bool is_refused(const struct token *token)
{
    const bool has_pad = (token->flags & CKF_PROTECTED_AUTHENTICATION_PATH) != 0;
    const CK_ULONG last = CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED;

    return token->tries[0] >= MAX_TRIES || token->tries[1] >= MAX_TRIES ||
           (!has_pad && (token->flags & last) != 0);
}

/* Log in as one of CKU_*. */
static psa_status_t log_in(struct pkcs11_call *call, struct token *token, CK_ULONG user)
{
    psa_status_t status = PSA_SUCCESS;
    CK_RV result = CKR_OK;

    if (user == CKU_USER && (token->flags & CKF_LOGIN_REQUIRED) == 0) {
        return PSA_SUCCESS;
    }
    if (is_refused(token)) {
        call->is_lost = true;
        return PSA_ERROR_NOT_PERMITTED;
    }
    if ((token->flags & CKF_PROTECTED_AUTHENTICATION_PATH) != 0) {
        result = call->functions->C_Login(call->session, user, NULL, 0);
    } else {
        result = show_pin(call, user, &status);
    }
    if (status == PSA_SUCCESS && result != CKR_USER_ALREADY_LOGGED_IN) {
        count_try(token, user, result);
        status = pkcs11_status(call, result);
    }
    call->is_lost = call->is_lost || status != PSA_SUCCESS;
    return status;
}

/* Open the token's session anew. */
static psa_status_t open_session(struct pkcs11_call *call, struct token *token)
{
    struct cryptoki_token_info info = {0};

    psa_status_t status = find_slot(call, &token->slot, &info);
    if (status != PSA_SUCCESS) {
        return status;
    }
    token->flags = info.flags;
    status = pkcs11_status(call, call->functions->C_OpenSession(token->slot,
                                                                CKF_SERIAL_SESSION | CKF_RW_SESSION,
                                                                NULL, NULL, &call->session));
    if (status != PSA_SUCCESS) {
        call->session = CK_INVALID_HANDLE;
        return status;
    }
    if (call->session == CK_INVALID_HANDLE) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    token->session = call->session;
    call->is_new = true;
    return log_in(call, token, CKU_USER);
}

/* Whether a session can be the one that open_session() opened for this token. */
static bool is_ours(const struct token *token, const struct cryptoki_session_info *info)
{
    return info->slot == token->slot && (info->flags & CKF_RW_SESSION) != 0;
}

/*
 * Read about the session of the call before; false if it cannot be used any more. Other parts of
 * this program, and tokens that are pulled, end sessions; then its number may be that of another
 * one: of another token, or one that only reads.
 */
static bool look_at_session(struct pkcs11_call *call, const struct token *token,
                            struct cryptoki_session_info *info)
{
    if (token->session == CK_INVALID_HANDLE) {
        return false;
    }
    const CK_RV result = call->functions->C_GetSessionInfo(token->session, info);
    if (result != CKR_OK && !has_ended(result)) {
        (void)call->functions->C_CloseSession(token->session);
    }
    return result == CKR_OK && is_ours(token, info);
}

/* Log in within a session that was there before. The token may have fewer tries left now. */
static psa_status_t log_in_again(struct pkcs11_call *call, struct token *token, CK_ULONG user)
{
    struct cryptoki_token_info info = {0};

    const psa_status_t status =
        pkcs11_status(call, call->functions->C_GetTokenInfo(token->slot, &info));
    if (status != PSA_SUCCESS) {
        call->is_lost = true; /* with the signature that may wait for the login */
        return status;
    }
    token->flags = info.flags;
    return log_in(call, token, user);
}

/* Take up the session of the call before, or open one. */
static psa_status_t begin_session(struct pkcs11_call *call, struct token *token)
{
    struct cryptoki_session_info info = {0};

    if (!look_at_session(call, token, &info)) {
        token->session = CK_INVALID_HANDLE;
        return open_session(call, token);
    }
    call->session = token->session;
    /* Another part of this program may have logged out. */
    return info.state == CKS_RW_USER_FUNCTIONS ? PSA_SUCCESS : log_in_again(call, token, CKU_USER);
}

psa_status_t pkcs11_open(struct pkcs11_call *call, size_t index)
{
    const size_t first = module_of(index);
    struct module *module = &modules[first];
    struct token *token = &tokens[index];

    *call = (struct pkcs11_call){
        .device = &corral_pkcs11_devices[index],
        .session = CK_INVALID_HANDLE,
        .lock = CORRAL_LOCK_DEVICE(first),
    };
    corral_lock_enter(call->lock);
    if (module->functions == NULL) {
        module->functions = load(call->device->module);
    }
    if (module->functions == NULL) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    call->functions = module->functions;
    psa_status_t status = initialise(module, call);
    if (status == PSA_SUCCESS) {
        status = begin_session(call, token);
    }
    /* No key was named: that would mean that it does not exist. */
    return status == PSA_ERROR_INVALID_HANDLE ? pkcs11_lied(call) : status;
}

psa_status_t pkcs11_confirm(struct pkcs11_call *call)
{
    const struct token *token = &tokens[call->device->index];
    struct cryptoki_session_info info = {0};

    const psa_status_t status =
        pkcs11_status(call, call->functions->C_GetSessionInfo(call->session, &info));
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (!is_ours(token, &info)) {
        call->session = CK_INVALID_HANDLE;
        return pkcs11_lied(call);
    }
    return (token->flags & CKF_LOGIN_REQUIRED) == 0 || info.state == CKS_RW_USER_FUNCTIONS
               ? PSA_SUCCESS
               : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t pkcs11_authenticate(struct pkcs11_call *call)
{
    return log_in_again(call, &tokens[call->device->index], CKU_CONTEXT_SPECIFIC);
}

psa_status_t pkcs11_close(struct pkcs11_call *call, psa_status_t status)
{
    const unsigned lock = call->lock;

    if (call->is_lost) {
        if (call->session != CK_INVALID_HANDLE) {
            (void)call->functions->C_CloseSession(call->session);
        }
        tokens[call->device->index].session = CK_INVALID_HANDLE;
    }
    corral_wipe(call, sizeof *call);
    corral_lock_leave(lock);
    return status;
}
