/* SPDX-License-Identifier: Apache-2.0 */
/* KeyConfig: its conditions for the use of a key; and malformed addresses. */
#include "opcodes.h"
#include "reference.h"
#include "slots.h"

#include <string.h>

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

/* --- addresses and forms --- */

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
