/* SPDX-License-Identifier: Apache-2.0 */
/* The library selects in a file that would also link its modes CFB, OFB and XTS. */
#include "aes.h"

void awslc_aes_cbc(const AES_KEY *key, uint8_t iv[16], const uint8_t *input, size_t length,
                   uint8_t *output, bool is_encrypt)
{
    if (length == 0) {
        return;
    }
    if (hwaes_capable()) {
        aes_hw_cbc_encrypt(input, output, length, key, iv, is_encrypt);
    } else if (vpaes_capable()) {
        vpaes_cbc_encrypt(input, output, length, key, iv, is_encrypt);
    } else {
        aes_nohw_cbc_encrypt(input, output, length, key, iv, is_encrypt);
    }
}

ctr128_f awslc_aes_ctr32(void)
{
    if (hwaes_capable()) {
        return aes_hw_ctr32_encrypt_blocks;
    }
    return vpaes_capable() ? vpaes_ctr32_encrypt_blocks : aes_nohw_ctr32_encrypt_blocks;
}
