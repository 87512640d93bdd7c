/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of the symmetric commands, compared with libcrypto's high-level interface and published
 * vectors.
 */
#include "opcodes.h"
#include "ready.h"
#include "reference.h"

#include <string.h>

/* SHA over the chip, in updates of step bytes. */
static struct reply chip_sha(const struct rig *rig, uint8_t first_mode, uint16_t key_id,
                             size_t length, size_t step)
{
    size_t done = 0;

    EXPECT(rig, OK, SHA, first_mode, key_id, NULL, 0);
    while (length - done >= 64 || (step < 64 && length - done > step)) {
        size_t part = step < 64 ? step : 64;

        EXPECT(rig, OK, SHA, 0x01, (uint16_t)part, message + done, part);
        done += part;
    }
    return EXPECT(rig, OK, SHA, 0xC2, (uint16_t)(length - done), message + done, length - done);
}

static void sha__lengths_around_blocks__match(void)
{
    static const size_t lengths[] = {0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 200};
    struct rig rig = ready();
    uint8_t expected[32];

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        reference_sha256(message, lengths[i], expected);
        CHECK_BYTES(expected, chip_sha(&rig, 0x00, 0, lengths[i], 64).data, 32);
        CHECK_BYTES(expected, chip_sha(&rig, 0x00, 0, lengths[i], 7).data, 32);
        reference_hmac(key, message, lengths[i], expected);
        CHECK_BYTES(expected, chip_sha(&rig, 0x04, KEY, lengths[i], 64).data, 32);
    }
    rig_free(&rig);
}

static void sha__targets__load_the_buffers(void)
{
    struct rig rig = ready();
    struct reply public_key = EXPECT(&rig, OK, GENKEY, 0x00, PRIVATE, NULL, 0);
    struct reply signature;
    uint8_t digest[32];

    reference_sha256(message, 5, digest);
    for (int target = 0; target < 2; target++) {
        EXPECT(&rig, OK, SHA, 0x00, 0, NULL, 0);
        EXPECT(&rig, OK, SHA, (uint8_t)(target == 0 ? 0x02 : 0x42), 5, message, 5);
        signature = EXPECT(&rig, OK, SIGN, (uint8_t)(target == 0 ? 0x80 : 0xA0), PRIVATE, NULL, 0);
        CHECK(reference_verify(public_key.data, digest, signature.data));
    }
    rig_free(&rig);
}

static void sha__context__continues_after_sleep(void)
{
    static const uint8_t expected_context[41] = {
        0x05, 0x00, 0x00, 0x00, 0x67, 0xE6, 0x09, 0x6A, 0x85, 0xAE, 0x67, 0xBB, 0x72, 0xF3,
        0x6E, 0x3C, 0x3A, 0xF5, 0x4F, 0xA5, 0x7F, 0x52, 0x0E, 0x51, 0x8C, 0x68, 0x05, 0x9B,
        0xAB, 0xD9, 0x83, 0x1F, 0x19, 0xCD, 0xE0, 0x5B, 0x01, 0x02, 0x03, 0x04, 0x05};
    struct rig rig = ready();
    struct reply context;
    uint8_t expected[32];

    EXPECT(&rig, OK, SHA, 0x00, 0, NULL, 0);
    EXPECT(&rig, OK, SHA, 0x01, 5, expected_context + 36, 5);
    context = EXPECT(&rig, OK, SHA, 0x06, 0, NULL, 0);
    CHECK_EQUAL(41, context.length);
    CHECK_BYTES(expected_context, context.data, 41);
    CHECK(host_wake(&rig));
    host_sleep(&rig);
    EXPECT(&rig, REFUSED, SHA, 0x01, 5, message, 5); /* sleep lost it */
    EXPECT(&rig, OK, SHA, 0x07, 41, context.data, 41);
    reference_sha256(expected_context + 36, 5, expected);
    CHECK_BYTES(expected, EXPECT(&rig, OK, SHA, 0xC2, 0, NULL, 0).data, 32);
    EXPECT(&rig, PARSE, SHA, 0x07, 40, context.data, 40); /* its length does not fit */
    EXPECT(&rig, OK, SHA, 0x04, KEY, NULL, 0);
    EXPECT(&rig, REFUSED, SHA, 0x06, 0, NULL, 0); /* an HMAC's state stays inside */
    rig_free(&rig);
}

