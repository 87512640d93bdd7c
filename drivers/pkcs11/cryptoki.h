/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of PKCS#11 that the driver uses, as OASIS publishes it ("PKCS #11 Cryptographic Token
 * Interface Base Specification", 2.40 and later): names, values, and layouts of a Unix system. A
 * build of the driver needs no header of a module's maker.
 */
#ifndef PKCS11_CRYPTOKI_H
#define PKCS11_CRYPTOKI_H

typedef unsigned char CK_BYTE;
typedef unsigned long CK_ULONG;
typedef CK_BYTE CK_BBOOL;
typedef CK_ULONG CK_RV;
typedef CK_ULONG CK_SLOT_ID;
typedef CK_ULONG CK_SESSION_HANDLE;
typedef CK_ULONG CK_OBJECT_HANDLE;

#define CK_INVALID_HANDLE 0ul
#define CK_UNAVAILABLE_INFORMATION (~0ul)

struct cryptoki_version {
    CK_BYTE major;
    CK_BYTE minor;
};

struct cryptoki_token_info {
    CK_BYTE label[32]; /* filled up with spaces */
    CK_BYTE manufacturer[32];
    CK_BYTE model[16];
    CK_BYTE serial[16];
    CK_ULONG flags;
    CK_ULONG numbers[10];
    struct cryptoki_version hardware;
    struct cryptoki_version firmware;
    CK_BYTE time[16];
};

struct cryptoki_session_info {
    CK_SLOT_ID slot;
    CK_ULONG state;
    CK_ULONG flags;
    CK_ULONG device_error;
};

struct cryptoki_attribute {
    CK_ULONG type;
    void *value;
    CK_ULONG length;
};

struct cryptoki_mechanism {
    CK_ULONG type;
    void *parameter;
    CK_ULONG length;
};

struct cryptoki_initialize {
    void *mutexes[4]; /* functions of an application that has its own; null: those of the system */
    CK_ULONG flags;
    void *reserved;
};

struct cryptoki_pss {
    CK_ULONG hash;
    CK_ULONG mask;
    CK_ULONG salt_length;
};

struct cryptoki_ecdh {
    CK_ULONG derivation;
    CK_ULONG shared_length;
    CK_BYTE *shared;
    CK_ULONG public_length;
    CK_BYTE *public_point;
};

/* Of a function that the driver does not call. */
typedef CK_RV cryptoki_uncalled(void);

/* One operation with a key: begin, and all of its data at once. */
typedef CK_RV cryptoki_begin(CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism,
                             CK_OBJECT_HANDLE key);
typedef CK_RV cryptoki_process(CK_SESSION_HANDLE session, CK_BYTE *input, CK_ULONG input_length,
                               CK_BYTE *output, CK_ULONG *output_length);

