/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that loads the module and calls it rightly and wrongly: `client MODULE`. It prints each
 * claim that does not hold, and "passed" if all do.
 */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <p11-kit/pkcs11.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define IS(expected, call) check(__LINE__, #call, expected, call)
#define HOLDS(condition) check(__LINE__, #condition, 1, (condition) ? 1 : 0)

static CK_FUNCTION_LIST *f;
static int failures;

static void check(int line, const char *text, CK_RV expected, CK_RV got)
{
    if (got != expected) {
        failures++;
        printf("line %d: %s is 0x%lx, not 0x%lx\n", line, text, got, expected);
    }
}

static CK_BBOOL yes = CK_TRUE;
static CK_BBOOL no = CK_FALSE;
static uint8_t p256[] = {6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7};
static uint8_t message[100] = "a message";
static uint8_t name[] = {0xca, 0xfe};

static CK_SESSION_HANDLE open_session(CK_FLAGS flags)
{
    CK_SESSION_HANDLE session = 0;

    IS(CKR_OK, f->C_OpenSession(0, CKF_SERIAL_SESSION | flags, NULL, NULL, &session));
    return session;
}

static CK_RV generate(CK_SESSION_HANDLE session, CK_BBOOL *is_token, CK_OBJECT_HANDLE *of_public,
                      CK_OBJECT_HANDLE *of_private)
{
    CK_MECHANISM mechanism = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE of_curve[] = {{CKA_EC_PARAMS, p256, sizeof p256}};
    CK_ATTRIBUTE of_key[] = {{CKA_TOKEN, is_token, 1}, {CKA_ID, name, sizeof name}};

    return f->C_GenerateKeyPair(session, &mechanism, of_curve, COUNT(of_curve), of_key,
                                COUNT(of_key), of_public, of_private);
}

static CK_ULONG find(CK_SESSION_HANDLE session, CK_OBJECT_CLASS class, CK_OBJECT_HANDLE *object)
{
    CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &class, sizeof class}, {CKA_ID, name, sizeof name}};
    CK_ULONG count = 0;

    IS(CKR_OK, f->C_FindObjectsInit(session, wanted, COUNT(wanted)));
    IS(CKR_OK, f->C_FindObjects(session, object, 1, &count));
    IS(CKR_OK, f->C_FindObjectsFinal(session));
    return count;
}

static CK_RV lock_of_program(void *mutex)
{
    (void)mutex;
    return CKR_OK;
}

static CK_RV mutex_of_program(void **mutex)
{
    (void)mutex;
    return CKR_OK;
}

static void begin(void)
{
    CK_C_INITIALIZE_ARGS own = {
        mutex_of_program, lock_of_program, lock_of_program, lock_of_program, 0, NULL};
    CK_INFO info;

    IS(CKR_ARGUMENTS_BAD, f->C_GetFunctionList(NULL));
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_GetInfo(&info));
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_CloseSession(1));
    IS(CKR_CANT_LOCK, f->C_Initialize(&own));
    own.flags = CKF_OS_LOCKING_OK;
    own.pReserved = &own;
    IS(CKR_ARGUMENTS_BAD, f->C_Initialize(&own));
    own.pReserved = NULL;
    own.LockMutex = NULL;
    IS(CKR_ARGUMENTS_BAD, f->C_Initialize(&own));
    own.LockMutex = lock_of_program;
    IS(CKR_OK, f->C_Initialize(&own));
    IS(CKR_CRYPTOKI_ALREADY_INITIALIZED, f->C_Initialize(NULL));
    IS(CKR_ARGUMENTS_BAD, f->C_GetInfo(NULL));
    IS(CKR_OK, f->C_GetInfo(&info));
    HOLDS(info.cryptokiVersion.major == 2 && info.cryptokiVersion.minor == 40);
}

