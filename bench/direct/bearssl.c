/* SPDX-License-Identifier: Apache-2.0 */
#include "direct.h"

#include <string.h>

#include <corral/driver.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <bearssl.h>
#pragma GCC diagnostic pop

#include <stack.h>

static bool hash(const uint8_t *data, size_t size, uint8_t digest[DIRECT_HASH_SIZE])
{
    br_sha256_context context;

    br_sha256_init(&context);
    br_sha256_update(&context, data, size);
    br_sha256_out(&context, digest);
    return true;
}

static bool mac(const uint8_t key[DIRECT_KEY_SIZE], const uint8_t *data, size_t size,
                uint8_t output[DIRECT_HASH_SIZE])
{
    br_hmac_key_context keyed;
    br_hmac_context context;

    br_hmac_key_init(&keyed, &br_sha256_vtable, key, DIRECT_KEY_SIZE);
    br_hmac_init(&context, &keyed, 0);
    br_hmac_update(&context, data, size);
    br_hmac_out(&context, output);
    bearssl_driver_wipe_stack_hmac();
    return true;
}

static bool decrypt(const uint8_t key[DIRECT_AES_KEY_SIZE], const uint8_t *data, size_t size,
                    uint8_t *text)
{
    br_aes_ct_cbcdec_keys schedule;
    uint8_t iv[DIRECT_BLOCK_SIZE];

    memcpy(iv, data, sizeof iv);
    memcpy(text, data + sizeof iv, size - sizeof iv);
    br_aes_ct_cbcdec_init(&schedule, key, DIRECT_AES_KEY_SIZE);
    br_aes_ct_cbcdec_run(&schedule, iv, text, size - sizeof iv);
    corral_wipe(&schedule, sizeof schedule);
    bearssl_driver_wipe_stack_aes();
    return true;
}

static bool seal(const uint8_t key[DIRECT_AES_KEY_SIZE], const uint8_t *nonce, const uint8_t *data,
                 size_t size, uint8_t *text)
{
    br_aes_ct_ctr_keys schedule;
    br_gcm_context gcm;

    br_aes_ct_ctr_init(&schedule, key, DIRECT_AES_KEY_SIZE);
    br_gcm_init(&gcm, &schedule.vtable, br_ghash_ctmul32);
    br_gcm_reset(&gcm, nonce, DIRECT_NONCE_SIZE);
    br_gcm_flip(&gcm);
    memcpy(text, data, size);
    br_gcm_run(&gcm, 1, text, size);
    br_gcm_get_tag(&gcm, text + size);
    corral_wipe(&schedule, sizeof schedule);
    corral_wipe(&gcm, sizeof gcm);
    bearssl_driver_wipe_stack_aead();
    return true;
}

static bool sign(const uint8_t private_key[DIRECT_SCALAR_SIZE],
                 const uint8_t digest[DIRECT_HASH_SIZE], uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    uint8_t scalar[DIRECT_SCALAR_SIZE];

    memcpy(scalar, private_key, sizeof scalar);
    const br_ec_private_key key = {BR_EC_secp256r1, scalar, sizeof scalar};

    const size_t length =
        br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable, digest, &key, signature);
    corral_wipe(scalar, sizeof scalar);
    bearssl_driver_wipe_stack_p256_sign();
    return length == DIRECT_SIGNATURE_SIZE;
}

static bool verify(const uint8_t public_key[DIRECT_POINT_SIZE],
                   const uint8_t digest[DIRECT_HASH_SIZE],
                   const uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    uint8_t point[DIRECT_POINT_SIZE];

    memcpy(point, public_key, sizeof point);
    const br_ec_public_key key = {BR_EC_secp256r1, point, sizeof point};

    return br_ecdsa_i31_vrfy_raw(&br_ec_p256_m31, digest, DIRECT_HASH_SIZE, &key, signature,
                                 DIRECT_SIGNATURE_SIZE) == 1;
}

const struct direct direct_library = {hash, mac, decrypt, seal, sign, verify};
