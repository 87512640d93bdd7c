/* SPDX-License-Identifier: Apache-2.0 */
/* CryptoAuthLib takes a factory-fresh virtual chip through its life: configure, lock, make keys,
 * use them. Every call must succeed, or fail where the configuration forbids it. The chip's results
 * are printed as "name hex", one a line, for test_cryptoauthlib.py to check with OpenSSL and
 * Python.
 *
 * usage: cryptoauthlib_check IMAGE PEER DIGEST   (PEER: X and Y of a P-256 public key, 128 hex
 * digits; DIGEST: 64 hex digits) */
#include "check.h"

#include "atecc608_sim.h"
#include "hal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t config[128];

static const uint8_t slot_config[32] = {
    0x87, 0x20, 0x87, 0x20, 0x8F, 0x20, 0xC4, 0x44, 0x80, 0x00, 0xC4, 0x44, 0x87, 0x64, 0x80, 0x00,
    0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0B, 0x10, 0x00, 0x00, 0x00, 0x00};

static const uint8_t key_config[32] = {
    0x33, 0x00, 0x33, 0x00, 0x33, 0x00, 0x1C, 0x00, 0x1C, 0x00, 0x1C, 0x00, 0x33, 0x00, 0x1C, 0x00,
    0x3C, 0x00, 0x18, 0x00, 0x1C, 0x00, 0x30, 0x00, 0x1C, 0x00, 0x32, 0x00, 0x1C, 0x00, 0x3C, 0x00};

uint8_t peer[64];
uint8_t digest[32];
uint8_t protect_key[32];
uint8_t mac_key[32];

void expect(ATCA_STATUS actual, ATCA_STATUS expected, const char *text, const char *file, int line)
{
    if (actual != expected) {
        printf("%s:%d: %s gave 0x%02X, expected 0x%02X\n", file, line, text, actual, expected);
        exit(1);
    }
}

void require(bool ok, const char *text, const char *file, int line)
{
    if (!ok) {
        printf("%s:%d: not so: %s\n", file, line, text);
        exit(1);
    }
}

void print(const char *name, const uint8_t *data, size_t length)
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

/* The parts of the zone that a user may choose, for check_configuration. */
static void compose_configuration(void)
{
    static const uint8_t counter[8] = {0xFF, 0xFF, 0xFF, 0xFF};

    config[16] = 0xC0;
    memcpy(config + 20, slot_config, sizeof(slot_config));
    memcpy(config + 52, counter, sizeof(counter));
    memcpy(config + 60, counter, sizeof(counter));
    memcpy(config + 72, "\x09iv", 3); /* KdfIvLoc, KdfIvStr */
    memset(config + 86, 0x55, 2);     /* unlocked */
    memset(config + 88, 0xFF, 2);     /* no slot locked */
    config[90] = 0x06;                /* ChipOptions: IO protection, KDF-AES, */
    config[91] = SLOT_PROTECT << 4;   /* key in this slot */
    memcpy(config + 96, key_config, sizeof(key_config));
}

static void check_configuration(void)
{
    uint8_t read_back[128];
    uint8_t crc[2];
    bool same = false;
    bool locked = false;

    compose_configuration();
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
    check_gendig();
    OK(atcab_wakeup());
    OK(atcab_sleep());
    OK(atcab_release());
    atecc608_sim_bus_free(bus);
    printf("done 00\n");
    return 0;
}