static void slots(void)
{
    CK_SLOT_ID slot[8];
    CK_ULONG count = 0;
    CK_MECHANISM_TYPE types[64];
    CK_MECHANISM_INFO info;
    CK_TOKEN_INFO token;
    CK_SESSION_HANDLE session;

    IS(CKR_ARGUMENTS_BAD, f->C_GetSlotList(CK_TRUE, NULL, NULL));
    IS(CKR_BUFFER_TOO_SMALL, f->C_GetSlotList(CK_TRUE, slot, &count));
    HOLDS(count == 1);
    IS(CKR_OK, f->C_GetSlotList(CK_TRUE, slot, &count));
    IS(CKR_SLOT_ID_INVALID, f->C_GetTokenInfo(99, &token));
    IS(CKR_ARGUMENTS_BAD, f->C_GetTokenInfo(0, NULL));
    IS(CKR_OK, f->C_GetTokenInfo(0, &token));
    HOLDS((token.flags & (CKF_LOGIN_REQUIRED | CKF_TOKEN_INITIALIZED)) == CKF_TOKEN_INITIALIZED);
    count = 1;
    IS(CKR_BUFFER_TOO_SMALL, f->C_GetMechanismList(0, types, &count));
    IS(CKR_OK, f->C_GetMechanismList(0, types, &count));
    for (CK_ULONG i = 0; i < count; i++) {
        IS(CKR_OK, f->C_GetMechanismInfo(0, types[i], &info));
    }
    IS(CKR_MECHANISM_INVALID, f->C_GetMechanismInfo(0, CKM_DES_ECB, &info));
    IS(CKR_SLOT_ID_INVALID, f->C_OpenSession(99, CKF_SERIAL_SESSION, NULL, NULL, &session));
    IS(CKR_SESSION_PARALLEL_NOT_SUPPORTED, f->C_OpenSession(0, 0, NULL, NULL, &session));
    IS(CKR_ARGUMENTS_BAD, f->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, NULL));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_CloseSession(0));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_CloseSession(4711));
}

