/* SPDX-License-Identifier: Apache-2.0 */
#include "ready.h"

#include "opcodes.h"
#include "reference.h"

#include <string.h>

uint8_t key[32];
uint8_t aes_keys[32];
uint8_t serial[9];
uint8_t message[200];

struct rig ready(void)
{
    static const uint8_t options[4] = {0xFF, 0xFF, 0x06, 0x40};
    struct rig rig = rig_new();
    struct reply reply;

    for (size_t i = 0; i < sizeof(message); i++) {
        message[i] = (uint8_t)(7 * i + 1);
    }
    memcpy(key, message + 11, 32);
    memcpy(aes_keys, message + 47, 32);
    host_write_config(&rig, 88, options);
    host_configure_slot(&rig, PRIVATE, 0x2087, 0x0033);
    host_configure_slot(&rig, 2, 0x208F, 0x0033);
    host_configure_slot(&rig, NEXT, 0x00C4, 0x001C);
    host_configure_slot(&rig, KEY, 0x0080, 0x001C);
    host_configure_slot(&rig, SECRET, 0x44C4, 0x001C);
    host_configure_slot(&rig, IMPORT, 0x6487, 0x0033);
    host_configure_slot(&rig, 7, 0x24C4, 0x001C); /* DeriveKey rolls it, read encrypted */
    host_configure_slot(&rig, AES_KEY, 0x0080, 0x0018);
    host_configure_slot(&rig, DERIVED, 0x0000, 0x001C);
    host_configure_slot(&rig, PUBLIC, 0x0000, 0x0030);
    host_lock_config(&rig);
    EXPECT(&rig, OK, GENKEY, 0x04, PRIVATE, NULL, 0);
    EXPECT(&rig, OK, GENKEY, 0x04, 2, NULL, 0);
    host_write_slot(&rig, KEY, key);
    host_write_slot(&rig, 7, key);
    host_write_slot(&rig, AES_KEY, aes_keys);
    host_lock_data(&rig);
    reply = EXPECT(&rig, OK, READ, 0x80, 0, NULL, 0);
    memcpy(serial, reply.data, 4);
    memcpy(serial + 4, reply.data + 8, 5);
    return rig;
}

void random_nonce(const struct rig *rig, uint8_t value[32])
{
    uint8_t input[55];
    struct reply reply;

    memset(input, 0x77, sizeof(input));
    reply = EXPECT(rig, OK, NONCE, 0x00, 0, input, 20);
    CHECK_EQUAL(32, reply.length);
    memcpy(input, reply.data, 32);
    memset(input + 32, 0x77, 20);
    input[52] = NONCE;
    input[53] = 0;
    input[54] = 0;
    reference_sha256(input, sizeof(input), value);
}

void digest_form(const uint8_t first[32], const uint8_t header[4], size_t zeros,
                 const uint8_t *tail, size_t tail_length, uint8_t digest[32])
{
    uint8_t input[128] = {0};

    memcpy(input, first, 32);
    memcpy(input + 32, header, 4);
    input[36] = serial[8];
    memcpy(input + 37, serial, 2);
    memcpy(input + 39 + zeros, tail, tail_length);
    reference_sha256(input, 39 + zeros + tail_length, digest);
}

void session_key(const struct rig *rig, uint8_t session[32])
{
    static const uint8_t header[4] = {GENDIG, 2, KEY, 0};
    uint8_t nonce[32];

    random_nonce(rig, nonce);
    EXPECT(rig, OK, GENDIG, 0x02, KEY, NULL, 0);
    digest_form(key, header, 25, nonce, 32, session);
}
