/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../drivers/pkcs11/cryptoki.h"

#define EXPORT __attribute__((visibility("default")))
#define VENDOR_CODE 0x80000001ul
#define TOO_LONG 1000ul
#define MAX_SESSIONS 64u
#define MAX_SLOTS 16u
#define MAX_ATTRIBUTES 16u

static struct cryptoki_functions *real;
static struct cryptoki_functions ours;
static enum hostile_mode mode;
static unsigned fails_at;
static unsigned calls;
static unsigned logins;
static unsigned searches;
static unsigned strays;
static bool has_looked; /* whether slots were counted since tokens came or went */
static unsigned habits;
static CK_RV answers[HOSTILE_FUNCTIONS];
static CK_SESSION_HANDLE sessions[MAX_SESSIONS];
static CK_SESSION_HANDLE swapped;       /* a number whose session has ended */
static CK_SESSION_HANDLE stands_for_it; /* the session that has this number now */

EXPORT hostile_set_fn hostile_set;
EXPORT hostile_calls_fn hostile_calls;
EXPORT hostile_logins_fn hostile_logins;
EXPORT hostile_log_out_fn hostile_log_out;
EXPORT hostile_behave_fn hostile_behave;
EXPORT hostile_answer_fn hostile_answer;
EXPORT hostile_pull_out_fn hostile_pull_out;
EXPORT hostile_end_fn hostile_end;
EXPORT hostile_swap_fn hostile_swap;
EXPORT hostile_relabel_fn hostile_relabel;
EXPORT hostile_objects_fn hostile_objects;
EXPORT hostile_sessions_fn hostile_sessions;
EXPORT hostile_searches_fn hostile_searches;
EXPORT hostile_strays_fn hostile_strays;
EXPORT cryptoki_get_functions C_GetFunctionList;

void hostile_set(unsigned at, enum hostile_mode how)
{
    fails_at = at;
    mode = how;
    calls = 0;
}

unsigned hostile_calls(void)
{
    return calls;
}

unsigned hostile_logins(void)
{
    return logins;
}

void hostile_log_out(void)
{
    for (size_t i = 0; i < MAX_SESSIONS; i++) {
        if (sessions[i] != CK_INVALID_HANDLE) {
            (void)real->C_Logout(sessions[i]);
        }
    }
}

unsigned hostile_searches(void)
{
    return searches;
}

unsigned hostile_strays(void)
{
    return strays;
}

unsigned hostile_sessions(void)
{
    unsigned count = 0;

    for (size_t i = 0; i < MAX_SESSIONS; i++) {
        count += sessions[i] != CK_INVALID_HANDLE;
    }
    return count;
}

static void note_session(CK_SESSION_HANDLE from, CK_SESSION_HANDLE to)
{
    for (size_t i = 0; i < MAX_SESSIONS; i++) {
        if (sessions[i] == from) {
            sessions[i] = to;
            return;
        }
    }
}

void hostile_behave(unsigned from_now_on)
{
    habits = from_now_on;
}

void hostile_answer(enum hostile_function function, unsigned long code)
{
    answers[function] = code;
}

void hostile_pull_out(void)
{
    for (size_t i = 0; i < MAX_SESSIONS; i++) {
        if (sessions[i] != CK_INVALID_HANDLE) {
            (void)real->C_CloseSession(sessions[i]);
            sessions[i] = CK_INVALID_HANDLE;
        }
    }
    searches = 0;
    has_looked = false;
}

void hostile_end(void)
{
    hostile_pull_out();
    (void)real->C_Finalize(NULL);
}

void hostile_swap(void)
{
    swapped = sessions[0];
    stands_for_it = sessions[1];
    (void)real->C_CloseSession(swapped);
    sessions[0] = CK_INVALID_HANDLE;
}

static CK_SESSION_HANDLE session_of(CK_SESSION_HANDLE session)
{
    bool is_open = session == swapped;

    for (size_t i = 0; i < MAX_SESSIONS; i++) {
        is_open = is_open || sessions[i] == session;
    }
    strays += session == CK_INVALID_HANDLE || !is_open;
    return session == swapped ? stands_for_it : session;
}