/* Templates that lie or that say too little. */
static void templates(CK_SESSION_HANDLE session)
{
    static uint8_t endless[] = {4, 0x84, 0xff, 0xff, 0xff, 0xff, 4};
    static uint8_t longer[] = {4, 0x82, 0x10, 0x00, 4};
    static uint8_t label[200];
    CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
    CK_KEY_TYPE type = CKK_EC;
    CK_KEY_TYPE other = CKK_RSA;
    CK_MECHANISM pair = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_MECHANISM secret = {CKM_AES_KEY_GEN, NULL, 0};
    CK_OBJECT_HANDLE a = 0;
    CK_OBJECT_HANDLE b = 0;
    CK_ULONG size = 17;
    CK_ATTRIBUTE curve[] = {{CKA_EC_PARAMS, p256, sizeof p256}};
    const struct {
        CK_RV rv;
        CK_ATTRIBUTE attribute;
    } rows[] = {
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_TOKEN, NULL, 0}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_TOKEN, NULL, 1}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_TOKEN, label, 8}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_LABEL, label, sizeof label}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_LABEL, NULL, 3}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_SUBJECT, label, CK_UNAVAILABLE_INFORMATION}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_ALLOWED_MECHANISMS, label, 4}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_ALWAYS_AUTHENTICATE, &yes, 1}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_DESTROYABLE, &no, 1}},
        {CKR_ATTRIBUTE_VALUE_INVALID, {CKA_MODIFIABLE, &no, 1}},
        {CKR_TEMPLATE_INCONSISTENT, {CKA_CLASS, &class, sizeof class}},
        {CKR_TEMPLATE_INCONSISTENT, {CKA_KEY_TYPE, &other, sizeof other}},
        {CKR_ATTRIBUTE_TYPE_INVALID, {CKA_CERTIFICATE_TYPE, label, 8}},
        {CKR_SESSION_READ_ONLY, {CKA_TOKEN, &yes, 1}},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        CK_ATTRIBUTE one = rows[i].attribute;
        check(__LINE__, "row", rows[i].rv,
              f->C_GenerateKeyPair(session, &pair, curve, 1, &one, 1, &a, &b));
    }
    IS(CKR_TEMPLATE_INCOMPLETE, f->C_GenerateKeyPair(session, &pair, NULL, 0, NULL, 0, &a, &b));
    IS(CKR_ARGUMENTS_BAD, f->C_GenerateKeyPair(session, &pair, NULL, 3, NULL, 0, &a, &b));
    IS(CKR_ARGUMENTS_BAD, f->C_GenerateKeyPair(session, NULL, curve, 1, NULL, 0, &a, &b));
    IS(CKR_ARGUMENTS_BAD, f->C_GenerateKeyPair(session, &pair, curve, 1, NULL, 0, NULL, &b));
    IS(CKR_MECHANISM_INVALID, f->C_GenerateKeyPair(session, &secret, curve, 1, NULL, 0, &a, &b));
    CK_ATTRIBUTE twice[] = {{CKA_TOKEN, &no, 1}, {CKA_SIGN, &yes, 1}, {CKA_TOKEN, &yes, 1}};
    IS(CKR_TEMPLATE_INCONSISTENT, f->C_GenerateKeyPair(session, &pair, curve, 1, twice, 3, &a, &b));
    CK_ATTRIBUTE stored_curve[] = {curve[0], twice[2]};
    IS(CKR_TEMPLATE_INCONSISTENT,
       f->C_GenerateKeyPair(session, &pair, stored_curve, 2, twice, 1, &a, &b));
    curve[0].ulValueLen--;
    IS(CKR_CURVE_NOT_SUPPORTED, f->C_GenerateKeyPair(session, &pair, curve, 1, NULL, 0, &a, &b));
    CK_ATTRIBUTE of_size[] = {{CKA_VALUE_LEN, &size, sizeof size}};
    IS(CKR_TEMPLATE_INCONSISTENT, f->C_GenerateKey(session, &secret, of_size, 1, &a));
    CK_ATTRIBUTE of_pair[] = {{CKA_VALUE_LEN, &size, sizeof size}, {CKA_CLASS, &class, 8}};
    size = 16;
    IS(CKR_TEMPLATE_INCONSISTENT, f->C_GenerateKey(session, &secret, of_pair, 2, &a));
    size = ~0ul / 8 + 3; /* its bits are 16 */
    IS(CKR_ATTRIBUTE_VALUE_INVALID, f->C_GenerateKey(session, &secret, of_size, 1, &a));

    CK_ATTRIBUTE point[] = {{CKA_CLASS, &class, sizeof class},
                            {CKA_KEY_TYPE, &type, sizeof type},
                            {CKA_EC_PARAMS, p256, sizeof p256},
                            {CKA_EC_POINT, endless, sizeof endless}};
    IS(CKR_TEMPLATE_INCOMPLETE, f->C_CreateObject(session, point, 3, &a));
    IS(CKR_TEMPLATE_INCONSISTENT, f->C_CreateObject(session, point, 4, &a));
    point[3].pValue = longer;
    point[3].ulValueLen = sizeof longer;
    IS(CKR_TEMPLATE_INCONSISTENT, f->C_CreateObject(session, point, 4, &a));
    point[3].ulValueLen = 0;
    IS(CKR_ATTRIBUTE_VALUE_INVALID, f->C_CreateObject(session, point, 4, &a));
    IS(CKR_ARGUMENTS_BAD, f->C_CreateObject(session, point, 4, NULL));
}

static void attributes(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key)
{
    uint8_t value[100];
    CK_OBJECT_CLASS class = 0;
    CK_ATTRIBUTE wanted[] = {{CKA_VALUE, value, sizeof value},
                             {CKA_CLASS, &class, sizeof class},
                             {CKA_MODULUS, value, sizeof value},
                             {CKA_ID, value, 1},
                             {CKA_EC_PARAMS, NULL, 0}};

    IS(CKR_ATTRIBUTE_SENSITIVE, f->C_GetAttributeValue(session, key, wanted, COUNT(wanted)));
    HOLDS(wanted[0].ulValueLen == CK_UNAVAILABLE_INFORMATION);
    HOLDS(wanted[1].ulValueLen == sizeof class && class == CKO_PRIVATE_KEY);
    HOLDS(wanted[2].ulValueLen == CK_UNAVAILABLE_INFORMATION);
    HOLDS(wanted[3].ulValueLen == CK_UNAVAILABLE_INFORMATION);
    HOLDS(wanted[4].ulValueLen == sizeof p256);
    IS(CKR_ATTRIBUTE_TYPE_INVALID, f->C_GetAttributeValue(session, key, wanted + 2, 1));
    wanted[3].ulValueLen = 1;
    IS(CKR_BUFFER_TOO_SMALL, f->C_GetAttributeValue(session, key, wanted + 3, 1));
    IS(CKR_ARGUMENTS_BAD, f->C_GetAttributeValue(session, key, NULL, 1));
    IS(CKR_OBJECT_HANDLE_INVALID, f->C_GetAttributeValue(session, 0, wanted + 1, 1));
    IS(CKR_OBJECT_HANDLE_INVALID, f->C_GetAttributeValue(session, ~0ul, wanted + 1, 1));
    IS(CKR_OBJECT_HANDLE_INVALID, f->C_GetAttributeValue(session, key + 3, wanted + 1, 1));
    CK_ATTRIBUTE change = {CKA_EXTRACTABLE, &yes, 1};
    IS(CKR_ATTRIBUTE_READ_ONLY, f->C_SetAttributeValue(session, key, &change, 1));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_FindObjects(session, &key, 1, &class));
    IS(CKR_ARGUMENTS_BAD, f->C_FindObjectsInit(session, NULL, 1));
    IS(CKR_OK, f->C_FindObjectsInit(session, NULL, 0));
    IS(CKR_OPERATION_ACTIVE, f->C_FindObjectsInit(session, NULL, 0));
    IS(CKR_ARGUMENTS_BAD, f->C_FindObjects(session, NULL, 1, &class));
    IS(CKR_OK, f->C_FindObjectsFinal(session));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_FindObjectsFinal(session));
}

