/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Count the bus transactions of a clean run, then fail each in turn, in every way that the virtual
 * chip knows. The status must be right, a success must be a true one, lengths are untouched on
 * failure, slots are as before, the other chip on the bus goes on, and the next call works.
 */
#include "rig.h"

#include <slots.h>

#define UNWRITTEN 77
#define SINGLE_FAULTS 2 /* the first kinds of fault in fail_bus() */

static uint8_t pair[CONTEXT_SIZE];
static uint8_t pair_point[65];
static uint8_t aes[CONTEXT_SIZE];
static uint8_t aes_key[16];
static uint8_t hmac[CONTEXT_SIZE];
static uint8_t hmac_key[32];
static uint8_t other[CONTEXT_SIZE]; /* a pair in chip 1 */
static uint8_t other_point[65];
static uint8_t peer_scalar[32];
static uint8_t peer_point[65];
static uint8_t hash[32];
static uint8_t peer_signature[64];
static uint8_t text[200];

static psa_status_t done(psa_status_t status, size_t length, size_t wanted)
{
    CHECK(length == (status == PSA_SUCCESS ? wanted : UNWRITTEN));
    return status;
}

static psa_status_t run_export(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t point[65];
    size_t length = UNWRITTEN;
    psa_status_t status =
        atecc608_export_public_key(&attributes, pair, CONTEXT_SIZE, point, 65, &length);

    CHECK(status != PSA_SUCCESS || memcmp(point, pair_point, 65) == 0);
    return done(status, length, 65);
}

static psa_status_t run_sign(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t signature[64];
    size_t length = UNWRITTEN;
    psa_status_t status =
        atecc608_sign_hash(&attributes, pair, CONTEXT_SIZE, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash,
                           32, signature, 64, &length);

    CHECK(status != PSA_SUCCESS || reference_verify(pair_point, hash, 32, signature));
    return done(status, length, 64);
}

static psa_status_t run_verify(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PUBLIC, 256);

    return atecc608_verify_hash(&attributes, peer_point + 1, 64, PSA_ALG_ECDSA(PSA_ALG_SHA_256),
                                hash, 32, peer_signature, 64);
}

static psa_status_t run_verify_wrong(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PUBLIC, 256);
    psa_status_t status =
        atecc608_verify_hash(&attributes, peer_point + 1, 64, PSA_ALG_ECDSA(PSA_ALG_SHA_256),
                             hash + 1, 31, peer_signature, 64);

    CHECK(status != PSA_SUCCESS);
    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t run_verify_by_pair(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    psa_status_t status =
        atecc608_verify_hash(&attributes, pair, CONTEXT_SIZE, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash,
                             32, peer_signature, 64);

    CHECK(status != PSA_SUCCESS);
    return status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
}

static psa_status_t run_agreement(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t output[32];
    uint8_t wanted[32];
    size_t length = UNWRITTEN;
    psa_status_t status = atecc608_key_agreement(PSA_ALG_ECDH, &attributes, pair, CONTEXT_SIZE,
                                                 peer_point, 65, output, 32, &length);

    reference_ecdh(peer_scalar, pair_point, wanted);
    CHECK(status != PSA_SUCCESS || memcmp(output, wanted, 32) == 0);
    return done(status, length, 32);
}

/* Generate a pair as the core does, ask for its public key, destroy it. */
static psa_status_t run_generate(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];
    size_t length = UNWRITTEN;
    psa_status_t status = atecc608_allocate_key(&attributes, context, CONTEXT_SIZE);

    if (status != PSA_SUCCESS) {
        return status;
    }
    status = atecc608_generate_key(&attributes, context, CONTEXT_SIZE, &length);
    status = done(status, length, CONTEXT_SIZE);
    if (status != PSA_SUCCESS) {
        (void)atecc608_destroy_key(&attributes, context, CONTEXT_SIZE);
        return status;
    }
    status = atecc608_destroy_key(&attributes, context, CONTEXT_SIZE);
    if (status != PSA_SUCCESS) { /* not destroyed: still there, and can be destroyed later */
        atecc608_sim_fault(chips[0], "clear");
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    }
    return status;
}

