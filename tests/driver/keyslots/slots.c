/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that the part rejects by itself, from any host; and requests of the driver. */
#include "rig.h"

#include <string.h>

#include <corral/builtin_keys.h>
#include <corral/devices.h>
#include <corral/drivers/keyslots/entry_points.h>

#include "../../../drivers/keyslots/keyslots_provision.h"

static const uint8_t key_data[16] = "a key of AES-128";

/* One command about a key, from outside the driver's entry points. */
static psa_status_t ask(uint8_t command, const struct keyslots_key *key, const uint8_t *more,
                        size_t size)
{
    struct keyslots_session session;

    keyslots_open(&session, device);
    if (size > 0) {
        memcpy(keyslots_arguments(&session) + KEYSLOTS_REFERENCE_SIZE, more, size);
    }
    return keyslots_close(&session, keyslots_execute_for(&session, command, key, size));
}

static struct keyslots_look look_at(uint8_t slot)
{
    struct keyslots_session session;
    struct keyslots_look look = {.state = 0xFF};

    keyslots_open(&session, device);
    NEED(keyslots_close(&session, keyslots_look(&session, slot, &look)));
    return look;
}

/* The reference of the key that the slot has, or that it will have if `ahead` is 1. */
static struct keyslots_key reference_of(uint8_t slot, unsigned ahead)
{
    struct keyslots_session session;
    const unsigned revision = look_at(slot).revision + ahead;
    struct keyslots_key key = {
        .revision = {(uint8_t)revision, (uint8_t)(revision >> 8)},
        .slot = slot,
    };

    keyslots_open(&session, device);
    NEED(keyslots_close(&session, keyslots_identify(&session, &key)));
    return key;
}

/* Put a key of these properties into a slot that is not the driver's. */
static struct keyslots_key provision(uint8_t slot, uint8_t policy, uint8_t usage)
{
    const struct keyslots_key key = reference_of(slot, 1);
    uint8_t more[2 + sizeof key_data] = {policy, usage};

    memcpy(more + 2, key_data, sizeof key_data);
    NEED(ask(KEYSLOTS_PROVISION, &key, more, sizeof more));
    return key;
}

static psa_key_id_t import(psa_algorithm_t alg, psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_AES, 128, alg, usage);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_lifetime(&attributes, VOLATILE_KEY);
    NEED(psa_import_key(&attributes, key_data, sizeof key_data, &key));
    return test_keep(key);
}

static void slot__that_has_a_key__takes_no_other(void)
{
    uint8_t more[2 + 32] = {KEYSLOTS_ROTATING, KEYSLOTS_ALL_USAGE, 1, 2, 3};
    uint8_t kept[KEYSLOTS_SIM_KEY_SIZE];

    rig_fresh();
    (void)provision(RESERVED_SLOT, KEYSLOTS_ROTATING, KEYSLOTS_MAC);
    const struct keyslots_key next = reference_of(RESERVED_SLOT, 1);
    const struct keyslots_key same = reference_of(RESERVED_SLOT, 0);
    EXPECT(PSA_ERROR_INVALID_HANDLE, ask(KEYSLOTS_PROVISION, &next, more, sizeof more));
    EXPECT(PSA_ERROR_INVALID_HANDLE, ask(KEYSLOTS_PROVISION, &same, more, sizeof more));
    CHECK(keyslots_sim_peek(part, RESERVED_SLOT, kept) == sizeof key_data);
    CHECK(memcmp(kept, key_data, sizeof key_data) == 0);
}

static void key__pushed_for_what_its_slot_does_not_say__is_refused(void)
{
    rig_fresh();
    for (uint8_t usage = 0; usage <= KEYSLOTS_ALL_USAGE; usage++) {
        const struct keyslots_key key = provision(RESERVED_SLOT, KEYSLOTS_ROTATING, usage);

        for (uint8_t wanted = 1; wanted <= KEYSLOTS_ALL_USAGE; wanted++) {
            const bool is_granted = (usage & wanted) == wanted;
            EXPECT(is_granted ? PSA_SUCCESS : PSA_ERROR_NOT_PERMITTED,
                   ask(KEYSLOTS_PUSH, &key, &wanted, 1));
            CHECK(keyslots_sim_has_pushed(part) == is_granted);
        }
        EXPECT(PSA_SUCCESS, ask(KEYSLOTS_REVOKE, &key, NULL, 0));
        CHECK(!keyslots_sim_has_pushed(part));
    }
}