static void sign(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE of_public, CK_OBJECT_HANDLE key)
{
    CK_MECHANISM hashing = {CKM_ECDSA_SHA256, NULL, 0};
    CK_MECHANISM raw = {CKM_ECDSA, NULL, 0};
    uint8_t signature[64];
    CK_ULONG length = 0;

    IS(CKR_KEY_HANDLE_INVALID, f->C_SignInit(session, &hashing, 0));
    IS(CKR_KEY_TYPE_INCONSISTENT, f->C_SignInit(session, &hashing, of_public));
    IS(CKR_ARGUMENTS_BAD, f->C_SignInit(session, NULL, key));
    hashing.ulParameterLen = 1;
    IS(CKR_MECHANISM_PARAM_INVALID, f->C_SignInit(session, &hashing, key));
    hashing.ulParameterLen = 0;
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_Sign(session, message, 1, signature, &length));
    IS(CKR_OK, f->C_SignInit(session, &hashing, key));
    IS(CKR_OPERATION_ACTIVE, f->C_SignInit(session, &hashing, key));
    IS(CKR_OK, f->C_Sign(session, message, sizeof message, NULL, &length));
    HOLDS(length == sizeof signature);
    length = 63;
    IS(CKR_BUFFER_TOO_SMALL, f->C_Sign(session, message, sizeof message, signature, &length));
    HOLDS(length == sizeof signature);
    IS(CKR_OK, f->C_Sign(session, message, sizeof message, signature, &length));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_Sign(session, message, 1, signature, &length));

    IS(CKR_OK, f->C_VerifyInit(session, &hashing, of_public));
    IS(CKR_OK, f->C_Verify(session, message, sizeof message, signature, length));
    IS(CKR_OK, f->C_VerifyInit(session, &hashing, of_public));
    IS(CKR_OK, f->C_VerifyUpdate(session, message, 10));
    IS(CKR_OK, f->C_VerifyUpdate(session, message + 10, sizeof message - 10));
    IS(CKR_OK, f->C_VerifyFinal(session, signature, length));
    IS(CKR_OK, f->C_VerifyInit(session, &hashing, of_public));
    IS(CKR_SIGNATURE_LEN_RANGE, f->C_Verify(session, message, 9, signature, 63));
    IS(CKR_OK, f->C_VerifyInit(session, &hashing, of_public));
    IS(CKR_SIGNATURE_INVALID, f->C_Verify(session, message, 9, signature, length));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_Verify(session, message, 9, signature, length));

    /* In parts; then nothing but the end is possible. */
    IS(CKR_OK, f->C_SignInit(session, &hashing, key));
    IS(CKR_OK, f->C_SignUpdate(session, message, 10));
    length = 0;
    IS(CKR_BUFFER_TOO_SMALL, f->C_SignFinal(session, signature, &length));
    IS(CKR_OK, f->C_SignFinal(session, signature, &length));
    IS(CKR_OK, f->C_VerifyInit(session, &hashing, of_public));
    IS(CKR_OK, f->C_Verify(session, message, 10, signature, length));
    IS(CKR_OK, f->C_SignInit(session, &hashing, key));
    IS(CKR_OK, f->C_SignUpdate(session, message, 10));
    IS(CKR_OPERATION_ACTIVE, f->C_Sign(session, message, 1, signature, &length));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_SignFinal(session, signature, &length));
    IS(CKR_OK, f->C_SignInit(session, &hashing, key));
    IS(CKR_ARGUMENTS_BAD, f->C_Sign(session, NULL, 1, signature, &length));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_SignFinal(session, signature, &length));

    /* The length of a hash names it. */
    IS(CKR_OK, f->C_SignInit(session, &raw, key));
    IS(CKR_DATA_LEN_RANGE, f->C_Sign(session, message, 31, signature, &length));
    IS(CKR_OK, f->C_SignInit(session, &raw, key));
    IS(CKR_DATA_LEN_RANGE, f->C_SignUpdate(session, message, ~0ul));
    IS(CKR_OK, f->C_SignInit(session, &raw, key));
    IS(CKR_OK, f->C_Sign(session, message, 48, signature, &length));
    IS(CKR_OK, f->C_VerifyInit(session, &raw, of_public));
    IS(CKR_OK, f->C_Verify(session, message, 48, signature, length));
}