/* Import (`data` given) or generate an AES key, use it, destroy it. */
static psa_status_t create_cipher_key(const uint8_t *data)
{
    const psa_key_attributes_t attributes = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    uint8_t context[CONTEXT_SIZE];
    uint8_t zone[1208];
    size_t length = UNWRITTEN;
    size_t bits = 0;
    psa_status_t status = atecc608_allocate_key(&attributes, context, CONTEXT_SIZE);

    if (status != PSA_SUCCESS) {
        return status;
    }
    status = data != NULL
                 ? atecc608_import_symmetric_key(&attributes, data, 16, context, CONTEXT_SIZE,
                                                 &length, &bits)
                 : atecc608_generate_symmetric_key(&attributes, context, CONTEXT_SIZE, &length);
    status = done(status, length, CONTEXT_SIZE);
    atecc608_sim_peek(chips[0], 2, zone, sizeof zone);
    if (status == PSA_SUCCESS) {
        CHECK(data == NULL || memcmp(zone + 6 * 36, data, 16) == 0);
    } else {
        (void)atecc608_destroy_key(&attributes, context, CONTEXT_SIZE);
        return status;
    }
    status = atecc608_destroy_key(&attributes, context, CONTEXT_SIZE);
    if (status != PSA_SUCCESS) {
        atecc608_sim_fault(chips[0], "clear");
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    }
    atecc608_sim_peek(chips[0], 2, zone, sizeof zone);
    CHECK(all(zone + 6 * 36, 32, 0));
    return status;
}

static psa_status_t run_import(void)
{
    static const uint8_t data[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    return create_cipher_key(data);
}

static psa_status_t run_generate_cipher_key(void)
{
    return create_cipher_key(NULL);
}

static psa_status_t run_attach(void)
{
    psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 0);
    const uint8_t slot = RESERVED_SLOT;
    uint8_t context[CONTEXT_SIZE];
    size_t length = UNWRITTEN;
    psa_status_t status =
        atecc608_attach_key(&attributes, &slot, 1, context, CONTEXT_SIZE, &length);

    if (status == PSA_SUCCESS) {
        EXPECT(PSA_SUCCESS, atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    }
    return done(status, length, CONTEXT_SIZE);
}

static psa_status_t run_cipher_mode(psa_algorithm_t alg, const char *name, bool encrypt)
{
    const psa_key_attributes_t attributes = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    static const uint8_t iv[16] = {9, 8, 7};
    atecc608_cipher_operation_t operation;
    uint8_t output[48];
    uint8_t wanted[48];
    size_t length = UNWRITTEN;
    psa_status_t status;

    memset(&operation, 0, sizeof operation);
    NEED(encrypt ? atecc608_cipher_encrypt_setup(&operation, &attributes, aes, CONTEXT_SIZE, alg)
                 : atecc608_cipher_decrypt_setup(&operation, &attributes, aes, CONTEXT_SIZE, alg));
    NEED(atecc608_cipher_set_iv(&operation, iv, 16));
    status = atecc608_cipher_update(&operation, text, 48, output, 48, &length);
    reference_cipher(name, aes_key, iv, encrypt, text, 48, wanted);
    CHECK(status != PSA_SUCCESS || memcmp(output, wanted, 48) == 0);
    NEED(atecc608_cipher_abort(&operation));
    return done(status, length, 48);
}

static psa_status_t run_cbc(void)
{
    return run_cipher_mode(PSA_ALG_CBC_NO_PADDING, "AES-128-CBC", false);
}

static psa_status_t run_ctr(void)
{
    return run_cipher_mode(PSA_ALG_CTR, "AES-128-CTR", true);
}

static psa_status_t run_cmac(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    atecc608_cmac_operation_t operation;
    uint8_t mac[16];
    uint8_t wanted[16];
    size_t length = UNWRITTEN;
    psa_status_t status;

    memset(&operation, 0, sizeof operation);
    NEED(atecc608_cmac_setup(&operation, &attributes, aes, CONTEXT_SIZE, PSA_ALG_CMAC));
    status = atecc608_cmac_update(&operation, text, 40);
    if (status == PSA_SUCCESS) {
        status = atecc608_cmac_finish(&operation, mac, 16, &length);
    }
    reference_cmac(aes_key, text, 40, wanted);
    CHECK(status != PSA_SUCCESS || memcmp(mac, wanted, 16) == 0);
    NEED(atecc608_cmac_abort(&operation));
    return done(status, length, 16);
}

static psa_status_t run_hmac(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, PSA_KEY_TYPE_HMAC, 256);
    uint8_t mac[32];
    uint8_t wanted[32];
    size_t length = UNWRITTEN;
    psa_status_t status =
        atecc608_hmac_compute(&attributes, hmac, CONTEXT_SIZE, PSA_ALG_HMAC(PSA_ALG_SHA_256), text,
                              sizeof text, mac, 32, &length);

    reference_hmac(hmac_key, 32, text, sizeof text, wanted);
    CHECK(status != PSA_SUCCESS || memcmp(mac, wanted, 32) == 0);
    return done(status, length, 32);
}

