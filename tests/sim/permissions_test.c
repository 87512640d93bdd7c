/* SPDX-License-Identifier: Apache-2.0 */
/* Lock states and permission bits: what is allowed, and that everything else is refused. */
#include "host.h"
#include "reference.h"

#include <string.h>

enum {
    READ = 0x02,
    MAC = 0x08,
    WRITE = 0x12,
    GENDIG = 0x15,
    NONCE = 0x16,
    LOCK = 0x17,
    UPDATE_EXTRA = 0x20,
    COUNTER = 0x24,
    CHECK_MAC = 0x28,
    INFO = 0x30,
    GENKEY = 0x40,
    SIGN = 0x41,
    ECDH = 0x43,
    VERIFY = 0x45,
    PRIV_WRITE = 0x46,
    SHA = 0x47,
    AES = 0x51,
    OK = 0x00,
    PARSE = 0x03,
    ECC_FAULT = 0x05,
    REFUSED = 0x0F,
};

/* SlotConfig values: private keys, symmetric secrets, clear data. */
enum {
    PRIVATE_ALL = 0x2087,       /* signs both ways, ECDH in the clear, GenKey */
    PRIVATE_NO_GENKEY = 0x0087, /* the same, never changed */
    SECRET = 0x0080,            /* written in the clear, never read */
    CLEAR = 0x0000,
    KEY_PRIVATE = 0x0033, /* KeyConfig: private, PubInfo, P-256, lockable */
    KEY_OTHER = 0x001C,
    KEY_OTHER_LOCKABLE = 0x003C,
    KEY_AES = 0x0018,
    KEY_PUBLIC = 0x0030,
};

static const uint8_t some[36] = {0x10, 0x20, 0x30, 0x40, 0x50};

static struct rig locked(uint16_t slot_config, uint16_t key_config)
{
    struct rig rig = rig_new();

    host_configure_slot(&rig, 0, slot_config, key_config);
    host_lock_config(&rig);
    return rig;
}

/* Both zones locked; slot 0 holds a key when it is private. */
static struct rig personalised(uint16_t slot_config, uint16_t key_config)
{
    struct rig rig = locked(slot_config, key_config);

    if ((key_config & 1) != 0) {
        EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    } else {
        host_write_slot(&rig, 0, some);
    }
    host_lock_data(&rig);
    return rig;
}

/* --- locks
 * ---------------------------------------------------------------------------------------- */

