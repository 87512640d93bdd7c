/* SPDX-License-Identifier: Apache-2.0 */
/* Provisioning: plans, writes, locks, and rejections. */
#include "rig.h"

#include <atecc608_provision.h>
#include <p256.h>

enum { SLOT_CONFIG = 20, LOCKS = 86, KEY_CONFIG = 96 };

static const struct atecc608_device *device;
static struct atecc608_plan plan;
static uint8_t config[128];

static void look(void)
{
    CHECK(atecc608_sim_peek(chips[0], 0, config, sizeof config) == sizeof config);
}

static void start(void)
{
    rig_fresh();
    device = &corral_atecc608_devices[0];
    NEED(atecc608_plan(device, device->address, &plan));
}

/* Planning changes nothing and says what is there. */
static void test_plan(void)
{
    uint8_t before[128];

    start();
    look();
    memcpy(before, config, sizeof before);
    NEED(atecc608_plan(device, device->address, &plan));
    look();
    CHECK(memcmp(before, config, sizeof config) == 0);
    CHECK(memcmp(plan.present, config, sizeof config) == 0);
    CHECK(memcmp(plan.serial, config, 4) == 0 && memcmp(plan.serial + 4, config + 8, 5) == 0);
    CHECK(!plan.config_is_locked && !plan.data_is_locked);
    CHECK(plan.declared == 0x0267);
    CHECK(plan.unfit == 0x0265); /* slot 1 of a blank chip suits as it is */
    CHECK(!atecc608_plan_changes(&plan, 0) && atecc608_plan_changes(&plan, 5));
    /* slots that the board does not declare stay as they are */
    for (size_t slot = 0; slot < 16; slot++) {
        if ((plan.declared >> slot & 1) == 0) {
            CHECK(memcmp(plan.planned + SLOT_CONFIG + 2 * slot, config + SLOT_CONFIG + 2 * slot,
                         2) == 0);
            CHECK(memcmp(plan.planned + KEY_CONFIG + 2 * slot, config + KEY_CONFIG + 2 * slot, 2) ==
                  0);
        }
    }
}

/* The words of the data sheet, bit by bit. */
static void test_meaning(void)
{
    start();
    const unsigned pair = plan.planned[SLOT_CONFIG] | plan.planned[SLOT_CONFIG + 1] << 8;
    const unsigned pair_key = plan.planned[KEY_CONFIG] | plan.planned[KEY_CONFIG + 1] << 8;
    const unsigned aes = plan.planned[SLOT_CONFIG + 10] | plan.planned[SLOT_CONFIG + 11] << 8;
    const unsigned aes_key = plan.planned[KEY_CONFIG + 10] | plan.planned[KEY_CONFIG + 11] << 8;
    const unsigned mac_key = plan.planned[KEY_CONFIG + 18] | plan.planned[KEY_CONFIG + 19] << 8;

    CHECK((pair & 0x0001) != 0 && (pair & 0x000C) == 0x0004);  /* sign external, ECDH in clear */
    CHECK((pair & 0x0080) != 0 && (pair & 0x0040) == 0);       /* secret, no encrypted read */
    CHECK((pair >> 12 & 0x2) != 0 && (pair >> 12 & 0x4) == 0); /* GenKey, no PrivWrite */
    CHECK((pair_key & 0x1F) == 0x13);                          /* private, PubInfo, P-256 */
    CHECK((aes & 0x00F0) == 0x0080 && aes >> 12 == 0);         /* secret, written in clear */
    CHECK((aes_key & 0x1D) == 0x18 && (mac_key & 0x1D) == 0x1C);
    CHECK(((pair_key | aes_key | mac_key) & 0x10C0) == 0); /* no random, authorisation, latch */
}

/* Written but not locked: everything can still be changed, and keys are refused. */
static void test_write(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    const psa_key_attributes_t random_key = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    atecc608_random_context_t random = {0};
    uint8_t context[CONTEXT_SIZE];
    uint8_t output[32];
    size_t length = 0;

    start();
    NEED(atecc608_write_config(device, &plan));
    look();
    CHECK(memcmp(config, plan.planned, sizeof config) == 0);
    CHECK(config[LOCKS] == 0x55 && config[LOCKS + 1] == 0x55);
    NEED(atecc608_plan(device, device->address, &plan));
    CHECK(plan.unfit == 0);
    for (uint8_t word = 0; word < 32; word++) {
        CHECK(!atecc608_plan_changes(&plan, word));
    }
    NEED(atecc608_write_config(device, &plan)); /* a second time: nothing to write */
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           atecc608_allocate_key(&random_key, context, CONTEXT_SIZE));
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, /* the keyless device is as fresh */
           atecc608_get_random(&random, output, 32, &length));
    CHECK(length == 0);
}

static void test_lock(void)
{
    uint8_t context[CONTEXT_SIZE];

    start();
    NEED(atecc608_write_config(device, &plan));
    NEED(atecc608_lock(device, &plan));
    look();
    CHECK(config[LOCKS] == 0 && config[LOCKS + 1] == 0);
    make_pair(0, context);
    NEED(atecc608_plan(device, device->address, &plan));
    CHECK(plan.config_is_locked && plan.data_is_locked && plan.unfit == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED, atecc608_write_config(device, &plan));
    NEED(atecc608_lock(device, &plan)); /* nothing left to do */
}

