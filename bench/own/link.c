/* SPDX-License-Identifier: Apache-2.0 */
/* A link layer with AES of Mbed TLS. */
#include <corral/port.h>
#include <mbedtls/aes.h>
#include <string.h>

#include "../apps/shared/consumers.h"

static bool authenticate(mbedtls_aes_context *aes, const uint8_t *frame, size_t blocks,
                         uint8_t mic[BLOCK_SIZE])
{
    bool is_done = true;

    memset(mic, 0, BLOCK_SIZE);
    for (size_t block = 0; block < blocks; block++) {
        for (size_t i = 0; i < BLOCK_SIZE; i++) {
            mic[i] = (uint8_t)(mic[i] ^ frame[block * BLOCK_SIZE + i]);
        }
        is_done = is_done && mbedtls_aes_crypt_ecb(aes, MBEDTLS_AES_ENCRYPT, mic, mic) == 0;
    }
    return is_done;
}

bool link_protect(const uint8_t key[BLOCK_SIZE], const uint8_t *frame, size_t blocks,
                  uint8_t *protected, uint8_t mic[BLOCK_SIZE])
{
    mbedtls_aes_context aes;
    uint8_t counter[BLOCK_SIZE];
    uint8_t stream[BLOCK_SIZE];
    size_t offset = 0;
    size_t bits;

    mbedtls_aes_init(&aes);
    bool is_done = corral_port_entropy(counter, sizeof counter, &bits) == PSA_SUCCESS &&
                   mbedtls_aes_setkey_enc(&aes, key, 128) == 0;
    memcpy(protected, counter, sizeof counter);
    is_done = is_done &&
              mbedtls_aes_crypt_ctr(&aes, blocks * BLOCK_SIZE, &offset, counter, stream, frame,
                                    protected + BLOCK_SIZE) == 0 &&
              authenticate(&aes, frame, blocks, mic);
    mbedtls_aes_free(&aes);
    return is_done;
}
