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
#define PSA_KEY_LIFETIME_VOLATILE CORRAL_CAST(psa_key_lifetime_t, 0x00000000)

/* Default persistent storage. */
#define PSA_KEY_LIFETIME_PERSISTENT CORRAL_CAST(psa_key_lifetime_t, 0x00000001)

/* The key ends with the application or at the next reset, wherever it is. */
#define PSA_KEY_PERSISTENCE_VOLATILE CORRAL_CAST(psa_key_persistence_t, 0x00)

/* The key stays until the application destroys it. */
#define PSA_KEY_PERSISTENCE_DEFAULT CORRAL_CAST(psa_key_persistence_t, 0x01)

/* The key cannot be destroyed by the application. */
#define PSA_KEY_PERSISTENCE_READ_ONLY CORRAL_CAST(psa_key_persistence_t, 0xff)

/* Memory and storage of the processor that runs this library. */
#define PSA_KEY_LOCATION_LOCAL_STORAGE CORRAL_CAST(psa_key_location_t, 0x000000)

/* The main secure element, if the device has one. */
#define PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT CORRAL_CAST(psa_key_location_t, 0x000001)

/* Take a lifetime apart, and put one together. */
#define PSA_KEY_LIFETIME_GET_PERSISTENCE(lifetime)                                                 \
    CORRAL_CAST(psa_key_persistence_t, (lifetime)&0x000000ff)
#define PSA_KEY_LIFETIME_GET_LOCATION(lifetime) CORRAL_CAST(psa_key_location_t, (lifetime) >> 8)
#define PSA_KEY_LIFETIME_IS_VOLATILE(lifetime)                                                     \
    (PSA_KEY_LIFETIME_GET_PERSISTENCE(lifetime) == PSA_KEY_PERSISTENCE_VOLATILE)
#define PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(persistence, location)                      \
    CORRAL_CAST(psa_key_lifetime_t, CORRAL_CAST(psa_key_lifetime_t, location) << 8 |               \
                                        CORRAL_CAST(psa_key_lifetime_t, persistence))

/*
 * Identifiers (section 9.7)
 */

/* No key. */
#define PSA_KEY_ID_NULL CORRAL_CAST(psa_key_id_t, 0)

/* Range from which applications choose the identifiers of persistent keys. */
#define PSA_KEY_ID_USER_MIN CORRAL_CAST(psa_key_id_t, 0x00000001)
#define PSA_KEY_ID_USER_MAX CORRAL_CAST(psa_key_id_t, 0x3fffffff)

/* Range from which the library gives identifiers to volatile and built-in keys. */
#define PSA_KEY_ID_VENDOR_MIN CORRAL_CAST(psa_key_id_t, 0x40000000)
#define PSA_KEY_ID_VENDOR_MAX CORRAL_CAST(psa_key_id_t, 0x7fffffff)

/*
 * Usage flags (section 9.8.2)
 */

/* Export the key, or wrap it. A public key or part needs no flag. */
#define PSA_KEY_USAGE_EXPORT CORRAL_CAST(psa_key_usage_t, 0x00000001)

/* Copy the key; to leave a secure element it also needs PSA_KEY_USAGE_EXPORT. */
#define PSA_KEY_USAGE_COPY CORRAL_CAST(psa_key_usage_t, 0x00000002)

/* Permit copies of the key in memory between operations. A hint. */
#define PSA_KEY_USAGE_CACHE CORRAL_CAST(psa_key_usage_t, 0x00000004)

/* Encrypt with a cipher, an AEAD or a public key, and encapsulate. */
#define PSA_KEY_USAGE_ENCRYPT CORRAL_CAST(psa_key_usage_t, 0x00000100)

/* Decrypt with a cipher, an AEAD or a private key, and decapsulate. */
#define PSA_KEY_USAGE_DECRYPT CORRAL_CAST(psa_key_usage_t, 0x00000200)

/* Compute a MAC, or sign a message. */
#define PSA_KEY_USAGE_SIGN_MESSAGE CORRAL_CAST(psa_key_usage_t, 0x00000400)

/* Verify a MAC or the signature of a message. */
#define PSA_KEY_USAGE_VERIFY_MESSAGE CORRAL_CAST(psa_key_usage_t, 0x00000800)