/* All functions of a module, in the order of the specification. */
struct cryptoki_functions {
    struct cryptoki_version version;
    CK_RV (*C_Initialize)(void *arguments);
    CK_RV (*C_Finalize)(void *reserved);
    cryptoki_uncalled *C_GetInfo;
    cryptoki_uncalled *C_GetFunctionList;
    CK_RV (*C_GetSlotList)(CK_BBOOL with_token, CK_SLOT_ID *slots, CK_ULONG *count);
    cryptoki_uncalled *C_GetSlotInfo;
    CK_RV (*C_GetTokenInfo)(CK_SLOT_ID slot, struct cryptoki_token_info *info);
    cryptoki_uncalled *C_GetMechanismList;
    cryptoki_uncalled *C_GetMechanismInfo;
    cryptoki_uncalled *C_InitToken;
    cryptoki_uncalled *C_InitPIN;
    cryptoki_uncalled *C_SetPIN;
    CK_RV(*C_OpenSession)
    (CK_SLOT_ID slot, CK_ULONG flags, void *application, void *notify, CK_SESSION_HANDLE *session);
    CK_RV (*C_CloseSession)(CK_SESSION_HANDLE session);
    cryptoki_uncalled *C_CloseAllSessions;
    CK_RV (*C_GetSessionInfo)(CK_SESSION_HANDLE session, struct cryptoki_session_info *info);
    cryptoki_uncalled *C_GetOperationState;
    cryptoki_uncalled *C_SetOperationState;
    CK_RV (*C_Login)(CK_SESSION_HANDLE session, CK_ULONG user, CK_BYTE *pin, CK_ULONG length);
    CK_RV (*C_Logout)(CK_SESSION_HANDLE session);
    CK_RV(*C_CreateObject)
    (CK_SESSION_HANDLE session, struct cryptoki_attribute *attributes, CK_ULONG count,
     CK_OBJECT_HANDLE *object);
    cryptoki_uncalled *C_CopyObject;
    CK_RV (*C_DestroyObject)(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object);
    cryptoki_uncalled *C_GetObjectSize;
    CK_RV(*C_GetAttributeValue)
    (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, struct cryptoki_attribute *attributes,
     CK_ULONG count);
    cryptoki_uncalled *C_SetAttributeValue;
    CK_RV(*C_FindObjectsInit)
    (CK_SESSION_HANDLE session, struct cryptoki_attribute *attributes, CK_ULONG count);
    CK_RV(*C_FindObjects)
    (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *objects, CK_ULONG maximum, CK_ULONG *count);
    CK_RV (*C_FindObjectsFinal)(CK_SESSION_HANDLE session);
    cryptoki_begin *C_EncryptInit;
    cryptoki_process *C_Encrypt;
    cryptoki_uncalled *C_EncryptUpdate;
    cryptoki_uncalled *C_EncryptFinal;
    cryptoki_begin *C_DecryptInit;
    cryptoki_process *C_Decrypt;
    cryptoki_uncalled *C_DecryptUpdate;
    cryptoki_uncalled *C_DecryptFinal;
    cryptoki_uncalled *C_DigestInit;
    cryptoki_uncalled *C_Digest;
    cryptoki_uncalled *C_DigestUpdate;
    cryptoki_uncalled *C_DigestKey;
    cryptoki_uncalled *C_DigestFinal;
    cryptoki_begin *C_SignInit;
    cryptoki_process *C_Sign;
    cryptoki_uncalled *C_SignUpdate;
    cryptoki_uncalled *C_SignFinal;
    cryptoki_uncalled *C_SignRecoverInit;
    cryptoki_uncalled *C_SignRecover;
    cryptoki_begin *C_VerifyInit;
    CK_RV(*C_Verify)
    (CK_SESSION_HANDLE session, CK_BYTE *input, CK_ULONG input_length, CK_BYTE *signature,
     CK_ULONG length);
    cryptoki_uncalled *C_VerifyUpdate;
    cryptoki_uncalled *C_VerifyFinal;
    cryptoki_uncalled *C_VerifyRecoverInit;
    cryptoki_uncalled *C_VerifyRecover;
    cryptoki_uncalled *C_DigestEncryptUpdate;
    cryptoki_uncalled *C_DecryptDigestUpdate;
    cryptoki_uncalled *C_SignEncryptUpdate;
    cryptoki_uncalled *C_DecryptVerifyUpdate;
    CK_RV(*C_GenerateKey)
    (CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism,
     struct cryptoki_attribute *attributes, CK_ULONG count, CK_OBJECT_HANDLE *key);
    CK_RV(*C_GenerateKeyPair)
    (CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism,
     struct cryptoki_attribute *of_public, CK_ULONG public_count,
     struct cryptoki_attribute *of_private, CK_ULONG private_count, CK_OBJECT_HANDLE *public_key,
     CK_OBJECT_HANDLE *private_key);
    cryptoki_uncalled *C_WrapKey;
    cryptoki_uncalled *C_UnwrapKey;
    CK_RV(*C_DeriveKey)
    (CK_SESSION_HANDLE session, struct cryptoki_mechanism *mechanism, CK_OBJECT_HANDLE base,
     struct cryptoki_attribute *attributes, CK_ULONG count, CK_OBJECT_HANDLE *key);
    cryptoki_uncalled *C_SeedRandom;
    CK_RV (*C_GenerateRandom)(CK_SESSION_HANDLE session, CK_BYTE *output, CK_ULONG length);
    cryptoki_uncalled *C_GetFunctionStatus;
    cryptoki_uncalled *C_CancelFunction;
    cryptoki_uncalled *C_WaitForSlotEvent;
};