/* An attacker that has changed the policy in the host's memory has not changed the slot's. */
static void engine__asked_for_more_than_the_policy__refuses(void)
{
    static const uint8_t input[16] = {1};
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    keyslots_cipher_operation_t operation = {0};
    uint8_t context[8];
    uint8_t output[16] = {0};
    size_t length = 0;

    rig_fresh();
    psa_set_key_lifetime(&attributes, VOLATILE_KEY);
    NEED(keyslots_allocate_key(&attributes, context, sizeof context));
    NEED(keyslots_generate_key(&attributes, context, sizeof context, &length));
    NEED(keyslots_cipher_decrypt_setup(&operation, &attributes, context, sizeof context,
                                       PSA_ALG_ECB_NO_PADDING));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           keyslots_cipher_update(&operation, input, sizeof input, output, sizeof output, &length));
    CHECK(test_all(output, sizeof output, 0) && !keyslots_sim_has_pushed(part));
    EXPECT(PSA_SUCCESS, keyslots_cipher_abort(&operation));
    EXPECT(PSA_SUCCESS, keyslots_destroy_key(&attributes, context, sizeof context));
}

static void policy__of_a_key__becomes_its_slots_usage(void)
{
    static const struct {
        psa_algorithm_t alg;
        psa_key_usage_t usage;
        uint8_t expected;
    } rows[] = {
        {PSA_ALG_ECB_NO_PADDING, PSA_KEY_USAGE_ENCRYPT, KEYSLOTS_ENCRYPT},
        {PSA_ALG_CBC_NO_PADDING, PSA_KEY_USAGE_DECRYPT, KEYSLOTS_DECRYPT},
        {PSA_ALG_CBC_NO_PADDING, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT,
         KEYSLOTS_ENCRYPT | KEYSLOTS_DECRYPT},
        {PSA_ALG_CTR, PSA_KEY_USAGE_DECRYPT, KEYSLOTS_COUNTER},
        {PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE, KEYSLOTS_MAC},
        {PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(PSA_ALG_CMAC, 8), PSA_KEY_USAGE_VERIFY_MESSAGE,
         KEYSLOTS_MAC},
        {PSA_ALG_CCM, PSA_KEY_USAGE_DECRYPT, KEYSLOTS_ENCRYPT},
        {PSA_ALG_CCM, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DERIVE, KEYSLOTS_ENCRYPT},
        {PSA_ALG_SP800_108_COUNTER_CMAC, PSA_KEY_USAGE_DERIVE, KEYSLOTS_MAC},
        {PSA_ALG_SP800_108_COUNTER_CMAC, PSA_KEY_USAGE_VERIFY_DERIVATION, KEYSLOTS_MAC},
        {PSA_ALG_NONE, PSA_KEY_USAGE_ENCRYPT, 0},
    };

    rig_fresh();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("policy", i);
        (void)import(rows[i].alg, rows[i].usage);
        const struct keyslots_look look = look_at(0);
        CHECK(look.state == KEYSLOTS_PROVISIONED && look.policy == KEYSLOTS_ROTATING);
        CHECK(look.usage == rows[i].expected && look.size == sizeof key_data);
        test_destroy_keys();
    }
    test_context(NULL, 0);
}

