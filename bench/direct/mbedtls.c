/* SPDX-License-Identifier: Apache-2.0 */
#include "direct.h"

#include <string.h>

#include <mbedtls/aes.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#include <mbedtls/sha256.h>
#include <psa/crypto.h>
#include <stack.h>

static bool hash(const uint8_t *data, size_t size, uint8_t digest[DIRECT_HASH_SIZE])
{
    return mbedtls_sha256(data, size, digest, 0) == 0;
}

static bool mac(const uint8_t key[DIRECT_KEY_SIZE], const uint8_t *data, size_t size,
                uint8_t output[DIRECT_HASH_SIZE])
{
    const bool is_done = mbedtls_md_hmac(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), key,
                                         DIRECT_KEY_SIZE, data, size, output) == 0;
    mbedtls_driver_wipe_stack_hmac();
    return is_done;
}

static bool decrypt(const uint8_t key[DIRECT_AES_KEY_SIZE], const uint8_t *data, size_t size,
                    uint8_t *text)
{
    mbedtls_aes_context aes;
    uint8_t iv[DIRECT_BLOCK_SIZE];

    memcpy(iv, data, sizeof iv);
    mbedtls_aes_init(&aes);
    const bool is_done = mbedtls_aes_setkey_dec(&aes, key, 8 * DIRECT_AES_KEY_SIZE) == 0 &&
                         mbedtls_aes_crypt_cbc(&aes, MBEDTLS_AES_DECRYPT, size - sizeof iv, iv,
                                               data + sizeof iv, text) == 0;
    mbedtls_aes_free(&aes);
    mbedtls_driver_wipe_stack_aes();
    return is_done;
}

static bool seal(const uint8_t key[DIRECT_AES_KEY_SIZE], const uint8_t *nonce, const uint8_t *data,
                 size_t size, uint8_t *text)
{
    mbedtls_gcm_context gcm;

    mbedtls_gcm_init(&gcm);
    const bool is_done =
        mbedtls_gcm_setkey(&gcm, MBEDTLS_CIPHER_ID_AES, key, 8 * DIRECT_AES_KEY_SIZE) == 0 &&
        mbedtls_gcm_crypt_and_tag(&gcm, MBEDTLS_GCM_ENCRYPT, size, nonce, DIRECT_NONCE_SIZE, NULL,
                                  0, data, text, DIRECT_BLOCK_SIZE, text + size) == 0;
    mbedtls_gcm_free(&gcm);
    mbedtls_driver_wipe_stack_gcm();
    return is_done;
}

static int draw(void *unused, unsigned char *output, size_t size)
{
    (void)unused;
    return psa_generate_random(output, size) == PSA_SUCCESS ? 0 : -1;
}

static bool sign(const uint8_t private_key[DIRECT_SCALAR_SIZE],
                 const uint8_t digest[DIRECT_HASH_SIZE], uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    mbedtls_ecp_group group;
    mbedtls_mpi d;
    mbedtls_mpi r;
    mbedtls_mpi s;

    mbedtls_ecp_group_init(&group);
    mbedtls_mpi_init(&d);
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    const bool is_done =
        mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_SECP256R1) == 0 &&
        mbedtls_mpi_read_binary(&d, private_key, DIRECT_SCALAR_SIZE) == 0 &&
        mbedtls_ecdsa_sign(&group, &r, &s, &d, digest, DIRECT_HASH_SIZE, draw, NULL) == 0 &&
        mbedtls_mpi_write_binary(&r, signature, DIRECT_SCALAR_SIZE) == 0 &&
        mbedtls_mpi_write_binary(&s, signature + DIRECT_SCALAR_SIZE, DIRECT_SCALAR_SIZE) == 0;
    mbedtls_mpi_free(&s);
    mbedtls_mpi_free(&r);
    mbedtls_mpi_free(&d);
    mbedtls_ecp_group_free(&group);
    mbedtls_driver_wipe_stack_curve();
    return is_done;
}

static bool verify(const uint8_t public_key[DIRECT_POINT_SIZE],
                   const uint8_t digest[DIRECT_HASH_SIZE],
                   const uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    mbedtls_ecp_group group;
    mbedtls_ecp_point point;
    mbedtls_mpi r;
    mbedtls_mpi s;

    mbedtls_ecp_group_init(&group);
    mbedtls_ecp_point_init(&point);
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    const bool is_right =
        mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_SECP256R1) == 0 &&
        mbedtls_ecp_point_read_binary(&group, &point, public_key, DIRECT_POINT_SIZE) == 0 &&
        mbedtls_mpi_read_binary(&r, signature, DIRECT_SCALAR_SIZE) == 0 &&
        mbedtls_mpi_read_binary(&s, signature + DIRECT_SCALAR_SIZE, DIRECT_SCALAR_SIZE) == 0 &&
        mbedtls_ecdsa_verify(&group, digest, DIRECT_HASH_SIZE, &point, &r, &s) == 0;
    mbedtls_mpi_free(&s);
    mbedtls_mpi_free(&r);
    mbedtls_ecp_point_free(&point);
    mbedtls_ecp_group_free(&group);
    return is_right;
}

const struct direct direct_library = {hash, mac, decrypt, seal, sign, verify};