/* A key for one mechanism that hashes signs messages, and no hash of the caller's choice. */
static void sign_only_messages(CK_SESSION_HANDLE session)
{
    CK_MECHANISM_TYPE allowed = CKM_ECDSA_SHA256;
    CK_MECHANISM pair = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_MECHANISM hashing = {CKM_ECDSA_SHA256, NULL, 0};
    CK_MECHANISM raw = {CKM_ECDSA, NULL, 0};
    CK_ATTRIBUTE curve[] = {{CKA_EC_PARAMS, p256, sizeof p256}};
    CK_ATTRIBUTE limit[] = {{CKA_ALLOWED_MECHANISMS, &allowed, sizeof allowed}};
    CK_MECHANISM_TYPE listed[16] = {0};
    CK_ATTRIBUTE list = {CKA_ALLOWED_MECHANISMS, listed, sizeof listed};
    CK_OBJECT_HANDLE of_public = 0;
    CK_OBJECT_HANDLE key = 0;
    CK_ULONG length = 64;
    uint8_t signature[64];

    IS(CKR_OK, f->C_GenerateKeyPair(session, &pair, curve, 1, limit, 1, &of_public, &key));
    IS(CKR_OK, f->C_GetAttributeValue(session, key, &list, 1));
    HOLDS(list.ulValueLen == sizeof allowed && listed[0] == allowed);
    IS(CKR_KEY_FUNCTION_NOT_PERMITTED, f->C_SignInit(session, &raw, key));
    IS(CKR_OK, f->C_SignInit(session, &hashing, key));
    IS(CKR_OK, f->C_Sign(session, message, 9, signature, &length));
    IS(CKR_OK, f->C_SignInit(session, &hashing, key));
    IS(CKR_OK, f->C_SignUpdate(session, message, 9));
    IS(CKR_OK, f->C_SignFinal(session, signature, &length));
    IS(CKR_OK, f->C_VerifyInit(session, &hashing, of_public));
    IS(CKR_OK, f->C_VerifyUpdate(session, message, 9));
    IS(CKR_OK, f->C_VerifyFinal(session, signature, length));
    IS(CKR_OK, f->C_DestroyObject(session, key));
}