/* Generated between the locks; the chip then refuses to replace it, and it can be used. */
static void test_identity(void)
{
    const uint8_t slot = 3;
    struct atecc608_device with_identity;
    struct atecc608_session session;
    psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];
    uint8_t before[65];
    uint8_t after[65];
    size_t length = 0;

    start();
    with_identity = *device;
    with_identity.slots[slot] = ATECC608_SLOT_IDENTITY;
    NEED(atecc608_plan(&with_identity, device->address, &plan));
    NEED(atecc608_write_config(&with_identity, &plan));
    NEED(atecc608_lock(&with_identity, &plan));
    look();
    CHECK((config[SLOT_CONFIG + 2 * slot + 1] & 0x60) == 0); /* neither GenKey nor PrivWrite */
    NEED(atecc608_attach_key(&attributes, &slot, 1, context, CONTEXT_SIZE, &length));
    CHECK((attributes.usage & PSA_KEY_USAGE_SIGN_HASH) != 0);
    NEED(atecc608_export_public_key(&attributes, context, length, before, sizeof before, &length));
    NEED(atecc608_open(&session, 0));
    session.slot = slot;
    EXPECT(PSA_ERROR_NOT_PERMITTED, atecc608_close(&session, atecc608_renew_pair(&session)));
    NEED(atecc608_export_public_key(&attributes, context, length, after, sizeof after, &length));
    CHECK(memcmp(before, after, sizeof after) == 0);
}

/* A chip that was not written, or another one, is not locked. */
static void test_lock_refused(void)
{
    start();
    EXPECT(PSA_ERROR_NOT_PERMITTED, atecc608_lock(device, &plan));
    NEED(atecc608_write_config(device, &plan));
    plan.present[2] ^= 1; /* another serial number */
    EXPECT(PSA_ERROR_NOT_PERMITTED, atecc608_lock(device, &plan));
    plan.present[2] ^= 1;
    plan.planned[100] ^= 1;
    EXPECT(PSA_ERROR_NOT_PERMITTED, atecc608_lock(device, &plan));
    look();
    CHECK(config[LOCKS] == 0x55 && config[LOCKS + 1] == 0x55);
}

/* Locked long ago with another configuration: reported slot by slot, and not changed. */
static void test_foreign(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    const psa_key_attributes_t aes = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    struct atecc608_device foreign = corral_atecc608_devices[0];
    uint8_t context[CONTEXT_SIZE];

    start();
    foreign.slots[0] = ATECC608_SLOT_AES128; /* the board wants pairs in 0 to 2 */
    foreign.slots[2] = ATECC608_SLOT_HMAC;
    NEED(atecc608_plan(&foreign, device->address, &plan));
    NEED(atecc608_write_config(&foreign, &plan));
    NEED(atecc608_lock(&foreign, &plan));

    NEED(atecc608_plan(device, device->address, &plan));
    CHECK(plan.config_is_locked && plan.unfit == 0x0005);
    EXPECT(PSA_ERROR_NOT_PERMITTED, atecc608_write_config(device, &plan));
    EXPECT(PSA_ERROR_NOT_PERMITTED, atecc608_lock(device, &plan));
    NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    CHECK((context[0] & 0x0F) == 1); /* the only slot of this kind that fits */
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    NEED(atecc608_allocate_key(&aes, context, CONTEXT_SIZE));
}

/* The chip moves to the address that the board wants. */
static void test_address(void)
{
    struct atecc608_device elsewhere = corral_atecc608_devices[2];

    start();
    elsewhere.address = 0x35;
    NEED(atecc608_plan(&elsewhere, 0x60, &plan));
    CHECK(plan.planned[16] == 0x6A);
    NEED(atecc608_write_config(&elsewhere, &plan));
    CHECK(atecc608_sim_address(chips[2]) == 0x35);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, atecc608_plan(&elsewhere, 0x60, &plan));
    NEED(atecc608_plan(&elsewhere, 0x35, &plan));
    NEED(atecc608_lock(&elsewhere, &plan));
}

/*
 * Under a fault the result is an error or the wanted state, a second run completes it, and nothing
 * is ever locked that is not as planned.
 */
static void provision_under(const char *fault)
{
    start();
    CHECK(atecc608_sim_fault(chips[0], fault));
    psa_status_t status = atecc608_plan(device, device->address, &plan);
    status = status == PSA_SUCCESS ? atecc608_write_config(device, &plan) : status;
    status = status == PSA_SUCCESS ? atecc608_lock(device, &plan) : status;
    look();
    if (config[LOCKS + 1] == 0) {
        CHECK(config[SLOT_CONFIG] == 0x85 && config[KEY_CONFIG + 18] == 0x1C);
    }
    CHECK(status != PSA_SUCCESS || (config[LOCKS] == 0 && config[LOCKS + 1] == 0));
    atecc608_sim_fault(chips[0], "clear");
    NEED(atecc608_plan(device, device->address, &plan));
    if (!plan.config_is_locked) {
        NEED(atecc608_write_config(device, &plan));
        NEED(atecc608_plan(device, device->address, &plan));
    }
    CHECK(plan.unfit == 0);
    NEED(atecc608_lock(device, &plan));
    look();
    CHECK(config[LOCKS] == 0 && config[LOCKS + 1] == 0);
}

static void test_faults(void)
{
    start();
    atecc608_sim_reset_transactions(chips[0]);
    NEED(atecc608_plan(device, device->address, &plan));
    NEED(atecc608_write_config(device, &plan));
    NEED(atecc608_lock(device, &plan));
    rig_each_fault(atecc608_sim_transactions(chips[0]), provision_under);
}

int main(void)
{
    test_plan();
    test_meaning();
    test_write();
    test_lock();
    test_identity();
    test_lock_refused();
    test_foreign();
    test_address();
    test_faults();
    return rig_verdict();
}
