/* SPDX-License-Identifier: Apache-2.0 */
/* CryptoAuthLib takes a factory-fresh virtual chip through its life: configure, lock, make keys,
 * use them. Every call must succeed, or fail where the configuration forbids it. What the chip
 * computed is printed as "name hex", one a line, for test_cryptoauthlib.py to check with OpenSSL
 * and Python.
 *
 * usage: cryptoauthlib_check IMAGE PEER DIGEST   (PEER: X and Y of a P-256 public key, 128 hex
 * digits; DIGEST: 64 hex digits) */
#include "hal.h"

#include "atecc608_sim.h"
#include "cryptoauthlib.h"
#include "host/atca_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slots of the configuration below. */
enum {
    SLOT_SIGN = 0,       /* private key: signs, agrees, output in the clear */
    SLOT_AGREE = 2,      /* private key: ECDH into slot 3 */
    SLOT_AGREED = 3,     /* read encrypted under slot 4 */
    SLOT_PROTECT = 4,    /* IO protection key; key of encrypted reads and writes */
    SLOT_SECRET = 5,     /* read and written encrypted under slot 4 */
    SLOT_IMPORT = 6,     /* private key: generated, or written encrypted under slot 4 */
    SLOT_MAC = 7,        /* HMAC, MAC, CheckMac, KDF key */
    SLOT_DATA = 8,       /* clear */
    SLOT_AES = 9,        /* two AES-128 keys */
    SLOT_DERIVED = 10,   /* clear: target of KDF */
    SLOT_PUBLIC = 11,    /* public key, used as it is */
    SLOT_VALIDATED = 13, /* public key that slot 11 must validate */
};

static uint8_t config[128] = {[16] = 0xC0,
                              /* SlotConfig */
                              [20] = 0x87,
                              0x20,
                              0x87,
                              0x20,
                              0x8F,
                              0x20,
                              0xC4,
                              0x44,
                              0x80,
                              0x00,
                              0xC4,
                              0x44,
                              0x87,
                              0x64,
                              0x80,
                              0x00,
                              0x00,
                              0x00,
                              0x80,
                              0x00,
                              0x00,
                              0x00,
                              0x00,
                              0x00,
                              0x00,
                              0x00,
                              0x0B,
                              0x10,
                              0x00,
                              0x00,
                              0x00,
                              0x00,
                              /* counters */
                              0xFF,
                              0xFF,
                              0xFF,
                              0xFF,
                              0x00,
                              0x00,
                              0x00,
                              0x00,
                              0xFF,
                              0xFF,
                              0xFF,
                              0xFF,
                              0x00,
                              0x00,
                              0x00,
                              0x00,
                              [72] = 0x09,
                              0x69,
                              0x76, /* KdfIvLoc, KdfIvStr */
                              [86] = 0x55,
                              0x55,
                              0xFF,
                              0xFF,
                              0x06,
                              0x40, /* locks; ChipOptions: IO protection by slot 4, KDF-AES */
                              /* KeyConfig */
                              [96] = 0x33,
                              0x00,
                              0x33,
                              0x00,
                              0x33,
                              0x00,
                              0x1C,
                              0x00,
                              0x1C,
                              0x00,
                              0x1C,
                              0x00,
                              0x33,
                              0x00,
                              0x1C,
                              0x00,
                              0x3C,
                              0x00,
                              0x18,
                              0x00,
                              0x1C,
                              0x00,
                              0x30,
                              0x00,
                              0x1C,
                              0x00,
                              0x32,
                              0x00,
                              0x1C,
                              0x00,
                              0x3C,
                              0x00};

static uint8_t peer[64];
static uint8_t digest[32];
static uint8_t protect_key[32];
static uint8_t mac_key[32];

#define OK(call) expect((call), ATCA_SUCCESS, #call, __LINE__)
#define REFUSED(call) expect((call), ATCA_EXECUTION_ERROR, #call, __LINE__)
#define TRUE(condition) require((condition), #condition, __LINE__)

static void expect(ATCA_STATUS actual, ATCA_STATUS expected, const char *text, int line)
{
    if (actual != expected) {
        printf("check.c:%d: %s gave 0x%02X, expected 0x%02X\n", line, text, actual, expected);
        exit(1);
    }
}

static void require(bool ok, const char *text, int line)
{
    if (!ok) {
        printf("check.c:%d: not so: %s\n", line, text);
        exit(1);
    }
}

