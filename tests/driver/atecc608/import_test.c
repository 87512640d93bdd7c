/* SPDX-License-Identifier: Apache-2.0 */
/* Private keys on their way into a chip: PrivWrite under the write key, and all that refuses it. */
#include "rig.h"

#include <slots.h>

#define ELEMENT 2 /* the device with a write key */
#define UNWRITTEN 77
#define DATA_ZONE 2
#define DATA_ZONE_SIZE 1208

static uint8_t scalar[32];
static uint8_t point[65];

static void start(void)
{
    rig_write_key_status = PSA_SUCCESS;
    rig_random_status = PSA_SUCCESS;
    reference_random(rig_write_key, sizeof rig_write_key);
    rig_ready();
    reference_pair(scalar, point);
}

/* Allocate and import as the core does; destroy after a failure. */
static psa_status_t import(size_t index, const uint8_t *data, size_t size,
                           uint8_t context[CONTEXT_SIZE])
{
    const psa_key_attributes_t attributes = attributes_of(index, P256_PAIR, 256);
    uint8_t *copy = exact(data, size);
    size_t length = UNWRITTEN;
    size_t bits = UNWRITTEN;

    NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    psa_status_t status =
        atecc608_import_private_key(&attributes, copy, size, context, CONTEXT_SIZE, &length, &bits);
    CHECK(length == (status == PSA_SUCCESS ? CONTEXT_SIZE : UNWRITTEN));
    CHECK(bits == (status == PSA_SUCCESS ? 256 : UNWRITTEN));
    if (status != PSA_SUCCESS) {
        (void)atecc608_destroy_key(&attributes, context, CONTEXT_SIZE);
    }
    free(copy);
    return status;
}

/* The chip's public key is that of the imported scalar, and it signs and agrees with it. */
static void check_key(const uint8_t context[CONTEXT_SIZE])
{
    const psa_key_attributes_t attributes = attributes_of(ELEMENT, P256_PAIR, 256);
    uint8_t own[65];
    uint8_t hash[32];
    uint8_t signature[64];
    uint8_t peer_scalar[32];
    uint8_t peer[65];
    uint8_t secret[32];
    uint8_t wanted[32];
    size_t length;

    NEED(atecc608_export_public_key(&attributes, context, CONTEXT_SIZE, own, 65, &length));
    CHECK(memcmp(own, point, 65) == 0);
    reference_random(hash, sizeof hash);
    NEED(atecc608_sign_hash(&attributes, context, CONTEXT_SIZE, PSA_ALG_ECDSA(PSA_ALG_SHA_256),
                            hash, 32, signature, 64, &length));
    CHECK(reference_verify(point, hash, 32, signature));
    reference_pair(peer_scalar, peer);
    NEED(atecc608_key_agreement(PSA_ALG_ECDH, &attributes, context, CONTEXT_SIZE, peer, 65, secret,
                                32, &length));
    reference_ecdh(scalar, peer, wanted);
    CHECK(memcmp(secret, wanted, 32) == 0);
}

static void test_imported_keys_work(void)
{
    const psa_key_attributes_t attributes = attributes_of(ELEMENT, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];
    uint8_t own[65];
    size_t length;

    start();
    for (unsigned i = 0; i < 5; i++) {
        reference_pair(scalar, point);
        NEED(import(ELEMENT, scalar, 32, context));
        check_key(context);
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    }
    /* the slot afterwards has another key */
    NEED(atecc608_attach_key(
        &(psa_key_attributes_t){.type = P256_PAIR, .lifetime = attributes.lifetime}, &(uint8_t){0},
        1, context, CONTEXT_SIZE, &length));
    NEED(atecc608_export_public_key(&attributes, context, CONTEXT_SIZE, own, 65, &length));
    CHECK(memcmp(own, point, 65) != 0);
}

/* Slots for imported keys generate as well. */
static void test_generation_goes_on(void)
{
    uint8_t context[CONTEXT_SIZE];

    start();
    for (unsigned i = 0; i < PAIRS; i++) {
        make_pair(ELEMENT, context);
    }
}

/* No write key declared: refused before a byte goes out. */
static void test_no_write_key(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];
    size_t length = UNWRITTEN;
    size_t bits;

    start();
    NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    atecc608_sim_reset_transactions(chips[0]);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, atecc608_import_private_key(&attributes, scalar, 32, context,
                                                                CONTEXT_SIZE, &length, &bits));
    CHECK(length == UNWRITTEN && atecc608_sim_transactions(chips[0]) == 0);
}

