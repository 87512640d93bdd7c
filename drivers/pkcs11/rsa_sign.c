/* SPDX-License-Identifier: Apache-2.0 */
/* RSA signatures of hashes of the family SHA-2. */
#include <string.h>

#include <corral/drivers/pkcs11/entry_points.h>

#include <corral/rsa.h>

#include "object.h"

#define PREFIX_SIZE 19u
#define HASH_MAX_SIZE 64u

static const struct hash {
    uint8_t length;
    uint8_t identifier; /* the last byte of its object identifier */
    uint16_t mechanism;
    uint8_t mask;
} hashes[] = {
    {28, 4, CKM_SHA224, CKG_MGF1_SHA224},
    {32, 1, CKM_SHA256, CKG_MGF1_SHA256},
    {48, 2, CKM_SHA384, CKG_MGF1_SHA384},
    {64, 3, CKM_SHA512, CKG_MGF1_SHA512},
};

/* One of those that the driver lists: their lengths tell them apart. */
static const struct hash *hash_of(psa_algorithm_t alg)
{
    const size_t length = PSA_HASH_LENGTH(PSA_ALG_GET_HASH(alg));
    size_t i = 0;

    while (i < sizeof hashes / sizeof hashes[0] - 1 && hashes[i].length != length) {
        i++;
    }
    return &hashes[i];
}

/* The DER of DigestInfo (RFC 8017, 9.2). Returns its length. */
static size_t write_digest_info(const struct hash *hash, const uint8_t *digest,
                                uint8_t info[PREFIX_SIZE + HASH_MAX_SIZE])
{
    static const uint8_t prefix[PREFIX_SIZE] = {0x30, 0,    0x30, 0x0d, 0x06, 0x09, 0x60,
                                                0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02,
                                                0,    0x05, 0x00, 0x04, 0};

    memcpy(info, prefix, sizeof prefix);
    info[1] = (uint8_t)(PREFIX_SIZE - 2 + hash->length);
    info[14] = hash->identifier;
    info[PREFIX_SIZE - 1] = hash->length;
    memcpy(info + PREFIX_SIZE, digest, hash->length);
    return PREFIX_SIZE + hash->length;
}

/* The salt is as long as the hash, or as the key has room for. */
static CK_ULONG salt_length(size_t bits, size_t hash_length)
{
    const size_t room = CORRAL_BITS_TO_BYTES(bits - 1) - hash_length - 2;

    return room < hash_length ? room : hash_length;
}

psa_status_t pkcs11_rsa_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                  size_t hash_length, uint8_t *signature, size_t signature_size,
                                  size_t *signature_length)
{
    struct pkcs11_call call;
    const struct hash *kind = hash_of(alg);
    struct cryptoki_pss pss = {kind->mechanism, kind->mask,
                               salt_length(attributes->bits, kind->length)};
    struct cryptoki_mechanism mechanism = {CKM_RSA_PKCS, NULL, 0};
    CK_OBJECT_HANDLE object;
    uint8_t digest[PREFIX_SIZE + HASH_MAX_SIZE];
    uint8_t result[CORRAL_RSA_MAX_SIZE] = {0};
    const size_t size = CORRAL_BITS_TO_BYTES(attributes->bits);
    size_t length = kind->length;

    (void)key_buffer_size;
    if (hash_length != kind->length || size > sizeof result) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg)) {
        length = write_digest_info(kind, hash, digest);
    } else {
        memcpy(digest, hash, length);
        mechanism = (struct cryptoki_mechanism){CKM_RSA_PKCS_PSS, &pss, sizeof pss};
    }
    psa_status_t status = pkcs11_open_key(&call, attributes, key_buffer, &object);
    if (status == PSA_SUCCESS) {
        status = pkcs11_process(&call, call.functions->C_SignInit, call.functions->C_Sign,
                                &mechanism, object, digest, length, result, size);
    }
    if (status == PSA_SUCCESS) {
        memcpy(signature, result, size);
        *signature_length = size;
    }
    return pkcs11_close(&call, status);
}