static void config__unlocked__keys_cannot_be_used(void)
{
    struct rig rig = rig_new();

    EXPECT(&rig, REFUSED, GENKEY, 0x04, 0, NULL, 0);
    EXPECT(&rig, REFUSED, GENKEY, 0x04, 0xFFFF, NULL, 0);
    EXPECT(&rig, REFUSED, WRITE, 0x82, 8 << 3, some, 32);
    EXPECT(&rig, REFUSED, WRITE, 0x81, 0, some, 32);
    EXPECT(&rig, REFUSED, READ, 0x82, 8 << 3, NULL, 0);
    EXPECT(&rig, REFUSED, LOCK, 0x81, 0, NULL, 0);
    EXPECT(&rig, REFUSED, LOCK, 0x82, 0, NULL, 0);
    EXPECT(&rig, REFUSED, COUNTER, 1, 0, NULL, 0);
    host_load_digest(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    rig_free(&rig);
}

static void random__config_unlocked__is_the_fixed_pattern(void)
{
    struct rig rig = rig_new();
    struct reply reply = EXPECT(&rig, OK, 0x1B, 0, 0, NULL, 0);
    uint8_t pattern[32];

    for (int i = 0; i < 32; i++) {
        pattern[i] = i % 4 < 2 ? 0xFF : 0x00;
    }
    CHECK_EQUAL(32, reply.length);
    CHECK_BYTES(pattern, reply.data, 32);
    host_lock_config(&rig);
    reply = EXPECT(&rig, OK, 0x1B, 0, 0, NULL, 0);
    CHECK(memcmp(pattern, reply.data, 32) != 0);
    rig_free(&rig);
}

static void config__locked__cannot_be_written(void)
{
    struct rig rig = rig_new();

    EXPECT(&rig, OK, WRITE, 0x00, 5, some, 4);
    EXPECT(&rig, REFUSED, WRITE, 0x00, 0, some, 4);       /* serial number */
    EXPECT(&rig, REFUSED, WRITE, 0x80, 0, some, 32);      /* the block with the serial number */
    EXPECT(&rig, REFUSED, WRITE, 0x80, 2 << 3, some, 32); /* the block with the lock bytes */
    EXPECT(&rig, REFUSED, WRITE, 0x00, 2 << 3 | 5, some, 4);
    EXPECT(&rig, OK, WRITE, 0x80, 3 << 3, some, 32);
    host_lock_config(&rig);
    EXPECT(&rig, REFUSED, WRITE, 0x00, 5, some, 4);
    EXPECT(&rig, REFUSED, LOCK, 0x80, 0, NULL, 0);
    rig_free(&rig);
}

static void lock_config__with_crc__checks_it(void)
{
    struct rig rig = rig_new();
    uint8_t zone[128];
    uint16_t crc;

    CHECK_EQUAL(128, atecc608_sim_peek(rig.chip, 0, zone, sizeof(zone)));
    crc = host_crc(zone, sizeof(zone));
    EXPECT(&rig, REFUSED, LOCK, 0x00, (uint16_t)(crc ^ 0x8000), NULL, 0);
    EXPECT(&rig, OK, LOCK, 0x00, crc, NULL, 0);
    rig_free(&rig);
}

static void lock_data__with_crc__covers_slots_and_otp(void)
{
    struct rig rig = locked(SECRET, KEY_OTHER);
    uint8_t all[1208 + 64];
    uint16_t crc;

    host_write_slot(&rig, 0, some);
    CHECK_EQUAL(1208, atecc608_sim_peek(rig.chip, 2, all, 1208));
    CHECK_EQUAL(64, atecc608_sim_peek(rig.chip, 1, all + 1208, 64));
    crc = host_crc(all, sizeof(all));
    EXPECT(&rig, REFUSED, LOCK, 0x01, (uint16_t)(crc + 1), NULL, 0);
    EXPECT(&rig, OK, LOCK, 0x01, crc, NULL, 0);
    EXPECT(&rig, REFUSED, LOCK, 0x81, 0, NULL, 0);
    rig_free(&rig);
}

static void data__unlocked__is_written_in_blocks_and_not_read(void)
{
    struct rig rig = locked(CLEAR, KEY_OTHER);

    EXPECT(&rig, OK, WRITE, 0x82, 0, some, 32);
    EXPECT(&rig, REFUSED, WRITE, 0x02, 0, some, 4);
    EXPECT(&rig, REFUSED, READ, 0x82, 0, NULL, 0);
    EXPECT(&rig, OK, WRITE, 0x81, 0, some, 32);
    EXPECT(&rig, REFUSED, READ, 0x81, 0, NULL, 0);
    EXPECT(&rig, REFUSED, WRITE, 0x01, 0, some, 4);
    host_lock_data(&rig);
    CHECK_BYTES(some, EXPECT(&rig, OK, READ, 0x82, 0, NULL, 0).data, 32);
    CHECK_BYTES(some, EXPECT(&rig, OK, READ, 0x81, 0, NULL, 0).data, 32);
    EXPECT(&rig, OK, WRITE, 0x02, 1, some, 4);
    CHECK_BYTES(some, EXPECT(&rig, OK, READ, 0x02, 1, NULL, 0).data, 4);
    EXPECT(&rig, REFUSED, WRITE, 0x81, 0, some, 32);
    rig_free(&rig);
}

static void slot__locked__never_changes_again(void)
{
    struct rig rig = rig_new();

    host_configure_slot(&rig, 0, PRIVATE_ALL, KEY_PRIVATE);
    host_configure_slot(&rig, 8, CLEAR, KEY_OTHER_LOCKABLE);
    host_configure_slot(&rig, 9, CLEAR, KEY_OTHER);
    host_lock_config(&rig);
    EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    host_lock_data(&rig);
    EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    EXPECT(&rig, OK, LOCK, 0x82, 0, NULL, 0);
    EXPECT(&rig, REFUSED, GENKEY, 0x04, 0, NULL, 0);
    EXPECT(&rig, OK, GENKEY, 0x00, 0, NULL, 0);
    EXPECT(&rig, OK, WRITE, 0x82, 8 << 3, some, 32);
    EXPECT(&rig, OK, LOCK, 0x82 | 8 << 2, 0, NULL, 0);
    EXPECT(&rig, REFUSED, WRITE, 0x82, 8 << 3, some, 32);
    EXPECT(&rig, REFUSED, LOCK, 0x82 | 8 << 2, 0, NULL, 0);
    EXPECT(&rig, REFUSED, LOCK, 0x82 | 9 << 2, 0, NULL, 0); /* not lockable */
    rig_free(&rig);
}

static void update_extra__after_lock__works_once_from_zero(void)
{
    struct rig rig = rig_new();

    EXPECT(&rig, OK, UPDATE_EXTRA, 0, 0x11, NULL, 0);
    EXPECT(&rig, OK, UPDATE_EXTRA, 0, 0x00, NULL, 0);
    host_lock_config(&rig);
    EXPECT(&rig, OK, UPDATE_EXTRA, 0, 0x22, NULL, 0);
    EXPECT(&rig, REFUSED, UPDATE_EXTRA, 0, 0x33, NULL, 0);
    EXPECT(&rig, OK, UPDATE_EXTRA, 1, 0x44, NULL, 0);
    CHECK_BYTES((const uint8_t *)"\x22\x44", EXPECT(&rig, OK, READ, 0, 2 << 3 | 5, NULL, 0).data,
                2);
    rig_free(&rig);
}

/* --- SlotConfig
 * ----------------------------------------------------------------------------------- */

static void read__by_slot_config__is_clear_encrypted_or_never(void)
{
    static const struct {
        uint16_t slot_config;
        int status;
    } rows[] = {{CLEAR, OK}, {SECRET, REFUSED}, {0x0040, REFUSED}, {0x00C3, REFUSED}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct rig rig = personalised(rows[i].slot_config, KEY_OTHER);

        EXPECT(&rig, rows[i].status, READ, 0x82, 0, NULL, 0);
        EXPECT(&rig, rows[i].status, READ, 0x02, 0, NULL, 0);
        rig_free(&rig);
    }
}

static void read__private_key__never(void)
{
    struct rig rig =
        personalised(PRIVATE_ALL & ~0x0080, KEY_PRIVATE); /* even when not marked secret */

    EXPECT(&rig, REFUSED, READ, 0x82, 0, NULL, 0);
    EXPECT(&rig, REFUSED, READ, 0x02, 0, NULL, 0);
    rig_free(&rig);
}

static void write__by_write_config__is_allowed_only_when_always(void)
{
    for (unsigned int write_config = 0; write_config < 16; write_config++) {
        struct rig rig = personalised((uint16_t)(write_config << 12 | SECRET), KEY_OTHER);
        bool always = write_config == 0 || write_config == 1;

        EXPECT(&rig, always ? OK : REFUSED, WRITE, 0x82, 0, some, 32);
        EXPECT(&rig, REFUSED, WRITE, 0x02, 0, some,
               4); /* words only into slots that are not secret */
        rig_free(&rig);
    }
}

static void write__private_slot__is_refused(void)
{
    struct rig rig = locked(PRIVATE_ALL & 0x0FFF, KEY_PRIVATE);

    EXPECT(&rig, REFUSED, WRITE, 0x82, 0, some, 32);
    EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    host_lock_data(&rig);
    EXPECT(&rig, REFUSED, WRITE, 0x82, 0, some, 32);
    rig_free(&rig);
}

static void genkey__write_config_bit__decides_after_data_lock(void)
{
    for (unsigned int write_config = 0; write_config < 16; write_config++) {
        struct rig rig = personalised((uint16_t)(write_config << 12 | 0x0087), KEY_PRIVATE);

        EXPECT(&rig, (write_config & 2) != 0 ? OK : REFUSED, GENKEY, 0x04, 0, NULL, 0);
        rig_free(&rig);
    }
}

static void sign__read_key_bits__decide(void)
{
    for (unsigned int read_key = 0; read_key < 16; read_key++) {
        struct rig rig = personalised((uint16_t)(0x2080 | read_key), KEY_PRIVATE);
        static const uint8_t number_in[20] = {1};

        host_load_digest(&rig, some);
        EXPECT(&rig, (read_key & 1) != 0 ? OK : REFUSED, SIGN, 0xA0, 0, NULL, 0);
        EXPECT(&rig, OK, NONCE, 0x00, 0, number_in, 20);
        EXPECT(&rig, OK, GENKEY, 0x08, 0, NULL, 0);
        EXPECT(&rig, (read_key & 2) != 0 ? OK : REFUSED, SIGN, 0x00, 0, NULL, 0);
        rig_free(&rig);
    }
}

static void sign__internal_digest__cannot_pass_for_external(void)
{
    struct rig rig = personalised(PRIVATE_ALL, KEY_PRIVATE);
    static const uint8_t number_in[20] = {1};

    EXPECT(&rig, OK, NONCE, 0x00, 0, number_in, 20);
    EXPECT(&rig, OK, GENKEY, 0x08, 0, NULL, 0);
    EXPECT(&rig, REFUSED, SIGN, 0x80, 0, NULL, 0);
    rig_free(&rig);
}

static void ecdh__read_key_bits__decide_use_and_destination(void)
{
    uint8_t private_key[32];
    uint8_t peer[64];

    reference_key_pair(private_key, peer);
    for (unsigned int read_key = 0; read_key < 16; read_key++) {
        struct rig rig = rig_new();
        bool enabled = (read_key & 4) != 0;
        bool to_slot = (read_key & 8) != 0;

        host_configure_slot(&rig, 0, (uint16_t)(0x2080 | read_key), KEY_PRIVATE);
        host_configure_slot(&rig, 1, CLEAR, KEY_OTHER);
        host_lock_config(&rig);
        EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
        host_lock_data(&rig);
        CHECK_EQUAL(enabled && !to_slot ? 32 : 0,
                    EXPECT(&rig, enabled ? OK : REFUSED, ECDH, 0x00, 0, peer, 64).length);
        EXPECT(&rig, enabled && !to_slot ? OK : REFUSED, ECDH, 0x0C, 0, peer, 64);
        EXPECT(&rig, REFUSED, ECDH, 0x0E, 0, peer, 64); /* no IO protection key */
        EXPECT(&rig, enabled ? OK : REFUSED, ECDH, 0x08, 0, peer, 64);
        rig_free(&rig);
    }
}

static void ecdh__chip_option__forbids_clear_output(void)
{
    static const uint8_t chip_options[4] = {0xFF, 0xFF, 0x02,
                                            0x41}; /* protected output, key in slot 4 */
    struct rig rig = rig_new();
    uint8_t private_key[32];
    uint8_t peer[64];

    reference_key_pair(private_key, peer);
    host_write_config(&rig, 88, chip_options);
    host_configure_slot(&rig, 0, PRIVATE_ALL, KEY_PRIVATE);
    host_configure_slot(&rig, 4, SECRET, KEY_OTHER);
    host_lock_config(&rig);
    EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    host_write_slot(&rig, 4, some);
    host_lock_data(&rig);
    EXPECT(&rig, REFUSED, ECDH, 0x00, 0, peer, 64);
    EXPECT(&rig, REFUSED, ECDH, 0x0C, 0, peer, 64);
    CHECK_EQUAL(64, EXPECT(&rig, OK, ECDH, 0x0E, 0, peer, 64).length);
    rig_free(&rig);
}

static void no_mac__key__serves_neither_mac_nor_hmac(void)
{
    struct rig rig = personalised(SECRET | 0x0010, KEY_OTHER);

    EXPECT(&rig, REFUSED, MAC, 0x00, 0, some, 32);
    EXPECT(&rig, REFUSED, SHA, 0x04, 0, NULL, 0);
    rig_free(&rig);
    rig = personalised(SECRET, KEY_OTHER);
    EXPECT(&rig, OK, MAC, 0x00, 0, some, 32);
    EXPECT(&rig, OK, SHA, 0x04, 0, NULL, 0);
    rig_free(&rig);
}

static void limited_use__count_match__ends_the_key(void)
{
    struct rig rig = rig_new();
    uint8_t limit[32] = {3, 0, 0, 0, 3, 0, 0, 0};
    static const uint8_t count_match[4] = {0xC0, 0x00, 0xA1, 0x00}; /* limit in slot 10 */

    host_write_config(&rig, 16, count_match);
    host_configure_slot(&rig, 0, PRIVATE_ALL | 0x0020, KEY_PRIVATE);
    host_configure_slot(&rig, 10, CLEAR, KEY_OTHER);
    host_lock_config(&rig);
    EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    host_write_slot(&rig, 10, limit);
    host_lock_data(&rig);
    for (int use = 0; use < 3; use++) {
        host_load_digest(&rig, some);
        EXPECT(&rig, OK, SIGN, 0xA0, 0, NULL, 0);
    }
    host_load_digest(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    CHECK_EQUAL(3, EXPECT(&rig, OK, COUNTER, 0, 0, NULL, 0).data[0]);
    limit[0] = limit[4] = 4;
    host_write_slot(&rig, 10, limit);
    EXPECT(&rig, OK, SIGN, 0xA0, 0, NULL, 0);
    rig_free(&rig);
}

/* --- KeyConfig
 * ------------------------------------------------------------------------------------ */

static void pub_info__absent__hides_the_public_key(void)
{
    struct rig rig = personalised(PRIVATE_ALL, KEY_PRIVATE & ~0x0002);

    CHECK_EQUAL(64, EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0).length); /* shown when it is made */
    EXPECT(&rig, REFUSED, GENKEY, 0x00, 0, NULL, 0);
    rig_free(&rig);
}

static void key_type__other__is_no_private_key(void)
{
    struct rig rig = locked(PRIVATE_ALL, KEY_OTHER | 0x0003);

    EXPECT(&rig, REFUSED, GENKEY, 0x04, 0, NULL, 0);
    EXPECT(&rig, REFUSED, PRIV_WRITE, 0x00, 0, (const uint8_t[68]){0}, 68);
    rig_free(&rig);
    rig = personalised(SECRET, KEY_OTHER);
    host_load_digest(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    EXPECT(&rig, REFUSED, GENKEY, 0x00, 0, NULL, 0);
    EXPECT(&rig, REFUSED, ECDH, 0x00, 0, (const uint8_t[64]){0}, 64);
    rig_free(&rig);
}

static void aes__key_type_and_enable__are_needed(void)
{
    struct rig rig = personalised(SECRET, KEY_OTHER);

    EXPECT(&rig, REFUSED, AES, 0x00, 0, some, 16);
    rig_free(&rig);
    rig = personalised(SECRET, KEY_AES);
    EXPECT(&rig, OK, AES, 0x00, 0, some, 16);
    EXPECT(&rig, PARSE, AES, 0x80, 0, some, 16); /* the third block is past the slot's end */
    rig_free(&rig);
}

static void req_random__key__refuses_the_hosts_digest(void)
{
    static const uint8_t number_in[20] = {1};
    struct rig rig = personalised(PRIVATE_ALL, KEY_PRIVATE | 0x0040);

    host_load_digest(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    host_load_tempkey(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0x80, 0, NULL, 0);
    EXPECT(&rig, OK, NONCE, 0x00, 0, number_in, 20);
    EXPECT(&rig, OK, SIGN, 0x80, 0, NULL, 0);
    rig_free(&rig);
}

/* CheckMac with the key in a slot, which authorises what names that key. */
static void authorise(const struct rig *rig, uint16_t slot, const uint8_t key[32], int status,
                      bool right)
{
    uint8_t message[88] = {0};
    uint8_t data[77] = {0};
    struct reply serial = EXPECT(rig, OK, READ, 0x80, 0, NULL, 0);

    memcpy(message, key, 32);
    data[64] = MAC;
    memcpy(message + 64, data + 64, 4);
    message[79] = serial.data[12];
    memcpy(message + 84, serial.data, 2);
    reference_sha256(message, sizeof(message), data + 32);
    data[32] ^= right ? 0 : 1;
    EXPECT(rig, status, CHECK_MAC, 0x00, slot, data, sizeof(data));
}

static void req_auth__key__waits_for_check_mac(void)
{
    struct rig rig = rig_new();

    host_configure_slot(&rig, 0, PRIVATE_ALL, KEY_PRIVATE | 0x0080 | 5 << 8);
    host_configure_slot(&rig, 5, SECRET, KEY_OTHER);
    host_configure_slot(&rig, 6, SECRET, KEY_OTHER);
    host_lock_config(&rig);
    EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    host_write_slot(&rig, 5, some);
    host_write_slot(&rig, 6, some);
    host_lock_data(&rig);
    host_load_digest(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    authorise(&rig, 6, some, OK, true); /* another key */
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    authorise(&rig, 5, some, 0x01, false);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    authorise(&rig, 5, some, OK, true);
    EXPECT(&rig, OK, SIGN, 0xA0, 0, NULL, 0);
    CHECK(host_wake(&rig));
    host_sleep(&rig);
    host_load_digest(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    rig_free(&rig);
}

static void persistent_disable__key__waits_for_the_latch(void)
{
    static const uint8_t permission[4] = {0x00, 0x85, 0x00,
                                          0x00}; /* bytes 68 to 71: enabled, key 5 */
    struct rig rig = rig_new();

    host_write_config(&rig, 68, permission);
    host_configure_slot(&rig, 0, PRIVATE_ALL, KEY_PRIVATE | 0x1000);
    host_configure_slot(&rig, 5, SECRET, KEY_OTHER);
    host_lock_config(&rig);
    EXPECT(&rig, OK, GENKEY, 0x04, 0, NULL, 0);
    host_write_slot(&rig, 5, some);
    host_lock_data(&rig);
    host_load_digest(&rig, some);
    EXPECT(&rig, REFUSED, SIGN, 0xA0, 0, NULL, 0);
    EXPECT(&rig, REFUSED, INFO, 4, 0x0003, NULL, 0); /* setting it needs the authorisation */
    authorise(&rig, 5, some, OK, true);
    CHECK_EQUAL(1, EXPECT(&rig, OK, INFO, 4, 0x0003, NULL, 0).data[0]);
    EXPECT(&rig, OK, SIGN, 0xA0, 0, NULL, 0);
    CHECK(host_wake(&rig));
    host_sleep(&rig); /* the latch survives sleep, not power loss */
    CHECK_EQUAL(1, EXPECT(&rig, OK, INFO, 4, 0, NULL, 0).data[0]);
    atecc608_sim_power_cycle(rig.chip);
    CHECK_EQUAL(0, EXPECT(&rig, OK, INFO, 4, 0, NULL, 0).data[0]);
    rig_free(&rig);
}

/* --- addresses and forms
 * -------------------------------------------------------------------------- */

static void read__bad_zone_address_or_length__is_a_parse_error(void)
{
    struct rig rig = personalised(CLEAR, KEY_OTHER);

    EXPECT(&rig, PARSE, READ, 0x03, 0, NULL, 0);
    EXPECT(&rig, PARSE, READ, 0x04, 0, NULL, 0);
    EXPECT(&rig, PARSE, READ, 0x80, 4 << 3, NULL, 0);
    EXPECT(&rig, PARSE, READ, 0x80, 1, NULL, 0);
    EXPECT(&rig, PARSE, READ, 0x81, 2 << 3, NULL, 0);
    EXPECT(&rig, PARSE, READ, 0x82, 2 << 8, NULL, 0);
    EXPECT(&rig, PARSE, READ, 0x02, 1 << 8 | 1, NULL, 0);
    EXPECT(&rig, PARSE, READ, 0x00, 0, some, 1);
    EXPECT(&rig, OK, READ, 0x02, 1 << 8, NULL, 0); /* the last word of a 36-byte slot */
    rig_free(&rig);
}

static void write__short_last_block__drops_the_rest(void)
{
    struct rig rig = personalised(CLEAR, KEY_OTHER);
    uint8_t data[32];
    uint8_t all[1208];

    memset(data, 0xAB, sizeof(data));
    EXPECT(&rig, OK, WRITE, 0x82, 1 << 8, data, 32);
    CHECK_EQUAL(1208, atecc608_sim_peek(rig.chip, 2, all, sizeof(all)));
    CHECK_BYTES(data, all + 32, 4);
    CHECK_EQUAL(0xFF, all[36]); /* slot 1 is untouched */
    rig_free(&rig);
}

static void public_key__pub_info__must_be_validated_first(void)
{
    struct rig rig = rig_new();
    uint8_t private_key[32];
    uint8_t public_key[64];
    uint8_t data[64];
    uint8_t block[96] = {0};

    host_configure_slot(&rig, 11, 0x1000, KEY_PUBLIC);
    host_configure_slot(&rig, 12, 0x100B, KEY_PUBLIC | 0x0002);
    host_lock_config(&rig);
    host_lock_data(&rig);
    reference_key_pair(private_key, public_key);
    memcpy(block + 4, public_key, 32);
    memcpy(block + 40, public_key + 32, 32);
    for (uint16_t i = 0; i < 3; i++) {
        EXPECT(&rig, OK, WRITE, 0x82, (uint16_t)(i << 8 | 11 << 3), block + 32 * i, 32);
        EXPECT(&rig, OK, WRITE, 0x82, (uint16_t)(i << 8 | 12 << 3), block + 32 * i, 32);
    }
    reference_sign(private_key, public_key, some, data);
    host_load_digest(&rig, some);
    EXPECT(&rig, OK, VERIFY, 0x20, 11, data, 64);
    EXPECT(&rig, REFUSED, VERIFY, 0x20, 12, data, 64);
    CHECK_EQUAL(1, EXPECT(&rig, OK, INFO, 1, 11, NULL, 0).data[0]);
    CHECK_EQUAL(0, EXPECT(&rig, OK, INFO, 1, 12, NULL, 0).data[0]);
    data[5] ^= 1;
    EXPECT(&rig, 0x01, VERIFY, 0x20, 11, data, 64);
    rig_free(&rig);
}

static void private_slot__empty__gives_an_ecc_fault(void)
{
    struct rig rig = locked(PRIVATE_NO_GENKEY, KEY_PRIVATE);

    host_lock_data(&rig);
    host_load_digest(&rig, some);
    EXPECT(&rig, ECC_FAULT, SIGN, 0xA0, 0, NULL, 0);
    EXPECT(&rig, ECC_FAULT, GENKEY, 0x00, 0, NULL, 0);
    CHECK_EQUAL(0, EXPECT(&rig, OK, INFO, 1, 0, NULL, 0).data[0]);
    EXPECT(&rig, REFUSED, GENKEY, 0x04, 0, NULL, 0);
    rig_free(&rig);
}

int main(void)
{
    RUN(config__unlocked__keys_cannot_be_used);
    RUN(random__config_unlocked__is_the_fixed_pattern);
    RUN(config__locked__cannot_be_written);
    RUN(lock_config__with_crc__checks_it);
    RUN(lock_data__with_crc__covers_slots_and_otp);
    RUN(data__unlocked__is_written_in_blocks_and_not_read);
    RUN(slot__locked__never_changes_again);
    RUN(update_extra__after_lock__works_once_from_zero);
    RUN(read__by_slot_config__is_clear_encrypted_or_never);
    RUN(read__private_key__never);
    RUN(write__by_write_config__is_allowed_only_when_always);
    RUN(write__private_slot__is_refused);
    RUN(genkey__write_config_bit__decides_after_data_lock);
    RUN(sign__read_key_bits__decide);
    RUN(sign__internal_digest__cannot_pass_for_external);
    RUN(ecdh__read_key_bits__decide_use_and_destination);
    RUN(ecdh__chip_option__forbids_clear_output);
    RUN(no_mac__key__serves_neither_mac_nor_hmac);
    RUN(limited_use__count_match__ends_the_key);
    RUN(pub_info__absent__hides_the_public_key);
    RUN(key_type__other__is_no_private_key);
    RUN(aes__key_type_and_enable__are_needed);
    RUN(req_random__key__refuses_the_hosts_digest);
    RUN(req_auth__key__waits_for_check_mac);
    RUN(persistent_disable__key__waits_for_the_latch);
    RUN(read__bad_zone_address_or_length__is_a_parse_error);
    RUN(write__short_last_block__drops_the_rest);
    RUN(public_key__pub_info__must_be_validated_first);
    RUN(private_slot__empty__gives_an_ecc_fault);
    return 0;
}
