/* SPDX-License-Identifier: Apache-2.0 */
/* A secure transport with BearSSL. */
#include <bearssl.h>
#include <corral/port.h>
#include <string.h>

#include "../apps/shared/consumers.h"

#define LABEL_SIZE 13

static void authenticate(const uint8_t key_data[SECRET_SIZE], const uint8_t *data, size_t size,
                         uint8_t mac[HASH_SIZE])
{
    br_hmac_key_context key;
    br_hmac_context context;

    br_hmac_key_init(&key, &br_sha256_vtable, key_data, SECRET_SIZE);
    br_hmac_init(&context, &key, 0);
    br_hmac_update(&context, data, size);
    br_hmac_out(&context, mac);
}

static bool verify(const uint8_t *transcript, size_t size, const uint8_t *signature)
{
    uint8_t point[POINT_SIZE];
    uint8_t digest[HASH_SIZE];
    br_sha256_context hash;

    memcpy(point, test_public, sizeof point);
    const br_ec_public_key key = {BR_EC_secp256r1, point, sizeof point};

    br_sha256_init(&hash);
    br_sha256_update(&hash, transcript, size);
    br_sha256_out(&hash, digest);
    return br_ecdsa_i31_vrfy_raw(&br_ec_p256_m31, digest, sizeof digest, &key, signature,
                                 SIGNATURE_SIZE) == 1;
}

static bool agree(uint8_t shared[SECRET_SIZE])
{
    uint8_t seed[SCALAR_SIZE];
    uint8_t scalar[BR_EC_KBUF_PRIV_MAX_SIZE];
    uint8_t point[POINT_SIZE];
    br_hmac_drbg_context random;
    br_ec_private_key key;
    size_t bits;

    if (corral_port_entropy(seed, sizeof seed, &bits) != PSA_SUCCESS) {
        return false;
    }
    br_hmac_drbg_init(&random, &br_sha256_vtable, seed, sizeof seed);
    if (br_ec_keygen(&random.vtable, &br_ec_p256_m31, &key, scalar, BR_EC_secp256r1) == 0) {
        return false;
    }
    memcpy(point, test_public, sizeof point);
    if (br_ec_p256_m31.mul(point, sizeof point, key.x, key.xlen, BR_EC_secp256r1) == 0) {
        return false;
    }
    memcpy(shared, point + 1, SECRET_SIZE);
    return true;
}

bool dtls_handshake(const uint8_t *transcript, size_t size, const uint8_t signature[SIGNATURE_SIZE],
                    uint8_t secret[SECRET_SIZE])
{
    static const uint8_t label[LABEL_SIZE + 1] = "master secret";
    uint8_t shared[SECRET_SIZE];

    if (!verify(transcript, size, signature) || !agree(shared)) {
        return false;
    }
    authenticate(shared, label, LABEL_SIZE, secret);
    return true;
}

bool dtls_seal(const uint8_t secret[SECRET_SIZE], const uint8_t *record, size_t size,
               uint8_t *sealed)
{
    br_aes_ct_cbcenc_keys key;
    uint8_t iv[BLOCK_SIZE];
    size_t bits;

    if (corral_port_entropy(sealed, BLOCK_SIZE, &bits) != PSA_SUCCESS) {
        return false;
    }
    memcpy(iv, sealed, sizeof iv);
    memcpy(sealed + BLOCK_SIZE, record, size);
    br_aes_ct_cbcenc_init(&key, secret, BLOCK_SIZE);
    br_aes_ct_cbcenc_run(&key, iv, sealed + BLOCK_SIZE, size);
    authenticate(secret, sealed, BLOCK_SIZE + size, sealed + BLOCK_SIZE + size);
    return true;
}
