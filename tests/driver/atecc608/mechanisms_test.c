/* SPDX-License-Identifier: Apache-2.0 */
/* Every mechanism of the driver in its chips, each result checked by libcrypto. */
#include "rig.h"

#include <p256.h>

static void public_key_of(size_t index, const uint8_t context[CONTEXT_SIZE], uint8_t point[65])
{
    const psa_key_attributes_t attributes = attributes_of(index, P256_PAIR, 256);
    uint8_t *buffer = exact(NULL, 65);
    size_t length = 0;

    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           atecc608_export_public_key(&attributes, context, CONTEXT_SIZE, buffer, 64, &length));
    NEED(atecc608_export_public_key(&attributes, context, CONTEXT_SIZE, buffer, 65, &length));
    CHECK(length == 65 && buffer[0] == 4);
    memcpy(point, buffer, 65);
    free(buffer);
}

/* Sign digests of every length that hashes have, and verify them outside and inside. */
static void test_signatures(size_t index)
{
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_ANY_HASH);
    const psa_key_attributes_t attributes = attributes_of(index, P256_PAIR, 256);
    static const size_t lengths[] = {16, 20, 28, 31, 32, 33, 48, 64};
    uint8_t context[CONTEXT_SIZE];
    uint8_t point[65];

    make_pair(index, context);
    public_key_of(index, context, point);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t *hash = exact(NULL, lengths[i]);
        uint8_t *signature = exact(NULL, 64);
        size_t length = 0;

        reference_random(hash, lengths[i]);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               atecc608_sign_hash(&attributes, context, CONTEXT_SIZE, alg, hash, lengths[i],
                                  signature, 63, &length));
        NEED(atecc608_sign_hash(&attributes, context, CONTEXT_SIZE, alg, hash, lengths[i],
                                signature, 64, &length));
        CHECK(length == 64);
        CHECK(reference_verify(point, hash, lengths[i], signature));
        EXPECT(PSA_SUCCESS, atecc608_verify_hash(&attributes, context, CONTEXT_SIZE, alg, hash,
                                                 lengths[i], signature, 64));
        hash[lengths[i] < 32 ? lengths[i] - 1 : 31] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               atecc608_verify_hash(&attributes, context, CONTEXT_SIZE, alg, hash, lengths[i],
                                    signature, 64));
        free(hash);
        free(signature);
    }
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
}

/* Wrong signatures of every kind are INVALID_SIGNATURE, malformed ones without any transaction. */
static void test_refused_signatures(void)
{
    static const uint8_t order[32] = {0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00,
                                      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84,
                                      0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51};
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
    const psa_key_attributes_t attributes = attributes_of(0, P256_PUBLIC, 256);
    uint8_t scalar[32];
    uint8_t point[65];
    uint8_t hash[32];
    uint8_t good[64];
    uint8_t bad[65] = {0};

    reference_pair(scalar, point);
    reference_random(hash, sizeof hash);
    reference_sign(scalar, hash, sizeof hash, good);
    EXPECT(PSA_SUCCESS, atecc608_verify_hash(&attributes, point + 1, 64, alg, hash, 32, good, 64));
    for (size_t byte = 0; byte < 64; byte += 7) {
        memcpy(bad, good, 64);
        bad[byte] ^= 0x10;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               atecc608_verify_hash(&attributes, point + 1, 64, alg, hash, 32, bad, 64));
    }
    atecc608_sim_reset_transactions(chips[0]);
    for (unsigned half = 0; half < 2; half++) {
        memcpy(bad, good, 64);
        memset(bad + 32 * half, 0, 32);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               atecc608_verify_hash(&attributes, point + 1, 64, alg, hash, 32, bad, 64));
        memcpy(bad + 32 * half, order, 32);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               atecc608_verify_hash(&attributes, point + 1, 64, alg, hash, 32, bad, 64));
    }
    static const size_t lengths[] = {0, 1, 63, 65};
    for (size_t i = 0; i < 4; i++) {
        uint8_t *cut = exact(bad, lengths[i]);

        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               atecc608_verify_hash(&attributes, point + 1, 64, alg, hash, 32, cut, lengths[i]));
        free(cut);
    }
    CHECK(atecc608_sim_transactions(chips[0]) == 0);
}

