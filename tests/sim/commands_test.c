/* SPDX-License-Identifier: Apache-2.0 */
/* What each command computes, against libcrypto's high-level interface and published vectors. */
#include "host.h"
#include "reference.h"

#include <string.h>

enum {
    READ = 0x02,
    MAC = 0x08,
    WRITE = 0x12,
    GENDIG = 0x15,
    NONCE = 0x16,
    RANDOM = 0x1B,
    DERIVE_KEY = 0x1C,
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
    KDF = 0x56,
    SELF_TEST = 0x77,
    OK = 0x00,
    MISCOMPARE = 0x01,
    PARSE = 0x03,
    ECC_FAULT = 0x05,
    REFUSED = 0x0F,
};

/* The slots of every chip below. */
enum {
    PRIVATE = 0,
    NEXT = 3,
    KEY = 4,
    SECRET = 5,
    IMPORT = 6,
    AES_KEY = 9,
    DERIVED = 10,
    PUBLIC = 11
};

static uint8_t key[32];
static uint8_t aes_keys[32];
static uint8_t serial[9];
static uint8_t message[200];

/* A personalised chip: slot KEY is also the IO protection key. */
static struct rig ready(void)
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

/* A random nonce in TempKey; value gets what TempKey must hold. */
static void random_nonce(const struct rig *rig, uint8_t value[32])
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

