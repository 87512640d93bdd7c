/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PKCS#11 module (Cryptoki 2.40) over the PSA Crypto API: declarations for all of its sources.
 *
 * Each place of keys is a slot with a token: local storage, and each element of the board. Each
 * stored key is an object, and a key pair is two. One lock guards sessions, objects and all calls
 * of PSA Crypto, so functions below are called with it held.
 */
#ifndef CORRAL_PKCS11_MODULE_H
#define CORRAL_PKCS11_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <p11-kit/pkcs11.h>

#include <corral/config.h>
#include <psa/crypto.h>

/* Properties of a key that PSA Crypto does not store. */
#define ID_MAX_SIZE 64u
#define LABEL_MAX_SIZE 96u

struct note {
    bool is_generated;     /* by this module: the key was never outside */
    bool is_public_hidden; /* the public key of a pair was destroyed as an object */
    uint8_t id_length;
    uint8_t label_length;
    uint8_t id[ID_MAX_SIZE];
    uint8_t label[LABEL_MAX_SIZE];
};

/* A key as an object of one class. */
struct object {
    psa_key_id_t key;
    CK_OBJECT_CLASS class;
    psa_key_attributes_t attributes;
    struct note note;
};

/* A mechanism and its algorithm of PSA Crypto. */
struct mechanism {
    CK_MECHANISM_TYPE type;
    CK_FLAGS flags;
    CK_KEY_TYPE key_type;
    psa_algorithm_t alg; /* a wildcard: the data or a parameter names the hash */
    bool is_built;
};

#define NO_KEY_TYPE CK_UNAVAILABLE_INFORMATION
#define RAW_MAX_SIZE 512u /* data that is signed as it is */
#define IV_MAX_SIZE 16u

/* One operation of a session. */
struct operation {
    const struct mechanism *mechanism; /* null: no operation is active */
    psa_key_id_t key;
    psa_key_type_t type;
    size_t bits;
    psa_algorithm_t alg;
    bool in_parts; /* data has been given by an Update function */
    psa_hash_operation_t hash;
    psa_sign_operation_t sign;
    psa_cipher_operation_t cipher;
    size_t held; /* bytes that a cipher in parts keeps for the next call */
    uint8_t raw[RAW_MAX_SIZE];
    size_t raw_length;
    uint8_t iv[IV_MAX_SIZE];
    size_t iv_length;
    uint8_t *additional; /* of GCM, a copy */
    size_t additional_length;
};

enum operation_kind { DIGEST, SIGN, VERIFY, ENCRYPT, DECRYPT, OPERATIONS };

struct session {
    struct session *next;
    CK_SESSION_HANDLE handle;
    CK_SLOT_ID slot;
    bool is_writable;
    bool is_finding;
    CK_OBJECT_HANDLE *found;
    size_t found_count;
    size_t found_at;
    struct operation operations[OPERATIONS];
};

/* module.c: take the lock. Unless CKR_OK is returned, it is not held. leave() returns `rv`. */
CK_RV enter(void);
CK_RV enter_session(CK_SESSION_HANDLE handle, struct session **session);
CK_RV leave(CK_RV rv);

/* module.c: the value for a status that has no better one where it arises. */
CK_RV rv_of(psa_status_t status);

/* slots.c */
bool slot_exists(CK_SLOT_ID slot);
psa_key_location_t slot_location(CK_SLOT_ID slot);
bool token_is_present(void);

/* sessions.c */
struct session *session_find(CK_SESSION_HANDLE handle);
void sessions_close_all(void);

/* mechanisms.c: a mechanism that has one of the flags at a place of keys, or null. */
const struct mechanism *mechanism_find(psa_key_location_t place, CK_MECHANISM_TYPE type,
                                       CK_FLAGS flags);
/* Whether a key of this policy may be used with the mechanism. */
bool mechanism_is_allowed(const struct mechanism *mechanism, psa_key_type_t type,
                          psa_algorithm_t policy);
/* Whether it hashes the data itself; otherwise data is signed as it is. */
bool mechanism_is_of_message(const struct mechanism *mechanism);
/* All mechanisms of a place, in order; null behind the last. */
const struct mechanism *mechanism_at(psa_key_location_t place, size_t index);
/* The hash of a mechanism, such as CKM_SHA256; PSA_ALG_NONE: there is no such one. */
psa_algorithm_t hash_of(CK_MECHANISM_TYPE type);
CK_RV mechanism_info(psa_key_location_t place, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info);

/* objects.c: the object of a handle that the session's token has. False: there is none. */
bool object_open(const struct session *session, CK_OBJECT_HANDLE handle, struct object *object);
CK_OBJECT_HANDLE object_handle(psa_key_id_t key, CK_OBJECT_CLASS class);
bool object_is_stored(const struct object *object);
psa_key_location_t object_location(const struct object *object);
/* Forget the keys of a session that ends, and destroy them; 0: of all sessions. */
void session_keys_destroy(CK_SESSION_HANDLE session);
/* Let a new volatile key belong to a session. False: there is no memory. */
bool session_key_add(CK_SESSION_HANDLE session, CK_SLOT_ID slot, psa_key_id_t key,
                     const struct note *note);
/* Write the note of a key that will be, or is, stored. */
CK_RV note_write(psa_key_id_t key, const struct note *note);
void note_remove(psa_key_id_t key);

/*
 * attributes.c: the value of an attribute, or CKR_ATTRIBUTE_SENSITIVE or
 * CKR_ATTRIBUTE_TYPE_INVALID. The room is ATTRIBUTE_MAX_SIZE bytes.
 */
#define ATTRIBUTE_MAX_SIZE 1200u
CK_RV attribute_get(const struct object *object, CK_ATTRIBUTE_TYPE type, uint8_t *value,
                    size_t *length);
CK_KEY_TYPE attribute_key_type(psa_key_type_t type);

/* der.c */
struct curve {
    size_t bits;
    const uint8_t *oid; /* DER */
    size_t oid_length;
};
const struct curve *curve_of_bits(size_t bits);
const struct curve *curve_of_oid(const uint8_t *oid, size_t length);
/* Write tag, length and value, which may be at `to`; returns the bytes, 0: no room. */
size_t der_put(uint8_t *to, size_t size, uint8_t tag, const uint8_t *value, size_t length);
/* The same of a number that is not negative, big-endian. */
size_t der_put_number(uint8_t *to, size_t size, const uint8_t *number, size_t length);
/* Go past the head of an element; its value is *from and the result. False: it is none. */
bool der_take(const uint8_t **from, const uint8_t *end, uint8_t tag, size_t *length);

/* operations.c: enter_session() and the operation of a kind that is active there. */
CK_RV enter_operation(CK_SESSION_HANDLE handle, enum operation_kind kind,
                      struct operation **operation);
/* Begin an operation with a key: the common part of SignInit and its like. */
CK_RV operation_begin(const struct session *session, struct operation *operation,
                      const CK_MECHANISM *mechanism, CK_FLAGS flag, CK_OBJECT_HANDLE key);
/* End an operation; harmless if none is active. */
void operation_end(struct operation *operation);
/* End it unless the caller may call again: it asked for a length, or had too little room. */
CK_RV conclude(struct operation *operation, CK_RV rv, bool is_query);
/* True: the caller asks for a length, or has too little room; *length and *rv say so. */
bool needs_room(const uint8_t *output, CK_ULONG *length, size_t needed, CK_RV *rv);

/* cipher.c: take over the parameters of a mechanism. */
CK_RV cipher_set(struct operation *operation, const CK_MECHANISM *mechanism);

#endif
