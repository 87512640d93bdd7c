/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

/* Object identifiers of hashes below 2.16.840.1.101.3.4.2 (NIST), behind their length. */
#define OID_SIZE 10u
#define NIST_OID(number)                                                                           \
    {                                                                                              \
        0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, (number)                             \
    }

/* The identifier of the hash in signatures; its first byte is its length. NULL: not wanted. */
static const unsigned char *find_oid(psa_algorithm_t alg)
{
    static const struct {
        psa_algorithm_t hash;
        unsigned char oid[OID_SIZE];
    } hashes[] = {
        {PSA_ALG_SHA_256, NIST_OID(1)},     {PSA_ALG_SHA_384, NIST_OID(2)},
        {PSA_ALG_SHA_512, NIST_OID(3)},     {PSA_ALG_SHA_224, NIST_OID(4)},
        {PSA_ALG_SHA_512_224, NIST_OID(5)}, {PSA_ALG_SHA_512_256, NIST_OID(6)},
        {PSA_ALG_SHA3_224, NIST_OID(7)},    {PSA_ALG_SHA3_256, NIST_OID(8)},
        {PSA_ALG_SHA3_384, NIST_OID(9)},    {PSA_ALG_SHA3_512, NIST_OID(10)},
    };
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(alg);

    if (CORRAL_WANT_ALG_SHA_1 && hash == PSA_ALG_SHA_1) {
        return BR_HASH_OID_SHA1;
    }
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        if (hashes[i].hash == hash && corral_hash_length(hash) != 0) {
            return hashes[i].oid;
        }
    }
    return NULL;
}

/* Read the key, and see that it is long enough for the hash and its padding. */
static psa_status_t begin(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                          size_t key_buffer_size, psa_algorithm_t alg, size_t hash_length,
                          struct corral_rsa_key *key)
{
    const unsigned char *const oid = find_oid(alg);

    if (oid == NULL && alg != PSA_ALG_RSA_PKCS1V15_SIGN_RAW) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status =
        corral_rsa_read(psa_get_key_type(attributes), key_buffer, key_buffer_size, key);
    if (status != PSA_SUCCESS) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    const size_t size = key->numbers[CORRAL_RSA_MODULUS].length;
    const size_t named = oid != NULL ? (size_t)oid[0] + 10 : 0;
    return size <= CORRAL_RSA_MAX_SIZE && hash_length + named + 11 <= size
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_ARGUMENT;
}

/* Whether `signature` is one of the hash. */
static bool verifies(const struct corral_rsa_key *key, psa_algorithm_t alg, const uint8_t *hash,
                     size_t hash_length, const uint8_t *signature)
{
    uint8_t found[CORRAL_RSA_MAX_SIZE];
    br_rsa_public_key public_key;

    bearssl_driver_rsa_public(key, &public_key);
    return BEARSSL_RSA_VERIFY(signature, key->numbers[CORRAL_RSA_MODULUS].length, find_oid(alg),
                              hash_length, &public_key, found) == 1 &&
           memcmp(found, hash, hash_length) == 0;
}

psa_status_t bearssl_driver_rsa_sign_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, uint8_t *signature,
                                          size_t signature_size, size_t *signature_length)
{
    uint8_t block[CORRAL_RSA_MAX_SIZE]; /* the hash may lie where the signature goes */
    br_rsa_private_key private_key;
    struct corral_rsa_key key;

    psa_status_t status = begin(attributes, key_buffer, key_buffer_size, alg, hash_length, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const size_t size = key.numbers[CORRAL_RSA_MODULUS].length;
    if (signature_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    bearssl_driver_rsa_private(&key, &private_key);
    const uint32_t is_signed =
        BEARSSL_RSA_SIGN(find_oid(alg), hash, hash_length, &private_key, block);
    /* A wrong signature would give the primes away: none leaves, whatever made it wrong. */
    const bool is_right = is_signed == 1 && verifies(&key, alg, hash, hash_length, block);
    bearssl_driver_wipe_stack_rsa();
    if (is_right) {
        memcpy(signature, block, size);
        *signature_length = size;
    } else {
        status = PSA_ERROR_CORRUPTION_DETECTED;
    }
    corral_wipe(block, sizeof block);
    return status;
}

psa_status_t bearssl_driver_rsa_verify_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, const uint8_t *signature,
                                            size_t signature_length)
{
    struct corral_rsa_key key;

    psa_status_t status = begin(attributes, key_buffer, key_buffer_size, alg, hash_length, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return signature_length == key.numbers[CORRAL_RSA_MODULUS].length &&
                   verifies(&key, alg, hash, hash_length, signature)
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_SIGNATURE;
}
