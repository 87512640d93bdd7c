/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who creates and keeps keys. Call the functions with keys that exist, those of creation with any
 * attributes. Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.keys of the rows of family key in dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_KEY_H
#define CORRAL_DISPATCH_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/locations.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

#include <corral/drivers/atecc608/entry_points.h>
#include <corral/drivers/micro_ecc/entry_points.h>

/* No driver of this build serves these. */
#define corral_dispatch_generate_key_custom(...) CORRAL_UNSERVED_7(__VA_ARGS__)
#define corral_dispatch_derive_key(...) CORRAL_UNSERVED_6(__VA_ARGS__)

/* Whether this build can keep keys at a location. */
static inline bool corral_location_known(psa_key_location_t location)
{
    return location == PSA_KEY_LOCATION_LOCAL_STORAGE || location == CORRAL_LOCATION_SE0 ||
           location == CORRAL_LOCATION_SE1;
}

/* Whether local memory can keep a symmetric key or data of this type and size, or why not. */
static inline psa_status_t corral_unstructured_key_status(psa_key_type_t type, size_t bits)
{
    (void)type;
    (void)bits;
    return PSA_ERROR_NOT_SUPPORTED;
}

/* Whether this build can have such a key in local memory, and it is as long as that. */
static inline bool corral_key_fits(const psa_key_attributes_t *attributes, const uint8_t *data,
                                   size_t length)
{
    (void)data;
    if (attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1) &&
        attributes->bits == 256) {
        return length == 32;
    }
    if (attributes->type == PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1) &&
        attributes->bits == 256) {
        return length == 65;
    }
    return false;
}

/* Bytes that an element's driver stores for such a key; 0: it keeps none of this type. */
static inline size_t corral_key_context_size(const psa_key_attributes_t *attributes)
{
    switch (attributes->type) {
    case PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1):
        return 8;
    case PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1):
        return 64;
    default:
        return 0;
    }
}

/* Whether the element at the attributes' location can import a key of their type. */
static inline bool corral_element_imports(const psa_key_attributes_t *attributes)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1) &&
        (attributes->bits == 0 || attributes->bits == 256)) {
        return true;
    }
    return false;
}