static void print(const char *name, const uint8_t *data, size_t length)
{
    printf("%s ", name);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", data[i]);
    }
    printf("\n");
}

static void parse_hex(const char *text, uint8_t *data, size_t length)
{
    TRUE(strlen(text) == 2 * length);
    for (size_t i = 0; i < length; i++) {
        unsigned int byte;

        TRUE(sscanf(text + 2 * i, "%2x", &byte) == 1);
        data[i] = (uint8_t)byte;
    }
}

static void check_fresh_chip(void)
{
    uint8_t data[32];
    bool locked = true;
    ATCADevice device = atcab_get_device();

    TRUE(device != NULL);
    OK(atcab_wakeup());
    OK(atcab_idle());
    OK(atcab_info(data));
    print("revision", data, 4);
    TRUE(atcab_get_device_type() == ATECC608);
    OK(atcab_read_serial_number(data));
    print("serial", data, 9);
    OK(atcab_is_config_locked(&locked));
    TRUE(!locked);
    OK(atcab_random(data)); /* fixed pattern while unlocked */
    print("random_unlocked", data, 32);
    OK(atcab_selftest(SELFTEST_MODE_ALL, 0, data));
    TRUE(data[0] == 0);
}

static void check_configuration(void)
{
    uint8_t read_back[128];
    uint8_t crc[2];
    bool same = false;
    bool locked = false;

    OK(atcab_write_config_zone(config));
    OK(atcab_cmp_config_zone(config, &same));
    TRUE(same);
    OK(atcab_read_config_zone(read_back));
    TRUE(memcmp(read_back + 20, config + 20, 32) == 0 &&
         memcmp(read_back + 96, config + 96, 32) == 0);
    atCRC(sizeof(read_back), read_back, crc);
    REFUSED(atcab_lock_config_zone_crc((uint16_t)((crc[0] | crc[1] << 8) ^ 1)));
    OK(atcab_lock_config_zone_crc((uint16_t)(crc[0] | crc[1] << 8)));
    OK(atcab_is_config_locked(&locked));
    TRUE(locked);
    REFUSED(atcab_lock_config_zone());
    REFUSED(atcab_write_bytes_zone(ATCA_ZONE_CONFIG, 0, 20, read_back, 4));
}

/* Before the data zone is locked: keys, secrets and OTP are put in. */
static void check_personalisation(void)
{
    uint8_t data[32];
    uint8_t otp[64];
    uint8_t aes_keys[32];
    bool locked = true;

    OK(atcab_random(protect_key));
    OK(atcab_random(mac_key));
    OK(atcab_random(aes_keys));
    print("protect_key", protect_key, 32);
    print("mac_key", mac_key, 32);
    print("aes_keys", aes_keys, 32);
    OK(atcab_write_zone(ATCA_ZONE_DATA, SLOT_PROTECT, 0, 0, protect_key, 32));
    OK(atcab_write_zone(ATCA_ZONE_DATA, SLOT_MAC, 0, 0, mac_key, 32));
    OK(atcab_write_zone(ATCA_ZONE_DATA, SLOT_AES, 0, 0, aes_keys, 32));
    memset(otp, 0x5A, sizeof(otp));
    OK(atcab_write_bytes_zone(ATCA_ZONE_OTP, 0, 0, otp, sizeof(otp)));
    REFUSED(atcab_read_zone(ATCA_ZONE_DATA, SLOT_DATA, 0, 0, data, 32));
    REFUSED(atcab_write_zone(ATCA_ZONE_DATA, SLOT_DATA, 0, 0, data, 4));
    OK(atcab_is_data_locked(&locked));
    TRUE(!locked);
    OK(atcab_lock_data_zone());
    OK(atcab_is_data_locked(&locked));
    TRUE(locked);
    OK(atcab_read_zone(ATCA_ZONE_OTP, 0, 0, 0, data, 32));
    TRUE(memcmp(data, otp, 32) == 0);
    REFUSED(atcab_write_zone(ATCA_ZONE_OTP, 0, 0, 0, otp, 32));
    REFUSED(atcab_read_zone(ATCA_ZONE_DATA, SLOT_MAC, 0, 0, data, 32));
}