static void test_no_such_private_key(void)
{
    static const uint8_t order[32] = {0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00,
                                      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84,
                                      0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51};
    const uint8_t zero[32] = {0};
    uint8_t context[CONTEXT_SIZE];
    uint8_t data[33];

    start();
    NEED(import(ELEMENT, scalar, 32, context)); /* the chip is known from here on */
    atecc608_sim_reset_transactions(chips[ELEMENT]);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(ELEMENT, zero, 32, context));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(ELEMENT, order, 32, context));
    memset(data, 0xFF, sizeof data);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(ELEMENT, data, 32, context));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(ELEMENT, data, 31, context));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(ELEMENT, data, 33, context));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, import(ELEMENT, data, 0, context));
    CHECK(atecc608_sim_transactions(chips[ELEMENT]) == 0);
    memcpy(data, order, 32);
    data[31]--; /* the largest private key */
    EXPECT(PSA_SUCCESS, import(ELEMENT, data, 32, context));
}

/* Another write key than the chip's: it refuses, and keeps what it has. */
static void test_wrong_write_key(void)
{
    const psa_key_attributes_t attributes = attributes_of(ELEMENT, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];
    uint8_t before[DATA_ZONE_SIZE];
    uint8_t after[DATA_ZONE_SIZE];

    start();
    NEED(import(ELEMENT, scalar, 32, context));
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    atecc608_sim_peek(chips[ELEMENT], DATA_ZONE, before, sizeof before);
    rig_write_key[31] ^= 1;
    const psa_key_attributes_t again = attributes_of(ELEMENT, P256_PAIR, 256);
    size_t length;
    size_t bits;
    NEED(atecc608_allocate_key(&again, context, CONTEXT_SIZE));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           atecc608_import_private_key(&again, scalar, 32, context, CONTEXT_SIZE, &length, &bits));
    atecc608_sim_peek(chips[ELEMENT], DATA_ZONE, after, sizeof after);
    CHECK(memcmp(before, after, sizeof before) == 0);
}

/* Missing parts of the host: an error, and nothing is sent. */
static void test_host_without_key_or_random(void)
{
    uint8_t context[CONTEXT_SIZE];

    start();
    NEED(import(ELEMENT, scalar, 32, context));
    atecc608_sim_reset_transactions(chips[ELEMENT]);
    rig_write_key_status = PSA_ERROR_STORAGE_FAILURE;
    EXPECT(PSA_ERROR_STORAGE_FAILURE, import(ELEMENT, scalar, 32, context));
    rig_write_key_status = PSA_SUCCESS;
    rig_random_status = PSA_ERROR_INSUFFICIENT_ENTROPY;
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, import(ELEMENT, scalar, 32, context));
    CHECK(atecc608_sim_transactions(chips[ELEMENT]) == 0);
}

/* The slot of the write key is not free. */
static void test_write_key_slot(void)
{
    psa_key_attributes_t attributes = attributes_of(ELEMENT, PSA_KEY_TYPE_HMAC, 0);
    const uint8_t label = WRITE_KEY_SLOT;
    uint8_t context[CONTEXT_SIZE];
    size_t length;

    start();
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           atecc608_attach_key(&attributes, &label, 1, context, CONTEXT_SIZE, &length));
}

/* Under a fault nothing is imported, or all of it, and the next import works. */
static void import_under(const char *fault)
{
    const psa_key_attributes_t attributes = attributes_of(ELEMENT, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];

    atecc608_sim_reset_transactions(chips[ELEMENT]);
    CHECK(atecc608_sim_fault(chips[ELEMENT], fault));
    psa_status_t status = import(ELEMENT, scalar, 32, context);
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_COMMUNICATION_FAILURE ||
          status == PSA_ERROR_NOT_PERMITTED);
    atecc608_sim_fault(chips[ELEMENT], "clear");
    if (status == PSA_SUCCESS) {
        check_key(context);
        NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    }
    NEED(import(ELEMENT, scalar, 32, context));
    check_key(context);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
}

static void test_faults(void)
{
    const psa_key_attributes_t attributes = attributes_of(ELEMENT, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];

    start();
    NEED(import(ELEMENT, scalar, 32, context));
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    atecc608_sim_reset_transactions(chips[ELEMENT]);
    NEED(import(ELEMENT, scalar, 32, context));
    const uint32_t count = atecc608_sim_transactions(chips[ELEMENT]);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    rig_each_fault(count, import_under);
}

int main(void)
{
    test_imported_keys_work();
    test_generation_goes_on();
    test_no_write_key();
    test_no_such_private_key();
    test_wrong_write_key();
    test_host_without_key_or_random();
    test_write_key_slot();
    test_faults();
    return rig_verdict();
}
