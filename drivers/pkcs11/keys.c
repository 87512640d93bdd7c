/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of every type: their names, their end, and the keys that a token came with. */
#include <string.h>

#include <corral/drivers/pkcs11/entry_points.h>

#include "curve.h"
#include "object.h"

/* Whether a CKA_ID is free. A token whose numbers repeat would give two keys the same. */
static psa_status_t check_free(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                               const struct pkcs11_key *key)
{
    CK_OBJECT_HANDLE object;
    const psa_status_t status =
        pkcs11_find(call, attributes, key, pkcs11_class(attributes), &object);

    return status == PSA_ERROR_INVALID_HANDLE ? PSA_SUCCESS
           : status == PSA_SUCCESS || status == PSA_ERROR_NOT_PERMITTED
               ? PSA_ERROR_INSUFFICIENT_ENTROPY
               : status;
}

/*
 * Draw the CKA_ID that the key will have. The token draws it. To the core NOT_SUPPORTED means that
 * a key needs no name, so it is not returned.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  the token has no generator, or one that repeats itself
 *   PSA_ERROR_COMMUNICATION_FAILURE, PSA_ERROR_NOT_PERMITTED  as pkcs11_open()
 */
psa_status_t pkcs11_allocate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                 size_t key_buffer_size)
{
    struct pkcs11_call call;
    struct pkcs11_key *key = (struct pkcs11_key *)key_buffer;

    if (key_buffer_size < sizeof *key) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = pkcs11_open(&call, corral_pkcs11_device_index(attributes));
    if (status == PSA_SUCCESS) {
        key->kind = PKCS11_KEY_MADE;
        key->length = sizeof key->name;
        status = pkcs11_status(
            &call, call.functions->C_GenerateRandom(call.session, key->name, sizeof key->name));
    }
    if (status == PSA_SUCCESS) {
        status = check_free(&call, attributes, key);
    }
    return pkcs11_close(&call, status == PSA_ERROR_NOT_SUPPORTED ? PSA_ERROR_INSUFFICIENT_ENTROPY
                                                                 : status);
}

/*
 * Destroy a key's object of one class, if there is one. After a logout the token hides objects, and
 * handles become invalid. So an object is gone only if a session that is logged in does not find
 * it.
 */
static psa_status_t destroy(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                            const struct pkcs11_key *key, CK_ULONG of_class)
{
    CK_OBJECT_HANDLE object;

    psa_status_t status = pkcs11_find(call, attributes, key, of_class, &object);
    if (status == PSA_SUCCESS) {
        status = pkcs11_status(call, call->functions->C_DestroyObject(call->session, object));
        if (status != PSA_ERROR_INVALID_HANDLE) {
            return status;
        }
        status = pkcs11_find(call, attributes, key, of_class, &object);
        status = status == PSA_SUCCESS ? pkcs11_lied(call) : status;
    }
    return status == PSA_ERROR_INVALID_HANDLE ? pkcs11_confirm(call) : status;
}

/*
 * The status of a destruction that failed. To the core NOT_SUPPORTED means that there is nothing to
 * destroy. By others than these psa_crypto_init() fails, if it goes on with a destruction.
 */
static psa_status_t of_destruction(psa_status_t status)
{
    switch (status) {
    case PSA_SUCCESS:
    case PSA_ERROR_COMMUNICATION_FAILURE:
    case PSA_ERROR_NOT_PERMITTED:
    case PSA_ERROR_DATA_INVALID: /* the record does not name a key */
        return status;
    case PSA_ERROR_NOT_SUPPORTED:
        return PSA_ERROR_NOT_PERMITTED;
    default:
        return PSA_ERROR_HARDWARE_FAILURE;
    }
}

/*
 * Destroy the key's objects: first the one that computes. A key that is not there is gone, or was
 * never made. An attached key is only let go. To the core NOT_SUPPORTED means that there is nothing
 * to destroy, so a token that cannot destroy keys is NOT_PERMITTED.
 */
psa_status_t pkcs11_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size)
{
    struct pkcs11_call call;
    const struct pkcs11_key *key = (const struct pkcs11_key *)key_buffer;

    if (key_buffer_size < sizeof *key || key->kind != PKCS11_KEY_MADE) {
        return PSA_SUCCESS;
    }
    psa_status_t status = pkcs11_open(&call, corral_pkcs11_device_index(attributes));
    if (PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime) &&
        (call.is_new || call.session == CK_INVALID_HANDLE)) {
        return pkcs11_close(&call, PSA_SUCCESS); /* it ended with its session */
    }
    if (status == PSA_SUCCESS) {
        status = destroy(&call, attributes, key, pkcs11_class(attributes));
    }
    if (status == PSA_SUCCESS && PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type)) {
        status = destroy(&call, attributes, key, CKO_PUBLIC_KEY);
    }
    return pkcs11_close(&call, of_destruction(status));
}