static void check_signatures(void)
{
    uint8_t public_key[64];
    uint8_t again[64];
    uint8_t signature[64];
    uint8_t stored[64];
    uint8_t nonce[32];
    bool verified = false;

    OK(atcab_genkey(SLOT_SIGN, public_key));
    OK(atcab_get_pubkey(SLOT_SIGN, again));
    TRUE(memcmp(public_key, again, 64) == 0);
    OK(atcab_sign(SLOT_SIGN, digest, signature));
    print("sign_public", public_key, 64);
    print("sign_signature", signature, 64);
    OK(atcab_verify_extern(digest, signature, public_key, &verified));
    TRUE(verified);
    OK(atcab_write_pubkey(SLOT_PUBLIC, public_key));
    OK(atcab_read_pubkey(SLOT_PUBLIC, stored));
    TRUE(memcmp(public_key, stored, 64) == 0);
    OK(atcab_verify_stored(digest, signature, SLOT_PUBLIC, &verified));
    TRUE(verified);
    OK(atcab_random(nonce));
    OK(atcab_verify_extern_mac(digest, signature, public_key, nonce, protect_key, &verified));
    TRUE(verified);
    OK(atcab_verify_stored_mac(digest, signature, SLOT_PUBLIC, nonce, protect_key, &verified));
    TRUE(verified);
    signature[63] ^= 1;
    OK(atcab_verify_extern(digest, signature, public_key, &verified));
    TRUE(!verified);
    OK(atcab_verify_stored(digest, signature, SLOT_PUBLIC, &verified));
    TRUE(!verified);
    REFUSED(atcab_sign(SLOT_MAC, digest, signature));
}

/* Internal signature over a GenKey digest, as the library composes it. */
static void check_internal_signature(void)
{
    uint8_t nonce_in[20] = {1, 2, 3};
    uint8_t random_out[32];
    uint8_t public_key[64];
    uint8_t signature[64];
    uint8_t serial[9];
    uint8_t zone[128];
    uint8_t message_digest[32];
    atca_temp_key_t tempkey;
    atca_nonce_in_out_t nonce = {.mode = NONCE_MODE_SEED_UPDATE,
                                 .num_in = nonce_in,
                                 .rand_out = random_out,
                                 .temp_key = &tempkey};
    atca_gen_key_in_out_t genkey = {.mode = GENKEY_MODE_DIGEST,
                                    .key_id = SLOT_AGREE,
                                    .public_key = public_key,
                                    .public_key_size = 64,
                                    .sn = serial,
                                    .temp_key = &tempkey};
    atca_sign_internal_in_out_t sign = {.mode = SIGN_MODE_INCLUDE_SN,
                                        .key_id = SLOT_SIGN,
                                        .sn = serial,
                                        .temp_key = &tempkey,
                                        .digest = message_digest};

    memset(&tempkey, 0, sizeof(tempkey));
    OK(atcab_read_serial_number(serial));
    OK(atcab_read_config_zone(zone));
    OK(atcab_genkey(SLOT_AGREE, NULL));
    OK(atcab_nonce_rand(nonce_in, random_out));
    OK(atcab_genkey_base(GENKEY_MODE_DIGEST, SLOT_AGREE, NULL, public_key));
    OK(atcab_sign_internal(SLOT_SIGN, false, true, signature));
    OK(atcah_nonce(&nonce));
    OK(atcah_gen_key_msg(&genkey));
    OK(atcah_config_to_sign_internal(ATECC608, &sign, zone));
    OK(atcah_sign_internal_msg(ATECC608, &sign));
    print("internal_digest", message_digest, 32);
    print("internal_signature", signature, 64);
    REFUSED(atcab_sign_internal(SLOT_SIGN, false, true, signature)); /* TempKey is used up */
}

/* The digest of the public key in a slot, over a nonce that both sides know. */
static void load_public_digest(uint16_t slot)
{
    static uint8_t nonce[32] = {9};
    uint8_t other[3] = {GENKEY_MODE_PUBKEY_DIGEST, (uint8_t)slot, 0};

    OK(atcab_nonce(nonce));
    OK(atcab_genkey_base(GENKEY_MODE_PUBKEY_DIGEST, slot, other, NULL));
}

/* Let the parent's private key sign the digest of a stored public key and change its validity with
 * that. */