/* An open session of a slot; CK_INVALID_HANDLE: there is none. */
static CK_SESSION_HANDLE session_at(CK_SLOT_ID slot)
{
    struct cryptoki_session_info info;

    for (size_t i = 0; i < MAX_SESSIONS; i++) {
        if (sessions[i] != CK_INVALID_HANDLE &&
            real->C_GetSessionInfo(sessions[i], &info) == CKR_OK && info.slot == slot) {
            return sessions[i];
        }
    }
    return CK_INVALID_HANDLE;
}

unsigned hostile_objects(void)
{
    CK_BBOOL yes = 1;
    struct cryptoki_attribute template[] = {{CKA_TOKEN, &yes, sizeof yes}};
    CK_SLOT_ID slots[MAX_SLOTS];
    CK_OBJECT_HANDLE objects[MAX_SESSIONS];
    CK_ULONG slot_count = MAX_SLOTS;
    CK_ULONG count = 0;
    unsigned all = 0;

    (void)real->C_GetSlotList(1, slots, &slot_count);
    for (CK_ULONG i = 0; i < slot_count; i++) {
        const CK_SESSION_HANDLE session = session_at(slots[i]);
        if (session != CK_INVALID_HANDLE &&
            real->C_FindObjectsInit(session, template, 1) == CKR_OK) {
            (void)real->C_FindObjects(session, objects, MAX_SESSIONS, &count);
            (void)real->C_FindObjectsFinal(session);
            all += (unsigned)count;
        }
    }
    return all;
}

/* The public key that has this label; CK_INVALID_HANDLE: there is none. */
static CK_OBJECT_HANDLE public_key_of(const char *label)
{
    CK_ULONG of_class = CKO_PUBLIC_KEY;
    struct cryptoki_attribute template[] = {
        {CKA_CLASS, &of_class, sizeof of_class},
        {CKA_LABEL, (void *)(uintptr_t)label, strlen(label)},
    };
    CK_OBJECT_HANDLE object = CK_INVALID_HANDLE;
    CK_ULONG count = 0;

    (void)real->C_FindObjectsInit(sessions[0], template, 2);
    (void)real->C_FindObjects(sessions[0], &object, 1, &count);
    (void)real->C_FindObjectsFinal(sessions[0]);
    return object;
}

typedef CK_RV set_attributes(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object,
                             struct cryptoki_attribute *attributes, CK_ULONG count);

bool hostile_relabel(const char *first, const char *second)
{
    set_attributes *set = (set_attributes *)(void (*)(void))real->C_SetAttributeValue;
    const CK_OBJECT_HANDLE objects[] = {public_key_of(first), public_key_of(second)};
    struct cryptoki_attribute labels[] = {
        {CKA_LABEL, (void *)(uintptr_t)second, strlen(second)},
        {CKA_LABEL, (void *)(uintptr_t)first, strlen(first)},
    };

    return set(sessions[0], objects[0], &labels[0], 1) == CKR_OK &&
           set(sessions[0], objects[1], &labels[1], 1) == CKR_OK;
}

/* Whether this call is the one. */
static bool strikes(void)
{
    calls++;
    return mode != HOSTILE_NOT && calls == fails_at;
}

/* What a call returns without doing anything; CKR_OK: it does its work. */
static CK_RV before(bool is_struck)
{
    if (mode == HOSTILE_GONE && calls >= fails_at) {
        if (is_struck) {
            hostile_pull_out();
        }
        return is_struck ? CKR_DEVICE_REMOVED : CKR_TOKEN_NOT_PRESENT;
    }
    if (!is_struck) {
        return CKR_OK;
    }
    if (mode == HOSTILE_REMOVED || mode == HOSTILE_ABSENT) {
        hostile_pull_out();
        return mode == HOSTILE_REMOVED ? CKR_DEVICE_REMOVED : CKR_TOKEN_NOT_PRESENT;
    }
    if (mode == HOSTILE_LOGOUT) {
        hostile_log_out();
    }
    return mode == HOSTILE_GENERAL   ? CKR_GENERAL_ERROR
           : mode == HOSTILE_UNKNOWN ? VENDOR_CODE
           : mode == HOSTILE_CANNOT  ? CKR_FUNCTION_NOT_SUPPORTED
                                     : CKR_OK;
}

