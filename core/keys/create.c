/* SPDX-License-Identifier: Apache-2.0 */
#include "create.h"

#include <corral/dispatch/key.h>
#include <corral/driver.h>
#include <corral/families.h>
#include <corral/rsa.h>

#include "../common/initialised.h"
#include "persistent.h"
#include "pool.h"
#include "sizes.h"

#define ALL_USAGE                                                                                  \
    (PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_CACHE | PSA_KEY_USAGE_ENCRYPT |     \
     PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE |           \
     PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_DERIVE |                  \
     PSA_KEY_USAGE_VERIFY_DERIVATION | PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP)

/* The largest key that fits the attribute, in whole bytes. */
#define MAX_KEY_BITS 65528u

/* For lifetimes other than the volatile one in local memory. */
static psa_status_t check_lifetime(const psa_key_attributes_t *attributes)
{
    if (!corral_location_known(corral_attributes_location(attributes))) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime)) {
        return PSA_SUCCESS;
    }
    if (attributes->id < PSA_KEY_ID_USER_MIN || attributes->id > PSA_KEY_ID_USER_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return CORRAL_PERSISTENT_KEYS ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t corral_create_begin(const psa_key_attributes_t *given, struct corral_key **key)
{
    const psa_key_attributes_t attributes = corral_attributes_of(given);

    if (!corral_is_initialised()) {
        return PSA_ERROR_BAD_STATE;
    }
    if ((attributes.usage & ~ALL_USAGE) != 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (attributes.lifetime != PSA_KEY_LIFETIME_VOLATILE) {
        psa_status_t status = check_lifetime(&attributes);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    return CORRAL_PERSISTENT_KEYS && !PSA_KEY_LIFETIME_IS_VOLATILE(attributes.lifetime)
               ? corral_persistent_begin(&attributes, key)
               : corral_key_reserve(&attributes, key);
}

psa_status_t corral_create_end(struct corral_key *key, psa_status_t status, psa_key_id_t *id)
{
    if (CORRAL_PERSISTENT_KEYS && corral_key_is_persistent(key)) {
        return corral_persistent_end(key, status, id);
    }
    if (status == PSA_SUCCESS) {
        *id = corral_key_publish(key);
    } else {
        corral_key_free(key);
    }
    return status;
}

/* Kinds of keys that drivers can write into a slot. Builds with one kind omit the test. */
#define IS_OTHER_THAN_ECC_PAIR(type) (!PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type))
#define IS_NO_PAIR(type) (!PSA_KEY_TYPE_IS_KEY_PAIR(type))
#define GENERATES_OTHER_THAN_ECC CORRAL_ANY_GENERATED(IS_OTHER_THAN_ECC_PAIR)
#define GENERATES_SINGLES CORRAL_ANY_GENERATED(IS_NO_PAIR)
/* take_rsa() fills a slot before a driver has said whether it takes pairs. */
#define IMPORTS_PAIRS                                                                              \
    (CORRAL_ANY_IMPORTED(PSA_KEY_TYPE_IS_KEY_PAIR) || CORRAL_WANT_KEY_TYPE_RSA_PUBLIC_KEY)

/* Types that no driver has to understand: the core stores their data unchanged. */
static bool is_unstructured(const struct corral_key *key)
{
    return CORRAL_HAS_UNSTRUCTURED_KEYS && PSA_KEY_TYPE_IS_UNSTRUCTURED(key->attributes.type);
}

/* Check the size of an unstructured key in local memory; it is never 0, and always whole bytes. */
static psa_status_t check_unstructured(const psa_key_attributes_t *attributes, size_t bits)
{
    const psa_status_t status = corral_unstructured_key_status(attributes->type, bits);

    return status == PSA_SUCCESS && bits > 8 * (size_t)CORRAL_SINGLE_KEY_MAX_SIZE
               ? PSA_ERROR_NOT_SUPPORTED
               : status;
}

static psa_status_t import_unstructured(struct corral_key *key, const uint8_t *data,
                                        size_t data_length)
{
    /* No overflow in the bits: a longer key than any is refused as one of no bits. */
    const size_t bits = data_length <= MAX_KEY_BITS / 8 ? data_length * 8 : 0;

    if (key->attributes.bits != 0 && key->attributes.bits != bits) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = check_unstructured(&key->attributes, bits);
    if (status == PSA_SUCCESS) {
        corral_copy(corral_key_data(key), data, data_length);
        key->length = (uint16_t)data_length;
        key->attributes.bits = (uint16_t)bits;
    }
    return status;
}

/* Whether the key is one of RSA; constant in builds without. */
static inline bool is_rsa(const psa_key_attributes_t *attributes)
{
    return CORRAL_WANT_KEY_TYPE_RSA_PUBLIC_KEY && PSA_KEY_TYPE_IS_RSA(attributes->type);
}

/*
 * RSA keys are read before their driver is called, which is found by their size. In local
 * memory only the copy is read, and passed to the driver; a key that is too long is rejected
 * first. A driver of elements reads the caller's data again, and judges what it reads.
 */
static const uint8_t *take_rsa(struct corral_key *key, const uint8_t *data, size_t length,
                               size_t capacity)
{
    const bool is_taken = corral_attributes_are_local(&key->attributes) &&
                          corral_take_key(corral_key_data(key), capacity, data, length);

    return is_taken ? corral_key_data(key) : data;
}

static psa_status_t import_by_driver(struct corral_key *key, const uint8_t *data,
                                     size_t data_length, size_t capacity)
{
    size_t bits = key->attributes.bits;
    size_t length = 0;
    psa_status_t status = PSA_SUCCESS;

    if (key->attributes.bits == 0 && corral_is_seed(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (is_rsa(&key->attributes)) {
        data = take_rsa(key, data, data_length, capacity);
        status = corral_rsa_check(key->attributes.type, data, data_length);
    }
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_import_key(&key->attributes, data, data_length,
                                            corral_key_data(key), capacity, &length, &bits);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (key->attributes.bits != 0 && key->attributes.bits != bits) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    key->attributes.bits = (uint16_t)bits;
    key->length = (uint16_t)length;
    return PSA_SUCCESS;
}

psa_status_t corral_create_derive(struct corral_key *key, const uint8_t *data, size_t data_length)
{
    size_t length = 0;

    if (!corral_attributes_are_local(&key->attributes)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status =
        corral_dispatch_derive_key(&key->attributes, data, data_length, corral_key_data(key),
                                   corral_key_capacity(&key->attributes), &length);
    key->length = (uint16_t)length;
    return status;
}

static psa_status_t generate_by_driver(struct corral_key *key, size_t capacity)
{
    size_t length = 0;

    psa_status_t status =
        corral_dispatch_generate_key(&key->attributes, corral_key_data(key), capacity, &length);
    if (status == PSA_SUCCESS) {
        size_t own = length;
        /* The public key may follow the private one. */
        if (corral_attributes_are_local(&key->attributes) &&
            (!GENERATES_OTHER_THAN_ECC || PSA_KEY_TYPE_IS_ECC_KEY_PAIR(key->attributes.type))) {
            own = corral_ecc_private_size(&key->attributes);
        }
        key->length = (uint16_t)own;
        key->public_length = (uint8_t)(length - own);
    }
    return status;
}

/* Import (`data` given) or generate a key in the element of its location. */
static psa_status_t create_in_element(struct corral_key *key, const uint8_t *data,
                                      size_t data_length)
{
    const size_t context_size = corral_key_context_size(&key->attributes);
    uint8_t *context = corral_key_data(key);

    if (context_size == 0 || (data != NULL && !corral_element_imports(&key->attributes))) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = corral_dispatch_allocate_key(&key->attributes, context, context_size);
    const bool is_allocated = status == PSA_SUCCESS;
    /* NOT_SUPPORTED: a driver that needs no allocation, or that will refuse this key anyway. */
    if (!is_allocated && status != PSA_ERROR_NOT_SUPPORTED) {
        return status;
    }
    status = CORRAL_PERSISTENT_KEYS && is_allocated ? corral_persistent_allocated(key, context_size)
                                                    : PSA_SUCCESS;
    if (status == PSA_SUCCESS) {
        status = data != NULL ? import_by_driver(key, data, data_length, context_size)
                              : generate_by_driver(key, context_size);
    }
    if (status != PSA_SUCCESS && is_allocated) {
        if (CORRAL_PERSISTENT_KEYS) {
            corral_persistent_abandon(key, context_size);
        } else {
            (void)corral_dispatch_destroy_key(&key->attributes, context, context_size);
        }
    }
    return status;
}

psa_status_t corral_create_import(struct corral_key *key, const uint8_t *data, size_t data_length)
{
    if (!corral_attributes_are_local(&key->attributes)) {
        return data_length == 0 ? PSA_ERROR_INVALID_ARGUMENT
                                : create_in_element(key, data, data_length);
    }
    if (is_unstructured(key)) {
        return import_unstructured(key, data, data_length);
    }
    return import_by_driver(key, data, data_length,
                            IMPORTS_PAIRS ? corral_key_capacity(&key->attributes)
                                          : CORRAL_SINGLE_SLOT_SIZE);
}

/*
 * CORRAL_LENIENT_KEY_BITS: applications that give the length of a public key's data as its size get
 * attributes without a size, which the data then tells. No curve has public keys of other sizes
 * that are as long as this says.
 */
static const psa_key_attributes_t *importable(const psa_key_attributes_t *attributes,
                                              size_t data_length, psa_key_attributes_t *copy)
{
    if (!CORRAL_LENIENT_KEY_BITS || !PSA_KEY_TYPE_IS_ECC_PUBLIC_KEY(attributes->type) ||
        attributes->bits != 8 * data_length) {
        return attributes;
    }
    *copy = *attributes;
    copy->bits = 0;
    return copy;
}

psa_status_t psa_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                            size_t data_length, psa_key_id_t *key)
{
    psa_key_attributes_t copy;
    struct corral_key *slot;

    corral_no_key_yet(key);
    psa_status_t status = corral_create_begin(importable(attributes, data_length, &copy), &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_create_import(slot, data, data_length);
    return corral_create_end(slot, status, key);
}

static psa_status_t generate(struct corral_key *key)
{
    if (key->attributes.bits == 0 || PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_attributes_are_local(&key->attributes)) {
        return create_in_element(key, NULL, 0);
    }
    if (!is_unstructured(key)) {
        return generate_by_driver(key, GENERATES_SINGLES ? corral_key_capacity(&key->attributes)
                                                         : CORRAL_PAIR_SLOT_SIZE);
    }
    psa_status_t status = check_unstructured(&key->attributes, key->attributes.bits);
    if (status != PSA_SUCCESS) {
        return status;
    }
    key->length = (uint16_t)(key->attributes.bits / 8);
    return corral_random(corral_key_data(key), key->length);
}

psa_status_t psa_generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    struct corral_key *slot;

    corral_no_key_yet(key);
    psa_status_t status = corral_create_begin(attributes, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = generate(slot);
    return corral_create_end(slot, status, key);
}