/* Sign a hash. Includes PSA_KEY_USAGE_SIGN_MESSAGE. */
#define PSA_KEY_USAGE_SIGN_HASH CORRAL_CAST(psa_key_usage_t, 0x00001000)

/* Verify the signature of a hash. Includes PSA_KEY_USAGE_VERIFY_MESSAGE. */
#define PSA_KEY_USAGE_VERIFY_HASH CORRAL_CAST(psa_key_usage_t, 0x00002000)

/* Derive keys, agree on a key, take part in a PAKE. */
#define PSA_KEY_USAGE_DERIVE CORRAL_CAST(psa_key_usage_t, 0x00004000)

/* Compare the output of a derivation; gives no access to it. */
#define PSA_KEY_USAGE_VERIFY_DERIVATION CORRAL_CAST(psa_key_usage_t, 0x00008000)

/* Only for psa_check_key_usage(): the public part takes part in a key agreement. */
#define PSA_KEY_USAGE_DERIVE_PUBLIC CORRAL_CAST(psa_key_usage_t, 0x00000080)

/* Wrap other keys. */
#define PSA_KEY_USAGE_WRAP CORRAL_CAST(psa_key_usage_t, 0x00010000)

/* Unwrap other keys. */
#define PSA_KEY_USAGE_UNWRAP CORRAL_CAST(psa_key_usage_t, 0x00020000)

/*
 * Attributes (section 9.1). The functions below only read and write the attributes object; whether
 * the values make a valid key is checked when a key is created.
 */

/* Initialiser of empty attributes: volatile, no identifier, no type, size 0, no usage, no
 * algorithm. */
#define PSA_KEY_ATTRIBUTES_INIT CORRAL_ZERO_INIT

/* Empty attributes, as PSA_KEY_ATTRIBUTES_INIT. */
static inline psa_key_attributes_t psa_key_attributes_init(void)
{
    const psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    return attributes;
}

/* Makes attributes empty. They own nothing that would have to be freed. */
static inline void psa_reset_key_attributes(psa_key_attributes_t *attributes)
{
    *attributes = psa_key_attributes_init();
}

/* Sets the key type (section 9.2.5). psa_copy_key() takes it from the source key. */
static inline void psa_set_key_type(psa_key_attributes_t *attributes, psa_key_type_t type)
{
    attributes->type = type;
}

/* The key type, PSA_KEY_TYPE_NONE if it is not set. */
static inline psa_key_type_t psa_get_key_type(const psa_key_attributes_t *attributes)
{
    return attributes->type;
}

/* Sets the size in bits; 0: not set, psa_import_key() takes it from the data. A size that no key
 * can have is kept as 65535, so that creating the key fails instead of creating one of another size
 * (section 9.2.5). */
static inline void psa_set_key_bits(psa_key_attributes_t *attributes, size_t bits)
{
    attributes->bits = CORRAL_CAST(uint16_t, bits > 65528U ? 65535U : bits);
}

/* The size in bits; 0 if it is not set, 65535 if it was set to an impossible size. */
static inline size_t psa_get_key_bits(const psa_key_attributes_t *attributes)
{
    return attributes->bits;
}

/* Sets persistence and location. A volatile lifetime also clears the identifier: a volatile key
 * gets its own from the library (section 9.6.5). */
static inline void psa_set_key_lifetime(psa_key_attributes_t *attributes,
                                        psa_key_lifetime_t lifetime)
{
    attributes->lifetime = lifetime;
    if (PSA_KEY_LIFETIME_IS_VOLATILE(lifetime)) {
        attributes->id = PSA_KEY_ID_NULL;
    }
}

/* The lifetime: persistence and location. */
static inline psa_key_lifetime_t psa_get_key_lifetime(const psa_key_attributes_t *attributes)
{
    return attributes->lifetime;
}

/* Sets the identifier, and makes a volatile key persistent, where it is (section 9.7.2). */
static inline void psa_set_key_id(psa_key_attributes_t *attributes, psa_key_id_t id)
{
    attributes->id = id;
    if (PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime)) {
        attributes->lifetime |= PSA_KEY_PERSISTENCE_DEFAULT;
    }
}