static psa_status_t run_hash(void)
{
    uint8_t output[32];
    uint8_t wanted[32];
    size_t length = UNWRITTEN;
    psa_status_t status =
        atecc608_hash_compute(PSA_ALG_SHA_256, text, sizeof text, output, 32, &length);

    reference_sha256(text, sizeof text, wanted);
    CHECK(status != PSA_SUCCESS || memcmp(output, wanted, 32) == 0);
    return done(status, length, 32);
}

static psa_status_t run_hash_in_parts(void)
{
    atecc608_hash_operation_t operation;
    uint8_t output[32];
    uint8_t wanted[32];
    size_t length = UNWRITTEN;
    psa_status_t status;

    memset(&operation, 0, sizeof operation);
    NEED(atecc608_hash_setup(&operation, PSA_ALG_SHA_256));
    status = atecc608_hash_update(&operation, text, 70);
    if (status == PSA_SUCCESS) {
        status = atecc608_hash_update(&operation, text + 70, sizeof text - 70);
    }
    if (status == PSA_SUCCESS) {
        status = atecc608_hash_finish(&operation, output, 32, &length);
    }
    reference_sha256(text, sizeof text, wanted);
    CHECK(status != PSA_SUCCESS || memcmp(output, wanted, 32) == 0);
    NEED(atecc608_hash_abort(&operation));
    return done(status, length, 32);
}

static psa_status_t run_random(void)
{
    static uint8_t last[70];
    atecc608_random_context_t context = {0};
    uint8_t output[70] = {0};
    size_t length = UNWRITTEN;
    psa_status_t status = atecc608_get_random(&context, output, sizeof output, &length);

    if (status == PSA_SUCCESS) {
        for (size_t at = 0; at < 70; at += 35) {
            CHECK(memcmp(output + at, last + at, 32) != 0 && !all(output + at, 8, output[at]));
        }
        memcpy(last, output, sizeof last);
    }
    return done(status, length, sizeof output);
}

static const struct scenario {
    const char *name;
    psa_status_t (*run)(void);
    size_t chip; /* whose transactions fail */
} scenarios[] = {
    {"export a public key", run_export, 0},
    {"sign", run_sign, 0},
    {"verify", run_verify, 0},
    {"verify a wrong signature", run_verify_wrong, 0},
    {"verify by a pair", run_verify_by_pair, 0},
    {"agree", run_agreement, 0},
    {"generate and destroy a pair", run_generate, 0},
    {"import and destroy an AES key", run_import, 0},
    {"generate and destroy an AES key", run_generate_cipher_key, 0},
    {"attach", run_attach, 0},
    {"CBC", run_cbc, 0},
    {"CTR", run_ctr, 0},
    {"CMAC", run_cmac, 0},
    {"HMAC", run_hmac, 0},
    {"hash", run_hash, 1},
    {"hash in parts", run_hash_in_parts, 1},
    {"random", run_random, 1},
};

static struct atecc608_state state_of(size_t index)
{
    struct atecc608_session session;

    atecc608_open_device(&session, &corral_atecc608_devices[index]);
    const struct atecc608_state state = *atecc608_state(&session);
    NEED(atecc608_close(&session, PSA_SUCCESS));
    return state;
}

/* A key of the chip that is not disturbed still works. */
static void check_neighbour(size_t disturbed)
{
    const size_t index = disturbed == 0 ? 1 : 0;
    const psa_key_attributes_t attributes = attributes_of(index, P256_PAIR, 256);
    uint8_t point[65];
    size_t length = 0;

    NEED(atecc608_export_public_key(&attributes, index == 0 ? pair : other, CONTEXT_SIZE, point, 65,
                                    &length));
    CHECK(memcmp(point, index == 0 ? pair_point : other_point, 65) == 0);
}

/* One run under one fault, and the runs after it. `known`: whether the chip was read before. */
static psa_status_t run_under(const struct scenario *scenario, const char *fault, bool known)
{
    const uint16_t used = state_of(scenario->chip).used;
    uint64_t begin;
    psa_status_t status;

    if (!known) {
        struct atecc608_session session;

        atecc608_open_device(&session, &corral_atecc608_devices[scenario->chip]);
        NEED(atecc608_close(&session, PSA_SUCCESS));
        atecc608_state(
            &(struct atecc608_session){.device = &corral_atecc608_devices[scenario->chip]})
            ->is_known = false;
    }
    CHECK(atecc608_sim_fault(chips[scenario->chip], fault));
    begin = atecc608_sim_time_us(buses[0]);
    status = scenario->run();
    CHECK(atecc608_sim_time_us(buses[0]) - begin < 10000000);
    check_neighbour(scenario->chip);
    atecc608_sim_fault(chips[scenario->chip], "clear");
    EXPECT(PSA_SUCCESS, scenario->run());
    CHECK(state_of(scenario->chip).used == used);
    return status;
}

