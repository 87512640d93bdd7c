/* SPDX-License-Identifier: Apache-2.0 */
/* In place of MCUboot's header: the functions that aes_ctr.c has to define. */
#ifndef TEST_AES_CTR_PSA_H
#define TEST_AES_CTR_PSA_H

#include <psa/crypto.h>

#ifdef MCUBOOT_AES_256
#define BOOT_ENC_KEY_SIZE 32
#else
#define BOOT_ENC_KEY_SIZE 16
#endif

typedef struct {
    psa_key_id_t key;
} bootutil_aes_ctr_context;

void bootutil_aes_ctr_init(bootutil_aes_ctr_context *ctx);
void bootutil_aes_ctr_drop(bootutil_aes_ctr_context *ctx);
int bootutil_aes_ctr_set_key(bootutil_aes_ctr_context *ctx, const uint8_t *k);
int bootutil_aes_ctr_encrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter, const uint8_t *m,
                             uint32_t mlen, size_t blk_off, uint8_t *c);
int bootutil_aes_ctr_decrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter, const uint8_t *c,
                             uint32_t clen, size_t blk_off, uint8_t *m);

#endif