static void key__destroyed__is_erased_and_its_reference_void(void)
{
    const uint8_t wanted = KEYSLOTS_COUNTER;
    uint8_t erased[KEYSLOTS_SIM_KEY_SIZE];

    rig_fresh();
    const psa_key_id_t key = import(PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    const struct keyslots_key old = reference_of(0, 0);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    CHECK(keyslots_sim_peek(part, 0, erased) == 0 && test_all(erased, sizeof erased, 0));
    EXPECT(PSA_ERROR_INVALID_HANDLE, ask(KEYSLOTS_PUSH, &old, &wanted, 1));
    (void)import(PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT); /* in the same slot */
    EXPECT(PSA_ERROR_INVALID_HANDLE, ask(KEYSLOTS_PUSH, &old, &wanted, 1));
    EXPECT(PSA_ERROR_INVALID_HANDLE, ask(KEYSLOTS_REVOKE, &old, NULL, 0));
}

static void reference__of_another_part__is_refused(void)
{
    const uint8_t wanted = KEYSLOTS_MAC;

    rig_fresh();
    struct keyslots_key key = provision(RESERVED_SLOT, KEYSLOTS_ROTATING, KEYSLOTS_MAC);
    key.serial[0] ^= 1;
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, ask(KEYSLOTS_PUSH, &key, &wanted, 1));
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, ask(KEYSLOTS_REVOKE, &key, NULL, 0));
}

/* The data sheet's statuses, and one that it has not. */
static void status__of_the_part__is_one_of_psa(void)
{
    static const struct {
        uint8_t said;
        psa_status_t expected;
    } rows[] = {
        {1, PSA_ERROR_HARDWARE_FAILURE},      {2, PSA_ERROR_COMMUNICATION_FAILURE},
        {3, PSA_ERROR_INVALID_HANDLE},        {4, PSA_ERROR_INVALID_HANDLE},
        {5, PSA_ERROR_NOT_PERMITTED},         {6, PSA_ERROR_NOT_PERMITTED},
        {7, PSA_ERROR_COMMUNICATION_FAILURE}, {8, PSA_ERROR_HARDWARE_FAILURE},
        {0xFF, PSA_ERROR_HARDWARE_FAILURE},
    };
    uint8_t mac[16];
    size_t length;

    rig_fresh();
    const psa_key_id_t key = import(PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_say(rows[i].said);
        EXPECT(rows[i].expected,
               psa_mac_compute(key, PSA_ALG_CMAC, key_data, 5, mac, sizeof mac, &length));
        CHECK(!keyslots_sim_has_pushed(part));
    }
    rig_say(0);
    EXPECT(PSA_SUCCESS, psa_mac_compute(key, PSA_ALG_CMAC, key_data, 5, mac, 16, &length));
}

static void slot__by_its_policy__can_be_filled_again_or_not(void)
{
    const uint8_t wanted = KEYSLOTS_MAC;
    uint8_t more[2 + 16] = {KEYSLOTS_ROTATING, KEYSLOTS_MAC};

    rig_fresh();
    const struct keyslots_key single = provision(14, KEYSLOTS_SINGLE, KEYSLOTS_MAC);
    EXPECT(PSA_SUCCESS, ask(KEYSLOTS_REVOKE, &single, NULL, 0));
    const struct keyslots_key next = reference_of(14, 1);
    EXPECT(PSA_ERROR_INVALID_HANDLE, ask(KEYSLOTS_PROVISION, &next, more, sizeof more));
    CHECK(look_at(14).state == KEYSLOTS_REVOKED);

    const struct keyslots_key locked = provision(15, KEYSLOTS_LOCKED, KEYSLOTS_MAC);
    EXPECT(PSA_ERROR_NOT_PERMITTED, ask(KEYSLOTS_REVOKE, &locked, NULL, 0));
    EXPECT(PSA_SUCCESS, ask(KEYSLOTS_PUSH, &locked, &wanted, 1));
}

static void key__that_was_there__is_attached_and_let_go(void)
{
    const uint8_t label = RESERVED_SLOT;
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 0, PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_key_id_t key = PSA_KEY_ID_NULL;
    psa_key_id_t again = PSA_KEY_ID_NULL;
    uint8_t expected[16];
    uint8_t mac[16];
    size_t length;

    rig_fresh();
    psa_set_key_lifetime(&attributes, VOLATILE_KEY);
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_attach_key(&attributes, &label, 1, &key));
    (void)provision(label, KEYSLOTS_ROTATING, KEYSLOTS_MAC);
    NEED(psa_attach_key(&attributes, &label, 1, &key));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_attach_key(&attributes, &label, 1, &again));
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_bits(&attributes) == 128);
    EXPECT(PSA_SUCCESS, psa_mac_compute(key, PSA_ALG_CMAC, key_data, 5, mac, 16, &length));
    CHECK(!keyslots_sim_has_pushed(part));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    CHECK(look_at(label).state == KEYSLOTS_PROVISIONED);

    key = test_import(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE, key_data, 16);
    EXPECT(PSA_SUCCESS, psa_mac_compute(key, PSA_ALG_CMAC, key_data, 5, expected, 16, &length));
    CHECK_BYTES(mac, 16, expected, 16);
}