static void digest(CK_SESSION_HANDLE session)
{
    static const uint8_t expected[] = {0xba, 0x78, 0x16, 0xbf}; /* SHA-256 of "abc" */
    CK_MECHANISM mechanism = {CKM_SHA256, NULL, 0};
    uint8_t text[] = "abc";
    uint8_t hash[32] = {0};
    CK_ULONG length = 31;

    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_DigestUpdate(session, text, 3));
    IS(CKR_OK, f->C_DigestInit(session, &mechanism));
    IS(CKR_BUFFER_TOO_SMALL, f->C_Digest(session, text, 3, hash, &length));
    IS(CKR_OK, f->C_Digest(session, text, 3, hash, &length));
    HOLDS(length == 32 && memcmp(hash, expected, sizeof expected) == 0);
    memset(hash, 0, sizeof hash);
    IS(CKR_OK, f->C_DigestInit(session, &mechanism));
    IS(CKR_OK, f->C_DigestUpdate(session, text, 1));
    IS(CKR_OK, f->C_DigestUpdate(session, text + 1, 2));
    IS(CKR_OK, f->C_DigestFinal(session, hash, &length));
    HOLDS(memcmp(hash, expected, sizeof expected) == 0);
    IS(CKR_ARGUMENTS_BAD, f->C_GenerateRandom(session, NULL, 1));
    IS(CKR_OK, f->C_GenerateRandom(session, hash, sizeof hash));
    HOLDS(memcmp(hash, expected, sizeof expected) != 0);
}

static CK_OBJECT_HANDLE import_aes(CK_SESSION_HANDLE session, uint8_t *key,
                                   CK_MECHANISM_TYPE allowed)
{
    CK_OBJECT_CLASS class = CKO_SECRET_KEY;
    CK_KEY_TYPE type = CKK_AES;
    CK_OBJECT_HANDLE object = 0;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &class, sizeof class},
                               {CKA_KEY_TYPE, &type, sizeof type},
                               {CKA_VALUE, key, 16},
                               {CKA_ALLOWED_MECHANISMS, &allowed, sizeof allowed}};

    IS(CKR_OK, f->C_CreateObject(session, template, COUNT(template), &object));
    return object;
}

/* SP 800-38A, F.2.1, and test case 2 of GCM's specification. */
static void ciphers(CK_SESSION_HANDLE session)
{
    static uint8_t key[] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                            0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static uint8_t plain[] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                              0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
    static const uint8_t cbc[] = {0x76, 0x49, 0xab, 0xac, 0x81, 0x19, 0xb2, 0x46,
                                  0xce, 0xe9, 0x8e, 0x9b, 0x12, 0xe9, 0x19, 0x7d};
    static const uint8_t gcm[] = {0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92, 0xf3, 0x28, 0xc2,
                                  0xb9, 0x71, 0xb2, 0xfe, 0x78, 0xab, 0x6e, 0x47, 0xd4, 0x2c, 0xec,
                                  0x13, 0xbd, 0xf5, 0x3a, 0x67, 0xb2, 0x12, 0x57, 0xbd, 0xdf};
    static uint8_t zeros[16];
    uint8_t iv[16];
    uint8_t output[48];
    uint8_t text[48];
    CK_GCM_PARAMS params = {zeros, 12, 96, NULL, 0, 128};
    CK_MECHANISM padded = {CKM_AES_CBC_PAD, iv, sizeof iv};
    CK_MECHANISM sealed = {CKM_AES_GCM, &params, sizeof params};
    CK_ULONG length = 16;
    CK_ULONG part;

    for (uint8_t i = 0; i < sizeof iv; i++) {
        iv[i] = i;
    }
    CK_OBJECT_HANDLE object = import_aes(session, key, CKM_AES_CBC_PAD);
    IS(CKR_KEY_FUNCTION_NOT_PERMITTED, f->C_EncryptInit(session, &sealed, object));
    padded.ulParameterLen = 15;
    IS(CKR_MECHANISM_PARAM_INVALID, f->C_EncryptInit(session, &padded, object));
    padded.ulParameterLen = 16;
    IS(CKR_OK, f->C_EncryptInit(session, &padded, object));
    IS(CKR_BUFFER_TOO_SMALL, f->C_Encrypt(session, plain, 16, output, &length));
    HOLDS(length == 32);
    IS(CKR_OK, f->C_Encrypt(session, plain, 16, output, &length));
    HOLDS(length == 32 && memcmp(output, cbc, sizeof cbc) == 0);
    IS(CKR_OK, f->C_DecryptInit(session, &padded, object));
    length = 16; /* exactly: the padding needs no room */
    IS(CKR_OK, f->C_Decrypt(session, output, 32, text, &length));
    HOLDS(length == 16 && memcmp(text, plain, 16) == 0);
    /* In parts, each with just the room that it needs. */
    IS(CKR_OK, f->C_DecryptInit(session, &padded, object));
    part = 0;
    IS(CKR_OK, f->C_DecryptUpdate(session, output, 16, text, &part));
    part = 15;
    IS(CKR_BUFFER_TOO_SMALL, f->C_DecryptUpdate(session, output + 16, 16, text, &part));
    HOLDS(part == 16);
    IS(CKR_OK, f->C_DecryptUpdate(session, output + 16, 16, text, &part));
    length = 16;
    IS(CKR_OK, f->C_DecryptFinal(session, text + part, &length));
    HOLDS(part + length == 16 && memcmp(text, plain, 16) == 0);
    IS(CKR_OK, f->C_DecryptInit(session, &padded, object));
    length = sizeof text;
    IS(CKR_ENCRYPTED_DATA_LEN_RANGE, f->C_Decrypt(session, output, 31, text, &length));
    IS(CKR_OK, f->C_DestroyObject(session, object));

    object = import_aes(session, zeros, CKM_AES_GCM);
    params.ulIvLen = ~0ul;
    IS(CKR_MECHANISM_PARAM_INVALID, f->C_EncryptInit(session, &sealed, object));
    params.ulIvLen = 12;
    IS(CKR_OK, f->C_EncryptInit(session, &sealed, object));
    length = sizeof output;
    IS(CKR_OK, f->C_Encrypt(session, zeros, 16, output, &length));
    HOLDS(length == sizeof gcm && memcmp(output, gcm, sizeof gcm) == 0);
    output[31] ^= 1;
    memset(text, 0x55, sizeof text);
    IS(CKR_OK, f->C_DecryptInit(session, &sealed, object));
    length = sizeof text;
    IS(CKR_ENCRYPTED_DATA_INVALID, f->C_Decrypt(session, output, 32, text, &length));
    HOLDS(text[0] == 0x55);
    IS(CKR_OK, f->C_DestroyObject(session, object));
    IS(CKR_OBJECT_HANDLE_INVALID, f->C_DestroyObject(session, object));
}