static uint32_t count_transactions(const struct scenario *scenario)
{
    atecc608_sim_reset_transactions(chips[scenario->chip]);
    NEED(scenario->run());
    return atecc608_sim_transactions(chips[scenario->chip]);
}

/* Faults of the bus: the call succeeds all the same, or it is a failure of communication. */
static void fail_bus(const struct scenario *scenario, uint32_t count)
{
    static const char *const kinds[] = {
        "nak@%u",   "crc@%u",   "garbage@%u",     "silence@%u",  "watchdog@%u",
        "power@%u", "nak@%u+",  "power-after@%u", "silence@%u+", "crc@%u+",
        "crc@%u+2", "nak@%u+3", "garbage@%u+",    "watchdog@%u+"};
    unsigned survived = 0;
    unsigned refused = 0;

    for (uint32_t n = 1; n <= count; n++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            char fault[24];
            const unsigned before = failures;
            psa_status_t status;

            snprintf(fault, sizeof fault, kinds[k], (unsigned)n);
            status = run_under(scenario, fault, n % 2 == 0);
            CHECK(status == PSA_SUCCESS || status == PSA_ERROR_COMMUNICATION_FAILURE);
            /* one lost byte or bit is never noticed above */
            CHECK(k >= SINGLE_FAULTS || status == PSA_SUCCESS);
            survived += status == PSA_SUCCESS;
            refused += status != PSA_SUCCESS;
            if (failures != before) {
                printf("    in %s under %s: %ld\n", scenario->name, fault, (long)status);
            }
        }
    }
    printf("%-32s %3u transactions: %u survived, %u refused\n", scenario->name, (unsigned)count,
           survived, refused);
}

/* Statuses of the chip: each comes out as what it means, wherever it happens. */
static void fail_status(const struct scenario *scenario, uint32_t count)
{
    static const struct {
        unsigned code;
        psa_status_t status;
    } rows[] = {
        {0x03, PSA_ERROR_NOT_SUPPORTED},
        {0x05, PSA_ERROR_HARDWARE_FAILURE},
        {0x07, PSA_ERROR_HARDWARE_FAILURE},
        {0x08, PSA_ERROR_INSUFFICIENT_ENTROPY},
        {0x0F, PSA_ERROR_NOT_PERMITTED},
        {0x42, PSA_ERROR_COMMUNICATION_FAILURE},
        {0x11, PSA_SUCCESS}, /* the command was not executed: sent again */
        {0xEE, PSA_SUCCESS},
        {0xFF, PSA_SUCCESS},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned hits = 0;

        for (uint32_t n = 1; n <= count; n++) {
            char fault[24];
            const unsigned before = failures;
            psa_status_t status;

            snprintf(fault, sizeof fault, "status:%02X@%u", rows[i].code, (unsigned)n);
            status = run_under(scenario, fault, true);
            /* attach: a slot that refuses has no key; later commands: the chip has slept */
            CHECK(status == PSA_SUCCESS || status == rows[i].status ||
                  (rows[i].status != PSA_SUCCESS && status == PSA_ERROR_COMMUNICATION_FAILURE) ||
                  (rows[i].status != PSA_SUCCESS && scenario->run == run_attach &&
                   status == PSA_ERROR_DOES_NOT_EXIST));
            hits += status == rows[i].status;
            if (failures != before) {
                printf("    in %s under %s: %ld\n", scenario->name, fault, (long)status);
            }
        }
        /* Random comes first in signing, so each status is seen there as itself. */
        CHECK(hits > 0 || scenario->run == run_attach);
    }
}

static void prepare(void)
{
    const psa_key_attributes_t first = attributes_of(0, P256_PAIR, 256);
    const psa_key_attributes_t second = attributes_of(1, P256_PAIR, 256);
    size_t length = 0;

    rig_ready();
    reference_random(text, sizeof text);
    reference_random(hash, sizeof hash);
    reference_random(aes_key, sizeof aes_key);
    reference_random(hmac_key, sizeof hmac_key);
    reference_pair(peer_scalar, peer_point);
    reference_sign(peer_scalar, hash, 32, peer_signature);
    make_pair(0, pair);
    make_pair(1, other);
    make_key(0, PSA_KEY_TYPE_AES, aes_key, 16, aes);
    make_key(0, PSA_KEY_TYPE_HMAC, hmac_key, 32, hmac);
    NEED(atecc608_export_public_key(&first, pair, CONTEXT_SIZE, pair_point, 65, &length));
    NEED(atecc608_export_public_key(&second, other, CONTEXT_SIZE, other_point, 65, &length));
}

int main(void)
{
    prepare();
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const uint32_t count = count_transactions(&scenarios[i]);

        fail_bus(&scenarios[i], count);
        fail_status(&scenarios[i], count);
    }
    return rig_verdict();
}