static void set_validity(uint16_t slot, bool invalidate)
{
    static uint8_t nonce_in[32] = {9};
    uint8_t genkey_other[3] = {GENKEY_MODE_PUBKEY_DIGEST, (uint8_t)slot, 0};
    uint8_t serial[9];
    uint8_t public_key[64];
    uint8_t zone[128];
    uint8_t signature[64];
    uint8_t message_digest[32];
    uint8_t other_data[19];
    bool verified = false;
    atca_temp_key_t tempkey;
    atca_nonce_in_out_t nonce = {
        .mode = NONCE_MODE_PASSTHROUGH, .num_in = nonce_in, .temp_key = &tempkey};
    atca_gen_key_in_out_t genkey = {.mode = GENKEY_MODE_PUBKEY_DIGEST,
                                    .key_id = slot,
                                    .public_key = public_key,
                                    .public_key_size = 64,
                                    .other_data = genkey_other,
                                    .sn = serial,
                                    .temp_key = &tempkey};
    atca_sign_internal_in_out_t sign = {.mode =
                                            invalidate ? SIGN_MODE_INVALIDATE : SIGN_MODE_INTERNAL,
                                        .key_id = SLOT_SIGN,
                                        .sn = serial,
                                        .temp_key = &tempkey,
                                        .digest = message_digest,
                                        .for_invalidate = invalidate,
                                        .verify_other_data = other_data};

    memset(&tempkey, 0, sizeof(tempkey));
    OK(atcab_read_serial_number(serial));
    OK(atcab_read_config_zone(zone));
    OK(atcab_read_pubkey(slot, public_key));
    load_public_digest(slot);
    OK(atcab_sign_internal(SLOT_SIGN, invalidate, false, signature));
    OK(atcah_nonce(&nonce));
    OK(atcah_gen_key_msg(&genkey));
    OK(atcah_config_to_sign_internal(ATECC608, &sign, zone));
    OK(atcah_sign_internal_msg(ATECC608, &sign));
    load_public_digest(slot);
    if (invalidate) {
        OK(atcab_verify_invalidate(slot, signature, other_data, &verified));
    } else {
        OK(atcab_verify_validate(slot, signature, other_data, &verified));
    }
    TRUE(verified);
}

static void check_validation(void)
{
    uint8_t public_key[64];
    uint8_t signature[64];
    bool verified = true;

    OK(atcab_get_pubkey(SLOT_AGREE, public_key));
    OK(atcab_write_pubkey(SLOT_VALIDATED, public_key));
    OK(atcab_sign(SLOT_AGREE, digest, signature));
    REFUSED(atcab_verify_stored(digest, signature, SLOT_VALIDATED, &verified));
    TRUE(!verified);
    set_validity(SLOT_VALIDATED, false);
    OK(atcab_verify_stored(digest, signature, SLOT_VALIDATED, &verified));
    TRUE(verified);
    REFUSED(atcab_write_pubkey(SLOT_VALIDATED, public_key)); /* a valid key cannot be overwritten */
    set_validity(SLOT_VALIDATED, true);
    REFUSED(atcab_verify_stored(digest, signature, SLOT_VALIDATED, &verified));
}

static void check_agreement(void)
{
    uint8_t public_key[64];
    uint8_t secret[32];
    uint8_t other[32];
    uint8_t nonce_in[20] = {7};

    OK(atcab_ecdh(SLOT_SIGN, peer, secret));
    print("ecdh_secret", secret, 32);
    OK(atcab_ecdh_ioenc(SLOT_SIGN, peer, other, protect_key));
    TRUE(memcmp(secret, other, 32) == 0);
    OK(atcab_get_pubkey(SLOT_AGREE, public_key));
    OK(atcab_ecdh_enc(SLOT_AGREE, peer, secret, protect_key, SLOT_PROTECT, nonce_in));
    print("ecdh_slot_public", public_key, 64);
    print("ecdh_slot_secret", secret, 32);
    REFUSED(atcab_ecdh_ioenc(SLOT_AGREE, peer, other, protect_key)); /* its results stay inside */
    OK(atcab_genkey(ATCA_TEMPKEY_KEYID, public_key));
    OK(atcab_ecdh_tempkey(peer, secret));
    print("ecdh_tempkey_public", public_key, 64);
    print("ecdh_tempkey_secret", secret, 32);
}

static void check_import(void)
{
    uint8_t private_key[36] = {0};
    uint8_t public_key[64];
    uint8_t nonce_in[20] = {5};

    OK(atcab_random(private_key + 4));
    private_key[4] &= 0x7F; /* below the order */
    OK(atcab_priv_write(SLOT_IMPORT, private_key, SLOT_PROTECT, protect_key, nonce_in));
    OK(atcab_get_pubkey(SLOT_IMPORT, public_key));
    print("import_private", private_key + 4, 32);
    print("import_public", public_key, 64);
    REFUSED(atcab_priv_write(SLOT_SIGN, private_key, SLOT_PROTECT, protect_key, nonce_in));
}