static void sha__other_hashing_command__ends_it(void)
{
    struct rig rig = ready();
    uint8_t nonce[32];

    EXPECT(&rig, OK, SHA, 0x00, 0, NULL, 0);
    EXPECT(&rig, OK, RANDOM, 0, 0, NULL, 0);
    EXPECT(&rig, OK, SHA, 0x01, 64, message, 64);
    random_nonce(&rig, nonce);
    EXPECT(&rig, REFUSED, SHA, 0x01, 64, message, 64);
    rig_free(&rig);
}

static void aes__both_blocks_and_tempkey__match(void)
{
    struct rig rig = ready();
    uint8_t expected[16];
    struct reply reply;

    for (int block = 0; block < 2; block++) {
        reference_aes(aes_keys + 16 * block, message, expected);
        reply = EXPECT(&rig, OK, AES, (uint8_t)(block << 6), AES_KEY, message, 16);
        CHECK_BYTES(expected, reply.data, 16);
        CHECK_BYTES(message,
                    EXPECT(&rig, OK, AES, (uint8_t)(block << 6 | 1), AES_KEY, expected, 16).data,
                    16);
    }
    EXPECT(&rig, OK, NONCE, 0x23, 0, message, 64);
    for (int block = 0; block < 4; block++) {
        reference_aes(message + 16 * block, message, expected);
        CHECK_BYTES(expected,
                    EXPECT(&rig, OK, AES, (uint8_t)(block << 6), 0xFFFF, message, 16).data, 16);
    }
    EXPECT(&rig, PARSE, AES, 0x02, AES_KEY, message, 16);
    EXPECT(&rig, PARSE, AES, 0x00, AES_KEY, message, 15);
    rig_free(&rig);
}

/* The first step of GHASH in test case 2 of the GCM specification. */
static void aes__gfm__matches_the_gcm_vector(void)
{
    static const uint8_t input[32] = {0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b,
                                      0x88, 0x4c, 0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e,
                                      0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                                      0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78};
    static const uint8_t expected[16] = {0x5e, 0x2e, 0xc7, 0x46, 0x91, 0x70, 0x62, 0x88,
                                         0x2c, 0x85, 0xb0, 0x68, 0x53, 0x53, 0xde, 0xb7};
    struct rig rig = ready();

    CHECK_BYTES(expected, EXPECT(&rig, OK, AES, 0x03, 0, input, 32).data, 16);
    rig_free(&rig);
}

/* details (4 bytes) and 16 bytes of message */
static void kdf_input(uint8_t *data, uint32_t details)
{
    for (int i = 0; i < 4; i++) {
        data[i] = (uint8_t)(details >> 8 * i);
    }
    memcpy(data + 4, message, 16);
}

static void kdf__prf__is_that_of_tls_1_2(void)
{
    struct rig rig = ready();
    uint8_t data[20];
    uint8_t a[48];
    uint8_t expected[64];
    struct reply reply;

    host_load_tempkey(&rig, key);
    kdf_input(data, 16u << 24 | 0x0101); /* 32-byte key, 64 bytes out */
    reference_hmac(key, message, 16, a);
    memcpy(a + 32, message, 16);
    reference_hmac(key, a, 48, expected);
    reference_hmac(key, a, 32, a);
    reference_hmac(key, a, 48, expected + 32);
    reply = EXPECT(&rig, OK, KDF, 0x10, 0, data, 20);
    CHECK_EQUAL(64, reply.length);
    CHECK_BYTES(expected, reply.data, 64);
    kdf_input(data, 16u << 24 | 0x0301); /* AEAD: half to TempKey, half out */
    CHECK_BYTES(expected + 32, EXPECT(&rig, OK, KDF, 0x00, 0, data, 20).data, 32);
    reference_aes(expected, message, a);
    CHECK_BYTES(a, EXPECT(&rig, OK, AES, 0x00, 0xFFFF, message, 16).data, 16);
    rig_free(&rig);
}

static void kdf__hkdf_and_aes__match(void)
{
    struct rig rig = ready();
    uint8_t data[20];
    uint8_t expected[32] = {0};
    uint8_t all[1208];

    kdf_input(data, 16u << 24 | 2); /* message from the input */
    reference_hmac(key, message, 16, expected);
    CHECK_BYTES(expected, EXPECT(&rig, OK, KDF, 0x52, KEY, data, 20).data, 32);
    EXPECT(&rig, OK, KDF, 0x4A, DERIVED << 8 | KEY, data, 20); /* into a slot */
    CHECK_EQUAL(1208, atecc608_sim_peek(rig.chip, 2, all, sizeof(all)));
    CHECK_BYTES(expected, all + 8 * 36 + 416 + 72, 32);
    kdf_input(data, 0);
    memset(expected, 0, sizeof(expected));
    reference_aes(aes_keys, message, expected);
    CHECK_BYTES(expected, EXPECT(&rig, OK, KDF, 0x32, AES_KEY, data, 20).data, 32);
    kdf_input(data, 15u << 24 | 2);
    EXPECT(&rig, PARSE, KDF, 0x52, KEY, data, 20); /* announces another length */
    EXPECT(&rig, PARSE, KDF, 0x72, KEY, data, 20); /* no such algorithm */
    rig_free(&rig);
}