static void test_public_keys(void)
{
    const psa_key_attributes_t attributes = attributes_of(2, P256_PUBLIC, 0);
    uint8_t scalar[32];
    uint8_t point[65];
    size_t length = 0;
    size_t bits = 0;

    atecc608_sim_reset_transactions(chips[2]);
    for (unsigned round = 0; round < 20; round++) {
        uint8_t *context = exact(NULL, 64);
        uint8_t copy[64];
        uint8_t data[65];

        reference_pair(scalar, point);
        NEED(atecc608_import_public_key(&attributes, point, 65, context, 64, &length, &bits));
        CHECK(length == 64 && bits == 256);
        NEED(atecc608_copy_public_key(&attributes, context, 64, copy, 64, &length));
        CHECK(length == 64 && memcmp(copy, context, 64) == 0);
        NEED(atecc608_export_public_key(&attributes, context, 64, data, 65, &length));
        CHECK(length == 65 && memcmp(data, point, 65) == 0);
        for (size_t bit = 0; bit < 65 * 8; bit += 13) {
            uint8_t *bad = exact(point, 65);
            psa_status_t status;

            bad[bit / 8] ^= (uint8_t)(1u << bit % 8);
            status = atecc608_import_public_key(&attributes, bad, 65, context, 64, &length, &bits);
            CHECK(status == (reference_on_curve(bad) && bad[0] == 4 ? PSA_SUCCESS
                                                                    : PSA_ERROR_INVALID_ARGUMENT));
            free(bad);
        }
        free(context);
    }
    for (size_t cut = 0; cut < 67; cut += 11) {
        uint8_t *bad = exact(point, cut < 65 ? cut : 65);
        uint8_t context[64];

        if (cut != 65) {
            EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                   atecc608_import_public_key(&attributes, bad, cut, context, 64, &length, &bits));
        }
        free(bad);
    }
    CHECK(atecc608_sim_transactions(chips[2]) == 0);
}

/* Coordinates at and above the prime are refused even where they mean a point of the curve. */
static void test_coordinates_above_the_prime(void)
{
    static const uint8_t prime[32] = {0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x01,
                                      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                      0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    /* x = 0: y is a square root of b */
    static const uint8_t zero_x[65] = {
        0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x66, 0x48, 0x5C, 0x78, 0x0E, 0x2F,
        0x83, 0xD7, 0x24, 0x33, 0xBD, 0x5D, 0x84, 0xA0, 0x6B, 0xB6, 0x54, 0x1C, 0x2A,
        0xF3, 0x1D, 0xAE, 0x87, 0x17, 0x28, 0xBF, 0x85, 0x6A, 0x17, 0x4F, 0x93, 0xF4};
    uint8_t point[65];

    CHECK(reference_on_curve(zero_x) && atecc608_is_public_key(zero_x, 65));
    memcpy(point, zero_x, 65);
    memcpy(point + 1, prime, 32);
    CHECK(!atecc608_is_public_key(point, 65));
    memcpy(point, zero_x, 65);
    memset(point + 33, 0xFF, 32);
    CHECK(!atecc608_is_public_key(point, 65));
}

static void test_agreement(size_t index)
{
    const psa_key_attributes_t attributes = attributes_of(index, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];
    uint8_t point[65];
    uint8_t scalar[32];
    uint8_t peer[65];
    uint8_t secret[32];
    uint8_t *output = exact(NULL, 32);
    size_t length = 0;

    make_pair(index, context);
    public_key_of(index, context, point);
    reference_pair(scalar, peer);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           atecc608_key_agreement(PSA_ALG_ECDH, &attributes, context, CONTEXT_SIZE, peer, 65,
                                  output, 31, &length));
    NEED(atecc608_key_agreement(PSA_ALG_ECDH, &attributes, context, CONTEXT_SIZE, peer, 65, output,
                                32, &length));
    reference_ecdh(scalar, point, secret);
    CHECK(length == 32 && memcmp(output, secret, 32) == 0);
    memset(output, 0xA5, 32);
    atecc608_sim_reset_transactions(chips[index]);
    peer[64] ^= 1; /* not on the curve: must not reach the chip */
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           atecc608_key_agreement(PSA_ALG_ECDH, &attributes, context, CONTEXT_SIZE, peer, 65,
                                  output, 32, &length));
    CHECK(all(output, 32, 0xA5) && atecc608_sim_transactions(chips[index]) == 0);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    free(output);
}

