/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES-CTR for MCUboot's images that are encrypted with RSA. MCUboot has these functions in
 * encrypted_psa.c, which only compiles for the two kinds of ECIES.
 */
#include "mcuboot_config/mcuboot_config.h"

#if defined(MCUBOOT_USE_PSA_CRYPTO) && defined(MCUBOOT_ENCRYPT_RSA)

#include "bootutil/crypto/aes_ctr_psa.h"

#define BLOCK_SIZE 16
#define FAILED (-1)

void bootutil_aes_ctr_init(bootutil_aes_ctr_context *ctx)
{
    ctx->key = PSA_KEY_ID_NULL;
}

/* Also called without a key. */
void bootutil_aes_ctr_drop(bootutil_aes_ctr_context *ctx)
{
    (void)psa_destroy_key(ctx->key);
    ctx->key = PSA_KEY_ID_NULL;
}

int bootutil_aes_ctr_set_key(bootutil_aes_ctr_context *ctx, const uint8_t *k)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    psa_set_key_algorithm(&attributes, PSA_ALG_CTR);
    if (psa_crypto_init() != PSA_SUCCESS) {
        return FAILED;
    }
    bootutil_aes_ctr_drop(ctx);
    return psa_import_key(&attributes, k, BOOT_ENC_KEY_SIZE, &ctx->key) == PSA_SUCCESS ? 0 : FAILED;
}

/*
 * Encryption and decryption are the same in this mode. The counter is that of the block where the
 * data begins; the first blk_off bytes of that block are not part of it.
 */
static int add_stream(const bootutil_aes_ctr_context *ctx, const uint8_t *counter,
                      const uint8_t *from, uint32_t size, size_t blk_off, uint8_t *to)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t skipped[BLOCK_SIZE] = {0};
    size_t length = 0;

    psa_status_t status = psa_cipher_encrypt_setup(&operation, ctx->key, PSA_ALG_CTR);
    if (status == PSA_SUCCESS) {
        status = psa_cipher_set_iv(&operation, counter, BLOCK_SIZE);
    }
    if (status == PSA_SUCCESS && blk_off > 0) {
        status = psa_cipher_update(&operation, skipped, blk_off % BLOCK_SIZE, skipped,
                                   sizeof skipped, &length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_update(&operation, from, size, to, size, &length);
    }
    (void)psa_cipher_abort(&operation);
    return status == PSA_SUCCESS && length == size ? 0 : FAILED;
}

int bootutil_aes_ctr_encrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter, const uint8_t *m,
                             uint32_t mlen, size_t blk_off, uint8_t *c)
{
    return add_stream(ctx, counter, m, mlen, blk_off, c);
}

int bootutil_aes_ctr_decrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter, const uint8_t *c,
                             uint32_t clen, size_t blk_off, uint8_t *m)
{
    return add_stream(ctx, counter, c, clen, blk_off, m);
}

#endif