static void mac__and_check_mac__agree(void)
{
    struct rig rig = ready();
    uint8_t input[88] = {0};
    uint8_t expected[32];
    uint8_t data[77] = {0};

    memcpy(input, key, 32);
    memcpy(input + 32, message, 32);
    input[64] = MAC;
    input[66] = KEY;
    input[79] = serial[8];
    memcpy(input + 84, serial, 2);
    reference_sha256(input, sizeof(input), expected);
    CHECK_BYTES(expected, EXPECT(&rig, OK, MAC, 0x00, KEY, message, 32).data, 32);
    memcpy(data, message, 32);
    memcpy(data + 32, expected, 32);
    memcpy(data + 64, input + 64, 4);
    EXPECT(&rig, OK, CHECK_MAC, 0x00, KEY, data, 77);
    data[40] ^= 1;
    EXPECT(&rig, MISCOMPARE, CHECK_MAC, 0x00, KEY, data, 77);
    EXPECT(&rig, REFUSED, MAC, 0x00, PRIVATE, message, 32);
    EXPECT(&rig, REFUSED, MAC, 0x01, KEY, NULL, 0); /* no TempKey */
    rig_free(&rig);
}

static void derive_key__roll__is_the_documented_digest(void)
{
    static const uint8_t header[4] = {DERIVE_KEY, 0x00, 7, 0};
    struct rig rig = ready();
    uint8_t nonce[32];
    uint8_t expected[32];
    uint8_t all[1208];

    EXPECT(&rig, REFUSED, DERIVE_KEY, 0x00, 7, NULL, 0);
    random_nonce(&rig, nonce);
    digest_form(key, header, 25, nonce, 32, expected);
    EXPECT(&rig, OK, DERIVE_KEY, 0x00, 7, NULL, 0);
    CHECK_EQUAL(1208, atecc608_sim_peek(rig.chip, 2, all, sizeof(all)));
    CHECK_BYTES(expected, all + 7 * 36, 32);
    random_nonce(&rig, nonce);
    EXPECT(&rig, REFUSED, DERIVE_KEY, 0x00, KEY, NULL, 0);
    rig_free(&rig);
}

static void counter__counts_and_is_separate(void)
{
    struct rig rig = ready();

    for (uint8_t i = 1; i <= 3; i++) {
        CHECK_EQUAL(i, EXPECT(&rig, OK, COUNTER, 1, 1, NULL, 0).data[0]);
    }
    CHECK_BYTES((const uint8_t *)"\x03\x00\x00\x00", EXPECT(&rig, OK, COUNTER, 0, 1, NULL, 0).data,
                4);
    CHECK_BYTES((const uint8_t *)"\x00\x00\x00\x00", EXPECT(&rig, OK, COUNTER, 0, 0, NULL, 0).data,
                4);
    EXPECT(&rig, PARSE, COUNTER, 0, 2, NULL, 0);
    EXPECT(&rig, PARSE, COUNTER, 2, 0, NULL, 0);
    rig_free(&rig);
}

static void self_test__all__passes(void)
{
    struct rig rig = ready();

    EXPECT(&rig, OK, SELF_TEST, 0x3F, 0, NULL, 0);
    EXPECT(&rig, PARSE, SELF_TEST, 0x40, 0, NULL, 0);
    EXPECT(&rig, PARSE, SELF_TEST, 0x00, 0, NULL, 0);
    rig_free(&rig);
}

int main(void)
{
    RUN(sha__lengths_around_blocks__match);
    RUN(sha__targets__load_the_buffers);
    RUN(sha__context__continues_after_sleep);
    RUN(sha__other_hashing_command__ends_it);
    RUN(aes__both_blocks_and_tempkey__match);
    RUN(aes__gfm__matches_the_gcm_vector);
    RUN(kdf__prf__is_that_of_tls_1_2);
    RUN(kdf__hkdf_and_aes__match);
    RUN(mac__and_check_mac__agree);
    RUN(derive_key__roll__is_the_documented_digest);
    RUN(counter__counts_and_is_separate);
    RUN(self_test__all__passes);
    return 0;
}
