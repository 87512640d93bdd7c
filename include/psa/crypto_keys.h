/* SPDX-License-Identifier: Apache-2.0 */
/* Keys: attributes, lifetimes, identifiers, policies and management (sections 9.1, 9.2, 9.6
 * to 9.9).
 */
#ifndef PSA_CRYPTO_KEYS_H
#define PSA_CRYPTO_KEYS_H

#include "crypto_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lifetimes (section 9.6)
 */

/* Default: local memory, gone at the next reset. */
#define PSA_KEY_LIFETIME_VOLATILE ((psa_key_lifetime_t)0x00000000)

/* Default persistent storage. */
#define PSA_KEY_LIFETIME_PERSISTENT ((psa_key_lifetime_t)0x00000001)

/* The key ends with the application or at the next reset, wherever it is. */
#define PSA_KEY_PERSISTENCE_VOLATILE ((psa_key_persistence_t)0x00)

/* The key stays until the application destroys it. */
#define PSA_KEY_PERSISTENCE_DEFAULT ((psa_key_persistence_t)0x01)

/* The key cannot be destroyed by the application. */
#define PSA_KEY_PERSISTENCE_READ_ONLY ((psa_key_persistence_t)0xff)

/* Memory and storage of the processor that runs this library. */
#define PSA_KEY_LOCATION_LOCAL_STORAGE ((psa_key_location_t)0x000000)

/* The main secure element, if the device has one. */
#define PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT ((psa_key_location_t)0x000001)

/* Take a lifetime apart, and put one together. */
#define PSA_KEY_LIFETIME_GET_PERSISTENCE(lifetime) ((psa_key_persistence_t)((lifetime)&0x000000ff))
#define PSA_KEY_LIFETIME_GET_LOCATION(lifetime) ((psa_key_location_t)((lifetime) >> 8))
#define PSA_KEY_LIFETIME_IS_VOLATILE(lifetime)                                                     \
    (PSA_KEY_LIFETIME_GET_PERSISTENCE(lifetime) == PSA_KEY_PERSISTENCE_VOLATILE)
#define PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(persistence, location)                      \
    ((psa_key_lifetime_t)((psa_key_lifetime_t)(location) << 8 | (psa_key_lifetime_t)(persistence)))

/*
 * Identifiers (section 9.7)
 */

/* No key. */
#define PSA_KEY_ID_NULL ((psa_key_id_t)0)

/* Range from which applications choose the identifiers of persistent keys. */
#define PSA_KEY_ID_USER_MIN ((psa_key_id_t)0x00000001)
#define PSA_KEY_ID_USER_MAX ((psa_key_id_t)0x3fffffff)

/* Range from which the library gives identifiers to volatile and built-in keys. */
#define PSA_KEY_ID_VENDOR_MIN ((psa_key_id_t)0x40000000)
#define PSA_KEY_ID_VENDOR_MAX ((psa_key_id_t)0x7fffffff)

/*
 * Usage flags (section 9.8.2)
 */

/* Export the key, or wrap it. A public key or part needs no flag. */
#define PSA_KEY_USAGE_EXPORT ((psa_key_usage_t)0x00000001)

/* Copy the key; to leave a secure element it also needs PSA_KEY_USAGE_EXPORT. */
#define PSA_KEY_USAGE_COPY ((psa_key_usage_t)0x00000002)

/* Permit copies of the key in memory between operations. A hint. */
#define PSA_KEY_USAGE_CACHE ((psa_key_usage_t)0x00000004)

/* Encrypt with a cipher, an AEAD or a public key, and encapsulate. */
#define PSA_KEY_USAGE_ENCRYPT ((psa_key_usage_t)0x00000100)

/* Decrypt with a cipher, an AEAD or a private key, and decapsulate. */
#define PSA_KEY_USAGE_DECRYPT ((psa_key_usage_t)0x00000200)

/* Compute a MAC, or sign a message. */
#define PSA_KEY_USAGE_SIGN_MESSAGE ((psa_key_usage_t)0x00000400)

/* Verify a MAC or the signature of a message. */
#define PSA_KEY_USAGE_VERIFY_MESSAGE ((psa_key_usage_t)0x00000800)

/* Sign a hash. Includes PSA_KEY_USAGE_SIGN_MESSAGE. */
#define PSA_KEY_USAGE_SIGN_HASH ((psa_key_usage_t)0x00001000)

/* Verify the signature of a hash. Includes PSA_KEY_USAGE_VERIFY_MESSAGE. */
#define PSA_KEY_USAGE_VERIFY_HASH ((psa_key_usage_t)0x00002000)

/* Derive keys, agree on a key, take part in a PAKE. */
#define PSA_KEY_USAGE_DERIVE ((psa_key_usage_t)0x00004000)

/* Compare the output of a derivation; gives no access to it. */
#define PSA_KEY_USAGE_VERIFY_DERIVATION ((psa_key_usage_t)0x00008000)

/* For psa_check_key_usage() alone: can the public part serve in a key agreement? */
#define PSA_KEY_USAGE_DERIVE_PUBLIC ((psa_key_usage_t)0x00000080)

