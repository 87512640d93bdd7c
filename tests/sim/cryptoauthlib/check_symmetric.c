/* SPDX-License-Identifier: Apache-2.0 */
/* CryptoAuthLib and the chip: hashes, AES, key derivation, MACs. */
#include "check.h"

#include "host/atca_host.h"

#include <string.h>

void check_hashes(void)
{
    uint8_t message[200];
    uint8_t result[32];
    uint8_t context[99];
    uint16_t context_size = sizeof(context);
    uint16_t result_size = sizeof(result);

    for (size_t i = 0; i < sizeof(message); i++) {
        message[i] = (uint8_t)(3 * i);
    }
    OK(atcab_sha(sizeof(message), message, result));
    print("message", message, sizeof(message));
    print("sha256", result, 32);
    OK(atcab_sha_hmac(message, sizeof(message), SLOT_MAC, result, SHA_MODE_TARGET_OUT_ONLY));
    print("hmac", result, 32);
    OK(atcab_sha_base(SHA_MODE_SHA256_START, 0, NULL, NULL, NULL));
    OK(atcab_sha_base(SHA_MODE_SHA256_UPDATE, 5, (const uint8_t *)"\x01\x02\x03\x04\x05", NULL,
                      NULL));
    OK(atcab_sha_read_context(context, &context_size));
    print("sha_context", context, context_size);
    OK(atcab_sha_base(SHA_MODE_SHA256_START, 0, NULL, NULL, NULL));
    OK(atcab_sha_write_context(context, context_size));
    OK(atcab_sha_base(SHA_MODE_SHA256_END | SHA_MODE_TARGET_OUT_ONLY, 0, NULL, result,
                      &result_size));
    print("sha_resumed", result, 32);
}

