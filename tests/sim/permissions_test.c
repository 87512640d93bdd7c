/* SPDX-License-Identifier: Apache-2.0 */
/* Lock states and SlotConfig: permitted commands, and the refusal of all others. */
#include "opcodes.h"
#include "reference.h"
#include "slots.h"

#include <string.h>

/* --- locks --- */

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

/* --- SlotConfig --- */

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
    return 0;
}
