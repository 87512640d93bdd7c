/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include "host.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <string.h>

void reference_sha256(const uint8_t *data, size_t length, uint8_t digest[32])
{
    CHECK(EVP_Digest(data, length, digest, NULL, EVP_sha256(), NULL) == 1);
}

void reference_hmac(const uint8_t key[32], const uint8_t *data, size_t length, uint8_t mac[32])
{
    size_t mac_length = 0;

    CHECK(EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key, 32, data, length, mac, 32,
                    &mac_length) != NULL);
    CHECK_EQUAL(32, mac_length);
}

void reference_aes(const uint8_t key[16], const uint8_t input[16], uint8_t output[16])
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length = 0;

    CHECK(EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), NULL, key, NULL) == 1);
    CHECK(EVP_CIPHER_CTX_set_padding(context, 0) == 1);
    CHECK(EVP_EncryptUpdate(context, output, &length, input, 16) == 1 && length == 16);
    EVP_CIPHER_CTX_free(context);
}

void reference_key_pair(uint8_t private_key[32], uint8_t public_key[64])
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    BIGNUM *scalar = NULL;
    uint8_t point[65];
    size_t length = 0;

    CHECK(key != NULL && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1);
    CHECK(BN_bn2binpad(scalar, private_key, 32) == 32);
    CHECK(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point),
                                          &length) == 1);
    CHECK_EQUAL(65, length);
    memcpy(public_key, point + 1, 64);
    BN_free(scalar);
    EVP_PKEY_free(key);
}

static EVP_PKEY *build(const uint8_t *private_key, const uint8_t public_key[64])
{
    uint8_t point[65] = {0x04};
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    BIGNUM *scalar = private_key != NULL ? BN_bin2bn(private_key, 32, NULL) : NULL;
    OSSL_PARAM *parameters;
    EVP_PKEY *key = NULL;

    memcpy(point + 1, public_key, 64);
    CHECK(OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1);
    CHECK(OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, 65) == 1);
    if (scalar != NULL) {
        CHECK(OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1);
    }
    parameters = OSSL_PARAM_BLD_to_param(builder);
    CHECK(EVP_PKEY_fromdata_init(context) == 1);
    CHECK(EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters) == 1);
    OSSL_PARAM_free(parameters);
    BN_free(scalar);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

bool reference_verify(const uint8_t public_key[64], const uint8_t digest[32],
                      const uint8_t signature[64])
{
    ECDSA_SIG *parts = ECDSA_SIG_new();
    EVP_PKEY *key = build(NULL, public_key);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    uint8_t *der = NULL;
    int der_length;
    bool ok;

    CHECK(ECDSA_SIG_set0(parts, BN_bin2bn(signature, 32, NULL),
                         BN_bin2bn(signature + 32, 32, NULL)) == 1);
    der_length = i2d_ECDSA_SIG(parts, &der);
    CHECK(der_length > 0 && EVP_PKEY_verify_init(context) == 1);
    ok = EVP_PKEY_verify(context, der, (size_t)der_length, digest, 32) == 1;
    OPENSSL_free(der);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    ECDSA_SIG_free(parts);
    return ok;
}

void reference_sign(const uint8_t private_key[32], const uint8_t public_key[64],
                    const uint8_t digest[32], uint8_t signature[64])
{
    EVP_PKEY *key = build(private_key, public_key);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    uint8_t der[80];
    const uint8_t *at = der;
    size_t length = sizeof(der);
    ECDSA_SIG *parts;

    CHECK(EVP_PKEY_sign_init(context) == 1 &&
          EVP_PKEY_sign(context, der, &length, digest, 32) == 1);
    parts = d2i_ECDSA_SIG(NULL, &at, (long)length);
    CHECK(parts != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(parts), signature, 32) == 32);
    CHECK(BN_bn2binpad(ECDSA_SIG_get0_s(parts), signature + 32, 32) == 32);
    ECDSA_SIG_free(parts);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
}

void reference_ecdh(const uint8_t private_key[32], const uint8_t public_key[64],
                    const uint8_t peer[64], uint8_t secret[32])
{
    EVP_PKEY *own = build(private_key, public_key);
    EVP_PKEY *other = build(NULL, peer);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    size_t length = 32;

    CHECK(EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1);
    CHECK(EVP_PKEY_derive(context, secret, &length) == 1);
    CHECK_EQUAL(32, length);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(other);
    EVP_PKEY_free(own);
}
