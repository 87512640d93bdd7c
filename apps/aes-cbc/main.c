/* SPDX-License-Identifier: Apache-2.0 */
/* Imports a 16-byte AES key, encrypts 32 bytes in CBC mode and decrypts them again. */
#include <string.h>

#include <corral/board.h>
#include <psa/crypto.h>

#define ALG PSA_ALG_CBC_NO_PADDING
#define TEXT_SIZE 32

static const uint8_t key_data[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t text[TEXT_SIZE + 1] = "Corral keeps every key in place.";

static psa_status_t there_and_back(psa_key_id_t key, uint8_t *decrypted, size_t size,
                                   size_t *length)
{
    uint8_t encrypted[PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, ALG, TEXT_SIZE)];
    size_t encrypted_length;

    psa_status_t status = psa_cipher_encrypt(key, ALG, text, TEXT_SIZE, encrypted, sizeof encrypted,
                                             &encrypted_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_cipher_decrypt(key, ALG, encrypted, encrypted_length, decrypted, size, length);
}

static psa_status_t with_imported_key(uint8_t *decrypted, size_t size, size_t *length)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    psa_set_key_algorithm(&attributes, ALG);
    psa_status_t status = psa_import_key(&attributes, key_data, sizeof key_data, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = there_and_back(key, decrypted, size, length);
    const psa_status_t destroyed = psa_destroy_key(key);
    return status == PSA_SUCCESS ? destroyed : status;
}

int main(void)
{
    uint8_t decrypted[PSA_CIPHER_DECRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, ALG, TEXT_SIZE + 16)];
    size_t length = 0;

    psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status = with_imported_key(decrypted, sizeof decrypted, &length);
    }
    const bool passed =
        status == PSA_SUCCESS && length == TEXT_SIZE && memcmp(decrypted, text, TEXT_SIZE) == 0;
    corral_board_print(passed ? "aes-cbc: pass\n" : "aes-cbc: FAIL\n");
    return passed ? 0 : 1;
}
