/* SPDX-License-Identifier: Apache-2.0 */
/* Results of the commands for keys and memory, compared with libcrypto's high-level interface. */
#include "opcodes.h"
#include "ready.h"
#include "reference.h"

#include <string.h>

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

/* A session key of another slot than ReadKey and WriteKey name opens nothing. */
static void session__of_another_key__is_refused(void)
{
    static const uint8_t gendig_header[4] = {GENDIG, 2, AES_KEY, 0};
    static const uint8_t write_header[4] = {WRITE, 0x82, SECRET << 3, 0};
    static const uint8_t import_header[4] = {PRIV_WRITE, 0x40, IMPORT, 0};
    struct rig rig = ready();
    uint8_t session[32];
    uint8_t nonce[32];
    uint8_t plain[36] = {0, 0, 0, 0, 1};
    uint8_t data[68];

    for (int attempt = 0; attempt < 3; attempt++) {
        random_nonce(&rig, nonce);
        EXPECT(&rig, OK, GENDIG, 0x02, AES_KEY, NULL, 0);
        digest_form(aes_keys, gendig_header, 25, nonce, 32, session);
        reference_sha256(session, 32, data + 32);
        for (int i = 0; i < 36; i++) {
            data[i] = (uint8_t)(plain[i] ^ (i < 32 ? session[i] : data[i]));
        }
        if (attempt == 0) {
            digest_form(session, write_header, 25, plain, 32, data + 32);
            EXPECT(&rig, REFUSED, WRITE, 0x82, SECRET << 3, data, 64);
        } else if (attempt == 1) {
            digest_form(session, import_header, 21, plain, 36, data + 36);
            EXPECT(&rig, REFUSED, PRIV_WRITE, 0x40, IMPORT, data, 68);
        } else {
            EXPECT(&rig, REFUSED, READ, 0x82, SECRET << 3, NULL, 0);
        }
    }
    rig_free(&rig);
}

/* GenKey makes the key first; when the digest then fails for want of a nonce, the old key stays. */
static void genkey__refused_midway__keeps_the_old_key(void)
{
    struct rig rig = ready();
    struct reply before = EXPECT(&rig, OK, GENKEY, 0x00, PRIVATE, NULL, 0);

    EXPECT(&rig, REFUSED, GENKEY, 0x0C, PRIVATE, NULL, 0);
    CHECK_BYTES(before.data, EXPECT(&rig, OK, GENKEY, 0x00, PRIVATE, NULL, 0).data, 64);
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
    RUN(session__of_another_key__is_refused);
    RUN(genkey__refused_midway__keeps_the_old_key);
    RUN(priv_write__encrypted__imports_the_key);
    RUN(priv_write__clear_before_data_lock__imports_the_key);
    return 0;
}