static void device_key__is_there_from_the_start_and_for_good(void)
{
    uint8_t first[16];
    uint8_t second[16];
    size_t length;

    rig_fresh();
    EXPECT(PSA_SUCCESS,
           psa_mac_compute(CORRAL_KEY_DEVICE, PSA_ALG_CMAC, key_data, 16, first, 16, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_destroy_key(CORRAL_KEY_DEVICE));
    rig_restart();
    EXPECT(PSA_SUCCESS,
           psa_mac_compute(CORRAL_KEY_DEVICE, PSA_ALG_CMAC, key_data, 16, second, 16, &length));
    CHECK_BYTES(first, 16, second, 16);
    CHECK(look_at(DEVICE_SLOT).policy == KEYSLOTS_LOCKED);
}

static void slot__with_another_key__is_unfit_for_a_device_key(void)
{
    struct keyslots_device other = *device;
    struct keyslots_plan plan;

    rig_fresh();
    other.slots[RESERVED_SLOT] = KEYSLOTS_SLOT_DEVICE;
    other.slots[RESERVED_SLOT + 1] = KEYSLOTS_SLOT_DEVICE;
    EXPECT(PSA_SUCCESS, keyslots_plan(&other, &plan));
    CHECK(!plan.is_unfit && plan.missing == 3u << RESERVED_SLOT);
    (void)provision(RESERVED_SLOT, KEYSLOTS_ROTATING, KEYSLOTS_MAC);
    EXPECT(PSA_SUCCESS, keyslots_plan(&other, &plan));
    CHECK(plan.is_unfit && plan.missing == 2u << RESERVED_SLOT);
    EXPECT(PSA_SUCCESS, keyslots_lock(&other, &plan));
    CHECK(look_at(RESERVED_SLOT).policy == KEYSLOTS_ROTATING);
    CHECK(look_at(RESERVED_SLOT + 1).policy == KEYSLOTS_LOCKED);
}

static void device_key__cut_while_it_is_made__is_made_by_the_next_order(void)
{
    struct keyslots_device other = *device;
    struct keyslots_plan plan;

    rig_fresh();
    other.slots[RESERVED_SLOT] = KEYSLOTS_SLOT_DEVICE;
    EXPECT(PSA_SUCCESS, keyslots_plan(&other, &plan));
    rig_cut("power-during", 3, false); /* LOOK, whose answer is a transfer, and GENERATE */
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, keyslots_lock(&other, &plan));
    CHECK(rig_mend());
    CHECK(look_at(RESERVED_SLOT).state == KEYSLOTS_TORN);
    EXPECT(PSA_SUCCESS, keyslots_plan(&other, &plan));
    CHECK(!plan.is_unfit && plan.missing == 1u << RESERVED_SLOT);
    EXPECT(PSA_SUCCESS, keyslots_lock(&other, &plan));
    EXPECT(PSA_SUCCESS, keyslots_plan(&other, &plan));
    CHECK(!plan.is_unfit && plan.missing == 0);
}

#define LANES 3u /* two ciphers and a MAC */
#define STEPS 7u
#define STEP_SIZE 21u
#define TEXT_SIZE (STEPS * STEP_SIZE)

struct outcome {
    uint8_t texts[LANES - 1][TEXT_SIZE];
    uint8_t mac[16];
};

