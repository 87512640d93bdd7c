/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/hash.h>
#include <corral/driver.h>
#include <corral/sae.h>

#include "create.h"
#include "derivation.h"
#include "key_sizes.h"

/* Bytes that each half of a SPAKE2+ key pair is derived from, beyond its own. */
#define SPARE 8u

/* Bytes that the largest key is derived from; one more, so that a build without keys is still C. */
#define KEY_SIZE                                                                                   \
    ((CORRAL_SINGLE_KEY_MAX_SIZE > CORRAL_PAIR_PRIVATE_MAX_SIZE ? CORRAL_SINGLE_KEY_MAX_SIZE       \
                                                                : CORRAL_PAIR_PRIVATE_MAX_SIZE) +  \
     (PSA_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_DERIVE ? 2 * SPARE : 0))

/* Numbers that are drawn for a private key. Brainpool's orders fail for a third of them. */
#define DRAWS 64

/* Read `length` bytes and make them a key. */
static psa_status_t derive_bytes(psa_key_derivation_operation_t *operation, struct corral_key *key,
                                 uint8_t *bytes, size_t length)
{
    psa_status_t status = corral_derivation_read(operation, bytes, length);

    return status == PSA_SUCCESS ? corral_create_import(key, bytes, length) : status;
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

/* Both halves at once, which the driver reduces modulo the order (PSA Crypto 1.5, 9.5.9). */
static psa_status_t derive_spake2p(psa_key_derivation_operation_t *operation,
                                   struct corral_key *key, uint8_t *bytes)
{
    const size_t length = 2 * (((size_t)key->attributes.bits + 7) / 8 + SPARE);

    if (length > KEY_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = corral_derivation_read(operation, bytes, length);
    return status == PSA_SUCCESS ? corral_create_derive(key, bytes, length) : status;
}

#define HAS_TOKENS (PSA_WANT_KEY_TYPE_WPA3_SAE_ECC || PSA_WANT_KEY_TYPE_WPA3_SAE_DH)

static bool is_token(psa_key_type_t type)
{
    return HAS_TOKENS && (PSA_KEY_TYPE_IS_WPA3_SAE_ECC(type) || PSA_KEY_TYPE_IS_WPA3_SAE_DH(type));
}

/* A seed, which the driver makes an element of the group (PSA Crypto 1.5, 9.4.1). */
static psa_status_t derive_token(psa_key_derivation_operation_t *operation, struct corral_key *key,
                                 uint8_t *bytes)
{
    const psa_algorithm_t hash =
        corral_sae_hash(corral_sae_is_field(key->attributes.type), key->attributes.bits);

    if (!is_token(key->attributes.type) ||
        corral_derivation_alg(operation) != PSA_ALG_WPA3_SAE_H2E(hash)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t length = corral_hash_length(hash);
    psa_status_t status = corral_derivation_read(operation, bytes, length);
    return status == PSA_SUCCESS ? corral_create_derive(key, bytes, length) : status;
}

static psa_status_t derive(psa_key_derivation_operation_t *operation, struct corral_key *key)
{
    uint8_t bytes[KEY_SIZE + 1];
    const psa_key_type_t type = key->attributes.type;
    const bool is_dh = PSA_WANT_KEY_TYPE_DH_KEY_PAIR_DERIVE && PSA_KEY_TYPE_IS_DH_KEY_PAIR(type);
    const bool is_pair =
        PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_DERIVE && PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type);
    const size_t length = is_pair ? corral_ecc_private_size(&key->attributes)
                                  : ((size_t)key->attributes.bits + 7) / 8;
    psa_status_t status;

    if (is_token(type) || corral_derivation_is_token(corral_derivation_alg(operation))) {
        status = derive_token(operation, key, bytes);
        corral_wipe(bytes, sizeof bytes);
        return status;
    }
    if (PSA_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_DERIVE && PSA_KEY_TYPE_IS_SPAKE2P_KEY_PAIR(type)) {
        status = derive_spake2p(operation, key, bytes);
        corral_wipe(bytes, sizeof bytes);
        return status;
    }
    /* DES keys would need their parity bits set; no driver of this tree has DES. */
    if ((!is_pair && !is_dh && !PSA_KEY_TYPE_IS_UNSTRUCTURED(type)) || type == PSA_KEY_TYPE_DES ||
        length > KEY_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (is_dh) {
        status = derive_number(operation, key, bytes, length);
    } else if (!is_pair || PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_TWISTED_EDWARDS) {
        status = derive_bytes(operation, key, bytes, length);
    } else if (PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_MONTGOMERY) {
        status = derive_montgomery(operation, key, bytes, length);
    } else {
        status = derive_number(operation, key, bytes, length);
    }
    corral_wipe(bytes, sizeof bytes);
    return status;
}

static psa_status_t check(const psa_key_derivation_operation_t *operation,
                          const psa_key_attributes_t *attributes)
{
    psa_status_t status = corral_derivation_ready(operation);

    if (status != PSA_SUCCESS) {
        return status;
    }
    if (!operation->gives_keys || operation->is_verified_only) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    if (attributes->bits == 0 || PSA_KEY_TYPE_IS_PUBLIC_KEY(attributes->type) ||
        (attributes->type == PSA_KEY_TYPE_PASSWORD_HASH && attributes->algorithm != PSA_ALG_NONE &&
         attributes->algorithm != operation->alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return PSA_SUCCESS;
}

psa_status_t psa_key_derivation_output_key(const psa_key_attributes_t *attributes,
                                           psa_key_derivation_operation_t *operation,
                                           psa_key_id_t *key)
{
    struct corral_key *slot;

    *key = PSA_KEY_ID_NULL;
    psa_status_t status = check(operation, attributes);
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
    *key = PSA_KEY_ID_NULL;
    if (custom->flags != 0 || custom_data_length != 0) {
        const psa_status_t status = check(operation, attributes);
        return corral_derivation_fail(operation,
                                      status == PSA_SUCCESS ? PSA_ERROR_INVALID_ARGUMENT : status);
    }
    return psa_key_derivation_output_key(attributes, operation, key);
}
