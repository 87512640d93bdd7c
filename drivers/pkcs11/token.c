/* SPDX-License-Identifier: Apache-2.0 */
#include "token.h"

#include <dlfcn.h>
#include <string.h>

#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/port.h>

#define MAX_SLOTS 64u

/* State of a module. The first of the elements that share a module has it. */
struct module {
    const struct cryptoki_functions *functions; /* null: not loaded */
    uint32_t generation;                        /* of the memory in which it was initialised */
    bool is_initialised;
};

/* State of a token. */
struct token {
    CK_SESSION_HANDLE session; /* CK_INVALID_HANDLE: none is open */
    uint32_t generation;       /* of the memory that opened it */
    bool is_refused;           /* it rejected the PIN: another attempt could lock it */
};

static struct module modules[CORRAL_PKCS11_DEVICE_COUNT];
static struct token tokens[CORRAL_PKCS11_DEVICE_COUNT];

static const struct {
    uint16_t result;
    int16_t status;
    bool is_lost;
} statuses[] = {
    {CKR_OK, PSA_SUCCESS, false},
    {CKR_HOST_MEMORY, PSA_ERROR_INSUFFICIENT_MEMORY, false},
    {CKR_SLOT_ID_INVALID, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_ATTRIBUTE_SENSITIVE, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_ATTRIBUTE_TYPE_INVALID, PSA_ERROR_NOT_SUPPORTED, false},
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
    {CKR_SESSION_COUNT, PSA_ERROR_INSUFFICIENT_MEMORY, false},
    {CKR_SESSION_HANDLE_INVALID, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_SESSION_READ_ONLY, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_TOKEN_NOT_PRESENT, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_TOKEN_NOT_RECOGNIZED, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_TOKEN_WRITE_PROTECTED, PSA_ERROR_NOT_PERMITTED, false},
    {CKR_USER_NOT_LOGGED_IN, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_USER_PIN_NOT_INITIALIZED, PSA_ERROR_NOT_PERMITTED, true},
    {CKR_RANDOM_NO_RNG, PSA_ERROR_INSUFFICIENT_ENTROPY, false},
    {CKR_DOMAIN_PARAMS_INVALID, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_CURVE_NOT_SUPPORTED, PSA_ERROR_NOT_SUPPORTED, false},
    {CKR_BUFFER_TOO_SMALL, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_CRYPTOKI_NOT_INITIALIZED, PSA_ERROR_COMMUNICATION_FAILURE, true},
    {CKR_FUNCTION_REJECTED, PSA_ERROR_NOT_PERMITTED, false},
};

psa_status_t pkcs11_status(struct pkcs11_call *call, CK_RV result)
{
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

/* The memory of this process: another number in a copy that fork() made. */
static uint32_t generation(void)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    const uint32_t number = HAS_PROCESSES ? corral_port_generation() : 0;
    corral_lock_leave(CORRAL_LOCK_CORE);
    return number;
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

/*
 * Let the module begin. In a child of the process that did, a module that does not know of fork()
 * believes that it has begun already: it ends first, and begins anew.
 */
static psa_status_t initialise(struct module *module, struct pkcs11_call *call)
{
    struct cryptoki_initialize arguments = {.flags = CKF_OS_LOCKING_OK};
    const uint32_t now = generation();

    if (module->is_initialised && module->generation == now) {
        return PSA_SUCCESS;
    }
    CK_RV result = module->functions->C_Initialize(&arguments);
    if (result == CKR_CRYPTOKI_ALREADY_INITIALIZED && module->is_initialised) {
        (void)module->functions->C_Finalize(NULL);
        result = module->functions->C_Initialize(&arguments);
    }
    /* Without a history of ours, another part of this program uses the module, too. */
    if (result == CKR_CRYPTOKI_ALREADY_INITIALIZED) {
        result = CKR_OK;
    }
    const psa_status_t status = pkcs11_status(call, result);
    module->is_initialised = status == PSA_SUCCESS;
    module->generation = now;
    return status == PSA_ERROR_HARDWARE_FAILURE ? PSA_ERROR_COMMUNICATION_FAILURE : status;
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
    CK_ULONG count = MAX_SLOTS;
    struct cryptoki_token_info info;
    size_t matches = 0;

    psa_status_t status = pkcs11_status(call, call->functions->C_GetSlotList(1, slots, &count));
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

/* Show the token the PIN, and wipe it. */
static CK_RV show_pin(struct pkcs11_call *call, psa_status_t *status)
{
    uint8_t pin[CORRAL_PIN_MAX_SIZE];
    size_t length = 0;
    CK_RV result = CKR_OK;

    *status = corral_port_element_pin(call->device->location, pin, &length);
    if (*status == PSA_SUCCESS && length <= sizeof pin) {
        result = call->functions->C_Login(call->session, CKU_USER, pin, length);
    }
    corral_wipe(pin, sizeof pin);
    return result;
}

/* Log in. A PIN that the token rejected is not shown to it again by this process. */
static psa_status_t log_in(struct pkcs11_call *call, struct token *token, CK_ULONG flags)
{
    psa_status_t status = PSA_SUCCESS;
    CK_RV result = CKR_OK;

    if ((flags & CKF_LOGIN_REQUIRED) == 0) {
        return PSA_SUCCESS;
    }
    if (token->is_refused) {
        call->is_lost = true;
        return PSA_ERROR_NOT_PERMITTED;
    }
    if ((flags & CKF_PROTECTED_AUTHENTICATION_PATH) != 0) {
        result = call->functions->C_Login(call->session, CKU_USER, NULL, 0);
    } else {
        result = show_pin(call, &status);
    }
    if (status == PSA_SUCCESS && result != CKR_USER_ALREADY_LOGGED_IN) {
        token->is_refused = result == CKR_PIN_INCORRECT || result == CKR_PIN_LOCKED;
        status = pkcs11_status(call, result);
    }
    call->is_lost = call->is_lost || status != PSA_SUCCESS;
    return status;
}

/* Open the token's session anew. */
static psa_status_t open_session(struct pkcs11_call *call, struct token *token)
{
    struct cryptoki_token_info info = {0};
    CK_SLOT_ID slot = 0;

    psa_status_t status = find_slot(call, &slot, &info);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = pkcs11_status(call,
                           call->functions->C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION,
                                                          NULL, NULL, &call->session));
    if (status != PSA_SUCCESS) {
        call->session = CK_INVALID_HANDLE;
        return status;
    }
    if (call->session == CK_INVALID_HANDLE) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    token->session = call->session;
    token->generation = generation();
    return log_in(call, token, info.flags);
}

/* Take up the session of the call before, if it can still be used. That of a parent process stays
 * the parent's. */
static bool resume(struct pkcs11_call *call, struct token *token)
{
    struct cryptoki_session_info info = {0};

    if (token->session != CK_INVALID_HANDLE && token->generation == generation()) {
        if (call->functions->C_GetSessionInfo(token->session, &info) == CKR_OK) {
            call->session = token->session;
            return true;
        }
        (void)call->functions->C_CloseSession(token->session);
    }
    token->session = CK_INVALID_HANDLE;
    return false;
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
    if (status != PSA_SUCCESS) {
        return status;
    }
    return resume(call, token) ? PSA_SUCCESS : open_session(call, token);
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