static CK_RV after(bool is_struck, CK_RV result)
{
    return is_struck && mode == HOSTILE_AFTER ? CKR_FUNCTION_FAILED : result;
}

static void spoil_length(bool is_struck, CK_ULONG *length)
{
    if (is_struck && mode == HOSTILE_LONG) {
        *length += TOO_LONG;
    }
    if (is_struck && mode == HOSTILE_SHORT && *length > 0) {
        *length -= 1;
    }
}

static void spoil_data(bool is_struck, void *data, CK_ULONG *length)
{
    spoil_length(is_struck, length);
    if (is_struck && mode == HOSTILE_SHORT && data != NULL) {
        ((CK_BYTE *)data)[*length] ^= 0xff;
    }
}

static void spoil_handle(bool is_struck, CK_ULONG *handle)
{
    if (is_struck && (mode == HOSTILE_LONG || mode == HOSTILE_SHORT)) {
        *handle = CK_INVALID_HANDLE;
    }
}

/* A call of the real module, with what comes before and after it. */
#define PASS(call, spoil)                                                                          \
    const bool is_struck = strikes();                                                              \
    CK_RV result = before(is_struck);                                                              \
    if (result == CKR_OK) {                                                                        \
        result = real->call;                                                                       \
        spoil;                                                                                     \
        result = after(is_struck, result);                                                         \
    }                                                                                              \
    return result

/* Slots whose tokens are new are seen only after they were counted, as with real readers. */
static CK_RV list_slots(CK_BBOOL with_token, CK_SLOT_ID *slots, CK_ULONG *count)
{
    has_looked = has_looked || slots == NULL;
    if (has_looked) {
        return real->C_GetSlotList(with_token, slots, count);
    }
    *count = 0;
    return CKR_OK;
}

static CK_RV get_slot_list(CK_BBOOL with_token, CK_SLOT_ID *slots, CK_ULONG *count)
{
    const bool is_struck = strikes();
    CK_RV result = before(is_struck);

    if (result == CKR_OK) {
        result = list_slots(with_token, slots, count);
        spoil_length(is_struck, count);
        result = after(is_struck, result);
    }
    return result;
}

static CK_RV get_token_info(CK_SLOT_ID slot, struct cryptoki_token_info *info)
{
    PASS(C_GetTokenInfo(slot, info), {
        if (is_struck && mode == HOSTILE_LONG) {
            memset(info, 0xff, sizeof *info);
        }
        info->flags |= (habits & HOSTILE_LAST_TRY) != 0 ? CKF_USER_PIN_FINAL_TRY : 0;
    });
}

static CK_RV open_session(CK_SLOT_ID slot, CK_ULONG flags, void *application, void *notify,
                          CK_SESSION_HANDLE *session)
{
    const bool is_struck = strikes();
    CK_RV result = before(is_struck);

    if (result != CKR_OK) {
        return result;
    }
    if (answers[HOSTILE_OPEN] != CKR_OK) {
        return answers[HOSTILE_OPEN];
    }
    result = real->C_OpenSession(slot, flags, application, notify, session);
    if (result == CKR_OK && is_struck && (mode == HOSTILE_LONG || mode == HOSTILE_SHORT)) {
        (void)real->C_CloseSession(*session); /* nobody else could */
        *session = CK_INVALID_HANDLE;
    } else if (result == CKR_OK && is_struck && mode == HOSTILE_AFTER) {
        (void)real->C_CloseSession(*session);
    } else if (result == CKR_OK) {
        note_session(CK_INVALID_HANDLE, *session);
    }
    return after(is_struck, result);
}

static CK_RV close_session(CK_SESSION_HANDLE session)
{
    const CK_SESSION_HANDLE closed = session_of(session);
    const CK_RV result = real->C_CloseSession(closed);

    if (result == CKR_OK) {
        note_session(closed, CK_INVALID_HANDLE);
    }
    return result;
}