struct mode {
    const char *name;
    psa_algorithm_t alg;
    bool has_iv;
    bool is_stream;
};

/* One cipher operation in parts of `step` bytes, in place when asked. */
static void run_cipher(const struct mode *mode, const psa_key_attributes_t *attributes,
                       const uint8_t *context, bool encrypt, const uint8_t *iv,
                       const uint8_t *input, size_t length, size_t step, bool in_place,
                       uint8_t *output)
{
    atecc608_cipher_operation_t operation;

    memset(&operation, 0, sizeof operation);
    NEED(encrypt ? atecc608_cipher_encrypt_setup(&operation, attributes, context, CONTEXT_SIZE,
                                                 mode->alg)
                 : atecc608_cipher_decrypt_setup(&operation, attributes, context, CONTEXT_SIZE,
                                                 mode->alg));
    if (mode->has_iv) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, atecc608_cipher_set_iv(&operation, iv, 15));
        NEED(atecc608_cipher_set_iv(&operation, iv, 16));
    }
    for (size_t i = 0; i < length; i += step) {
        const size_t part = length - i < step ? length - i : step;
        uint8_t *piece = exact(input + i, part);
        uint8_t *result = in_place ? piece : exact(NULL, part);
        size_t written = 0;

        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               atecc608_cipher_update(&operation, piece, part, result, part - 1, &written));
        NEED(atecc608_cipher_update(&operation, piece, part, result, part, &written));
        CHECK(written == part);
        memcpy(output + i, result, part);
        free(piece);
        if (!in_place) {
            free(result);
        }
    }
    NEED(atecc608_cipher_abort(&operation));
    CHECK(all((const uint8_t *)&operation, sizeof operation, 0));
}

static void test_ciphers(size_t index)
{
    static const struct mode modes[] = {
        {"AES-128-ECB", PSA_ALG_ECB_NO_PADDING, false, false},
        {"AES-128-CBC", PSA_ALG_CBC_NO_PADDING, true, false},
        {"AES-128-CTR", PSA_ALG_CTR, true, true},
    };
    const psa_key_attributes_t attributes = attributes_of(index, PSA_KEY_TYPE_AES, 128);
    uint8_t context[CONTEXT_SIZE];
    uint8_t key[16];
    uint8_t iv[16];
    uint8_t text[80];
    uint8_t cipher[80];
    uint8_t wanted[80];
    uint8_t back[80];

    reference_random(key, 16);
    reference_random(text, sizeof text);
    make_key(index, PSA_KEY_TYPE_AES, key, 16, context);
    for (size_t m = 0; m < 3; m++) {
        static const size_t steps[] = {16, 48, 80, 1, 7, 23};

        for (size_t s = 0; s < (modes[m].is_stream ? 6u : 3u); s++) {
            const size_t length = modes[m].is_stream ? 73 : 80;

            reference_random(iv, 16);
            memset(iv + 8, 0xFF, s % 2 * 8); /* a counter that carries */
            reference_cipher(modes[m].name, key, iv, true, text, length, wanted);
            run_cipher(&modes[m], &attributes, context, true, iv, text, length, steps[s],
                       s % 2 == 0, cipher);
            CHECK(memcmp(cipher, wanted, length) == 0);
            run_cipher(&modes[m], &attributes, context, false, iv, cipher, length, steps[s],
                       s % 2 == 1, back);
            CHECK(memcmp(back, text, length) == 0);
        }
    }
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
}