static void sessions(void)
{
    CK_SESSION_HANDLE first = open_session(0);
    CK_SESSION_HANDLE second = open_session(0);
    CK_MECHANISM mechanism = {CKM_ECDSA_SHA256, NULL, 0};
    CK_OBJECT_HANDLE of_public;
    CK_OBJECT_HANDLE key;
    CK_ULONG length = 64;
    uint8_t signature[64];

    IS(CKR_OK, generate(first, &no, &of_public, &key));
    IS(CKR_OK, f->C_SignInit(second, &mechanism, key));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_Sign(first, message, 1, signature, &length));
    IS(CKR_OK, f->C_CloseSession(first));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_CloseSession(first));
    IS(CKR_KEY_HANDLE_INVALID, f->C_Sign(second, message, 1, signature, &length));
    HOLDS(find(second, CKO_PRIVATE_KEY, &key) == 0);
    IS(CKR_OK, f->C_CloseAllSessions(0));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_CloseSession(second));
}

static void *sign_in_thread(void *argument)
{
    CK_MECHANISM mechanism = {CKM_ECDSA_SHA256, NULL, 0};
    CK_OBJECT_HANDLE of_public = 0;
    CK_OBJECT_HANDLE key = 0;
    long bad = 0;

    (void)argument;
    for (int i = 0; i < 10; i++) {
        CK_SESSION_HANDLE session = 0;
        uint8_t signature[64];
        CK_ULONG length = sizeof signature;
        bad += f->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &session) != CKR_OK ||
               generate(session, &no, &of_public, &key) != CKR_OK ||
               f->C_SignInit(session, &mechanism, key) != CKR_OK ||
               f->C_Sign(session, message, 9, signature, &length) != CKR_OK ||
               f->C_VerifyInit(session, &mechanism, of_public) != CKR_OK ||
               f->C_Verify(session, message, 9, signature, length) != CKR_OK ||
               f->C_CloseSession(session) != CKR_OK;
    }
    return bad == 0 ? NULL : (void *)&failures;
}

static int use_in_child(CK_SESSION_HANDLE session)
{
    CK_SESSION_INFO info;
    CK_OBJECT_HANDLE key;

    failures = 0;
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_GetSessionInfo(session, &info));
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_Finalize(NULL));
    IS(CKR_OK, f->C_Initialize(NULL));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_GetSessionInfo(session, &info));
    session = open_session(0);
    HOLDS(find(session, CKO_PRIVATE_KEY, &key) == 1);
    IS(CKR_OK, f->C_Finalize(NULL));
    return failures;
}

