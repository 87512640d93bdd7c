/* SPDX-License-Identifier: Apache-2.0 */
/* Decrypts a padded text into each length of buffer, where a status is longer than a size_t. */
#include <corral/board.h>
#include <psa/crypto.h>

#include "../../../core/common/secret.h"

#define ALG PSA_ALG_CBC_PKCS7
#define TEXT_SIZE 5u

static const uint8_t key_data[16] = {1};
static const uint8_t text[TEXT_SIZE] = "text";

static psa_status_t import_key(psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_import_key(&attributes, key_data, sizeof key_data, key);
}

/* The final status of a decryption in parts into `size` bytes. */
static psa_status_t decrypt(psa_key_id_t key, const uint8_t encrypted[32], size_t size)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t plain[TEXT_SIZE];
    size_t length;

    psa_status_t status = psa_cipher_decrypt_setup(&operation, key, ALG);
    if (status == PSA_SUCCESS) {
        status = psa_cipher_set_iv(&operation, encrypted, 16);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_update(&operation, encrypted + 16, 16, plain, sizeof plain, &length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_finish(&operation, plain, size, &length);
    }
    (void)psa_cipher_abort(&operation);
    return status;
}

static bool is_right(void)
{
    uint8_t encrypted[32];
    uint8_t plain[TEXT_SIZE];
    psa_key_id_t key;
    size_t length;
    size_t plain_length;

    if (psa_crypto_init() != PSA_SUCCESS || import_key(&key) != PSA_SUCCESS ||
        psa_cipher_encrypt(key, ALG, text, sizeof text, encrypted, sizeof encrypted, &length) !=
            PSA_SUCCESS) {
        return false;
    }
    for (size_t size = 0; size < TEXT_SIZE; size++) {
        if (decrypt(key, encrypted, size) != PSA_ERROR_BUFFER_TOO_SMALL ||
            psa_cipher_decrypt(key, ALG, encrypted, length, plain, size, &plain_length) !=
                PSA_ERROR_BUFFER_TOO_SMALL) {
            return false;
        }
    }
    return decrypt(key, encrypted, TEXT_SIZE) == PSA_SUCCESS;
}

/* Masks of the functions for secrets, as RSA decryption joins them, for which there is no room. */
static bool has_whole_masks(void)
{
    volatile size_t less = 1;
    volatile psa_status_t failure = PSA_ERROR_INVALID_PADDING;

    return corral_secret_status_if(corral_secret_less(less, 2), failure) == failure &&
           corral_secret_status_if(corral_secret_less(less, 1), failure) == PSA_SUCCESS &&
           corral_secret_failed(failure) == -1 && corral_secret_failed(PSA_SUCCESS) == 0 &&
           !corral_secret_is_other(failure) && corral_secret_is_other(PSA_ERROR_BAD_STATE);
}

int main(void)
{
    const bool passed = is_right() && has_whole_masks();

    corral_board_print(passed ? "narrow: pass\n" : "narrow: FAIL\n");
    return passed ? 0 : 1;
}