static void test_cmac(size_t index)
{
    const psa_key_attributes_t attributes = attributes_of(index, PSA_KEY_TYPE_AES, 128);
    static const size_t lengths[] = {0, 1, 15, 16, 17, 31, 32, 33, 64, 100};
    uint8_t context[CONTEXT_SIZE];
    uint8_t key[16];
    uint8_t text[100];
    uint8_t wanted[16];

    reference_random(text, sizeof text);
    for (unsigned round = 0; round < 2; round++) {
        reference_random(key, 16);
        make_key(index, PSA_KEY_TYPE_AES, key, 16, context);
        for (size_t i = 0; i < 10; i++) {
            atecc608_cmac_operation_t operation;
            uint8_t *mac = exact(NULL, 16);
            size_t length = 0;

            memset(&operation, 0, sizeof operation);
            NEED(atecc608_cmac_setup(&operation, &attributes, context, CONTEXT_SIZE, PSA_ALG_CMAC));
            for (size_t at = 0, step = 1; at < lengths[i]; at += step, step = step * 3 % 23) {
                step = lengths[i] - at < step ? lengths[i] - at : step;
                NEED(atecc608_cmac_update(&operation, text + at, step));
            }
            EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, atecc608_cmac_finish(&operation, mac, 15, &length));
            NEED(atecc608_cmac_finish(&operation, mac, 16, &length));
            reference_cmac(key, text, lengths[i], wanted);
            CHECK(length == 16 && memcmp(mac, wanted, 16) == 0);
            NEED(atecc608_cmac_abort(&operation));
            free(mac);
        }
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    }
}

/* Two hashes in parts of every size, side by side, with another command of the chip between. */
static void test_hash_in_parts(void)
{
    atecc608_hash_operation_t one = {0};
    atecc608_hash_operation_t other = {0};
    atecc608_random_context_t random = {0};
    uint8_t text[300];
    uint8_t output[32];
    uint8_t wanted[32];
    uint8_t scratch[8];
    size_t length;

    reference_random(text, sizeof text);
    for (size_t part = 1; part <= sizeof text; part += part < 70 ? 1 : 46) {
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        NEED(atecc608_hash_setup(&one, PSA_ALG_SHA_256));
        NEED(atecc608_hash_setup(&other, PSA_ALG_SHA_256));
        for (size_t at = 0; at < sizeof text; at += part) {
            const size_t rest = sizeof text - at;
            const size_t size = rest < part ? rest : part;
            uint8_t *copy = exact(text + at, size);

            NEED(atecc608_hash_update(&one, copy, size));
            NEED(atecc608_hash_update(&one, NULL, 0));
            NEED(atecc608_get_random(&random, scratch, sizeof scratch, &length));
            copy[0] ^= 1;
            NEED(atecc608_hash_update(&other, copy, size));
            free(copy);
        }
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, atecc608_hash_finish(&one, output, 31, &length));
        NEED(atecc608_hash_finish(&one, output, 32, &length));
        reference_sha256(text, sizeof text, wanted);
        CHECK(length == 32 && memcmp(output, wanted, 32) == 0);
        for (size_t at = 0; at < sizeof text; at += part) {
            text[at] ^= 1;
        }
        NEED(atecc608_hash_finish(&other, output, 32, &length));
        reference_sha256(text, sizeof text, wanted);
        CHECK(memcmp(output, wanted, 32) == 0);
        NEED(atecc608_hash_abort(&one));
        CHECK(all((const uint8_t *)&one, sizeof one, 0));
    }
    NEED(atecc608_hash_finish(&one, output, 32, &length));
    reference_sha256(text, 0, wanted);
    CHECK(memcmp(output, wanted, 32) == 0);
    one.state[3] = 0x20; /* 512 MB are hashed already */
    EXPECT(PSA_ERROR_NOT_SUPPORTED, atecc608_hash_update(&one, text, 64));
}

static void test_hmac_and_hash(size_t index)
{
    static const size_t lengths[] = {0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 3000};
    static const size_t key_lengths[] = {1, 16, 31, 32};
    const psa_key_attributes_t attributes = attributes_of(index, PSA_KEY_TYPE_HMAC, 0);
    uint8_t *text = exact(NULL, 3000);
    uint8_t key[32];
    uint8_t wanted[32];
    size_t length = 0;

    reference_random(text, 3000);
    for (size_t i = 0; i < 11; i++) {
        uint8_t context[CONTEXT_SIZE];
        const size_t key_length = key_lengths[i % 4];
        uint8_t *input = exact(text, lengths[i]);
        uint8_t *output = exact(NULL, 32);

        reference_random(key, 32);
        make_key(index, PSA_KEY_TYPE_HMAC, key, key_length, context);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               atecc608_hmac_compute(&attributes, context, CONTEXT_SIZE,
                                     PSA_ALG_HMAC(PSA_ALG_SHA_256), input, lengths[i], output, 31,
                                     &length));
        NEED(atecc608_hmac_compute(&attributes, context, CONTEXT_SIZE,
                                   PSA_ALG_HMAC(PSA_ALG_SHA_256), input, lengths[i], output, 32,
                                   &length));
        reference_hmac(key, key_length, text, lengths[i], wanted);
        CHECK(length == 32 && memcmp(output, wanted, 32) == 0);
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));

        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               atecc608_hash_compute(PSA_ALG_SHA_256, input, lengths[i], output, 31, &length));
        NEED(atecc608_hash_compute(PSA_ALG_SHA_256, input, lengths[i], output, 32, &length));
        reference_sha256(text, lengths[i], wanted);
        CHECK(length == 32 && memcmp(output, wanted, 32) == 0);
        free(input);
        free(output);
    }
    free(text);
}

