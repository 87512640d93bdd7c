/* SPDX-License-Identifier: Apache-2.0 */
/* SHA256_Transform is the only way to libcrypto's compression function, and it is deprecated. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "crypto.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <string.h>

bool crypto_random(uint8_t *data, size_t length)
{
    return RAND_bytes(data, (int)length) == 1;
}

void crypto_sha256(const uint8_t *data, size_t length, uint8_t digest[32])
{
    SHA256(data, length, digest);
}

void crypto_hmac_sha256(const uint8_t *key, size_t key_length, const uint8_t *data, size_t length,
                        uint8_t mac[32])
{
    unsigned int mac_length = 32;

    HMAC(EVP_sha256(), key, (int)key_length, data, length, mac, &mac_length);
}

void crypto_sha256_block(uint32_t h[8], const uint8_t block[64])
{
    SHA256_CTX context;

    SHA256_Init(&context);
    for (unsigned int i = 0; i < 8; i++) {
        context.h[i] = h[i];
    }
    SHA256_Transform(&context, block);
    for (unsigned int i = 0; i < 8; i++) {
        h[i] = context.h[i];
    }
    OPENSSL_cleanse(&context, sizeof(context));
}

bool crypto_aes128(const uint8_t key[16], bool encrypt, const uint8_t input[16], uint8_t output[16])
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length = 0;
    bool ok =
        context != NULL &&
        EVP_CipherInit_ex(context, EVP_aes_128_ecb(), NULL, key, NULL, encrypt ? 1 : 0) == 1 &&
        EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
        EVP_CipherUpdate(context, output, &length, input, 16) == 1 && length == 16;

    EVP_CIPHER_CTX_free(context);
    return ok;
}

/* --- P-256 --- */

/* Objects that most functions below need, made and freed together. */
struct curve {
    EC_GROUP *group;
    BN_CTX *bn;
    EC_POINT *point;
    BIGNUM *scalar;
    BIGNUM *x;
    BIGNUM *y;
};

static bool curve_open(struct curve *curve)
{
    curve->group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    curve->bn = BN_CTX_new();
    curve->point = curve->group != NULL ? EC_POINT_new(curve->group) : NULL;
    curve->scalar = BN_new();
    curve->x = BN_new();
    curve->y = BN_new();
    return curve->group != NULL && curve->bn != NULL && curve->point != NULL &&
           curve->scalar != NULL && curve->x != NULL && curve->y != NULL;
}

static void curve_close(struct curve *curve)
{
    BN_free(curve->y);
    BN_free(curve->x);
    BN_clear_free(curve->scalar);
    EC_POINT_free(curve->point);
    BN_CTX_free(curve->bn);
    EC_GROUP_free(curve->group);
}

/* Read a scalar; false unless 1 <= scalar < n. */
static bool read_scalar(struct curve *curve, const uint8_t private_key[32])
{
    return BN_bin2bn(private_key, 32, curve->scalar) != NULL && !BN_is_zero(curve->scalar) &&
           BN_cmp(curve->scalar, EC_GROUP_get0_order(curve->group)) < 0;
}

/* Read a point; false unless it is on the curve (which libcrypto checks). */
static bool read_point(struct curve *curve, const uint8_t public_key[64])
{
    return BN_bin2bn(public_key, 32, curve->x) != NULL &&
           BN_bin2bn(public_key + 32, 32, curve->y) != NULL &&
           EC_POINT_set_affine_coordinates(curve->group, curve->point, curve->x, curve->y,
                                           curve->bn) == 1;
}

static bool write_point(struct curve *curve, uint8_t public_key[64])
{
    return EC_POINT_get_affine_coordinates(curve->group, curve->point, curve->x, curve->y,
                                           curve->bn) == 1 &&
           BN_bn2binpad(curve->x, public_key, 32) == 32 &&
           BN_bn2binpad(curve->y, public_key + 32, 32) == 32;
}

bool crypto_p256_scalar_valid(const uint8_t private_key[32])
{
    struct curve curve;
    bool ok = curve_open(&curve) && read_scalar(&curve, private_key);

    curve_close(&curve);
    return ok;
}

bool crypto_p256_on_curve(const uint8_t public_key[64])
{
    struct curve curve;
    bool ok = curve_open(&curve) && read_point(&curve, public_key);

    curve_close(&curve);
    return ok;
}

bool crypto_p256_public(const uint8_t private_key[32], uint8_t public_key[64])
{
    struct curve curve;
    bool ok = curve_open(&curve) && read_scalar(&curve, private_key) &&
              EC_POINT_mul(curve.group, curve.point, curve.scalar, NULL, NULL, curve.bn) == 1 &&
              write_point(&curve, public_key);

    curve_close(&curve);
    return ok;
}