static void check_storage(void)
{
    uint8_t secret[32];
    uint8_t data[416];
    uint8_t read_back[416];
    uint8_t nonce_in[20] = {3};
    uint32_t value = 0;
    uint32_t next = 0;
    bool locked = true;

    OK(atcab_random(secret));
    OK(atcab_write_enc(SLOT_SECRET, 0, secret, protect_key, SLOT_PROTECT, nonce_in));
    OK(atcab_read_enc(SLOT_SECRET, 0, read_back, protect_key, SLOT_PROTECT, nonce_in));
    TRUE(memcmp(secret, read_back, 32) == 0);
    REFUSED(atcab_read_zone(ATCA_ZONE_DATA, SLOT_SECRET, 0, 0, read_back, 32));
    REFUSED(atcab_write_zone(ATCA_ZONE_DATA, SLOT_SECRET, 0, 0, secret, 32));
    for (size_t i = 0; i < sizeof(data); i++) {
        data[i] = (uint8_t)i;
    }
    OK(atcab_write_bytes_zone(ATCA_ZONE_DATA, SLOT_DATA, 0, data, sizeof(data)));
    OK(atcab_write_bytes_zone(ATCA_ZONE_DATA, SLOT_DATA, 4, data + 8, 4));
    memcpy(data + 4, data + 8, 4);
    OK(atcab_read_bytes_zone(ATCA_ZONE_DATA, SLOT_DATA, 0, read_back, sizeof(read_back)));
    TRUE(memcmp(data, read_back, sizeof(data)) == 0);
    OK(atcab_counter_read(1, &value));
    OK(atcab_counter_increment(1, &next));
    TRUE(next == value + 1);
    OK(atcab_updateextra(UPDATE_MODE_USER_EXTRA, 0x42));
    REFUSED(atcab_updateextra(UPDATE_MODE_USER_EXTRA, 0x43));
    OK(atcab_is_slot_locked(SLOT_DATA, &locked));
    TRUE(!locked);
    OK(atcab_lock_data_slot(SLOT_DATA));
    OK(atcab_is_slot_locked(SLOT_DATA, &locked));
    TRUE(locked);
    REFUSED(atcab_write_zone(ATCA_ZONE_DATA, SLOT_DATA, 0, 0, data, 32));
    REFUSED(atcab_lock_data_slot(SLOT_MAC)); /* not lockable */
}

static void check_hashes(void)
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

static void check_aes(void)
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
static void check_gcm(void)
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

static void check_kdf(void)
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
static void check_macs(void)
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
           "CheckMac", __LINE__);
}

int main(int argc, char **argv)
{
    struct atecc608_sim_options options = {0};
    struct atecc608_sim_bus *bus = atecc608_sim_bus_new();
    char error[256] = "";
    uint8_t random[32];
    ATCAIfaceCfg interface = {
        .iface_type = ATCA_I2C_IFACE, .devtype = ATECC608, .wake_delay = 1500, .rx_retries = 20};

    TRUE(argc == 4 && bus != NULL);
    options.nvm_path = argv[1];
    parse_hex(argv[2], peer, sizeof(peer));
    parse_hex(argv[3], digest, sizeof(digest));
    if (atecc608_sim_attach(bus, &options, error, sizeof(error)) == NULL) {
        printf("%s\n", error);
        return 1;
    }
    hal_use_bus(bus);
    interface.atcai2c.address = 0xC0;
    interface.atcai2c.bus = 0;
    interface.atcai2c.baud = 400000;
    OK(atcab_init(&interface));
    check_fresh_chip();
    check_configuration();
    check_personalisation();
    OK(atcab_random(random));
    print("random_locked", random, 32);
    check_signatures();
    check_internal_signature();
    check_validation();
    check_agreement();
    check_import();
    check_storage();
    check_hashes();
    check_aes();
    check_gcm();
    check_kdf();
    check_macs();
    OK(atcab_wakeup());
    OK(atcab_sleep());
    OK(atcab_release());
    atecc608_sim_bus_free(bus);
    printf("done 00\n");
    return 0;
}