/* Key sizes that the chip does not have are refused before anything is sent. */
static void test_key_sizes(void)
{
    static const struct {
        psa_key_type_t type;
        size_t length;
        psa_status_t status;
    } rows[] = {
        {PSA_KEY_TYPE_AES, 24, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_AES, 32, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_AES, 15, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_AES, 1, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_HMAC, 33, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_HMAC, 64, PSA_ERROR_NOT_SUPPORTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_attributes_t attributes = attributes_of(0, rows[i].type, 8 * rows[i].length);
        uint8_t context[CONTEXT_SIZE];
        uint8_t *data = exact(NULL, rows[i].length);
        size_t length = 0;
        size_t bits = 0;

        NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
        atecc608_sim_reset_transactions(chips[0]);
        EXPECT(rows[i].status,
               atecc608_import_symmetric_key(&attributes, data, rows[i].length, context,
                                             CONTEXT_SIZE, &length, &bits));
        EXPECT(rows[i].status,
               atecc608_generate_symmetric_key(&attributes, context, CONTEXT_SIZE, &length));
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
        CHECK(atecc608_sim_transactions(chips[0]) == 0);
        free(data);
    }
}

/* The chip uses the generated key, which differs from the last one, and has the requested
 * length. */
static void test_generated_keys(size_t index)
{
    const psa_key_attributes_t attributes = attributes_of(index, PSA_KEY_TYPE_HMAC, 128);
    uint8_t macs[2][32];
    uint8_t wanted[32];
    uint8_t data[1208];
    size_t length = 0;

    for (unsigned round = 0; round < 2; round++) {
        uint8_t context[CONTEXT_SIZE];

        NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
        NEED(atecc608_generate_symmetric_key(&attributes, context, CONTEXT_SIZE, &length));
        CHECK(length == CONTEXT_SIZE);
        NEED(atecc608_hmac_compute(&attributes, context, CONTEXT_SIZE,
                                   PSA_ALG_HMAC(PSA_ALG_SHA_256), data, 0, macs[round], 32,
                                   &length));
        CHECK(atecc608_sim_peek(chips[index], 2, data, sizeof data) == sizeof data);
        const uint8_t *slot = data + 8 * 36 + 416; /* slot 9 */
        reference_hmac(slot, 16, data, 0, wanted);
        CHECK(memcmp(wanted, macs[round], 32) == 0);
        CHECK(all(slot + 16, 16, 0) && !all(slot, 16, 0));
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
        CHECK(atecc608_sim_peek(chips[index], 2, data, sizeof data) == sizeof data);
        CHECK(all(slot, 32, 0));
    }
    CHECK(memcmp(macs[0], macs[1], 32) != 0);
}

static void test_random(void)
{
    uint8_t *output = exact(NULL, 75);
    uint8_t again[75];
    atecc608_random_context_t context = {0};
    size_t length = 0;

    NEED(atecc608_get_random(&context, output, 75, &length));
    CHECK(length == 75);
    NEED(atecc608_get_random(&context, again, 75, &length));
    CHECK(memcmp(output, again, 75) != 0 && memcmp(output, output + 32, 32) != 0);
    NEED(atecc608_get_random(&context, output, 0, &length));
    CHECK(length == 0);
    free(output);
}

/* Operations in parts keep nothing in the chip, so they go on side by side. */
static void test_side_by_side(void)
{
    const psa_key_attributes_t attributes = attributes_of(1, PSA_KEY_TYPE_AES, 128);
    uint8_t context[2][CONTEXT_SIZE];
    uint8_t key[2][16];
    uint8_t iv[16] = {1};
    uint8_t text[64];
    uint8_t output[2][64];
    uint8_t wanted[64];
    uint8_t mac[16];
    atecc608_cipher_operation_t ciphers[2];
    atecc608_cmac_operation_t cmac;
    size_t length = 0;

    memset(ciphers, 0, sizeof ciphers);
    memset(&cmac, 0, sizeof cmac);
    reference_random(text, 64);
    for (size_t i = 0; i < 2; i++) {
        reference_random(key[i], 16);
        make_key(1, PSA_KEY_TYPE_AES, key[i], 16, context[i]);
        NEED(atecc608_cipher_encrypt_setup(&ciphers[i], &attributes, context[i], CONTEXT_SIZE,
                                           PSA_ALG_CBC_NO_PADDING));
        NEED(atecc608_cipher_set_iv(&ciphers[i], iv, 16));
    }
    NEED(atecc608_cmac_setup(&cmac, &attributes, context[0], CONTEXT_SIZE, PSA_ALG_CMAC));
    for (size_t at = 0; at < 64; at += 16) {
        for (size_t i = 0; i < 2; i++) {
            NEED(atecc608_cipher_update(&ciphers[i], text + at, 16, output[i] + at, 16, &length));
        }
        NEED(atecc608_cmac_update(&cmac, text + at, 16));
    }
    NEED(atecc608_cmac_finish(&cmac, mac, 16, &length));
    reference_cmac(key[0], text, 64, wanted);
    CHECK(memcmp(mac, wanted, 16) == 0);
    for (size_t i = 0; i < 2; i++) {
        reference_cipher("AES-128-CBC", key[i], iv, true, text, 64, wanted);
        CHECK(memcmp(output[i], wanted, 64) == 0);
        NEED(atecc608_destroy_key(&attributes, context[i], CONTEXT_SIZE));
        /* a key that is gone ends its operation */
        EXPECT(PSA_ERROR_INVALID_HANDLE,
               atecc608_cipher_update(&ciphers[i], text, 16, output[i], 16, &length));
    }
}

/* Operations that last longer than the watchdog allows, at the speed of a real chip. */
static void test_long_operations(void)
{
    const psa_key_attributes_t attributes = attributes_of(1, PSA_KEY_TYPE_AES, 128);
    static uint8_t text[6000];
    static uint8_t output[2048];
    static uint8_t wanted[2048];
    const uint8_t key[16] = {7};
    const uint8_t iv[16] = {8};
    uint8_t context[CONTEXT_SIZE];
    atecc608_cipher_operation_t operation;
    size_t length = 0;
    const uint64_t begin = atecc608_sim_time_us(buses[0]);

    reference_random(text, sizeof text);
    NEED(atecc608_hash_compute(PSA_ALG_SHA_256, text, sizeof text, output, 32, &length));
    reference_sha256(text, sizeof text, wanted);
    CHECK(memcmp(output, wanted, 32) == 0);
    CHECK(atecc608_sim_time_us(buses[0]) - begin > 2600000);
    memset(&operation, 0, sizeof operation);
    make_key(1, PSA_KEY_TYPE_AES, key, 16, context);
    NEED(
        atecc608_cipher_encrypt_setup(&operation, &attributes, context, CONTEXT_SIZE, PSA_ALG_CTR));
    NEED(atecc608_cipher_set_iv(&operation, iv, 16));
    NEED(atecc608_cipher_update(&operation, text, 2048, output, 2048, &length));
    reference_cipher("AES-128-CTR", key, iv, true, text, 2048, wanted);
    CHECK(memcmp(output, wanted, 2048) == 0);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
}

int main(void)
{
    rig_percent = 100;
    rig_ready();
    test_signatures(0);
    test_long_operations();
    rig_percent = 5;
    rig_ready();
    for (size_t index = 0; index < CHIPS; index++) {
        test_signatures(index);
        test_agreement(index);
        test_ciphers(index);
        test_cmac(index);
        test_hmac_and_hash(index);
        test_generated_keys(index);
    }
    test_hash_in_parts();
    test_refused_signatures();
    test_public_keys();
    test_coordinates_above_the_prime();
    test_key_sizes();
    test_random();
    test_side_by_side();
    return rig_verdict();
}