static inline psa_status_t corral_element_import_key(const psa_key_attributes_t *attributes,
                                                     const uint8_t *data, size_t data_length,
                                                     uint8_t *key_buffer, size_t key_buffer_size,
                                                     size_t *key_buffer_length, size_t *bits)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1) &&
        (attributes->bits == 0 || attributes->bits == 256)) {
        return atecc608_import_public_key(attributes, data, data_length, key_buffer,
                                          key_buffer_size, key_buffer_length, bits);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_import_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *data, size_t data_length,
                                                      uint8_t *key_buffer, size_t key_buffer_size,
                                                      size_t *key_buffer_length, size_t *bits)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_import_key(attributes, data, data_length, key_buffer, key_buffer_size,
                                         key_buffer_length, bits);
    }
    if (attributes->type == PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1) &&
        (attributes->bits == 0 || attributes->bits == 256)) {
        return micro_ecc_driver_import_key(attributes, data, data_length, key_buffer,
                                           key_buffer_size, key_buffer_length, bits);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_generate_key(const psa_key_attributes_t *attributes,
                                                       uint8_t *key_buffer, size_t key_buffer_size,
                                                       size_t *key_buffer_length)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1) &&
        attributes->bits == 256) {
        return atecc608_generate_key(attributes, key_buffer, key_buffer_size, key_buffer_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_generate_key(const psa_key_attributes_t *attributes,
                                                        uint8_t *key_buffer, size_t key_buffer_size,
                                                        size_t *key_buffer_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_generate_key(attributes, key_buffer, key_buffer_size,
                                           key_buffer_length);
    }
    if (attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1) &&
        attributes->bits == 256) {
        return micro_ecc_driver_generate_key(attributes, key_buffer, key_buffer_size,
                                             key_buffer_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_allocate_key(const psa_key_attributes_t *attributes,
                                                       uint8_t *key_buffer, size_t key_buffer_size)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1) &&
        (attributes->bits == 0 || attributes->bits == 256)) {
        return atecc608_allocate_key(attributes, key_buffer, key_buffer_size);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_allocate_key(const psa_key_attributes_t *attributes,
                                                        uint8_t *key_buffer, size_t key_buffer_size)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_allocate_key(attributes, key_buffer, key_buffer_size);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_attach_key(psa_key_attributes_t *attributes,
                                                     const uint8_t *label, size_t label_length,
                                                     uint8_t *key_buffer, size_t key_buffer_size,
                                                     size_t *key_buffer_length)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1) &&
        (attributes->bits == 0 || attributes->bits == 256)) {
        return atecc608_attach_key(attributes, label, label_length, key_buffer, key_buffer_size,
                                   key_buffer_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_attach_key(psa_key_attributes_t *attributes,
                                                      const uint8_t *label, size_t label_length,
                                                      uint8_t *key_buffer, size_t key_buffer_size,
                                                      size_t *key_buffer_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_attach_key(attributes, label, label_length, key_buffer,
                                         key_buffer_size, key_buffer_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_export_public_key(const psa_key_attributes_t *attributes,
                                                            const uint8_t *key_buffer,
                                                            size_t key_buffer_size, uint8_t *data,
                                                            size_t data_size, size_t *data_length)
{
    return atecc608_export_public_key(attributes, key_buffer, key_buffer_size, data, data_size,
                                      data_length);
}

static inline psa_status_t corral_dispatch_export_public_key(const psa_key_attributes_t *attributes,
                                                             const uint8_t *key_buffer,
                                                             size_t key_buffer_size, uint8_t *data,
                                                             size_t data_size, size_t *data_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_export_public_key(attributes, key_buffer, key_buffer_size, data,
                                                data_size, data_length);
    }
    return micro_ecc_driver_export_public_key(attributes, key_buffer, key_buffer_size, data,
                                              data_size, data_length);
}

static inline psa_status_t corral_element_destroy_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)) {
        return atecc608_destroy_key(attributes, key_buffer, key_buffer_size);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_destroy_key(const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_destroy_key(attributes, key_buffer, key_buffer_size);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_restore_key(const psa_key_attributes_t *attributes,
                                                      uint8_t *key_buffer, size_t key_buffer_size)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)) {
        return atecc608_restore_key(attributes, key_buffer, key_buffer_size);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_restore_key(const psa_key_attributes_t *attributes,
                                                       uint8_t *key_buffer, size_t key_buffer_size)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_restore_key(attributes, key_buffer, key_buffer_size);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_export_key(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, uint8_t *data,
                                                     size_t data_size, size_t *data_length)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)) {
        return atecc608_export_public_key(attributes, key_buffer, key_buffer_size, data, data_size,
                                          data_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_export_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, uint8_t *data,
                                                      size_t data_size, size_t *data_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_export_key(attributes, key_buffer, key_buffer_size, data, data_size,
                                         data_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_element_copy_key(const psa_key_attributes_t *attributes,
                                                   const uint8_t *source_key_buffer,
                                                   size_t source_key_buffer_size,
                                                   uint8_t *key_buffer, size_t key_buffer_size,
                                                   size_t *key_buffer_length)
{
    if (attributes->type == PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)) {
        return atecc608_copy_public_key(attributes, source_key_buffer, source_key_buffer_size,
                                        key_buffer, key_buffer_size, key_buffer_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_copy_key(const psa_key_attributes_t *attributes,
                                                    const uint8_t *source_key_buffer,
                                                    size_t source_key_buffer_size,
                                                    uint8_t *key_buffer, size_t key_buffer_size,
                                                    size_t *key_buffer_length)
{
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_element_copy_key(attributes, source_key_buffer, source_key_buffer_size,
                                       key_buffer, key_buffer_size, key_buffer_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
