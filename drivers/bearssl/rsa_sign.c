/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

/* What signatures name the hash by; its first byte is its length. NULL: none, or one unwanted. */
static const unsigned char *find_oid(psa_algorithm_t alg)
{
    switch (PSA_ALG_GET_HASH(alg)) {
    case PSA_ALG_SHA_1:
        return CORRAL_WANT_ALG_SHA_1 ? BR_HASH_OID_SHA1 : NULL;
    case PSA_ALG_SHA_224:
        return CORRAL_WANT_ALG_SHA_224 ? BR_HASH_OID_SHA224 : NULL;
    case PSA_ALG_SHA_256:
        return CORRAL_WANT_ALG_SHA_256 ? BR_HASH_OID_SHA256 : NULL;
    case PSA_ALG_SHA_384:
        return CORRAL_WANT_ALG_SHA_384 ? BR_HASH_OID_SHA384 : NULL;
    case PSA_ALG_SHA_512:
        return CORRAL_WANT_ALG_SHA_512 ? BR_HASH_OID_SHA512 : NULL;
    default:
        return NULL;
    }
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