static CK_RV get_session_info(CK_SESSION_HANDLE session, struct cryptoki_session_info *info)
{
    const unsigned before_it = strays;
    const CK_SESSION_HANDLE asked = session_of(session);

    strays = before_it; /* by this call the driver learns that a session has ended */
    PASS(C_GetSessionInfo(asked, info), );
}

static CK_RV login(CK_SESSION_HANDLE session, CK_ULONG user, CK_BYTE *pin, CK_ULONG length)
{
    logins++;
    if (answers[HOSTILE_LOGIN] != CKR_OK) {
        return answers[HOSTILE_LOGIN];
    }
    if (user == CKU_CONTEXT_SPECIFIC && answers[HOSTILE_LOGIN_AGAIN] != CKR_OK) {
        return answers[HOSTILE_LOGIN_AGAIN];
    }
    PASS(C_Login(session_of(session), user, pin, length), );
}

static CK_RV create_object(CK_SESSION_HANDLE session, struct cryptoki_attribute *attributes,
                           CK_ULONG count, CK_OBJECT_HANDLE *object)
{
    PASS(C_CreateObject(session_of(session), attributes, count, object),
         spoil_handle(is_struck, object));
}

static CK_RV destroy_object(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object)
{
    PASS(C_DestroyObject(session_of(session), object), );
}

static CK_RV get_attribute_value(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object,
                                 struct cryptoki_attribute *attributes, CK_ULONG count)
{
    PASS(C_GetAttributeValue(session_of(session), object, attributes, count), {
        spoil_data(is_struck && result == CKR_OK, attributes->value, &attributes->length);
        if (is_struck && result == CKR_OK && mode == HOSTILE_BLANK) {
            memset(attributes->value, 0, attributes->length);
        }
    });
}

static CK_RV find_objects_init(CK_SESSION_HANDLE session, struct cryptoki_attribute *attributes,
                               CK_ULONG count)
{
    const bool is_struck = strikes();
    CK_RV result = before(is_struck);

    if (answers[HOSTILE_SEARCH] != CKR_OK) {
        return answers[HOSTILE_SEARCH];
    }
    if (result == CKR_OK && is_struck && mode == HOSTILE_AFTER) {
        return CKR_FUNCTION_FAILED; /* a search that did not begin */
    }
    if (result == CKR_OK) {
        result = real->C_FindObjectsInit(session_of(session), attributes, count);
        searches += result == CKR_OK;
    }
    return result;
}

static CK_RV find_objects(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *objects, CK_ULONG maximum,
                          CK_ULONG *count)
{
    PASS(C_FindObjects(session_of(session), objects, maximum, count), {
        spoil_length(is_struck, count);
        spoil_handle(is_struck, objects);
    });
}

static CK_RV find_objects_final(CK_SESSION_HANDLE session)
{
    const bool is_struck = strikes();
    const CK_SESSION_HANDLE asked = session_of(session);
    const CK_RV result = before(is_struck);
    const CK_RV ended = real->C_FindObjectsFinal(asked);

    searches -= ended == CKR_OK;
    return result == CKR_OK ? after(is_struck, ended) : result;
}

#define BEGIN(name, call)                                                                          \
    static CK_RV name(CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism,             \
                      CK_OBJECT_HANDLE key)                                                        \
    {                                                                                              \
        PASS(call(session_of(session), mechanism, key), );                                         \
    }
#define PROCESS(name, call)                                                                        \
    static CK_RV name(CK_SESSION_HANDLE session, CK_BYTE *input, CK_ULONG input_length,            \
                      CK_BYTE *output, CK_ULONG *output_length)                                    \
    {                                                                                              \
        PASS(call(session_of(session), input, input_length, output, output_length),                \
             spoil_data(is_struck &&result == CKR_OK, output, output_length));                     \
    }

BEGIN(encrypt_init, C_EncryptInit)
PROCESS(encrypt, C_Encrypt)
BEGIN(decrypt_init, C_DecryptInit)
PROCESS(decrypt, C_Decrypt)
BEGIN(sign_init, C_SignInit)
PROCESS(sign, C_Sign)