void check_aes(void)
{
    uint8_t plain[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint8_t cipher[16];
    uint8_t back[16];
    uint8_t h[16] = {0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b,
                     0x88, 0x4c, 0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e};
    uint8_t x[16] = {0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                     0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78};
    uint8_t key[32] = {1, 2, 3, 4};

    OK(atcab_aes_encrypt(SLOT_AES, 0, plain, cipher));
    print("aes_plain", plain, 16);
    print("aes_cipher_0", cipher, 16);
    OK(atcab_aes_encrypt(SLOT_AES, 1, plain, cipher));
    print("aes_cipher_1", cipher, 16);
    OK(atcab_aes_decrypt(SLOT_AES, 1, cipher, back));
    TRUE(memcmp(back, plain, 16) == 0);
    OK(atcab_nonce(key));
    OK(atcab_aes_encrypt(ATCA_TEMPKEY_KEYID, 0, plain, cipher));
    print("aes_cipher_tempkey", cipher, 16);
    OK(atcab_aes_gfm(h, x, cipher));
    print("gfm", cipher, 16);
    REFUSED(atcab_aes_encrypt(SLOT_MAC, 0, plain, cipher)); /* KeyType is not AES */
}

/* AES-GCM as the library composes it from AES and GFM. */
void check_gcm(void)
{
    atca_aes_gcm_ctx_t gcm;
    uint8_t iv[12] = {1};
    uint8_t plain[20] = "twenty bytes of text";
    uint8_t cipher[20];
    uint8_t tag[16];

    OK(atcab_aes_gcm_init(&gcm, SLOT_AES, 0, iv, sizeof(iv)));
    OK(atcab_aes_gcm_aad_update(&gcm, (const uint8_t *)"header", 6));
    OK(atcab_aes_gcm_encrypt_update(&gcm, plain, sizeof(plain), cipher));
    OK(atcab_aes_gcm_encrypt_finish(&gcm, tag, sizeof(tag)));
    print("gcm_cipher", cipher, sizeof(cipher));
    print("gcm_tag", tag, sizeof(tag));
}

void check_kdf(void)
{
    uint8_t key[32];
    uint8_t message[32];
    uint8_t output[64];
    uint8_t encrypted[64];
    uint8_t nonce[32];
    atca_io_decrypt_in_out_t decrypt = {
        .io_key = protect_key, .out_nonce = nonce, .data = encrypted, .data_size = 64};

    for (size_t i = 0; i < 32; i++) {
        key[i] = (uint8_t)(i % 16);
        message[i] = (uint8_t)(i % 16);
    }
    OK(atcab_nonce(key));
    OK(atcab_kdf(KDF_MODE_ALG_PRF | KDF_MODE_SOURCE_TEMPKEY | KDF_MODE_TARGET_OUTPUT, 0,
                 KDF_DETAILS_PRF_KEY_LEN_32 | KDF_DETAILS_PRF_TARGET_LEN_64 | 16u << 24, message,
                 output, NULL));
    print("kdf_prf", output, 64);
    OK(atcab_kdf(KDF_MODE_ALG_PRF | KDF_MODE_SOURCE_TEMPKEY | KDF_MODE_TARGET_OUTPUT_ENC, 0,
                 KDF_DETAILS_PRF_KEY_LEN_32 | KDF_DETAILS_PRF_TARGET_LEN_64 | 16u << 24, message,
                 encrypted, nonce));
    OK(atcah_io_decrypt(&decrypt));
    TRUE(memcmp(output, encrypted, 64) == 0);
    OK(atcab_kdf(KDF_MODE_ALG_AES | KDF_MODE_SOURCE_TEMPKEY | KDF_MODE_TARGET_OUTPUT, 0, 0, message,
                 output, NULL));
    print("kdf_aes", output, 32);
    OK(atcab_kdf(KDF_MODE_ALG_HKDF | KDF_MODE_SOURCE_SLOT | KDF_MODE_TARGET_OUTPUT, SLOT_MAC,
                 KDF_DETAILS_HKDF_MSG_LOC_INPUT | 32u << 24, message, output, NULL));
    print("kdf_hkdf", output, 32);
    OK(atcab_kdf(KDF_MODE_ALG_HKDF | KDF_MODE_SOURCE_SLOT | KDF_MODE_TARGET_SLOT,
                 SLOT_DERIVED << 8 | SLOT_MAC, KDF_DETAILS_HKDF_MSG_LOC_INPUT | 32u << 24, message,
                 NULL, NULL));
    OK(atcab_read_zone(ATCA_ZONE_DATA, SLOT_DERIVED, 0, 0, encrypted, 32));
    TRUE(memcmp(output, encrypted, 32) == 0);
    REFUSED(atcab_kdf(KDF_MODE_ALG_HKDF | KDF_MODE_SOURCE_SLOT | KDF_MODE_TARGET_OUTPUT, SLOT_MAC,
                      KDF_DETAILS_HKDF_MSG_LOC_IV | 32u << 24, message, output, NULL));
    memcpy(message + 9, "iv", 2);
    OK(atcab_kdf(KDF_MODE_ALG_HKDF | KDF_MODE_SOURCE_SLOT | KDF_MODE_TARGET_OUTPUT, SLOT_MAC,
                 KDF_DETAILS_HKDF_MSG_LOC_IV | 32u << 24, message, output, NULL));
}

/* MAC and CheckMac against the library's host-side formulas. */
void check_macs(void)
{
    uint8_t challenge[32];
    uint8_t mac[32];
    uint8_t expected[32];
    uint8_t serial[9];
    uint8_t other[13] = {ATCA_MAC, MAC_MODE_CHALLENGE, SLOT_MAC};
    struct atca_mac_in_out host = {.mode = MAC_MODE_CHALLENGE | MAC_MODE_INCLUDE_SN,
                                   .key_id = SLOT_MAC,
                                   .challenge = challenge,
                                   .key = mac_key,
                                   .sn = serial,
                                   .response = expected};

    OK(atcab_read_serial_number(serial));
    OK(atcab_random(challenge));
    OK(atcab_mac(host.mode, SLOT_MAC, challenge, mac));
    OK(atcah_mac(&host));
    TRUE(memcmp(mac, expected, 32) == 0);
    OK(atcab_mac(MAC_MODE_CHALLENGE, SLOT_MAC, challenge, mac));
    OK(atcab_checkmac(0, SLOT_MAC, challenge, mac, other));
    mac[0] ^= 1;
    expect(atcab_checkmac(0, SLOT_MAC, challenge, mac, other), ATCA_CHECKMAC_VERIFY_FAILED,
           "CheckMac", __FILE__, __LINE__);
}

/* One form of GenDig over a fixed nonce: the library says what TempKey must hold, an AES block
 * shows what it holds. */
static void check_one_gendig(const char *name, struct atca_gen_dig_in_out *host)
{
    static uint8_t nonce[32] = {0x21};
    static const uint8_t plain[16] = {0};
    bool has_other = host->zone == GENDIG_ZONE_SHARED_NONCE;
    uint8_t serial[9];
    uint8_t line[48];
    atca_temp_key_t tempkey;

    memset(&tempkey, 0, sizeof(tempkey));
    memcpy(tempkey.value, nonce, sizeof(nonce));
    tempkey.valid = 1;
    host->sn = serial;
    host->temp_key = &tempkey;
    OK(atcab_read_serial_number(serial));
    OK(atcab_nonce(nonce));
    OK(atcab_gendig(host->zone, host->key_id, has_other ? host->other_data : NULL,
                    has_other ? 32 : 0));
    OK(atcah_gen_dig(host));
    memcpy(line, tempkey.value, 32);
    OK(atcab_aes_encrypt(ATCA_TEMPKEY_KEYID, 0, plain, line + 32));
    print(name, line, sizeof(line));
}

void check_gendig(void)
{
    static uint8_t other[32] = {0x99};
    uint8_t zone[128];
    uint8_t otp[32];
    uint32_t count = 0;
    struct atca_gen_dig_in_out config = {
        .zone = GENDIG_ZONE_CONFIG, .key_id = 1, .stored_value = zone + 32};
    struct atca_gen_dig_in_out one_time = {
        .zone = GENDIG_ZONE_OTP, .key_id = 0, .stored_value = otp};
    struct atca_gen_dig_in_out data = {
        .zone = GENDIG_ZONE_DATA, .key_id = SLOT_MAC, .stored_value = mac_key};
    struct atca_gen_dig_in_out first = {
        .zone = GENDIG_ZONE_SHARED_NONCE, .key_id = 0, .other_data = other};
    struct atca_gen_dig_in_out last = {
        .zone = GENDIG_ZONE_SHARED_NONCE, .key_id = 0x8000, .other_data = other};
    struct atca_gen_dig_in_out counter = {.zone = GENDIG_ZONE_COUNTER, .key_id = 1};
    struct atca_gen_dig_in_out rules = {
        .zone = GENDIG_ZONE_KEY_CONFIG, .key_id = SLOT_MAC, .slot_locked = 1};

    OK(atcab_read_config_zone(zone));
    OK(atcab_read_zone(ATCA_ZONE_OTP, 0, 0, 0, otp, 32));
    OK(atcab_counter_read(1, &count));
    counter.counter = count;
    rules.slot_conf = (uint16_t)(zone[20 + 2 * SLOT_MAC] | zone[21 + 2 * SLOT_MAC] << 8);
    rules.key_conf = (uint16_t)(zone[96 + 2 * SLOT_MAC] | zone[97 + 2 * SLOT_MAC] << 8);
    check_one_gendig("gendig_config", &config);
    check_one_gendig("gendig_otp", &one_time);
    check_one_gendig("gendig_data", &data);
    check_one_gendig("gendig_shared_first", &first);
    check_one_gendig("gendig_shared_last", &last);
    check_one_gendig("gendig_counter", &counter);
    check_one_gendig("gendig_key_config", &rules);
}