/* The form that most digests have: key, four bytes, three of the serial number, zeros, tail. */
static void digest_form(const uint8_t first[32], const uint8_t header[4], size_t zeros,
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

/* GenDig with slot KEY over a random nonce; session gets what TempKey must hold. */
static void session_key(const struct rig *rig, uint8_t session[32])
{
    static const uint8_t header[4] = {GENDIG, 2, KEY, 0};
    uint8_t nonce[32];

    random_nonce(rig, nonce);
    EXPECT(rig, OK, GENDIG, 0x02, KEY, NULL, 0);
    digest_form(key, header, 25, nonce, 32, session);
}

static void info__modes__answer(void)
{
    struct rig rig = ready();

    CHECK_BYTES((const uint8_t *)"\x00\x00\x60\x03", EXPECT(&rig, OK, INFO, 0, 0, NULL, 0).data, 4);
    CHECK_EQUAL(1, EXPECT(&rig, OK, INFO, 1, PRIVATE, NULL, 0).data[0]);
    CHECK_EQUAL(0, EXPECT(&rig, OK, INFO, 1, IMPORT, NULL, 0).data[0]);
    EXPECT(&rig, REFUSED, INFO, 1, KEY, NULL, 0);
    EXPECT(&rig, PARSE, INFO, 1, 16, NULL, 0);
    EXPECT(&rig, REFUSED, INFO, 3, 0, NULL, 0);
    EXPECT(&rig, REFUSED, INFO, 4, 0, NULL, 0); /* the latch is not enabled */
    EXPECT(&rig, PARSE, INFO, 5, 0, NULL, 0);
    host_load_tempkey(&rig, message);
    CHECK_BYTES((const uint8_t *)"\x10\x80", EXPECT(&rig, OK, INFO, 2, 0, NULL, 0).data, 2);
    rig_free(&rig);
}

static void random__twice__differs(void)
{
    struct rig rig = ready();
    struct reply first = EXPECT(&rig, OK, RANDOM, 0, 0, NULL, 0);
    struct reply second = EXPECT(&rig, OK, RANDOM, 1, 0, NULL, 0);

    CHECK(memcmp(first.data, second.data, 32) != 0);
    EXPECT(&rig, PARSE, RANDOM, 2, 0, NULL, 0);
    EXPECT(&rig, PARSE, RANDOM, 0, 1, NULL, 0);
    EXPECT(&rig, PARSE, RANDOM, 0, 0, message, 4);
    rig_free(&rig);
}

static void nonce__random__is_the_documented_digest(void)
{
    struct rig rig = ready();
    uint8_t expected[32];
    uint8_t output[16];

    random_nonce(&rig, expected);
    reference_aes(expected, message, output); /* TempKey shows itself as an AES key */
    CHECK_BYTES(output, EXPECT(&rig, OK, AES, 0x00, 0xFFFF, message, 16).data, 16);
    rig_free(&rig);
}

static void nonce__bad_forms__are_parse_errors(void)
{
    struct rig rig = ready();

    EXPECT(&rig, PARSE, NONCE, 0x02, 0, message, 20);
    EXPECT(&rig, PARSE, NONCE, 0x00, 0, message, 32);
    EXPECT(&rig, PARSE, NONCE, 0x03, 0, message, 20);
    EXPECT(&rig, PARSE, NONCE, 0x23, 0, message, 32);
    EXPECT(&rig, PARSE, NONCE, 0xA3, 0, message, 64);
    EXPECT(&rig, PARSE, NONCE, 0xC3, 0, message, 32);
    EXPECT(&rig, PARSE, NONCE, 0x03, 1, message, 32);
    EXPECT(&rig, OK, NONCE, 0x23, 0, message, 64);
    EXPECT(&rig, OK, NONCE, 0x63, 0, message, 64);
    EXPECT(&rig, OK, NONCE, 0x83, 0, message, 32);
    rig_free(&rig);
}

static void sign__external__verifies_outside(void)
{
    struct rig rig = ready();
    struct reply public_key = EXPECT(&rig, OK, GENKEY, 0x00, PRIVATE, NULL, 0);
    struct reply signature;

    host_load_digest(&rig, message);
    signature = EXPECT(&rig, OK, SIGN, 0xA0, PRIVATE, NULL, 0);
    CHECK_EQUAL(64, signature.length);
    CHECK(reference_verify(public_key.data, message, signature.data));
    host_load_tempkey(&rig, message + 32);
    signature = EXPECT(&rig, OK, SIGN, 0x80, PRIVATE, NULL, 0);
    CHECK(reference_verify(public_key.data, message + 32, signature.data));
    CHECK(!reference_verify(public_key.data, message, signature.data));
    EXPECT(&rig, REFUSED, SIGN, 0x80, PRIVATE, NULL, 0); /* TempKey is used up */
    EXPECT(&rig, PARSE, SIGN, 0x81, PRIVATE, NULL, 0);
    EXPECT(&rig, PARSE, SIGN, 0x80, 16, NULL, 0);
    rig_free(&rig);
}

static void verify__external__tells_right_from_wrong(void)
{
    struct rig rig = ready();
    uint8_t private_key[32];
    uint8_t data[128];

    reference_key_pair(private_key, data + 64);
    reference_sign(private_key, data + 64, message, data);
    host_load_digest(&rig, message);
    EXPECT(&rig, OK, VERIFY, 0x22, 4, data, 128);
    host_load_digest(&rig, message + 1);
    EXPECT(&rig, MISCOMPARE, VERIFY, 0x22, 4, data, 128);
    host_load_digest(&rig, message);
    memset(data, 0, 32); /* r = 0 */
    EXPECT(&rig, MISCOMPARE, VERIFY, 0x22, 4, data, 128);
    data[70] ^= 1; /* a point off the curve */
    EXPECT(&rig, ECC_FAULT, VERIFY, 0x22, 4, data, 128);
    EXPECT(&rig, PARSE, VERIFY, 0x22, 0, data, 128);
    EXPECT(&rig, PARSE, VERIFY, 0x22, 4, data, 127);
    EXPECT(&rig, PARSE, VERIFY, 0x21, 4, data, 128); /* ValidateExternal is absent */
    rig_free(&rig);
}

static void ecdh__destinations__hold_the_secret(void)
{
    static const uint8_t zero[16] = {0};
    struct rig rig = ready();
    struct reply public_key = EXPECT(&rig, OK, GENKEY, 0x00, PRIVATE, NULL, 0);
    uint8_t private_key[32];
    uint8_t peer[64];
    uint8_t expected[32];
    uint8_t input[48];
    uint8_t mask[32];
    uint8_t output[16];
    struct reply reply;

    reference_key_pair(private_key, peer);
    reference_ecdh(private_key, peer, public_key.data, expected);
    CHECK_BYTES(expected, EXPECT(&rig, OK, ECDH, 0x00, PRIVATE, peer, 64).data, 32);
    CHECK_BYTES(expected, EXPECT(&rig, OK, ECDH, 0x0C, PRIVATE, peer, 64).data, 32);
    reply = EXPECT(&rig, OK, ECDH, 0x0E, PRIVATE, peer, 64);
    memcpy(input, key, 32);
    memcpy(input + 32, reply.data + 32, 16);
    reference_sha256(input, sizeof(input), mask);
    for (int i = 0; i < 32; i++) {
        mask[i] ^= reply.data[i];
    }
    CHECK_BYTES(expected, mask, 32);
    EXPECT(&rig, OK, ECDH, 0x08, PRIVATE, peer, 64);
    reference_aes(expected, zero, output);
    CHECK_BYTES(output, EXPECT(&rig, OK, AES, 0x00, 0xFFFF, zero, 16).data, 16);
    peer[3] ^= 1;
    EXPECT(&rig, ECC_FAULT, ECDH, 0x00, PRIVATE, peer, 64);
    rig_free(&rig);
}

static void ecdh__tempkey_source__uses_the_ephemeral_key(void)
{
    struct rig rig = ready();
    struct reply public_key = EXPECT(&rig, OK, GENKEY, 0x04, 0xFFFF, NULL, 0);
    uint8_t private_key[32];
    uint8_t peer[64];
    uint8_t expected[32];

    reference_key_pair(private_key, peer);
    reference_ecdh(private_key, peer, public_key.data, expected);
    EXPECT(&rig, REFUSED, AES, 0x00, 0xFFFF, message, 16); /* a private key is no AES key */
    CHECK_BYTES(expected, EXPECT(&rig, OK, ECDH, 0x0D, 0, peer, 64).data, 32);
    host_load_tempkey(&rig, message);
    EXPECT(&rig, REFUSED, ECDH, 0x0D, 0, peer, 64); /* and data is no private key */
    rig_free(&rig);
}

static void ecdh__into_next_slot__is_read_encrypted(void)
{
    struct rig rig = ready();
    struct reply public_key = EXPECT(&rig, OK, GENKEY, 0x00, 2, NULL, 0);
    struct reply reply;
    uint8_t private_key[32];
    uint8_t peer[64];
    uint8_t expected[32];
    uint8_t session[32];

    reference_key_pair(private_key, peer);
    reference_ecdh(private_key, peer, public_key.data, expected);
    CHECK_EQUAL(0, EXPECT(&rig, OK, ECDH, 0x00, 2, peer, 64).length);
    EXPECT(&rig, REFUSED, READ, 0x82, NEXT << 3, NULL, 0);
    session_key(&rig, session);
    reply = EXPECT(&rig, OK, READ, 0x82, NEXT << 3, NULL, 0);
    for (int i = 0; i < 32; i++) {
        session[i] ^= reply.data[i];
    }
    CHECK_BYTES(expected, session, 32);
    rig_free(&rig);
}

static void write__encrypted__checks_the_mac(void)
{
    static const uint8_t header[4] = {WRITE, 0x82, SECRET << 3, 0};
    struct rig rig = ready();
    uint8_t session[32];
    uint8_t data[64];
    uint8_t all[1208];

    EXPECT(&rig, REFUSED, WRITE, 0x82, SECRET << 3, message, 32);
    for (int attempt = 0; attempt < 2; attempt++) {
        session_key(&rig, session);
        for (int i = 0; i < 32; i++) {
            data[i] = message[i] ^ session[i];
        }
        digest_form(session, header, 25, message, 32, data + 32);
        data[32] ^= attempt == 0 ? 1 : 0;
        EXPECT(&rig, attempt == 0 ? REFUSED : OK, WRITE, 0x82, SECRET << 3, data, 64);
    }
    CHECK_EQUAL(1208, atecc608_sim_peek(rig.chip, 2, all, sizeof(all)));
    CHECK_BYTES(message, all + 5 * 36, 32);
    EXPECT(&rig, REFUSED, WRITE, 0x82, SECRET << 3, data, 64); /* the session key is used up */
    rig_free(&rig);
}

static void priv_write__encrypted__imports_the_key(void)
{
    static const uint8_t header[4] = {PRIV_WRITE, 0x40, IMPORT, 0};
    struct rig rig = ready();
    uint8_t plain[36] = {0};
    uint8_t public_key[64];
    uint8_t session[32];
    uint8_t second[32];
    uint8_t data[68];

    reference_key_pair(plain + 4, public_key);
    session_key(&rig, session);
    reference_sha256(session, 32, second);
    for (int i = 0; i < 36; i++) {
        data[i] = (uint8_t)(plain[i] ^ (i < 32 ? session[i] : second[i - 32]));
    }
    digest_form(session, header, 21, plain, 36, data + 36);
    EXPECT(&rig, OK, PRIV_WRITE, 0x40, IMPORT, data, 68);
    CHECK_BYTES(public_key, EXPECT(&rig, OK, GENKEY, 0x00, IMPORT, NULL, 0).data, 64);
    EXPECT(&rig, REFUSED, PRIV_WRITE, 0x00, IMPORT, data, 68); /* never in the clear now */
    session_key(&rig, session);
    EXPECT(&rig, REFUSED, PRIV_WRITE, 0x40, IMPORT, data, 68); /* another session */
    EXPECT(&rig, REFUSED, PRIV_WRITE, 0x40, PRIVATE, data, 68);
    rig_free(&rig);
}

static void priv_write__clear_before_data_lock__imports_the_key(void)
{
    struct rig rig = rig_new();
    uint8_t data[68] = {0};
    uint8_t public_key[64];

    host_configure_slot(&rig, 0, 0x2087, 0x0033);
    host_lock_config(&rig);
    reference_key_pair(data + 4, public_key);
    EXPECT(&rig, OK, PRIV_WRITE, 0x00, 0, data, 68);
    CHECK_BYTES(public_key, EXPECT(&rig, OK, GENKEY, 0x00, 0, NULL, 0).data, 64);
    memset(data + 4, 0xFF, 32); /* not below the order */
    EXPECT(&rig, ECC_FAULT, PRIV_WRITE, 0x00, 0, data, 68);
    CHECK_BYTES(public_key, EXPECT(&rig, OK, GENKEY, 0x00, 0, NULL, 0).data, 64);
    rig_free(&rig);
}

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
    RUN(info__modes__answer);
    RUN(random__twice__differs);
    RUN(nonce__random__is_the_documented_digest);
    RUN(nonce__bad_forms__are_parse_errors);
    RUN(sign__external__verifies_outside);
    RUN(verify__external__tells_right_from_wrong);
    RUN(ecdh__destinations__hold_the_secret);
    RUN(ecdh__tempkey_source__uses_the_ephemeral_key);
    RUN(ecdh__into_next_slot__is_read_encrypted);
    RUN(write__encrypted__checks_the_mac);
    RUN(priv_write__encrypted__imports_the_key);
    RUN(priv_write__clear_before_data_lock__imports_the_key);
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