typedef CK_RV cryptoki_get_functions(struct cryptoki_functions **functions);

#define CKF_OS_LOCKING_OK 0x2ul
#define CKF_LOGIN_REQUIRED 0x4ul
#define CKF_PROTECTED_AUTHENTICATION_PATH 0x100ul
#define CKF_USER_PIN_FINAL_TRY 0x20000ul
#define CKF_USER_PIN_LOCKED 0x40000ul
#define CKF_RW_SESSION 0x2ul
#define CKF_SERIAL_SESSION 0x4ul
#define CKU_USER 1ul
#define CKU_CONTEXT_SPECIFIC 2ul
#define CKS_RW_USER_FUNCTIONS 3ul

#define CKO_PUBLIC_KEY 2ul
#define CKO_PRIVATE_KEY 3ul
#define CKO_SECRET_KEY 4ul
#define CKK_RSA 0x00ul
#define CKK_EC 0x03ul
#define CKK_GENERIC_SECRET 0x10ul
#define CKK_AES 0x1Ful

#define CKA_CLASS 0x000ul
#define CKA_TOKEN 0x001ul
#define CKA_PRIVATE 0x002ul
#define CKA_LABEL 0x003ul
#define CKA_VALUE 0x011ul
#define CKA_KEY_TYPE 0x100ul
#define CKA_ID 0x102ul
#define CKA_SENSITIVE 0x103ul
#define CKA_ENCRYPT 0x104ul
#define CKA_DECRYPT 0x105ul
#define CKA_SIGN 0x108ul
#define CKA_VERIFY 0x10Aul
#define CKA_DERIVE 0x10Cul
#define CKA_MODULUS 0x120ul
#define CKA_MODULUS_BITS 0x121ul
#define CKA_PUBLIC_EXPONENT 0x122ul
#define CKA_VALUE_LEN 0x161ul
#define CKA_EXTRACTABLE 0x162ul
#define CKA_EC_PARAMS 0x180ul
#define CKA_EC_POINT 0x181ul
#define CKA_ALWAYS_AUTHENTICATE 0x202ul

#define CKM_RSA_PKCS_KEY_PAIR_GEN 0x0000ul
#define CKM_RSA_PKCS 0x0001ul
#define CKM_RSA_PKCS_PSS 0x000Dul
#define CKM_SHA_1 0x0220ul
#define CKM_SHA224 0x0255ul
#define CKM_SHA256 0x0250ul
#define CKM_SHA384 0x0260ul
#define CKM_SHA512 0x0270ul
#define CKM_SHA256_HMAC 0x0251ul
#define CKM_SHA384_HMAC 0x0261ul
#define CKM_SHA512_HMAC 0x0271ul
#define CKM_GENERIC_SECRET_KEY_GEN 0x0350ul
#define CKM_EC_KEY_PAIR_GEN 0x1040ul
#define CKM_ECDSA 0x1041ul
#define CKM_ECDH1_DERIVE 0x1050ul
#define CKM_AES_KEY_GEN 0x1080ul
#define CKM_AES_ECB 0x1081ul
#define CKM_AES_CBC 0x1082ul

#define CKG_MGF1_SHA1 1ul
#define CKG_MGF1_SHA224 5ul
#define CKG_MGF1_SHA256 2ul
#define CKG_MGF1_SHA384 3ul
#define CKG_MGF1_SHA512 4ul
#define CKD_NULL 1ul