/* The identifier, PSA_KEY_ID_NULL if it is not set. */
static inline psa_key_id_t psa_get_key_id(const psa_key_attributes_t *attributes)
{
    return attributes->id;
}

/* Sets the algorithm, or wildcard, that the key is for (section 9.8.1). */
static inline void psa_set_key_algorithm(psa_key_attributes_t *attributes, psa_algorithm_t alg)
{
    attributes->algorithm = alg;
}

/* The algorithm or wildcard, PSA_ALG_NONE if it is not set. */
static inline psa_algorithm_t psa_get_key_algorithm(const psa_key_attributes_t *attributes)
{
    return attributes->algorithm;
}

/* Sets the usage flags, replacing earlier ones. Signing or verifying hashes includes the same for
 * messages, and reads back so (section 9.8.2). */
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

/* The usage flags, with those that others include. */
static inline psa_key_usage_t psa_get_key_usage_flags(const psa_key_attributes_t *attributes)
{
    return attributes->usage;
}

/* Gives the attributes of a key as they were fixed when it was created, the size and the
 * identifier included. On failure *attributes is empty. Section 9.1.1.
 *   PSA_ERROR_INVALID_HANDLE  key names no key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_get_key_attributes(psa_key_id_t key, psa_key_attributes_t *attributes);

/* Tells whether an operation with this key would be permitted, compatible and supported, without
 * doing it. usage is one PSA_KEY_USAGE_xxx flag. With a flag of key management (export, copy,
 * cache) alg is PSA_ALG_NONE; with the others alg is the exact algorithm, no wildcard.
 * PSA_KEY_USAGE_DERIVE_PUBLIC asks about a peer's public key and needs no permission. PSA_SUCCESS
 * means yes. Section 9.8.2.
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key's policy lacks usage, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT  usage is not one flag; alg does not go with it; or the function of
 *                               that role says so of such a key
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg in this role with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_check_key_usage(psa_key_id_t key, psa_algorithm_t alg, psa_key_usage_t usage);

/* Creates a key from data in the format that psa_export_key() gives for its type (see
 * psa/crypto_key_types.h). Attributes: type, policy, and for a key that is not volatile or not
 * local the lifetime and identifier; a size other than 0 must agree with the data. A private key
 * is imported as a key pair. *key: identifier of the new key. Section 9.9.1.
 *   PSA_ERROR_NOT_PERMITTED         a policy of the device forbids such a key
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has this identifier
 *   PSA_ERROR_INVALID_ARGUMENT      type, policy, lifetime or identifier is invalid; or the data
 *                                   does not have the format of its type, is empty, or disagrees
 *                                   with the size
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build makes or holds such a key in this
 *                                   location
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                            size_t data_length, psa_key_id_t *key);

/* Custom parameters that ask for nothing special. */
#define PSA_CUSTOM_KEY_PARAMETERS_INIT                                                             \
    {                                                                                              \
        0                                                                                          \
    }

