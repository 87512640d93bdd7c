/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

static bool mic_of(const uint8_t *key_data, const uint8_t *frame, size_t size, uint8_t *mic)
{
    psa_key_id_t key;
    size_t length;

    if (!shared_import(PSA_KEY_TYPE_AES, PSA_KEY_USAGE_SIGN_MESSAGE, PSA_ALG_CBC_MAC, key_data,
                       BLOCK_SIZE, &key)) {
        return false;
    }
    const bool is_done =
        psa_mac_compute(key, PSA_ALG_CBC_MAC, frame, size, mic, BLOCK_SIZE, &length) == PSA_SUCCESS;
    return psa_destroy_key(key) == PSA_SUCCESS && is_done;
}

bool link_protect(const uint8_t key[BLOCK_SIZE], const uint8_t *frame, size_t blocks,
                  uint8_t *protected, uint8_t mic[BLOCK_SIZE])
{
    const size_t size = blocks * BLOCK_SIZE;
    psa_key_id_t id;
    size_t length;

    if (!shared_import(PSA_KEY_TYPE_AES, PSA_KEY_USAGE_ENCRYPT, PSA_ALG_CTR, key, BLOCK_SIZE,
                       &id)) {
        return false;
    }
    const bool is_encrypted = psa_cipher_encrypt(id, PSA_ALG_CTR, frame, size, protected,
                                                 BLOCK_SIZE + size, &length) == PSA_SUCCESS;
    return psa_destroy_key(id) == PSA_SUCCESS && is_encrypted && mic_of(key, frame, size, mic);
}