/* Wrap other keys. */
#define PSA_KEY_USAGE_WRAP ((psa_key_usage_t)0x00010000)

/* Unwrap other keys. */
#define PSA_KEY_USAGE_UNWRAP ((psa_key_usage_t)0x00020000)

/*
 * Attributes (section 9.1). The functions below only read and write the attributes object; whether
 * the values make a valid key is checked when a key is created.
 */

/* Initialiser of empty attributes: volatile, no identifier, no type, size 0, no usage, no
 * algorithm. */
#define PSA_KEY_ATTRIBUTES_INIT CORRAL_ZERO_INIT

static inline psa_key_attributes_t psa_key_attributes_init(void)
{
    const psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    return attributes;
}

static inline void psa_reset_key_attributes(psa_key_attributes_t *attributes)
{
    *attributes = psa_key_attributes_init();
}

static inline void psa_set_key_type(psa_key_attributes_t *attributes, psa_key_type_t type)
{
    attributes->type = type;
}

static inline psa_key_type_t psa_get_key_type(const psa_key_attributes_t *attributes)
{
    return attributes->type;
}

/* A size that no key can have is kept as 65535, so that creating the key fails instead of creating
 * a key of another size. */
static inline void psa_set_key_bits(psa_key_attributes_t *attributes, size_t bits)
{
    attributes->bits = (uint16_t)(bits > 65528U ? 65535U : bits);
}

static inline size_t psa_get_key_bits(const psa_key_attributes_t *attributes)
{
    return attributes->bits;
}

/* A volatile lifetime also clears the identifier: a volatile key gets its own from the library. */
static inline void psa_set_key_lifetime(psa_key_attributes_t *attributes,
                                        psa_key_lifetime_t lifetime)
{
    attributes->lifetime = lifetime;
    if (PSA_KEY_LIFETIME_IS_VOLATILE(lifetime)) {
        attributes->id = PSA_KEY_ID_NULL;
    }
}

static inline psa_key_lifetime_t psa_get_key_lifetime(const psa_key_attributes_t *attributes)
{
    return attributes->lifetime;
}

/* Also makes a volatile key persistent, where it is. */
static inline void psa_set_key_id(psa_key_attributes_t *attributes, psa_key_id_t id)
{
    attributes->id = id;
    if (PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime)) {
        attributes->lifetime |= PSA_KEY_PERSISTENCE_DEFAULT;
    }
}

static inline psa_key_id_t psa_get_key_id(const psa_key_attributes_t *attributes)
{
    return attributes->id;
}

static inline void psa_set_key_algorithm(psa_key_attributes_t *attributes, psa_algorithm_t alg)
{
    attributes->algorithm = alg;
}

static inline psa_algorithm_t psa_get_key_algorithm(const psa_key_attributes_t *attributes)
{
    return attributes->algorithm;
}

/* Signing or verifying hashes includes the same for messages, and reads back so. */
static inline void psa_set_key_usage_flags(psa_key_attributes_t *attributes,
                                           psa_key_usage_t usage_flags)
{
    if ((usage_flags & PSA_KEY_USAGE_SIGN_HASH) != 0) {
        usage_flags |= PSA_KEY_USAGE_SIGN_MESSAGE;
    }
    if ((usage_flags & PSA_KEY_USAGE_VERIFY_HASH) != 0) {
        usage_flags |= PSA_KEY_USAGE_VERIFY_MESSAGE;
    }
    attributes->usage = usage_flags;
}

static inline psa_key_usage_t psa_get_key_usage_flags(const psa_key_attributes_t *attributes)
{
    return attributes->usage;
}

psa_status_t psa_get_key_attributes(psa_key_id_t key, psa_key_attributes_t *attributes);
psa_status_t psa_check_key_usage(psa_key_id_t key, psa_algorithm_t alg, psa_key_usage_t usage);
psa_status_t psa_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                            size_t data_length, psa_key_id_t *key);

/* Custom parameters that ask for nothing special. */
#define PSA_CUSTOM_KEY_PARAMETERS_INIT                                                             \
    {                                                                                              \
        0                                                                                          \
    }
psa_status_t psa_generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key);
psa_status_t psa_generate_key_custom(const psa_key_attributes_t *attributes,
                                     const psa_custom_key_parameters_t *custom,
                                     const uint8_t *custom_data, size_t custom_data_length,
                                     psa_key_id_t *key);
psa_status_t psa_copy_key(psa_key_id_t source_key, const psa_key_attributes_t *attributes,
                          psa_key_id_t *target_key);
psa_status_t psa_attach_key(const psa_key_attributes_t *attributes, const uint8_t *label,
                            size_t label_length, psa_key_id_t *key);
psa_status_t psa_destroy_key(psa_key_id_t key);
psa_status_t psa_purge_key(psa_key_id_t key);
psa_status_t psa_export_key(psa_key_id_t key, uint8_t *data, size_t data_size, size_t *data_length);
psa_status_t psa_export_public_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                   size_t *data_length);

#ifdef __cplusplus
}
#endif

#endif