/* Creates a random key or key pair of the type and size in attributes. RSA pairs get the public
 * exponent 65537. *key: identifier of the new key. Section 9.9.1.
 *   PSA_ERROR_NOT_PERMITTED         a policy of the device forbids such a key
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has this identifier
 *   PSA_ERROR_INVALID_ARGUMENT      type, policy, lifetime or identifier is invalid; or the type
 *                                   is a public-key type, or has no keys of this size
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build makes or holds such a key in this
 *                                   location
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key);

/* psa_generate_key() with parameters of production. custom->flags is 0. custom_data is only for
 * RSA: the public exponent, odd and greater than 1, least significant byte first; with
 * custom_data_length 0 everything is as usual and custom_data is not read. Section 9.9.1.
 *   PSA_ERROR_NOT_PERMITTED         a policy of the device forbids such a key
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has this identifier
 *   PSA_ERROR_INVALID_ARGUMENT      type, policy, lifetime or identifier is invalid; or the type
 *                                   is a public-key type, has no keys of this size, or takes no
 *                                   such parameters
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build makes or holds such a key in this
 *                                   location
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_generate_key_custom(const psa_key_attributes_t *attributes,
                                     const psa_custom_key_parameters_t *custom,
                                     const uint8_t *custom_data, size_t custom_data_length,
                                     psa_key_id_t *key);

/* Creates a key with the material of source_key, in the location of attributes. Type and size come
 * from the source; if attributes has them they must agree. Usage: the flags that both have.
 * Algorithm: the one both permit; of an algorithm and a wildcard that covers it, the algorithm.
 * *target_key: identifier of the new key. Section 9.9.1.
 *   PSA_ERROR_INVALID_HANDLE        source_key names no key
 *   PSA_ERROR_NOT_PERMITTED         the source lacks PSA_KEY_USAGE_COPY, or would leave its secure
 *                                   element and lacks PSA_KEY_USAGE_EXPORT
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has this identifier
 *   PSA_ERROR_INVALID_ARGUMENT      type or size disagree, the lifetime or identifier is invalid,
 *                                   or the two policies have no algorithm in common
 *   PSA_ERROR_NOT_SUPPORTED         no way from the one location to the other, or the other does
 *                                   not take such keys
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_copy_key(psa_key_id_t source_key, const psa_key_attributes_t *attributes,
                          psa_key_id_t *target_key);

/* Creates a volatile identifier for key material that the device has already, such as a key
 * written at manufacture. label names the material within the location of attributes, in a form
 * that the location's driver defines. Type and size come from attributes, from the device, or from
 * both if they agree; the policies of both apply. Destroying the key forgets the identifier and
 * leaves the material. Section 9.9.1.
 *   PSA_ERROR_NOT_PERMITTED     a policy of the device forbids it
 *   PSA_ERROR_INVALID_ARGUMENT  the lifetime is persistent, the location is unknown, or the
 *                               attributes are invalid or do not fit the material
 *   PSA_ERROR_NOT_SUPPORTED     the location has no such keys, or none with these attributes
 *   PSA_ERROR_DOES_NOT_EXIST    label names nothing in this location
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_attach_key(const psa_key_attributes_t *attributes, const uint8_t *label,
                            size_t label_length, psa_key_id_t *key);

/* Erases a key from memory and storage and frees what it occupied; a key from psa_attach_key() is
 * only forgotten. PSA_KEY_ID_NULL is accepted and does nothing. Operations that use the key fail
 * from then on. After a failure of storage or communication the material may still exist, but the
 * best has been done to erase it. Section 9.9.2.
 *   PSA_ERROR_INVALID_HANDLE         key names no key
 *   PSA_ERROR_NOT_PERMITTED          the key is read-only
 *   PSA_ERROR_COMMUNICATION_FAILURE  the secure element did not answer: the material may still be
 *                                    in it
 *   PSA_ERROR_CORRUPTION_DETECTED    tampering or memory corruption
 *   and the statuses of library and storage (psa/crypto.h) */
psa_status_t psa_destroy_key(psa_key_id_t key);

/* Removes copies of a persistent key from memory that no operation needs, such as those which
 * PSA_KEY_USAGE_CACHE permits. The key remains usable. A volatile key or one in use stays. Section
 * 9.9.2.
 *   PSA_ERROR_INVALID_HANDLE         key names no key
 *   PSA_ERROR_COMMUNICATION_FAILURE  the secure element did not answer
 *   PSA_ERROR_CORRUPTION_DETECTED    tampering or memory corruption
 *   and the statuses of library and storage (psa/crypto.h) */
psa_status_t psa_purge_key(psa_key_id_t key);

/* Writes a key in the format of its type (see psa/crypto_key_types.h), *data_length bytes. Enough
 * room: PSA_EXPORT_KEY_OUTPUT_SIZE(type, bits). A public key needs no permission. Section 9.9.3.
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_EXPORT
 *   PSA_ERROR_BUFFER_TOO_SMALL  data_size is less than the key needs
 *   PSA_ERROR_NOT_SUPPORTED     the key's location lets no key of this type out
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_export_key(psa_key_id_t key, uint8_t *data, size_t data_size, size_t *data_length);

/* Writes the public key, or the public part of a key pair, in the format of the public-key type,
 * *data_length bytes. Always permitted. Enough room: PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(type,
 * bits). Section 9.9.3.
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_BUFFER_TOO_SMALL  data_size is less than the key needs
 *   PSA_ERROR_INVALID_ARGUMENT  the key is neither a public key nor a key pair
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build computes the public part of such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_export_public_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                   size_t *data_length);

#ifdef __cplusplus
}
#endif

#endif