#define CKR_OK 0x000ul
#define CKR_HOST_MEMORY 0x002ul
#define CKR_SLOT_ID_INVALID 0x003ul
#define CKR_GENERAL_ERROR 0x005ul
#define CKR_FUNCTION_FAILED 0x006ul
#define CKR_ARGUMENTS_BAD 0x007ul
#define CKR_ATTRIBUTE_READ_ONLY 0x010ul
#define CKR_ATTRIBUTE_SENSITIVE 0x011ul
#define CKR_ATTRIBUTE_TYPE_INVALID 0x012ul
#define CKR_ATTRIBUTE_VALUE_INVALID 0x013ul
#define CKR_ACTION_PROHIBITED 0x01Bul
#define CKR_DATA_INVALID 0x020ul
#define CKR_DATA_LEN_RANGE 0x021ul
#define CKR_DEVICE_ERROR 0x030ul
#define CKR_DEVICE_MEMORY 0x031ul
#define CKR_DEVICE_REMOVED 0x032ul
#define CKR_ENCRYPTED_DATA_INVALID 0x040ul
#define CKR_ENCRYPTED_DATA_LEN_RANGE 0x041ul
#define CKR_FUNCTION_NOT_SUPPORTED 0x054ul
#define CKR_KEY_HANDLE_INVALID 0x060ul
#define CKR_KEY_SIZE_RANGE 0x062ul
#define CKR_KEY_TYPE_INCONSISTENT 0x063ul
#define CKR_KEY_FUNCTION_NOT_PERMITTED 0x068ul
#define CKR_MECHANISM_INVALID 0x070ul
#define CKR_MECHANISM_PARAM_INVALID 0x071ul
#define CKR_OBJECT_HANDLE_INVALID 0x082ul
#define CKR_OPERATION_ACTIVE 0x090ul
#define CKR_OPERATION_NOT_INITIALIZED 0x091ul
#define CKR_PIN_INCORRECT 0x0A0ul
#define CKR_PIN_INVALID 0x0A1ul
#define CKR_PIN_LEN_RANGE 0x0A2ul
#define CKR_PIN_EXPIRED 0x0A3ul
#define CKR_PIN_LOCKED 0x0A4ul
#define CKR_SESSION_CLOSED 0x0B0ul
#define CKR_SESSION_COUNT 0x0B1ul
#define CKR_SESSION_HANDLE_INVALID 0x0B3ul
#define CKR_SESSION_READ_ONLY 0x0B5ul
#define CKR_TEMPLATE_INCOMPLETE 0x0D0ul
#define CKR_TEMPLATE_INCONSISTENT 0x0D1ul
#define CKR_TOKEN_NOT_PRESENT 0x0E0ul
#define CKR_TOKEN_NOT_RECOGNIZED 0x0E1ul
#define CKR_TOKEN_WRITE_PROTECTED 0x0E2ul
#define CKR_USER_ALREADY_LOGGED_IN 0x100ul
#define CKR_USER_NOT_LOGGED_IN 0x101ul
#define CKR_USER_PIN_NOT_INITIALIZED 0x102ul
#define CKR_USER_ANOTHER_ALREADY_LOGGED_IN 0x104ul
#define CKR_RANDOM_NO_RNG 0x121ul
#define CKR_DOMAIN_PARAMS_INVALID 0x130ul
#define CKR_CURVE_NOT_SUPPORTED 0x140ul
#define CKR_BUFFER_TOO_SMALL 0x150ul
#define CKR_CRYPTOKI_NOT_INITIALIZED 0x190ul
#define CKR_CRYPTOKI_ALREADY_INITIALIZED 0x191ul
#define CKR_PUBLIC_KEY_INVALID 0x1B9ul
#define CKR_FUNCTION_REJECTED 0x200ul

#endif