bool crypto_p256_generate(uint8_t private_key[32], uint8_t public_key[64])
{
    struct curve curve;
    bool ok = curve_open(&curve);

    do {
        ok = ok && BN_priv_rand_range(curve.scalar, EC_GROUP_get0_order(curve.group)) == 1;
    } while (ok && BN_is_zero(curve.scalar));
    ok = ok && BN_bn2binpad(curve.scalar, private_key, 32) == 32;
    curve_close(&curve);
    return ok && crypto_p256_public(private_key, public_key);
}

bool crypto_p256_ecdh(const uint8_t private_key[32], const uint8_t peer[64], uint8_t secret[32])
{
    struct curve curve;
    uint8_t product[64];
    bool ok =
        curve_open(&curve) && read_scalar(&curve, private_key) && read_point(&curve, peer) &&
        EC_POINT_mul(curve.group, curve.point, NULL, curve.point, curve.scalar, curve.bn) == 1 &&
        write_point(&curve, product);

    curve_close(&curve);
    if (ok) {
        memcpy(secret, product, 32);
    }
    OPENSSL_cleanse(product, sizeof(product));
    return ok;
}

/* An EVP key from a public key and, when private_key is not NULL, its scalar. NULL on failure. */
static EVP_PKEY *make_key(const uint8_t *private_key, const uint8_t public_key[64])
{
    uint8_t point[65] = {POINT_CONVERSION_UNCOMPRESSED};
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    BIGNUM *scalar = private_key != NULL ? BN_bin2bn(private_key, 32, NULL) : NULL;
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY *key = NULL;
    bool ok = builder != NULL && context != NULL;

    memcpy(point + 1, public_key, 64);
    ok = ok &&
         OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) ==
             1 &&
         OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)) ==
             1;
    if (ok && private_key != NULL) {
        ok = scalar != NULL &&
             OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1;
    }
    parameters = ok ? OSSL_PARAM_BLD_to_param(builder) : NULL;
    if (parameters != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key,
                          private_key != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                          parameters) != 1) {
        key = NULL;
    }
    OSSL_PARAM_free(parameters);
    BN_clear_free(scalar);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

/* DER to R and S. */
static bool split_signature(const uint8_t *der, size_t der_length, uint8_t signature[64])
{
    ECDSA_SIG *parsed = d2i_ECDSA_SIG(NULL, &der, (long)der_length);
    bool ok = parsed != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(parsed), signature, 32) == 32 &&
              BN_bn2binpad(ECDSA_SIG_get0_s(parsed), signature + 32, 32) == 32;

    ECDSA_SIG_free(parsed);
    return ok;
}

bool crypto_p256_sign(const uint8_t private_key[32], const uint8_t digest[32],
                      uint8_t signature[64])
{
    uint8_t public_key[64];
    uint8_t der[80];
    size_t der_length = sizeof(der);
    EVP_PKEY *key =
        crypto_p256_public(private_key, public_key) ? make_key(private_key, public_key) : NULL;
    EVP_PKEY_CTX *context = key != NULL ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    bool ok = context != NULL && EVP_PKEY_sign_init(context) == 1 &&
              EVP_PKEY_sign(context, der, &der_length, digest, 32) == 1 &&
              split_signature(der, der_length, signature);

    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    return ok;
}

/* R and S to DER. Returns the length, 0 on failure; the caller frees *der. */
static int join_signature(const uint8_t signature[64], uint8_t **der)
{
    ECDSA_SIG *parts = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, 32, NULL);
    BIGNUM *s = BN_bin2bn(signature + 32, 32, NULL);
    int length = 0;

    if (parts != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(parts, r, s) == 1) {
        r = NULL; /* parts owns them now */
        s = NULL;
        length = i2d_ECDSA_SIG(parts, der);
    }
    BN_free(s);
    BN_free(r);
    ECDSA_SIG_free(parts);
    return length > 0 ? length : 0;
}

bool crypto_p256_verify(const uint8_t public_key[64], const uint8_t digest[32],
                        const uint8_t signature[64])
{
    uint8_t *der = NULL;
    int der_length = join_signature(signature, &der);
    EVP_PKEY *key = der_length > 0 ? make_key(NULL, public_key) : NULL;
    EVP_PKEY_CTX *context = key != NULL ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    bool ok = context != NULL && EVP_PKEY_verify_init(context) == 1 &&
              EVP_PKEY_verify(context, der, (size_t)der_length, digest, 32) == 1;

    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    OPENSSL_free(der);
    return ok;
}