/* Begin an operation with each key, go on in turn or with one after the other, and end them. */
static void run(const psa_key_id_t keys[LANES], bool in_turn, struct outcome *outcome)
{
    static const uint8_t iv[16] = {1};
    psa_cipher_operation_t ciphers[LANES - 1] = {PSA_CIPHER_OPERATION_INIT,
                                                 PSA_CIPHER_OPERATION_INIT};
    psa_mac_operation_t mac = PSA_MAC_OPERATION_INIT;
    uint8_t text[TEXT_SIZE];
    size_t length;

    test_fill(text, sizeof text, 9);
    NEED(psa_mac_sign_setup(&mac, keys[LANES - 1], PSA_ALG_CMAC));
    for (unsigned lane = 0; lane < LANES - 1; lane++) {
        NEED(psa_cipher_encrypt_setup(&ciphers[lane], keys[lane], PSA_ALG_CTR));
        NEED(psa_cipher_set_iv(&ciphers[lane], iv, sizeof iv));
    }
    for (unsigned i = 0; i < LANES * STEPS; i++) {
        const unsigned lane = in_turn ? i % LANES : i / STEPS;
        const size_t at = STEP_SIZE * (in_turn ? i / LANES : i % STEPS);

        if (lane < LANES - 1) {
            NEED(psa_cipher_update(&ciphers[lane], text + at, STEP_SIZE, outcome->texts[lane] + at,
                                   STEP_SIZE, &length));
        } else {
            NEED(psa_mac_update(&mac, text + at, STEP_SIZE));
        }
    }
    for (unsigned lane = 0; lane < LANES - 1; lane++) {
        NEED(psa_cipher_finish(&ciphers[lane], NULL, 0, &length));
    }
    NEED(psa_mac_sign_finish(&mac, outcome->mac, sizeof outcome->mac, &length));
}

static void operations__in_turn__keep_to_their_keys(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 256, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t keys[LANES];
    struct outcome alone;
    struct outcome in_turn;

    rig_fresh();
    psa_set_key_lifetime(&attributes, VOLATILE_KEY);
    for (unsigned lane = 0; lane < LANES - 1; lane++) {
        NEED(psa_generate_key(&attributes, &keys[lane]));
        (void)test_keep(keys[lane]);
    }
    keys[LANES - 1] = import(PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE);
    run(keys, false, &alone);
    run(keys, true, &in_turn);
    CHECK(memcmp(&alone, &in_turn, sizeof alone) == 0);
    CHECK(memcmp(alone.texts[0], alone.texts[1], TEXT_SIZE) != 0);
    CHECK(!keyslots_sim_has_pushed(part));
}

static void part__full__refuses_and_loses_no_slot(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 256, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t key;

    rig_fresh();
    psa_set_key_lifetime(&attributes, VOLATILE_KEY);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < KEY_SLOTS; i++) {
            NEED(psa_generate_key(&attributes, &key));
            (void)test_keep(key);
        }
        EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_generate_key(&attributes, &key));
        if (round == 0) {
            test_destroy_keys();
        }
    }
    /* The keys of a run that ended without destroying them have no name any more. */
    rig_restart();
    for (unsigned i = 0; i < KEY_SLOTS; i++) {
        NEED(psa_generate_key(&attributes, &key));
        (void)test_keep(key);
    }
}

static const struct test_case tests[] = {
    TEST(slot__that_has_a_key__takes_no_other),
    TEST(key__pushed_for_what_its_slot_does_not_say__is_refused),
    TEST(engine__asked_for_more_than_the_policy__refuses),
    TEST(policy__of_a_key__becomes_its_slots_usage),
    TEST(key__destroyed__is_erased_and_its_reference_void),
    TEST(reference__of_another_part__is_refused),
    TEST(status__of_the_part__is_one_of_psa),
    TEST(slot__by_its_policy__can_be_filled_again_or_not),
    TEST(key__that_was_there__is_attached_and_let_go),
    TEST(device_key__is_there_from_the_start_and_for_good),
    TEST(slot__with_another_key__is_unfit_for_a_device_key),
    TEST(device_key__cut_while_it_is_made__is_made_by_the_next_order),
    TEST(operations__in_turn__keep_to_their_keys),
    TEST(part__full__refuses_and_loses_no_slot),
};
TEST_SUITE(slots, tests);