/* Processes are copied while other threads are in the module. */
static void threads_and_processes(CK_SESSION_HANDLE session)
{
    pthread_t threads[4];
    CK_SESSION_INFO info;

    for (size_t i = 0; i < COUNT(threads); i++) {
        HOLDS(pthread_create(&threads[i], NULL, sign_in_thread, NULL) == 0);
    }
    fflush(stdout);
    for (int i = 0; i < 3; i++) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0) {
            const int failed = use_in_child(session);
            fflush(stdout);
            _exit(failed);
        }
        HOLDS(waitpid(child, &status, 0) == child && status == 0);
    }
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *result = &failures;
        HOLDS(pthread_join(threads[i], &result) == 0 && result == NULL);
    }
    IS(CKR_OK, f->C_GetSessionInfo(session, &info));
}

/* A stored key outlives the module; a session that may only read destroys nothing. */
static void stored(void)
{
    CK_SESSION_HANDLE session = open_session(CKF_RW_SESSION);
    CK_OBJECT_HANDLE of_public;
    CK_OBJECT_HANDLE key;
    CK_OBJECT_HANDLE found = 0;

    IS(CKR_OK, generate(session, &yes, &of_public, &key));
    threads_and_processes(session);
    IS(CKR_OK, f->C_Finalize(NULL));
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_Finalize(NULL));
    IS(CKR_OK, f->C_Initialize(NULL));
    session = open_session(0);
    HOLDS(find(session, CKO_PRIVATE_KEY, &found) == 1 && found == key);
    sign(session, of_public, key);
    IS(CKR_SESSION_READ_ONLY, f->C_DestroyObject(session, key));
    session = open_session(CKF_RW_SESSION);
    IS(CKR_OK, f->C_DestroyObject(session, of_public));
    HOLDS(find(session, CKO_PUBLIC_KEY, &found) == 0);
    HOLDS(find(session, CKO_PRIVATE_KEY, &found) == 1);
    IS(CKR_OK, f->C_DestroyObject(session, key));
    HOLDS(find(session, CKO_PRIVATE_KEY, &found) == 0);
    IS(CKR_KEY_HANDLE_INVALID, f->C_SignInit(session, &(CK_MECHANISM){CKM_ECDSA, NULL, 0}, key));
}

/* A storage that cannot be read is not an empty token. */
static void unreadable(void)
{
    const char *folder = getenv("CORRAL_STORAGE");
    CK_SESSION_HANDLE session = open_session(0);

    HOLDS(rmdir(folder) == 0);
    FILE *obstacle = fopen(folder, "w");
    HOLDS(obstacle != NULL && fclose(obstacle) == 0);
    IS(CKR_DEVICE_ERROR, f->C_FindObjectsInit(session, NULL, 0));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_FindObjectsFinal(session));
    HOLDS(remove(folder) == 0 && mkdir(folder, 0700) == 0);
    IS(CKR_OK, f->C_FindObjectsInit(session, NULL, 0));
    IS(CKR_OK, f->C_CloseSession(session));
}

int main(int count, char **arguments)
{
    CK_RV (*get_list)(CK_FUNCTION_LIST **) = NULL;
    CK_OBJECT_HANDLE of_public = 0;
    CK_OBJECT_HANDLE key = 0;

    void *module = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (module != NULL) {
        *(void **)&get_list = dlsym(module, "C_GetFunctionList");
    }
    if (get_list == NULL || get_list(&f) != CKR_OK) {
        puts("no module");
        return 2;
    }
    begin();
    slots();
    CK_SESSION_HANDLE session = open_session(0);
    templates(session);
    IS(CKR_OK, generate(session, &no, &of_public, &key));
    attributes(session, key);
    sign(session, of_public, key);
    sign_only_messages(session);
    digest(session);
    ciphers(session);
    IS(CKR_OK, f->C_CloseSession(session));
    sessions();
    stored();
    unreadable();
    IS(CKR_OK, f->C_Finalize(NULL));
    dlclose(module);
    puts(failures == 0 ? "passed" : "failed");
    return failures != 0;
}
