/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/hash.h>
#include <corral/driver.h>
#include <corral/families.h>
#include <corral/sae.h>

#include "../keys/create.h"
#include "../keys/sizes.h"
#include "operation.h"

/* Bytes that each half of a SPAKE2+ key pair is derived from, beyond its own. */
#define SPARE 8u

/* Bytes that the largest key is derived from; one more, so that a build without keys is still C. */
#define KEY_SIZE                                                                                   \
    ((CORRAL_SINGLE_KEY_MAX_SIZE > CORRAL_PAIR_PRIVATE_MAX_SIZE ? CORRAL_SINGLE_KEY_MAX_SIZE       \
                                                                : CORRAL_PAIR_PRIVATE_MAX_SIZE) +  \
     (CORRAL_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_DERIVE ? 2 * SPARE : 0))

/* Numbers that are drawn for a private key. Brainpool's orders fail for a third of them. */
#define DRAWS 64

static bool is_token(psa_key_type_t type)
{
    return (CORRAL_WANT_KEY_TYPE_WPA3_SAE_ECC && PSA_KEY_TYPE_IS_WPA3_SAE_ECC(type)) ||
           (CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH && PSA_KEY_TYPE_IS_WPA3_SAE_DH(type));
}

/* Read `length` bytes and make them a key. */
static psa_status_t derive_bytes(psa_key_derivation_operation_t *operation, struct corral_key *key,
                                 uint8_t *bytes, size_t length)
{
    psa_status_t status = corral_derivation_read(operation, bytes, length);

    if (status != PSA_SUCCESS) {
        return status;
    }
    return corral_is_derived_by_driver(key->attributes.type)
               ? corral_create_derive(key, bytes, length)
               : corral_create_import(key, bytes, length);
}

/* Set the bits of a scalar as X25519 and X448 do (RFC 7748, 5). */
static psa_status_t derive_montgomery(psa_key_derivation_operation_t *operation,
                                      struct corral_key *key, uint8_t *bytes, size_t length)
{
    const bool is_448 = key->attributes.bits == 448;

    psa_status_t status = corral_derivation_read(operation, bytes, length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    uint8_t *last = &bytes[length - 1];
    bytes[0] = (uint8_t)(bytes[0] & (is_448 ? 0xfcu : 0xf8u));
    *last = (uint8_t)((*last & (is_448 ? 0xffu : 0x7fu)) | (is_448 ? 0x80u : 0x40u));
    return corral_create_import(key, bytes, length);
}

/* One more than the big-endian number; 0 after the largest. */
static void increment(uint8_t *number, size_t length)
{
    unsigned carry = 1;

    while (length > 0) {
        length--;
        carry += number[length];
        number[length] = (uint8_t)carry;
        carry >>= 8;
    }
}

/*
 * Draw k until k + 1 is below the order of the curve, or the prime of the group (SP 800-56A,
 * 5.6.1.2.2 and 5.6.1.1.4): the driver, which knows it, refuses what is not.
 */
static psa_status_t derive_number(psa_key_derivation_operation_t *operation, struct corral_key *key,
                                  uint8_t *bytes, size_t length)
{
    const unsigned spare = (unsigned)(8 * length - key->attributes.bits);
    psa_status_t status = PSA_ERROR_INVALID_ARGUMENT;

    for (unsigned i = 0; i < DRAWS && status == PSA_ERROR_INVALID_ARGUMENT; i++) {
        status = corral_derivation_read(operation, bytes, length);
        if (status == PSA_SUCCESS) {
            bytes[0] = (uint8_t)(bytes[0] & (0xffu >> spare));
            increment(bytes, length);
            status = corral_create_import(key, bytes, length);
        }
    }
    return status;
}

/* Bytes that a key is derived from (PSA Crypto 1.5, 9.5); 0: such keys are not derived. */
static size_t drawn_size(const psa_key_attributes_t *attributes)
{
    const psa_key_type_t type = attributes->type;
    const size_t size = ((size_t)attributes->bits + 7) / 8;
    const size_t seed = corral_seed_size(type, size);

    if (seed != 0) {
        return seed;
    }
    if (CORRAL_WANT_KEY_TYPE_ECC_KEY_PAIR_DERIVE && PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type)) {
        return corral_ecc_private_size(attributes);
    }
    if (CORRAL_WANT_KEY_TYPE_DH_KEY_PAIR_DERIVE && PSA_KEY_TYPE_IS_DH_KEY_PAIR(type)) {
        return size;
    }
    if (CORRAL_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_DERIVE && PSA_KEY_TYPE_IS_SPAKE2P_KEY_PAIR(type)) {
        return 2 * (size + SPARE);
    }
    if (is_token(type)) {
        return corral_hash_length(corral_sae_hash(corral_sae_is_field(type), attributes->bits));
    }
    /* DES keys would need their parity bits set; no driver of this tree has DES. */
    return PSA_KEY_TYPE_IS_UNSTRUCTURED(type) && type != PSA_KEY_TYPE_DES ? size : 0;
}

/* A token comes from its own algorithm, over the hash of its group, and that gives nothing else. */
static bool is_compatible(psa_algorithm_t alg, const psa_key_attributes_t *attributes)
{
    const psa_key_type_t type = attributes->type;

    if (!is_token(type)) {
        return !corral_derivation_is_token(alg);
    }
    return alg ==
           PSA_ALG_WPA3_SAE_H2E(corral_sae_hash(corral_sae_is_field(type), attributes->bits));
}

