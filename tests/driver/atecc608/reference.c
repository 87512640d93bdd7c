/* SPDX-License-Identifier: Apache-2.0 */
/* The computations of the chips, by libcrypto's high-level interface. */
#include "rig.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>

static void need(bool ok)
{
    if (!ok) {
        printf("libcrypto refuses\n");
        exit(1);
    }
}

/* A key object; `scalar` is NULL for a public key. NULL when libcrypto does not accept it. */
static EVP_PKEY *key_from(const uint8_t *scalar, const uint8_t point[65])
{
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    BIGNUM *number = scalar != NULL ? BN_bin2bn(scalar, 32, NULL) : NULL;
    EVP_PKEY *key = NULL;

    OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, 65);
    if (number != NULL) {
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number);
    }
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    need(EVP_PKEY_fromdata_init(context) == 1);
    if (EVP_PKEY_fromdata(context, &key, number != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                          params) != 1) {
        key = NULL;
    }
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    BN_free(number);
    return key;
}

bool reference_on_curve(const uint8_t point[65])
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *candidate = EC_POINT_new(group);
    const bool ok = EC_POINT_oct2point(group, candidate, point, 65, NULL) == 1;

    EC_POINT_free(candidate);
    EC_GROUP_free(group);
    return ok;
}

void reference_pair(uint8_t scalar[32], uint8_t point[65])
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    BIGNUM *number = NULL;
    size_t length = 0;

    need(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1);
    need(BN_bn2binpad(number, scalar, 32) == 32);
    need(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, 65, &length) == 1);
    need(length == 65);
    BN_clear_free(number);
    EVP_PKEY_free(key);
}

bool reference_verify(const uint8_t point[65], const uint8_t *hash, size_t hash_length,
                      const uint8_t signature[64])
{
    ECDSA_SIG *parsed = ECDSA_SIG_new();
    EVP_PKEY *key = key_from(NULL, point);
    uint8_t *der = NULL;
    bool ok;

    need(key != NULL);
    ECDSA_SIG_set0(parsed, BN_bin2bn(signature, 32, NULL), BN_bin2bn(signature + 32, 32, NULL));
    const int der_length = i2d_ECDSA_SIG(parsed, &der);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    need(EVP_PKEY_verify_init(context) == 1);
    ok = EVP_PKEY_verify(context, der, (size_t)der_length, hash, hash_length) == 1;
    EVP_PKEY_CTX_free(context);
    OPENSSL_free(der);
    ECDSA_SIG_free(parsed);
    EVP_PKEY_free(key);
    return ok;
}

/* The point of a private value. */
static void point_of(const uint8_t scalar[32], uint8_t point[65])
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *product = EC_POINT_new(group);
    BIGNUM *number = BN_bin2bn(scalar, 32, NULL);

    need(EC_POINT_mul(group, product, number, NULL, NULL, NULL) == 1);
    need(EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, point, 65, NULL) == 65);
    BN_free(number);
    EC_POINT_free(product);
    EC_GROUP_free(group);
}

void reference_sign(const uint8_t scalar[32], const uint8_t *hash, size_t hash_length,
                    uint8_t signature[64])
{
    uint8_t point[65];
    uint8_t der[80];
    size_t der_length = sizeof der;
    const uint8_t *cursor = der;

    point_of(scalar, point);
    EVP_PKEY *key = key_from(scalar, point);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    need(EVP_PKEY_sign_init(context) == 1);
    need(EVP_PKEY_sign(context, der, &der_length, hash, hash_length) == 1);
    ECDSA_SIG *parsed = d2i_ECDSA_SIG(NULL, &cursor, (long)der_length);
    need(BN_bn2binpad(ECDSA_SIG_get0_r(parsed), signature, 32) == 32);
    need(BN_bn2binpad(ECDSA_SIG_get0_s(parsed), signature + 32, 32) == 32);
    ECDSA_SIG_free(parsed);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
}

void reference_ecdh(const uint8_t scalar[32], const uint8_t peer[65], uint8_t secret[32])
{
    uint8_t point[65];
    size_t length = 32;

    point_of(scalar, point);
    EVP_PKEY *key = key_from(scalar, point);
    EVP_PKEY *peer_key = key_from(NULL, peer);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    need(EVP_PKEY_derive_init(context) == 1);
    need(EVP_PKEY_derive_set_peer(context, peer_key) == 1);
    need(EVP_PKEY_derive(context, secret, &length) == 1 && length == 32);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(peer_key);
    EVP_PKEY_free(key);
}

void reference_sha256(const uint8_t *data, size_t length, uint8_t digest[32])
{
    need(EVP_Q_digest(NULL, "SHA256", NULL, data, length, digest, NULL) == 1);
}

void reference_hmac(const uint8_t *key, size_t key_length, const uint8_t *data, size_t length,
                    uint8_t mac[32])
{
    size_t mac_length = 0;

    need(EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key, key_length, data, length, mac, 32,
                   &mac_length) != NULL);
}

void reference_cmac(const uint8_t key[16], const uint8_t *data, size_t length, uint8_t mac[16])
{
    size_t mac_length = 0;

    need(EVP_Q_mac(NULL, "CMAC", NULL, "AES-128-CBC", NULL, key, 16, data, length, mac, 16,
                   &mac_length) != NULL);
}

void reference_cipher(const char *name, const uint8_t key[16], const uint8_t iv[16], bool encrypt,
                      const uint8_t *input, size_t length, uint8_t *output)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;

    need(EVP_CipherInit_ex2(context, cipher, key, iv, encrypt ? 1 : 0, NULL) == 1);
    EVP_CIPHER_CTX_set_padding(context, 0);
    need(EVP_CipherUpdate(context, output, &written, input, (int)length) == 1);
    need((size_t)written == length);
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
}

void reference_random(uint8_t *output, size_t size)
{
    need(RAND_bytes(output, (int)size) == 1);
}