static CK_RV generate_key(CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism,
                          struct cryptoki_attribute *attributes, CK_ULONG count,
                          CK_OBJECT_HANDLE *key)
{
    PASS(C_GenerateKey(session_of(session), mechanism, attributes, count, key),
         spoil_handle(is_struck, key));
}

static CK_RV generate_key_pair(CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism,
                               struct cryptoki_attribute *of_public, CK_ULONG public_count,
                               struct cryptoki_attribute *of_private, CK_ULONG private_count,
                               CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key)
{
    struct cryptoki_attribute asking[MAX_ATTRIBUTES];
    CK_BBOOL yes = 1;

    if (answers[HOSTILE_GENERATE] != CKR_OK) {
        return answers[HOSTILE_GENERATE];
    }
    if ((habits & HOSTILE_ASKS) != 0 && private_count < MAX_ATTRIBUTES) {
        memcpy(asking, of_private, private_count * sizeof *asking);
        asking[private_count++] =
            (struct cryptoki_attribute){CKA_ALWAYS_AUTHENTICATE, &yes, sizeof yes};
        of_private = asking;
    }
    PASS(C_GenerateKeyPair(session_of(session), mechanism, of_public, public_count, of_private,
                           private_count, public_key, private_key),
         spoil_handle(is_struck, private_key));
}

static CK_RV derive_key(CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism,
                        CK_OBJECT_HANDLE base, struct cryptoki_attribute *attributes,
                        CK_ULONG count, CK_OBJECT_HANDLE *key)
{
    if (answers[HOSTILE_DERIVE] != CKR_OK) {
        return answers[HOSTILE_DERIVE];
    }
    PASS(C_DeriveKey(session_of(session), mechanism, base, attributes, count, key),
         spoil_handle(is_struck, key));
}

static CK_RV generate_random(CK_SESSION_HANDLE session, CK_BYTE *output, CK_ULONG length)
{
    PASS(C_GenerateRandom(session_of(session), output, length), {
        if ((habits & HOSTILE_REPEATS) != 0) {
            memset(output, 1, length);
        }
    });
}

static CK_RV finalize(void *reserved)
{
    return (habits & HOSTILE_ENDS_NOT) != 0 ? CKR_GENERAL_ERROR : real->C_Finalize(reserved);
}

CK_RV C_GetFunctionList(struct cryptoki_functions **functions)
{
    const char *path = getenv("HOSTILE_MODULE");
    cryptoki_get_functions *get_functions;
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library != NULL ? dlsym(library, "C_GetFunctionList") : NULL;

    if (symbol == NULL) {
        return CKR_GENERAL_ERROR;
    }
    memcpy(&get_functions, &symbol, sizeof get_functions);
    if (get_functions(&real) != CKR_OK) {
        return CKR_GENERAL_ERROR;
    }
    ours = *real;
    ours.C_Finalize = finalize;
    ours.C_GetSlotList = get_slot_list;
    ours.C_GetTokenInfo = get_token_info;
    ours.C_OpenSession = open_session;
    ours.C_CloseSession = close_session;
    ours.C_GetSessionInfo = get_session_info;
    ours.C_Login = login;
    ours.C_CreateObject = create_object;
    ours.C_DestroyObject = destroy_object;
    ours.C_GetAttributeValue = get_attribute_value;
    ours.C_FindObjectsInit = find_objects_init;
    ours.C_FindObjects = find_objects;
    ours.C_FindObjectsFinal = find_objects_final;
    ours.C_EncryptInit = encrypt_init;
    ours.C_Encrypt = encrypt;
    ours.C_DecryptInit = decrypt_init;
    ours.C_Decrypt = decrypt;
    ours.C_SignInit = sign_init;
    ours.C_Sign = sign;
    ours.C_GenerateKey = generate_key;
    ours.C_GenerateKeyPair = generate_key_pair;
    ours.C_DeriveKey = derive_key;
    ours.C_GenerateRandom = generate_random;
    *functions = &ours;
    return CKR_OK;
}