static bool is_on(const psa_key_attributes_t *attributes, psa_ecc_family_t family)
{
    return CORRAL_WANT_KEY_TYPE_ECC_KEY_PAIR_DERIVE &&
           PSA_KEY_TYPE_IS_ECC_KEY_PAIR(attributes->type) &&
           PSA_KEY_TYPE_ECC_GET_FAMILY(attributes->type) == family;
}

/* Whether the key is a number below another one. */
static bool is_number(const psa_key_attributes_t *attributes)
{
    return (CORRAL_WANT_KEY_TYPE_DH_KEY_PAIR_DERIVE &&
            PSA_KEY_TYPE_IS_DH_KEY_PAIR(attributes->type)) ||
           (CORRAL_WANT_KEY_TYPE_ECC_KEY_PAIR_DERIVE &&
            PSA_KEY_TYPE_IS_ECC_KEY_PAIR(attributes->type) &&
            !is_on(attributes, PSA_ECC_FAMILY_TWISTED_EDWARDS));
}

/* Whether a family has a curve of this size (PSA Crypto 1.5, 9.2.4), if the family is known. */
static bool is_curve(psa_ecc_family_t family, size_t bits)
{
    static const struct {
        psa_ecc_family_t family;
        uint16_t bits[7];
    } families[] = {
        {PSA_ECC_FAMILY_SECP_K1, {192, 225, 256}},
        {PSA_ECC_FAMILY_SECP_R1, {192, 224, 256, 384, 521}},
        {PSA_ECC_FAMILY_SECP_R2, {160}},
        {PSA_ECC_FAMILY_SECT_K1, {163, 233, 239, 283, 409, 571}},
        {PSA_ECC_FAMILY_SECT_R1, {163, 233, 283, 409, 571}},
        {PSA_ECC_FAMILY_SECT_R2, {163}},
        {PSA_ECC_FAMILY_BRAINPOOL_P_R1, {160, 192, 224, 256, 320, 384, 512}},
        {PSA_ECC_FAMILY_FRP, {256}},
        {PSA_ECC_FAMILY_MONTGOMERY, {255, 448}},
        {PSA_ECC_FAMILY_TWISTED_EDWARDS, {255, 448}},
    };
    const size_t most = sizeof families[0].bits / sizeof families[0].bits[0];

    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (families[i].family == family) {
            size_t j = 0;
            while (j < most && families[i].bits[j] != bits) {
                j++;
            }
            return j < most;
        }
    }
    return true; /* no driver has one of another family */
}

/* Whether such a key can come of the operation. */
static bool may_give(const psa_key_derivation_operation_t *operation,
                     const psa_key_attributes_t *attributes)
{
    if (CORRAL_WANT_KEY_TYPE_ECC_KEY_PAIR_DERIVE &&
        PSA_KEY_TYPE_IS_ECC_KEY_PAIR(attributes->type) &&
        !is_curve(PSA_KEY_TYPE_ECC_GET_FAMILY(attributes->type), attributes->bits)) {
        return false;
    }
    return attributes->bits != 0 && !PSA_KEY_TYPE_IS_PUBLIC_KEY(attributes->type) &&
           is_compatible(corral_derivation_alg(operation), attributes) &&
           (attributes->type != PSA_KEY_TYPE_PASSWORD_HASH ||
            attributes->algorithm == PSA_ALG_NONE || attributes->algorithm == operation->alg);
}

static psa_status_t derive(psa_key_derivation_operation_t *operation, struct corral_key *key)
{
    uint8_t bytes[KEY_SIZE + 1];
    psa_status_t status;

    if (!may_give(operation, &key->attributes)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = drawn_size(&key->attributes);
    if (length == 0 || length > KEY_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (is_on(&key->attributes, PSA_ECC_FAMILY_MONTGOMERY)) {
        status = derive_montgomery(operation, key, bytes, length);
    } else if (is_number(&key->attributes)) {
        status = derive_number(operation, key, bytes, length);
    } else {
        status = derive_bytes(operation, key, bytes, length);
    }
    corral_wipe(bytes, sizeof bytes);
    return status;
}

/* Whether the operation gives keys now. */
static psa_status_t check(const psa_key_derivation_operation_t *operation)
{
    const psa_status_t status = corral_derivation_ready(operation);

    return status == PSA_SUCCESS && (!operation->gives_keys || operation->is_verified_only)
               ? PSA_ERROR_NOT_PERMITTED
               : status;
}

psa_status_t psa_key_derivation_output_key(const psa_key_attributes_t *attributes,
                                           psa_key_derivation_operation_t *operation,
                                           psa_key_id_t *key)
{
    struct corral_key *slot;

    corral_no_key_yet(key);
    psa_status_t status = check(operation);
    if (status == PSA_SUCCESS) {
        status = corral_create_begin(attributes, &slot);
    }
    if (status == PSA_SUCCESS) {
        status = derive(operation, slot);
        status = corral_create_end(slot, status, key);
    }
    return corral_derivation_done(operation, status);
}

psa_status_t psa_key_derivation_output_key_custom(const psa_key_attributes_t *attributes,
                                                  psa_key_derivation_operation_t *operation,
                                                  const psa_custom_key_parameters_t *custom,
                                                  const uint8_t *custom_data,
                                                  size_t custom_data_length, psa_key_id_t *key)
{
    (void)custom_data;
    corral_no_key_yet(key);
    if (custom->flags != 0 || custom_data_length != 0) {
        const psa_status_t status = check(operation);
        return corral_derivation_fail(operation,
                                      status == PSA_SUCCESS ? PSA_ERROR_INVALID_ARGUMENT : status);
    }
    return psa_key_derivation_output_key(attributes, operation, key);
}
