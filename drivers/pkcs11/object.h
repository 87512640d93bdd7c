/* SPDX-License-Identifier: Apache-2.0 */
/* Keys as objects of a token: finding them, and reading their attributes. */
#ifndef PKCS11_OBJECT_H
#define PKCS11_OBJECT_H

#include "pkcs11_contexts.h"
#include "token.h"

/* Kinds of names of keys. */
enum {
    PKCS11_KEY_MADE,    /* the CKA_ID that the driver drew for a key of its own */
    PKCS11_KEY_ATTACHED /* the CKA_LABEL of a key that was in the token already */
};

/* Attributes of a template. */
#define PKCS11_ATTRIBUTE(type, variable)                                                           \
    {                                                                                              \
        (type), &(variable), sizeof(variable)                                                      \
    }
#define PKCS11_COUNT(template) (sizeof(template) / sizeof(template)[0])

/* CKK_* for a type of keys, and CKO_* of the object that computes. */
CK_ULONG pkcs11_key_type(const psa_key_attributes_t *attributes);
CK_ULONG pkcs11_class(const psa_key_attributes_t *attributes);

/*
 * Find a key's object of class CKO_*.
 *   PSA_ERROR_INVALID_HANDLE  there is none
 *   PSA_ERROR_NOT_PERMITTED   there are several
 */
psa_status_t pkcs11_find(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                         const struct pkcs11_key *key, CK_ULONG of_class, CK_OBJECT_HANDLE *object);

/*
 * Find the object that has a pair's public key: the public object with the CKA_ID of the private
 * one, because labels of the two may differ. If the pair has no CKA_ID, the key's name counts. If
 * there is no public object, it is the private one, where some tokens have the public key.
 *   statuses of pkcs11_find()
 */
psa_status_t pkcs11_find_public(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                                const struct pkcs11_key *key, CK_OBJECT_HANDLE *object);

/* pkcs11_open(), and find the object that computes. pkcs11_close() ends this call, too. */
psa_status_t pkcs11_open_key(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                             const uint8_t *key_buffer, CK_OBJECT_HANDLE *object);

/*
 * Read an attribute of up to `size` bytes.
 *   PSA_ERROR_NOT_SUPPORTED  the object has no such attribute, or a longer one
 */
psa_status_t pkcs11_read(struct pkcs11_call *call, CK_OBJECT_HANDLE object, CK_ULONG type,
                         void *value, size_t size, size_t *length);

/* Whether an attribute is there, and is true. */
bool pkcs11_is_true(struct pkcs11_call *call, CK_OBJECT_HANDLE object, CK_ULONG type);

/*
 * Carry out an operation with a key, whose result has `size` bytes exactly.
 *   PSA_ERROR_COMMUNICATION_FAILURE  the module reports another length
 */
psa_status_t pkcs11_process(struct pkcs11_call *call, cryptoki_begin *begin,
                            cryptoki_process *process, struct cryptoki_mechanism *mechanism,
                            CK_OBJECT_HANDLE object, const uint8_t *input, size_t input_length,
                            uint8_t *output, size_t size);

#endif
