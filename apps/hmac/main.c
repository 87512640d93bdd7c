/* SPDX-License-Identifier: Apache-2.0 */
/* Imports a 32-byte key and authenticates 32 bytes with HMAC-SHA-256. */
#include <string.h>

#include <corral/board.h>
#include <psa/crypto.h>

#define ALG PSA_ALG_HMAC(PSA_ALG_SHA_256)

static const uint8_t key_data[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                     11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                     22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
static const uint8_t message[] = "Corral keeps every key in place.";
/* What `openssl mac -digest SHA256 -macopt hexkey:000102... HMAC` makes of it. */
static const uint8_t expected[PSA_HASH_LENGTH(PSA_ALG_SHA_256)] = {
    0x3f, 0x52, 0xa1, 0xf3, 0xa0, 0xc3, 0x7e, 0x75, 0x05, 0x2e, 0x07, 0x01, 0xe2, 0xfd, 0x27, 0x3e,
    0xb7, 0x07, 0xef, 0x70, 0xf8, 0x9b, 0x74, 0x9a, 0xb2, 0x88, 0xbf, 0xe1, 0x7b, 0xe1, 0xba, 0x56};

static psa_status_t authenticate(uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, ALG);
    psa_status_t status = psa_import_key(&attributes, key_data, sizeof key_data, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_mac_compute(key, ALG, message, sizeof message - 1, mac, mac_size, mac_length);
    const psa_status_t destroyed = psa_destroy_key(key);
    return status == PSA_SUCCESS ? destroyed : status;
}

int main(void)
{
    uint8_t mac[sizeof expected];
    size_t length = 0;

    psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status = authenticate(mac, sizeof mac, &length);
    }
    const bool passed = status == PSA_SUCCESS && length == sizeof expected &&
                        memcmp(mac, expected, sizeof expected) == 0;
    corral_board_print(passed ? "hmac: pass\n" : "hmac: FAIL\n");
    return passed ? 0 : 1;
}