/* The usages that the token permits, as flags of the API. */
static psa_key_usage_t usage_of(struct pkcs11_call *call, psa_key_type_t type,
                                CK_OBJECT_HANDLE object)
{
    const psa_key_usage_t of_messages = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE;
    const psa_key_usage_t of_hashes = PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH;
    psa_key_usage_t usage = PSA_KEY_USAGE_CACHE;

    if (pkcs11_is_true(call, object, CKA_SIGN) && type != PSA_KEY_TYPE_AES) {
        usage |= PSA_KEY_TYPE_IS_KEY_PAIR(type) ? of_messages | of_hashes : of_messages;
    }
    if (PSA_KEY_TYPE_IS_ECC(type) && pkcs11_is_true(call, object, CKA_DERIVE)) {
        usage |= PSA_KEY_USAGE_DERIVE;
    }
    if (type == PSA_KEY_TYPE_AES && pkcs11_is_true(call, object, CKA_ENCRYPT)) {
        usage |= PSA_KEY_USAGE_ENCRYPT;
    }
    if (type == PSA_KEY_TYPE_AES && pkcs11_is_true(call, object, CKA_DECRYPT)) {
        usage |= PSA_KEY_USAGE_DECRYPT;
    }
    return usage;
}

/* Bits of a key.   PSA_ERROR_NOT_SUPPORTED  a size or curve that the driver does not have */
static psa_status_t read_bits(struct pkcs11_call *call, psa_key_type_t type,
                              CK_OBJECT_HANDLE object, size_t *bits)
{
    uint8_t parameters[PKCS11_PARAMETERS_MAX_SIZE];
    uint8_t modulus[1 + CORRAL_BITS_TO_BYTES(4096)]; /* some tokens put a 0 in front */
    CK_ULONG bytes = 0;
    size_t length = 0;
    psa_status_t status;

    if (PSA_KEY_TYPE_IS_ECC(type)) {
        status = pkcs11_read(call, object, CKA_EC_PARAMS, parameters, sizeof parameters, &length);
        *bits = status == PSA_SUCCESS ? pkcs11_curve_bits(parameters, length) : 0;
    } else if (PSA_KEY_TYPE_IS_RSA(type)) {
        status = pkcs11_read(call, object, CKA_MODULUS, modulus, sizeof modulus, &length);
        *bits = 8 * (length - (status == PSA_SUCCESS && length > 0 && modulus[0] == 0));
    } else {
        status = pkcs11_read(call, object, CKA_VALUE_LEN, &bytes, sizeof bytes, &length);
        *bits = bytes <= CORRAL_BITS_TO_BYTES(4096) ? 8 * bytes : 0;
    }
    return status == PSA_SUCCESS && *bits == 0 ? PSA_ERROR_NOT_SUPPORTED : status;
}

/*
 * Attach a key that is in the token already. Several identifiers may belong to the same key.
 *   attributes  in: type and lifetime asked for; out: bits and usage as the token permits them
 *   label       the key's CKA_LABEL, 1 to 16 bytes
 *   PSA_ERROR_DOES_NOT_EXIST  no key of this type has this label
 *   PSA_ERROR_NOT_PERMITTED   several have it
 */
psa_status_t pkcs11_attach_key(psa_key_attributes_t *attributes, const uint8_t *label,
                               size_t label_length, uint8_t *key_buffer, size_t key_buffer_size,
                               size_t *key_buffer_length)
{
    struct pkcs11_call call;
    struct pkcs11_key *key = (struct pkcs11_key *)key_buffer;
    CK_OBJECT_HANDLE object;
    size_t bits = 0;

    if (label_length == 0 || label_length > sizeof key->name) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < sizeof *key) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    key->kind = PKCS11_KEY_ATTACHED;
    key->length = (uint8_t)label_length;
    memset(key->name, 0, sizeof key->name);
    memcpy(key->name, label, label_length);
    psa_status_t status = pkcs11_open_key(&call, attributes, key_buffer, &object);
    status = status == PSA_ERROR_INVALID_HANDLE ? PSA_ERROR_DOES_NOT_EXIST : status;
    if (status == PSA_SUCCESS) {
        status = read_bits(&call, attributes->type, object, &bits);
    }
    if (status == PSA_SUCCESS) {
        attributes->bits = (uint16_t)bits;
        attributes->usage = usage_of(&call, attributes->type, object);
        *key_buffer_length = sizeof *key;
    }
    return pkcs11_close(&call, status);
}
